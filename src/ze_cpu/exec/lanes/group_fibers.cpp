#include "group_fibers.h"
#include "fiber_switch.h"

#include <algorithm>
#include <cstring>

namespace ze_cpu {

void GroupFibers::reserve(uint32_t lanes) {
  if (sanitizer_stacks_.size() >= lanes)
    return;
  stack_pointers_.resize(lanes);
  scheduler_.reserve(lanes);
  calls_.resize(lanes);
  exchanges_.resize(lanes);
  sanitizer_stacks_.resize(lanes);
}

void GroupFibers::start(const KernelCode &code, const GroupContext &group,
                        const FiberStacks &stacks, size_t first_stack) {
  code_ = &code;
  group_ = &group;
  stacks_ = &stacks;
  first_stack_ = first_stack;
  lanes_ = static_cast<uint32_t>(group.group_size[0] * group.group_size[1] * group.group_size[2]);
  scheduler_.start(lanes_, code.sub_group_size);
  scheduler_.make_all_ready();
  std::fill_n(stack_pointers_.begin(), lanes_, nullptr);
  std::fill_n(calls_.begin(), lanes_, &no_call);
}

ZE_CPU_SWITCHES_STACKS bool GroupFibers::resume() {
  if (scheduler_.waits_for_grid())
    scheduler_.release_grid();
  sanitizer_thread_ = {}; // it may be another than the last time
  sanitizer_enter_fibers(sanitizer_thread_);
  switch_to(no_lane, next_lane(), false);
  sanitizer_leave_fibers();
  return scheduler_.waits_for_grid();
}

ZE_CPU_SWITCHES_STACKS uint64_t GroupFibers::wait(uint32_t lane, uint64_t value, uint64_t parameter,
                                                  uint32_t id, uint32_t packed_operation) {
  exchanges_[lane] = {value, parameter, 0};
  scheduler_.wait(lane, {id, packed_operation, calls_[lane]});
  uint32_t next = next_lane();
  if (next != lane)
    switch_to(lane, next, false);
  return exchanges_[lane].result;
}

// The lane that runs next, or no_lane when the group has ended or waits for the grid.
uint32_t GroupFibers::next_lane() {
  const uint32_t sub_group = scheduler_.next(*this);
  return sub_group == LaneScheduler::none ? no_lane : scheduler_.take_lane(sub_group);
}

void GroupFibers::exchange_sub_group(const LanePoint &point, uint32_t first_lane, uint32_t active) {
  ze_cpu::exchange_sub_group(point.operation(), &exchanges_[first_lane], active);
}

void GroupFibers::exchange_work_group(const LanePoint &point) {
  if (point.operation().kind != SyncKind::barrier)
    ze_cpu::exchange_work_group(point.operation(), std::span(exchanges_).first(lanes_),
                                scheduler_.ready_lanes());
}

// Lanes that have ended leave nothing behind.
template <class Visit> void GroupFibers::for_each_live_stack(Visit visit) const {
  scheduler_.for_each_at_barrier([&](uint32_t lane) {
    auto *low = static_cast<std::byte *>(stack_pointers_[lane]);
    visit(low, static_cast<size_t>(stacks_->top(first_stack_ + lane) - low));
  });
}

void GroupFibers::save_stacks(std::vector<std::byte> &memory) const {
  size_t total = 0;
  for_each_live_stack([&](const std::byte *, size_t bytes) { total += bytes; });
  memory.resize(total);
  std::byte *to = memory.data();
  for_each_live_stack([&](const std::byte *low, size_t bytes) {
    std::memcpy(to, low, bytes);
    to += bytes;
  });
}

void GroupFibers::restore_stacks(const std::vector<std::byte> &memory) const {
  const std::byte *from = memory.data();
  for_each_live_stack([&](std::byte *low, size_t bytes) {
    std::memcpy(low, from, bytes);
    from += bytes;
  });
}

// `no_lane` stands for the thread itself, on either side.
ZE_CPU_SWITCHES_STACKS void GroupFibers::switch_to(uint32_t from, uint32_t to, bool for_good) {
  SanitizerStack &here = from == no_lane ? sanitizer_thread_ : sanitizer_stacks_[from];
  SanitizerStack &there = to == no_lane ? sanitizer_thread_ : sanitizer_stacks_[to];
  void *&target = to == no_lane ? thread_stack_pointer_ : stack_pointers_[to];
  if (!target) {
    starting_lane_ = to;
    std::byte *top = stacks_->top(first_stack_ + to);
    const std::byte *bottom = stacks_->bottom(first_stack_ + to);
    there.bottom = bottom;
    there.size = static_cast<size_t>(top - bottom);
    there.fake_stack = nullptr;
    target = prepare_stack(top, fiber_main, this);
  }
  switched_from_ = from;
  sanitizer_before_switch(here, there, for_good);
  ze_cpu_switch_stack(from == no_lane ? &thread_stack_pointer_ : &stack_pointers_[from], target);
  sanitizer_after_switch(here, switched_from_ == no_lane ? sanitizer_thread_
                                                         : sanitizer_stacks_[switched_from_]);
}

ZE_CPU_SWITCHES_STACKS void GroupFibers::fiber_main(void *self) {
  auto &fibers = *static_cast<GroupFibers *>(self);
  uint32_t lane = fibers.starting_lane_;
  sanitizer_after_switch(fibers.sanitizer_stacks_[lane],
                         fibers.switched_from_ == no_lane
                             ? fibers.sanitizer_thread_
                             : fibers.sanitizer_stacks_[fibers.switched_from_]);
  const GroupContext &group = *fibers.group_;
  uint64_t x = lane % group.group_size[0], rest = lane / group.group_size[0];
  uint64_t y = rest % group.group_size[1], z = rest / group.group_size[1];
  fibers.code_->fiber(&group, x, y, z, lane);
  fibers.switch_to(lane, fibers.next_lane(), true);
  __builtin_unreachable();
}

} // namespace ze_cpu

ZE_CPU_SWITCHES_STACKS uint64_t ze_cpu_sync(const ze_cpu::GroupContext *group, uint64_t lane,
                                            uint64_t value, uint64_t parameter, uint32_t id,
                                            uint32_t operation) {
  return group->fibers->wait(static_cast<uint32_t>(lane), value, parameter, id, operation);
}
