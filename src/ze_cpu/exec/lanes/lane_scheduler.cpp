#include "lane_scheduler.h"

#include <utility>

namespace ze_cpu {

std::strong_ordering LanePoint::order_by_calls(const LanePoint &other) const {
  // From the innermost on: the outermost difference decides.
  uint32_t here = id, there = other.id;
  const SyncCall *a = call, *b = other.call;
  auto leave = [](const SyncCall *&call, uint32_t &place) {
    place = call->id;
    call = call->caller;
  };
  while (a->depth > b->depth)
    leave(a, here);
  while (b->depth > a->depth)
    leave(b, there);
  std::strong_ordering order = here <=> there;
  while (a->depth) {
    leave(a, here);
    leave(b, there);
    if (here != there)
      order = here <=> there;
  }
  return order;
}

void LaneScheduler::reserve(uint32_t lanes) {
  if (ready_lanes_.size() >= lanes)
    return;
  points_.resize(lanes);
  sub_groups_.resize(lanes); // enough for sub-groups of one lane
  ready_lanes_.resize(lanes);
}

void LaneScheduler::start(uint32_t lanes, uint32_t width) {
  lanes_ = lanes;
  width_ = width;
  width_bits_ = static_cast<uint32_t>(std::countr_zero(width));
  go_to(0);
  gave_turn_ = false;
  waits_for_grid_ = false;
  std::fill_n(sub_groups_.begin(), sub_groups(), SubGroup{});
}

void LaneScheduler::make_all_ready() {
  for (uint32_t i = 0, first = 0; first < lanes_; ++i, first += width_)
    sub_groups_[i].make_ready(first_lanes(std::min(width_, lanes_ - first)), false);
}

LaneScheduler::Neighbours LaneScheduler::take_neighbours(uint32_t index) {
  const bool together = sub_groups_[index].ready_together;
  uint32_t &ready = sub_groups_[index].ready;
  const uint32_t begin = index << width_bits_;
  const auto first = static_cast<uint32_t>(std::countr_zero(ready)),
             end = first + static_cast<uint32_t>(std::countr_one(ready >> first));
  uint32_t last = together ? end : first + 1;
  while (last < end && point(begin + last).id == point(begin + first).id)
    ++last;
  ready &= ~(first_lanes(last) & ~first_lanes(first));
  return {begin + first, begin + last};
}

bool LaneScheduler::all_at_one_point() const {
  const uint32_t id = point(0).id;
  for (uint32_t i = 0, first = 0; first < lanes_; ++i, first += width_) {
    const uint32_t last =
        sub_groups_[i].is_at_one_point ? first + 1 : std::min(first + width_, lanes_);
    for (uint32_t lane = first; lane < last; ++lane)
      if (point(lane).id != id)
        return false;
  }
  return true;
}

std::span<const uint8_t> LaneScheduler::ready_lanes() {
  std::fill_n(ready_lanes_.begin(), lanes_, 0);
  for_each_ready([&](uint32_t lane) { ready_lanes_[lane] = 1; });
  return std::span(ready_lanes_).first(lanes_);
}

// Makes the lanes ready that wait at the first of the sub-group's operations.
LanePoint LaneScheduler::release_operation(SubGroup &sub_group, uint32_t first_lane) {
  const LanePoint *earliest =
      &point(first_lane + static_cast<uint32_t>(std::countr_zero(sub_group.at_operation)));
  if (sub_group.together_at_operation) {
    sub_group.make_ready(std::exchange(sub_group.at_operation, 0), true);
    return *earliest;
  }
  uint32_t active = 0;
  for_each_bit(sub_group.at_operation, [&](uint32_t lane) {
    const LanePoint &here = point(first_lane + lane);
    const std::strong_ordering order = here <=> *earliest;
    if (order < 0) {
      active = 0;
      earliest = &here;
    }
    if (order <= 0)
      active |= 1u << lane;
  });
  sub_group.at_operation &= ~active;
  sub_group.make_ready(active, true);
  return *earliest;
}

// Makes the lanes ready that meet at the first of the work-group's operations. All lanes wait for
// the work-group or the grid, or are not waited for; nullptr: none waits for the work-group.
const LanePoint *LaneScheduler::release_work_group() {
  const LanePoint *earliest = nullptr;
  for_each_at_barrier([&](uint32_t lane) {
    const LanePoint &here = point(lane);
    if (here.operation().scope == SyncScope::grid)
      waits_for_grid_ = true;
    else if (!earliest || here < *earliest)
      earliest = &here;
  });
  if (!earliest)
    return nullptr;
  waits_for_grid_ = false;
  // A barrier that only some lanes reach is an error of the kernel; as on a GPU, any barrier then
  // matches any other. Operations with a result match only themselves.
  auto meets = [&](const LanePoint &here) {
    return here.operation().scope != SyncScope::grid &&
           (here == *earliest || (here.operation().kind == SyncKind::barrier &&
                                  earliest->operation().kind == SyncKind::barrier));
  };
  for (uint32_t i = 0, first = 0; first < lanes_; ++i, first += width_) {
    SubGroup &sub_group = sub_groups_[i];
    uint32_t ready = 0;
    for_each_bit(sub_group.at_barrier, [&](uint32_t lane) {
      if (meets(point(first + lane)))
        ready |= 1u << lane;
    });
    sub_group.make_ready(ready, false);
    sub_group.at_barrier &= ~sub_group.ready;
  }
  return earliest;
}

void LaneScheduler::release_grid() {
  waits_for_grid_ = false;
  go_to(0);
  for (uint32_t i = 0; i < sub_groups(); ++i)
    sub_groups_[i].make_ready(std::exchange(sub_groups_[i].at_barrier, 0), false);
}

} // namespace ze_cpu
