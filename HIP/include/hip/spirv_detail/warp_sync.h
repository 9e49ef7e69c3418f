/// Functions of the threads of a warp that a mask names: all of them must make the call, with the
/// same mask. Threads with other masks may make it at the same time.
#pragma once

#include <hip/spirv_detail/math/cmath.h>
#include <hip/spirv_detail/math/integer.h>
#include <hip/spirv_detail/warp.h>

namespace chip_device {

/// Masks have 64 bits in HIP; programs that come from CUDA have masks of 32.
template <typename __Mask> CHIP_DEVICE unsigned int lanes_of(__Mask mask) {
  static_assert(__is_integral(__Mask) && sizeof(__Mask) >= 4,
                "a mask is an integer of 32 or 64 bits");
  return static_cast<unsigned int>(mask);
}

template <typename T>
static constexpr bool is_shuffled = __is_arithmetic(T) && sizeof(T) >= sizeof(int);

/// A value of another lane of the warp, whatever its type.
template <typename T>
CHIP_DEVICE typename __EnableIf<is_shuffled<T>, T>::__Type value_from(T value, unsigned int lane) {
  return __shfl(value, static_cast<int>(lane));
}
template <typename T>
CHIP_DEVICE typename __EnableIf<!is_shuffled<T>, T>::__Type value_from(T value, unsigned int lane) {
  static_assert(__is_trivially_copyable(T), "threads can only exchange what is copied by bytes");
  unsigned int words[(sizeof(T) + sizeof(int) - 1) / sizeof(int)] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned int &word : words)
    word = __shfl(word, static_cast<int>(lane));
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

} // namespace chip_device

// Votes

template <typename __Mask>
CHIP_DEVICE unsigned long long __ballot_sync(__Mask mask, int predicate) {
  chip_device::names_lanes(chip_device::lanes_of(mask));
  return __ballot(predicate) & chip_device::lanes_of(mask);
}
template <typename __Mask> CHIP_DEVICE int __any_sync(__Mask mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
template <typename __Mask> CHIP_DEVICE int __all_sync(__Mask mask, int predicate) {
  return __ballot_sync(mask, !predicate) == 0;
}

// Shuffles

template <typename __Mask, typename T>
CHIP_DEVICE T __shfl_sync(__Mask mask, T value, int lane, int width = warpSize) {
  chip_device::names_lanes(chip_device::lanes_of(mask));
  return __shfl(value, lane, width);
}
template <typename __Mask, typename T>
CHIP_DEVICE T __shfl_up_sync(__Mask mask, T value, unsigned int distance, int width = warpSize) {
  chip_device::names_lanes(chip_device::lanes_of(mask));
  return __shfl_up(value, distance, width);
}
template <typename __Mask, typename T>
CHIP_DEVICE T __shfl_down_sync(__Mask mask, T value, unsigned int distance, int width = warpSize) {
  chip_device::names_lanes(chip_device::lanes_of(mask));
  return __shfl_down(value, distance, width);
}
template <typename __Mask, typename T>
CHIP_DEVICE T __shfl_xor_sync(__Mask lanes, T value, int mask, int width = warpSize) {
  chip_device::names_lanes(chip_device::lanes_of(lanes));
  return __shfl_xor(value, mask, width);
}

// Comparisons

/// The active threads that have the same value. A NaN is equal to nothing but its own thread's.
template <typename T> CHIP_DEVICE unsigned long long __match_any(T value) {
  const unsigned int self = 1u << __lane_id();
  unsigned int equal = self;
  // One value after the other, in the order of the first lanes that have it.
  for (unsigned int left = static_cast<unsigned int>(__activemask()); left != 0;) {
    const unsigned int first = static_cast<unsigned int>(__builtin_ctz(left));
    const bool same = chip_device::value_from(value, first) == value;
    const unsigned int all = static_cast<unsigned int>(__ballot(same)) | 1u << first;
    if (same)
      equal = all;
    left &= ~all;
  }
  return equal | self;
}
template <typename __Mask, typename T>
CHIP_DEVICE unsigned long long __match_any_sync(__Mask mask, T value) {
  chip_device::names_lanes(chip_device::lanes_of(mask));
  return __match_any(value) & chip_device::lanes_of(mask);
}

/// The mask, and true, if all its threads have the same value; else 0, and false.
template <typename __Mask, typename T>
CHIP_DEVICE unsigned long long __match_all_sync(__Mask mask, T value, int *predicate) {
  const unsigned int lanes = chip_device::lanes_of(mask);
  const unsigned int first = static_cast<unsigned int>(__builtin_ctz(lanes));
  *predicate = __all_sync(lanes, chip_device::value_from(value, first) == value);
  return *predicate ? lanes : 0;
}
template <typename T> CHIP_DEVICE unsigned long long __match_all(T value, int *predicate) {
  return __match_all_sync(__activemask(), value, predicate);
}

// Reductions

namespace chip_device {

/// `operation` over the values of the lanes in the mask, for each of them. Every thread asks all
/// lanes, so that threads with different masks stay together.
template <typename T, typename __Operation>
CHIP_DEVICE T reduce(unsigned int lanes, T value, __Operation operation) {
  names_lanes(lanes);
  if (lanes == ~0u) {
    for (unsigned int distance = warpSize / 2; distance > 0; distance /= 2)
      value = operation(value, value_from(value, __lane_id() ^ distance));
    return value;
  }
  const unsigned int first = static_cast<unsigned int>(__builtin_ctz(lanes));
  T result = value_from(value, first);
  for (unsigned int lane = 0; lane < warpSize; ++lane) {
    const T other = value_from(value, lane);
    if (lane != first && (lanes >> lane & 1) != 0)
      result = operation(result, other);
  }
  return result;
}

} // namespace chip_device

#define CHIP_REDUCE(name, operation)                                                               \
  template <typename __Mask, typename T>                                                           \
  CHIP_DEVICE T __reduce_##name##_sync(__Mask mask, T value) {                                     \
    return chip_device::reduce(chip_device::lanes_of(mask), value,                                 \
                               [](T a, T b) { return static_cast<T>(operation); });                \
  }
CHIP_REDUCE(add, a + b)
CHIP_REDUCE(min, b < a ? b : a)
CHIP_REDUCE(max, b > a ? b : a)
CHIP_REDUCE(and, a &b)
CHIP_REDUCE(or, a | b)
CHIP_REDUCE(xor, a ^ b)
#undef CHIP_REDUCE
