// The work-groups of a cooperative launch: all exist at once. A group that waits for the others
// keeps what its work-items have on their stacks, and its work-group memory.
#pragma once

#include "../contract/kernel_code.h"
#include "checks/group_trace.h"
#include "lanes/fiber_stacks.h"
#include "lanes/group_fibers.h"

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

namespace ze_cpu {

/// The groups are dealt out to a few teams. Those of a team run one after the other, on the same
/// stacks: whoever waits has its part of them put aside, so that many groups need little memory,
/// and always the same.
class ResidentGroups {
public:
  /// For at most `teams` threads. Throws std::bad_alloc.
  ResidentGroups(const Launch &launch, unsigned teams);

  /// Memory that a waiting work-group takes at most.
  static uint64_t bytes(const KernelCode &code, uint32_t group_items, uint32_t local_bytes);

  /// Teams with groups that have not ended.
  uint64_t teams() const { return teams_.size(); }

  /// Runs the groups of the teams [first, last) until each waits for the grid or has ended.
  /// Different threads may run different teams. Throws std::bad_alloc.
  void run(uint64_t first, uint64_t last);

  /// After all have run: those that wait for the grid go on in the next run().
  void next_phase();

private:
  struct Group {
    GroupContext context;
    GroupFibers fibers;
    std::unique_ptr<GroupTrace> trace;
    std::vector<std::byte> stacks; // while it waits and others of its team run
    bool ended = false;
  };
  struct Free {
    void operator()(std::byte *memory) const { std::free(memory); }
  };

  FiberStacks stacks_;
  std::unique_ptr<std::byte, Free> local_;
  std::deque<Group> groups_;
  std::vector<std::vector<Group *>> teams_; // unfinished groups, in the order of the grid
  bool shares_stacks_ = false;
};

} // namespace ze_cpu
