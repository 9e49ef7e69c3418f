// The work-groups of a cooperative launch: all exist at once, each keeping its work-items' stacks
// and its work-group memory while it waits for the others.
#pragma once

#include "fiber_stacks.h"
#include "group_fibers.h"
#include "kernel_code.h"

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

namespace ze_cpu {

/// The most work-items a cooperative launch may have: their stacks take two pages each at least.
inline constexpr uint32_t max_resident_items = 65'536;

class ResidentGroups {
public:
  /// Throws std::bad_alloc.
  explicit ResidentGroups(const Launch &launch);

  /// Address space that a work-group takes.
  static uint64_t bytes(const KernelCode &code, uint32_t group_items, uint32_t local_bytes);

  /// Groups that have not ended.
  uint64_t count() const { return unfinished_.size(); }

  /// Runs the unfinished groups [first, last) until each waits for the grid or has ended. Different
  /// threads may run different groups.
  void run(uint64_t first, uint64_t last);

  /// After all have run: those that wait for the grid go on in the next run().
  void next_phase();

private:
  struct Group {
    GroupContext context;
    GroupFibers fibers;
    bool ended = false;
  };
  struct Free {
    void operator()(std::byte *memory) const { std::free(memory); }
  };

  FiberStacks stacks_;
  std::unique_ptr<std::byte, Free> local_;
  std::deque<Group> groups_;
  std::vector<Group *> unfinished_; // in the order of the grid
};

} // namespace ze_cpu
