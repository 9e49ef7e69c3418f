#include "group_fibers.h"
#include "fiber_switch.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace ze_cpu {

void GroupFibers::reserve(uint32_t lanes) {
  if (sanitizer_stacks_.size() >= lanes)
    return;
  stack_pointers_.resize(lanes);
  points_.resize(lanes);
  exchanges_.resize(lanes);
  taking_part_.resize(lanes);
  sub_groups_.resize(lanes); // enough for sub-groups of one lane
  sanitizer_stacks_.resize(lanes);
}

void GroupFibers::start(const KernelCode &code, const GroupContext &group,
                        const FiberStacks &stacks, size_t first_stack) {
  code_ = &code;
  group_ = &group;
  stacks_ = &stacks;
  first_stack_ = first_stack;
  lanes_ = static_cast<uint32_t>(group.group_size[0] * group.group_size[1] * group.group_size[2]);
  uint32_t width = code.sub_group_size;
  for (uint32_t first = 0, i = 0; first < lanes_; first += width, ++i) {
    uint32_t members = std::min(width, lanes_ - first);
    sub_groups_[i] = {.ready = members == 32 ? ~0u : (1u << members) - 1};
  }
  std::fill_n(stack_pointers_.begin(), lanes_, nullptr);
  waits_for_grid_ = false;
  current_sub_group_ = 0;
}

ZE_CPU_SWITCHES_STACKS bool GroupFibers::resume() {
  if (waits_for_grid_) {
    waits_for_grid_ = false;
    uint32_t width = code_->sub_group_size;
    for (uint32_t first = 0, i = 0; first < lanes_; first += width, ++i)
      sub_groups_[i].ready = std::exchange(sub_groups_[i].at_barrier, 0);
    current_sub_group_ = 0;
  }
  sanitizer_thread_ = {}; // it may be another than the last time
  sanitizer_enter_fibers(sanitizer_thread_);
  switch_to(no_lane, next_lane(), false);
  sanitizer_leave_fibers();
  return waits_for_grid_;
}

ZE_CPU_SWITCHES_STACKS uint64_t GroupFibers::wait(uint32_t lane, uint64_t value, uint64_t parameter,
                                                  uint32_t id, SyncOperation operation) {
  exchanges_[lane] = {value, parameter, 0};
  points_[lane] = {id, operation};
  SubGroup &sub_group = sub_groups_[lane / code_->sub_group_size];
  uint32_t bit = 1u << lane % code_->sub_group_size;
  (operation.scope == SyncScope::sub_group ? sub_group.at_operation : sub_group.at_barrier) |= bit;
  uint32_t next = next_lane();
  if (next != lane)
    switch_to(lane, next, false);
  return exchanges_[lane].result;
}

// The lane that runs next, or no_lane when the group has ended or waits for the grid.
uint32_t GroupFibers::next_lane() {
  uint32_t width = code_->sub_group_size;
  for (;;) {
    SubGroup &sub_group = sub_groups_[current_sub_group_];
    uint32_t first = current_sub_group_ * width;
    if (sub_group.ready) {
      auto lane = static_cast<uint32_t>(std::countr_zero(sub_group.ready));
      sub_group.ready &= sub_group.ready - 1;
      return first + lane;
    }
    if (sub_group.at_operation) {
      release_operation(sub_group, first);
      continue;
    }
    if ((current_sub_group_ + 1) * width < lanes_) {
      ++current_sub_group_;
      continue;
    }
    if (!release_work_group())
      return no_lane;
    current_sub_group_ = 0;
  }
}

void GroupFibers::release_operation(SubGroup &sub_group, uint32_t first) {
  uint32_t id = UINT32_MAX, active = 0;
  for (uint32_t rest = sub_group.at_operation; rest; rest &= rest - 1) {
    uint32_t bit = rest & -rest;
    uint32_t here = points_[first + static_cast<uint32_t>(std::countr_zero(rest))].id;
    if (here < id)
      active = 0;
    id = std::min(id, here);
    if (here == id)
      active |= bit;
  }
  exchange_sub_group(points_[first + static_cast<uint32_t>(std::countr_zero(active))].operation,
                     &exchanges_[first], active);
  sub_group.at_operation &= ~active;
  sub_group.ready = active;
}

// All lanes wait for the work-group or the grid, or have ended; false: none waits for the
// work-group.
bool GroupFibers::release_work_group() {
  uint32_t width = code_->sub_group_size;
  uint32_t first_id = UINT32_MAX;
  SyncOperation operation = {};
  for (uint32_t lane = 0; lane < lanes_; ++lane) {
    bool waits = sub_groups_[lane / width].at_barrier >> lane % width & 1;
    bool for_grid = points_[lane].operation.scope == SyncScope::grid;
    waits_for_grid_ |= waits && for_grid;
    taking_part_[lane] = waits && !for_grid;
    if (taking_part_[lane] && points_[lane].id < first_id) {
      first_id = points_[lane].id;
      operation = points_[lane].operation;
    }
  }
  if (first_id == UINT32_MAX)
    return false;
  waits_for_grid_ = false;
  // A barrier that only some lanes reach is an error of the kernel; as on a GPU, any barrier then
  // matches any other. Operations with a result match only themselves.
  for (uint32_t lane = 0; lane < lanes_; ++lane) {
    bool both_barriers =
        operation.kind == SyncKind::barrier && points_[lane].operation.kind == SyncKind::barrier;
    taking_part_[lane] = taking_part_[lane] && (both_barriers || points_[lane].id == first_id);
  }
  if (operation.kind != SyncKind::barrier)
    exchange_work_group(operation, std::span(exchanges_).first(lanes_),
                        std::span(taking_part_).first(lanes_));
  for (uint32_t lane = 0; lane < lanes_; ++lane)
    if (taking_part_[lane]) {
      SubGroup &sub_group = sub_groups_[lane / width];
      sub_group.at_barrier &= ~(1u << lane % width);
      sub_group.ready |= 1u << lane % width;
    }
  return true;
}

// Lanes that have ended leave nothing behind.
template <class Visit> void GroupFibers::for_each_live_stack(Visit visit) const {
  uint32_t width = code_->sub_group_size;
  for (uint32_t lane = 0; lane < lanes_; ++lane)
    if (sub_groups_[lane / width].at_barrier >> lane % width & 1) {
      auto *low = static_cast<std::byte *>(stack_pointers_[lane]);
      visit(low, static_cast<size_t>(stacks_->top(first_stack_ + lane) - low));
    }
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
  return group->fibers->wait(static_cast<uint32_t>(lane), value, parameter, id,
                             ze_cpu::SyncOperation::unpack(operation));
}
