// Which nodes of an executable graph are given other work so often that it does not pay to record them with the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace chip {

/// A change of a recorded node means that all that is recorded with it is recorded again. A node that changes twice within few
/// launches is left out: its work is submitted by itself, between what is recorded before and after it, so that its next change
/// costs nothing but itself. It is taken in again when its segment has not changed for as many launches. Where more nodes change
/// than it pays for, all are recorded.
class ChangingNodes {
public:
  /// The segment of each node of the plan, which is kept.
  ChangingNodes(std::span<const uint32_t> segment_of, size_t segments)
      : segment_of_(segment_of), segment_count_(segments) {}

  /// A node is given other work. Whether its segment has to be built again.
  bool change(uint32_t node);
  bool is_left_out(uint32_t node) const { return !nodes_.empty() && nodes_[node].is_left_out; }
  /// A launch begins.
  void count_launch() { ++launches_; }
  /// Whether the segment has to be built again, since it has nodes to be taken in.
  bool takes_in(uint32_t segment);

private:
  struct Node {
    bool is_left_out = false;
    uint64_t changed_at = 0; // the launch before which it was changed last; 0: never
  };
  struct Segment {
    uint32_t size = 0;
    std::vector<uint32_t> left_out{};
    uint64_t changed_at = 0;
    uint64_t records_all_until = 0; // the launch
  };
  void begin();
  void take_in(Segment &segment);

  const std::span<const uint32_t> segment_of_;
  const size_t segment_count_;
  // Both are empty before the first change.
  std::vector<Node> nodes_;
  std::vector<Segment> segments_;
  uint64_t launches_ = 1;
};

} // namespace chip
