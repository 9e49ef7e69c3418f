#include "changing_nodes.h"

#include <algorithm>

namespace chip {
namespace {

constexpr uint64_t few_launches = 64;
/// A node that is left out costs a launch about as much as recording a few nodes.
constexpr size_t most_left_out = 16, recorded_for_each = 16;

} // namespace

void ChangingNodes::begin() {
  segments_.assign(segment_count_, {});
  nodes_.resize(segment_of_.size());
  for (const uint32_t segment : segment_of_)
    ++segments_[segment].size;
}

bool ChangingNodes::change(uint32_t index) {
  if (nodes_.empty())
    begin();
  Node &node = nodes_[index];
  Segment &segment = segments_[segment_of_[index]];
  const bool is_frequent = node.changed_at != 0 && launches_ - node.changed_at < few_launches &&
                           launches_ != node.changed_at;
  node.changed_at = segment.changed_at = launches_;
  if (node.is_left_out)
    return false;
  if (!is_frequent || launches_ < segment.records_all_until)
    return true;
  if (segment.left_out.size() < std::min(most_left_out, segment.size / recorded_for_each)) {
    segment.left_out.push_back(index);
    node.is_left_out = true;
  } else {
    segment.records_all_until = launches_ + few_launches;
    take_in(segment);
  }
  return true;
}

bool ChangingNodes::takes_in(uint32_t index) {
  if (segments_.empty()) [[likely]]
    return false;
  Segment &segment = segments_[index];
  if (segment.left_out.empty() || launches_ - segment.changed_at < few_launches)
    return false;
  take_in(segment);
  return true;
}

void ChangingNodes::take_in(Segment &segment) {
  for (const uint32_t node : segment.left_out)
    nodes_[node].is_left_out = false;
  segment.left_out.clear();
}

} // namespace chip
