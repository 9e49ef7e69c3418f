// Sizes and addresses that begin where something may begin.
#pragma once

#include <concepts>
#include <limits>
#include <new>
#include <type_traits>

namespace common {

/// The least multiple of `to`, which is not 0, that is no less than `value`. Throws std::bad_alloc where there is none.
template <std::unsigned_integral T> constexpr T round_up(T value, std::type_identity_t<T> to) {
  if (value > std::numeric_limits<T>::max() - (to - 1)) [[unlikely]]
    throw std::bad_alloc();
  return (value + (to - 1)) / to * to;
}

} // namespace common
