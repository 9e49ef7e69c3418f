// The access of reserved addresses, piece by piece.
#pragma once

#include "../../ze/virtual_memory.h"

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>

namespace chip {

/// Pieces that touch and have the same access are one.
class AccessMap {
public:
  using Access = std::optional<ze::PageAccess>; // without one, nothing is mapped
  struct Piece {
    uintptr_t begin, end;
    Access access;
  };

  /// Nothing is mapped to the addresses.
  AccessMap(uintptr_t begin, uintptr_t end) : pieces_{{begin, {}}, {end, {}}} {}

  /// For addresses inside, of which there are some. If that throws, nothing has changed.
  void assign(uintptr_t begin, uintptr_t end, Access access) {
    split(begin);
    split(end);
    const auto first = pieces_.find(begin), behind = pieces_.find(end);
    pieces_.erase(std::next(first), behind);
    first->second = access;
    if (std::next(behind) != pieces_.end() && behind->second == access)
      pieces_.erase(behind);
    if (first != pieces_.begin() && std::prev(first)->second == access)
      pieces_.erase(first);
  }

  Piece at(uintptr_t address) const {
    const auto next = pieces_.upper_bound(address), piece = std::prev(next);
    return {piece->first, next->first, piece->second};
  }

private:
  void split(uintptr_t address) {
    const auto next = pieces_.lower_bound(address);
    if (next->first != address)
      pieces_.emplace_hint(next, address, std::prev(next)->second);
  }

  std::map<uintptr_t, Access> pieces_; // by where they begin; the last one is the end
};

} // namespace chip
