// Which lanes run next, and which lanes meet in which operation: the rules of synchronisation
// points, for lanes that are executed in whatever way.
#pragma once

#include "../../contract/sync.h"
#include "lane_mask.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ze_cpu {

/// A synchronisation point as the lanes see it that wait there. Of two points the one that comes
/// first in the program is the lesser, as if calls were inlined.
struct LanePoint {
  uint32_t id;
  uint32_t packed_operation;
  const SyncCall *call = &no_call; // by which lanes came there

  SyncOperation operation() const { return SyncOperation::unpack(packed_operation); }

  std::strong_ordering operator<=>(const LanePoint &other) const {
    return call == other.call ? id <=> other.id : order_by_calls(other);
  }
  bool operator==(const LanePoint &other) const { return *this <=> other == 0; }

private:
  std::strong_ordering order_by_calls(const LanePoint &other) const;
};

/// The lanes of a team (a work-group, or one sub-group of it) take turns by this order.
///
/// A sub-group's lanes run until each waits or has ended. Then, of the sub-group operations they
/// wait at, the one that comes first in the program is carried out, its active lanes being those
/// that wait there; they go on until they wait again. When no lane of any sub-group is left at a
/// sub-group operation, the work-group's operation that comes first is complete: lanes that have
/// ended are not waited for. A sub-group at a turn point goes on after the others had theirs, and so
/// does one that has carried out many operations: it may wait for what another is to write.
///
/// The team that next() is given executes operations. It has these functions:
/// `bool stops_at(SyncScope)`: whether all is done for now, so that no operation is carried out;
/// `void exchange_sub_group(const LanePoint &, uint32_t first_lane, uint32_t active)`;
/// `void exchange_work_group(const LanePoint &)`, for the ready lanes.
class LaneScheduler {
public:
  static constexpr uint32_t none = UINT32_MAX;
  /// Operations that a sub-group carries out before the next one has its turn, at most.
  static constexpr uint32_t longest_turn = 64;

  /// Makes room for teams of `lanes` lanes. Throws std::bad_alloc.
  void reserve(uint32_t lanes);

  /// Begins with a team of `lanes` lanes in sub-groups of `width`, a power of two. None of them is ready: each
  /// is given to make_ready(), wait() or hold().
  void start(uint32_t lanes, uint32_t width);
  void make_all_ready();
  /// Lanes of a sub-group, side by side: the first, and the one after the last.
  struct Neighbours {
    uint32_t first, last;
  };
  /// The lanes wait at a point until its operation is carried out.
  void wait(Neighbours lanes, const LanePoint &point) {
    SubGroup &sub_group = put(lanes, point);
    const uint32_t mask = first_lanes(lanes.last - lanes.first) << (lanes.first & (width_ - 1));
    if (point.operation().scope == SyncScope::sub_group) {
      sub_group.together_at_operation = sub_group.at_operation == 0;
      sub_group.at_operation |= mask;
    } else {
      sub_group.at_barrier |= mask;
    }
  }
  void wait(uint32_t lane, const LanePoint &point) { wait({lane, lane + 1}, point); }
  /// The lanes do not run again, nor are they waited for: they have ended, or wait for all lanes.
  void hold(Neighbours lanes, uint32_t id) { put(lanes, {id, 0}); }

  /// Carries out operations until lanes may run again: a sub-group that has such lanes. none: the
  /// team stops, all lanes have ended, or all that have not ended wait for the grid.
  template <class Team> uint32_t next(Team &team) {
    for (;;) {
      SubGroup &sub_group = sub_groups_[current_];
      if (sub_group.ready)
        return current_;
      if (sub_group.at_operation) {
        if (team.stops_at(SyncScope::sub_group))
          return none;
        const LanePoint point = release_operation(sub_group, current_ * width_);
        team.exchange_sub_group(point, current_ * width_, sub_group.ready);
        if (point.operation().kind == SyncKind::turn || ++operations_ == longest_turn) {
          gave_turn_ = true;
          go_to((current_ + 1) * width_ < lanes_ ? current_ + 1 : 0);
        }
      } else if ((current_ + 1) * width_ < lanes_) {
        go_to(current_ + 1);
      } else if (std::exchange(gave_turn_, false)) {
        go_to(0);
      } else {
        if (team.stops_at(SyncScope::work_group))
          return none;
        const LanePoint *const point = release_work_group();
        if (!point)
          return none;
        team.exchange_work_group(*point);
        go_to(0);
      }
    }
  }

  /// Takes the lowest lane of the sub-group that is ready: the caller runs it.
  uint32_t take_lane(uint32_t sub_group) {
    uint32_t &ready = sub_groups_[sub_group].ready;
    const auto lane = static_cast<uint32_t>(std::countr_zero(ready));
    ready &= ready - 1;
    return sub_group * width_ + lane;
  }
  /// Takes that lane and those neighbours of it that are ready at the same point.
  Neighbours take_neighbours(uint32_t sub_group);

  /// After next() returned none: whether that is because lanes wait for the grid.
  bool waits_for_grid() const { return waits_for_grid_; }
  /// All lanes that wait for the grid go on.
  void release_grid();

  const LanePoint &point(uint32_t lane) const {
    const SubGroup &sub_group = sub_groups_[lane >> width_bits_];
    return sub_group.is_at_one_point ? sub_group.point : points_[lane];
  }
  bool all_at_one_point() const;

  /// Visits the lanes that are ready.
  template <class Visit> void for_each_ready(Visit visit) const {
    for_each(&SubGroup::ready, visit);
  }
  /// Visits the lanes that wait for the work-group or the grid.
  template <class Visit> void for_each_at_barrier(Visit visit) const {
    for_each(&SubGroup::at_barrier, visit);
  }
  /// For each lane whether it is ready.
  std::span<const uint8_t> ready_lanes();

private:
  struct SubGroup {
    uint32_t ready = 0;                 // may run
    uint32_t at_operation = 0;          // wait at a sub-group operation
    uint32_t at_barrier = 0;            // wait at an operation of the work-group or the grid
    bool together_at_operation = false; // all of those lanes came there at once
    bool ready_together = false;        // all of those lanes are at one point
    bool is_at_one_point = false;       // all its lanes are: at `point`, and theirs do not count
    LanePoint point{};

    void make_ready(uint32_t lanes, bool together) {
      ready = lanes;
      ready_together = together;
    }
  };

  // The lanes are at the point now.
  SubGroup &put(Neighbours lanes, const LanePoint &point) {
    const uint32_t index = lanes.first >> width_bits_, first = index << width_bits_,
                   last = std::min(first + width_, lanes_);
    SubGroup &sub_group = sub_groups_[index];
    if (lanes.first == first && lanes.last == last) {
      sub_group.is_at_one_point = true;
      sub_group.point = point;
      return sub_group;
    }
    if (sub_group.is_at_one_point)
      std::fill(points_.data() + first, points_.data() + last, sub_group.point);
    sub_group.is_at_one_point = false;
    std::fill(points_.data() + lanes.first, points_.data() + lanes.last, point);
    return sub_group;
  }
  void go_to(uint32_t sub_group) {
    current_ = sub_group;
    operations_ = 0;
  }
  LanePoint release_operation(SubGroup &sub_group, uint32_t first_lane);
  const LanePoint *release_work_group();
  uint32_t sub_groups() const { return (lanes_ + width_ - 1) >> width_bits_; }
  template <class Visit> void for_each(uint32_t SubGroup::*lanes, Visit &&visit) const {
    for (uint32_t i = 0, first = 0; first < lanes_; ++i, first += width_)
      for_each_bit(sub_groups_[i].*lanes, [&](uint32_t lane) { visit(first + lane); });
  }

  uint32_t lanes_ = 0, width_ = 1, width_bits_ = 0;
  uint32_t current_ = 0;    // the sub-group whose turn it is
  uint32_t operations_ = 0; // that it has carried out since then
  bool gave_turn_ = false;  // one before it may go on, too
  bool waits_for_grid_ = false;
  std::vector<LanePoint> points_; // where each lane waits, or was when it last waited
  std::vector<SubGroup> sub_groups_;
  std::vector<uint8_t> ready_lanes_;
};

} // namespace ze_cpu
