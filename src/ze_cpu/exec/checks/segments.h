// When a work-item did something: segments of execution, numbered in the order in which they begin.
//
// A segment is what a sub-group does between two events that can order it: a barrier of its group, or
// an atomic operation by which it tells others what it has done. Numbers only grow, so that whatever
// has a number of before the launch began is ordered before it.
#pragma once

#include <atomic>
#include <cstdint>

namespace ze_cpu {

/// Whose a segment is.
struct Segment {
  uint32_t launch;
  uint32_t group;      // linear in the grid
  uint32_t epoch;      // barriers that the group had passed
  uint32_t first_lane; // of the sub-group, linear in the group
};

class Segments {
public:
  static Segments &instance();

  /// The number of the last segment that has begun.
  uint64_t last() const { return next_.load(std::memory_order_relaxed) - 1; }
  /// Takes `count` numbers that follow one another: the first.
  uint64_t take(uint32_t count) { return next_.fetch_add(count, std::memory_order_relaxed); }

  void describe(uint64_t number, const Segment &segment);
  /// Whose it is; false if that has been forgotten.
  bool find(uint64_t number, Segment &segment) const;

private:
  // Old ones are forgotten. What is between two accesses of a race that is found is less than this.
  static constexpr uint64_t kept = 1u << 21;
  struct Entry {
    std::atomic<uint64_t> number, launch_and_group, epoch_and_lane;
  };

  Segments();
  Entry *entries_;
  std::atomic<uint64_t> next_ = 1;
};

} // namespace ze_cpu
