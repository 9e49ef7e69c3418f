// Which lanes of a group have come to which place.
#pragma once

#include "../../contract/memory_access.h"

#include <cstdint>
#include <vector>

namespace ze_cpu {

class LanesAtPlaces {
public:
  /// None of so many lanes has come anywhere.
  void begin(uint32_t lanes) {
    words_ = (lanes + 63) / 64;
    forget();
  }
  void forget() {
    lanes_.clear();
    places_.clear();
  }
  bool is_empty() const { return places_.empty(); }

  /// The lanes in `mask` come to the place: `lane`, that and `step` (0 or 1), and so on. Where they were before does not matter.
  void add(SourcePlace *place, uint32_t lane, uint32_t step, uint64_t mask) {
    const uint32_t word = lane / 64, bit = lane % 64;
    if (step == 0)
      mask = 1;
    const uint64_t low = mask << bit, high = bit == 0 ? 0 : mask >> (64 - bit);
    bool is_known = false;
    for (size_t i = 0; i < places_.size(); ++i) {
      const bool is_it = places_[i] == place;
      change(i, word, low, is_it);
      if (high != 0)
        change(i, word + 1, high, is_it);
      is_known |= is_it;
    }
    if (is_known)
      return;
    places_.push_back(place);
    lanes_.resize(lanes_.size() + words_);
    change(places_.size() - 1, word, low, true);
    if (high != 0)
      change(places_.size() - 1, word + 1, high, true);
  }

  bool has(uint32_t lane) const { return index_of(lane) != places_.size(); }
  /// Null: it has come to none.
  SourcePlace *place_of(uint32_t lane) const {
    const size_t index = index_of(lane);
    return index == places_.size() ? nullptr : places_[index];
  }
  bool are_at_one_place() const { return places_.size() == 1; }

private:
  void change(size_t index, uint32_t word, uint64_t bits, bool are_there) {
    uint64_t &lanes = lanes_[index * words_ + word];
    lanes = are_there ? lanes | bits : lanes & ~bits;
  }
  size_t index_of(uint32_t lane) const {
    size_t i = 0;
    while (i < places_.size() && !(lanes_[i * words_ + lane / 64] >> lane % 64 & 1))
      ++i;
    return i;
  }

  size_t words_ = 0;
  std::vector<SourcePlace *> places_;
  std::vector<uint64_t> lanes_; // of each place, a bit for each lane
};

} // namespace ze_cpu
