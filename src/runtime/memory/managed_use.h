// What programs say of the use of managed memory, part by part.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <iterator>
#include <map>
#include <vector>

namespace chip {

/// What hipMemAdvise and hipMemPrefetchAsync have said of some bytes. Devices are numbers, hipCpuDeviceId, or hipInvalidDeviceId
/// where nothing was said.
struct ManagedUse {
  bool is_read_mostly = false;
  bool is_coarse_grained = false;
  int preferred_location = hipInvalidDeviceId;
  int last_prefetch = hipInvalidDeviceId;
  std::vector<int> accessed_by; // each once, in the order in which they were named

  bool operator==(const ManagedUse &) const = default;
};

/// The use of an allocation's bytes, by offset. Neighbours that are used alike are one part, so that there are never more parts
/// than the program told apart.
class ManagedUses {
public:
  /// Calls `change(use)` for each part between the offsets, of which `begin` is the smaller one.
  template <class Change> void change(size_t begin, size_t end, const Change &change) {
    parts_.try_emplace(0);
    const auto first = split(begin), last = split(end);
    for (auto part = first; part != last; ++part)
      change(part->second);
    for (auto part = first == parts_.begin() ? first : std::prev(first); part != last;)
      if (const auto next = std::next(part); next != parts_.end() && next->second == part->second) {
        if (next == last)
          return void(parts_.erase(next));
        parts_.erase(next);
      } else {
        part = next;
      }
  }

  /// Calls `look(use)` for each part that has bytes between the offsets, of which `begin` is the smaller one.
  template <class Look> void look(size_t begin, size_t end, const Look &look) const {
    if (parts_.empty())
      return look(ManagedUse{});
    for (auto part = std::prev(parts_.upper_bound(begin));
         part != parts_.end() && part->first < end; ++part)
      look(part->second);
  }

  size_t part_count() const { return parts_.empty() ? 1 : parts_.size(); }

private:
  using Parts = std::map<size_t, ManagedUse>;

  /// The part that begins at the offset, from now on if it did not before.
  Parts::iterator split(size_t offset) {
    const auto after = parts_.upper_bound(offset);
    const auto part = std::prev(after);
    return part->first == offset ? part : parts_.emplace_hint(after, offset, part->second);
  }

  Parts parts_; // by their beginnings; none as long as nothing was said
};

} // namespace chip
