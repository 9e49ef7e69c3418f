#include "lane_scheduler.h"

#include <algorithm>
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
  current_ = 0;
  waits_for_grid_ = false;
  std::fill_n(sub_groups_.begin(), sub_groups(), SubGroup{});
}

void LaneScheduler::make_all_ready() {
  for (uint32_t i = 0, first = 0; first < lanes_; ++i, first += width_)
    sub_groups_[i].ready = first_lanes(std::min(width_, lanes_ - first));
}

LaneScheduler::Neighbours LaneScheduler::take_neighbours(uint32_t index) {
  uint32_t &ready = sub_groups_[index].ready;
  const LanePoint *const points = &points_[index * width_];
  const auto first = static_cast<uint32_t>(std::countr_zero(ready));
  uint32_t last = first + 1;
  while (last < 32 && (ready >> last & 1) && points[last].id == points[first].id)
    ++last;
  ready &= ~(first_lanes(last) & ~first_lanes(first));
  return {index * width_ + first, index * width_ + last};
}

bool LaneScheduler::all_at_one_point() const {
  return std::all_of(points_.begin(), points_.begin() + lanes_,
                     [&](const LanePoint &point) { return point.id == points_[0].id; });
}

std::span<const uint8_t> LaneScheduler::ready_lanes() {
  std::fill_n(ready_lanes_.begin(), lanes_, 0);
  for_each_ready([&](uint32_t lane) { ready_lanes_[lane] = 1; });
  return std::span(ready_lanes_).first(lanes_);
}

// Makes the lanes ready that wait at the first of the sub-group's operations.
LanePoint LaneScheduler::release_operation(SubGroup &sub_group, uint32_t first_lane) {
  const LanePoint *const points = &points_[first_lane];
  const LanePoint *earliest = &points[std::countr_zero(sub_group.at_operation)];
  uint32_t active = 0;
  for (uint32_t rest = sub_group.at_operation; rest; rest &= rest - 1) {
    const LanePoint &here = points[std::countr_zero(rest)];
    const std::strong_ordering order = here <=> *earliest;
    if (order < 0) {
      active = 0;
      earliest = &here;
    }
    if (order <= 0)
      active |= rest & -rest;
  }
  sub_group.at_operation &= ~active;
  sub_group.ready = active;
  return *earliest;
}

// Makes the lanes ready that meet at the first of the work-group's operations. All lanes wait for
// the work-group or the grid, or are not waited for; nullptr: none waits for the work-group.
const LanePoint *LaneScheduler::release_work_group() {
  const LanePoint *earliest = nullptr;
  for_each_at_barrier([&](uint32_t lane) {
    const LanePoint &here = points_[lane];
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
    for_each_bit(sub_group.at_barrier, [&](uint32_t lane) {
      if (meets(points_[first + lane]))
        sub_group.ready |= 1u << lane;
    });
    sub_group.at_barrier &= ~sub_group.ready;
  }
  return earliest;
}

void LaneScheduler::release_grid() {
  waits_for_grid_ = false;
  current_ = 0;
  for (uint32_t i = 0; i < sub_groups(); ++i)
    sub_groups_[i].ready = std::exchange(sub_groups_[i].at_barrier, 0);
}

} // namespace ze_cpu
