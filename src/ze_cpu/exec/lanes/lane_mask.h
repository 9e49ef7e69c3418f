// Lanes of a sub-group as the bits of a mask.
#pragma once

#include <bit>
#include <cstdint>

namespace ze_cpu {

template <class Visit> void for_each_bit(uint32_t mask, Visit &&visit) {
  for (; mask; mask &= mask - 1)
    visit(static_cast<uint32_t>(std::countr_zero(mask)));
}

/// The first `lanes` of a sub-group, at most 32.
constexpr uint32_t first_lanes(uint32_t lanes) { return lanes == 32 ? ~0u : (1u << lanes) - 1; }

} // namespace ze_cpu
