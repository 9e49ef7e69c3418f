// A work-group that waits for what another is to write, in a loop that only reads memory. It keeps its thread; so that the others
// get their turn, another thread takes its place. Sub-groups of one work-group take turns by themselves (SyncKind::turn).
#pragma once

#include "../contract/memory_access.h"
#include "grid.h"

#include <chrono>

namespace ze_cpu {

/// Around the running of work-groups of a kernel that waits for memory, on the thread that runs them.
class GroupWait {
public:
  explicit GroupWait(Grid &grid);
  ~GroupWait();
  GroupWait(const GroupWait &) = delete;

  /// A round of the loop, which reads at `place`, if that is known.
  void again(SourcePlace *place);

private:
  using Clock = std::chrono::steady_clock;

  void look_at_clock(SourcePlace *place);

  Grid &grid_;
  uint64_t rounds_ = 0;
  Clock::time_point begin_; // of the wait
  bool is_waiting_ = false; // as the pool knows, until the group has ended
};

} // namespace ze_cpu

/// Generated code calls it in each round of such a loop.
extern "C" void ze_cpu_wait(ze_cpu::SourcePlace *place);
