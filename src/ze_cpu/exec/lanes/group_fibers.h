// A work-group whose work-items wait for each other: each is a fiber, all on the thread that runs
// the group.
#pragma once

#include "../../contract/kernel_code.h"
#include "../../contract/sanitizers.h"
#include "exchange.h"
#include "fiber_stacks.h"
#include "lane_scheduler.h"

#include <vector>

namespace ze_cpu {

/// One per thread, reused for every group that the thread runs as fibers; in a cooperative launch
/// one for each group, which any thread may resume. Lanes take turns by LaneScheduler's order. When
/// all that have not ended wait for the grid, the group is suspended.
class GroupFibers {
public:
  GroupFibers() = default;
  GroupFibers(const GroupFibers &) = delete;
  GroupFibers &operator=(const GroupFibers &) = delete;

  /// Makes room for groups of `lanes` work-items. Throws std::bad_alloc.
  void reserve(uint32_t lanes);

  /// For GroupContext.
  const SyncCall **calls() { return calls_.data(); }

  /// Readies the work-group that `group` describes, on the stacks from `first_stack` on. reserve()
  /// comes first; all that is named here stays until the group has ended.
  void start(const KernelCode &code, const GroupContext &group, const FiberStacks &stacks,
             size_t first_stack);
  /// Runs the group until it has ended (false), or waits for the grid (true): calling again then
  /// releases it.
  bool resume();

  /// While the group waits for the grid its stacks can be lent to another: what is on them is
  /// appended to `memory`, and put back before resume(). Not for AddressSanitizer, which knows what
  /// lies on a stack.
  void save_stacks(std::vector<std::byte> &memory) const;
  void restore_stacks(const std::vector<std::byte> &memory) const;

  /// Called by the running fiber; see ze_cpu_sync.
  uint64_t wait(uint32_t lane, uint64_t value, uint64_t parameter, uint32_t id,
                uint32_t packed_operation);

private:
  friend LaneScheduler;
  static constexpr uint32_t no_lane = UINT32_MAX;

  uint32_t next_lane();
  // What LaneScheduler asks for.
  static bool stops_at(SyncScope) { return false; }
  void exchange_sub_group(const LanePoint &point, uint32_t first_lane, uint32_t active);
  void exchange_work_group(const LanePoint &point);

  template <class Visit> void for_each_live_stack(Visit visit) const;
  void switch_to(uint32_t from, uint32_t to, bool for_good);
  static void fiber_main(void *self);

  const FiberStacks *stacks_ = nullptr;
  size_t first_stack_ = 0;
  std::vector<void *> stack_pointers_; // null: not started
  LaneScheduler scheduler_;
  std::vector<const SyncCall *> calls_; // each lane's innermost
  std::vector<LaneExchange> exchanges_;
  std::vector<SanitizerStack> sanitizer_stacks_;
  SanitizerStack sanitizer_thread_;
  void *thread_stack_pointer_ = nullptr;

  const KernelCode *code_ = nullptr;
  const GroupContext *group_ = nullptr;
  uint32_t lanes_ = 0;
  uint32_t starting_lane_ = 0;
  uint32_t switched_from_ = no_lane;
};

} // namespace ze_cpu
