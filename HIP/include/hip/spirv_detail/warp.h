/// What the threads of a warp tell each other: shuffles and votes. Warps have 32 threads; masks are
/// 64 bits wide, as AMD's are, with the upper half clear.
#pragma once

#include <hip/spirv_detail/coordinates.h>
#include <hip/spirv_detail/math/math_builtins.h>
#include <hip/spirv_detail/scopes.h>
#include <hip/spirv_detail/sync.h>

#define CHIP_WARP __attribute__((convergent)) __device__

#define CHIP_SHUFFLE(type)                                                                         \
  CHIP_WARP type __spirv_GroupNonUniformShuffle(int scope, type value, unsigned int lane) noexcept;
CHIP_SHUFFLE(int)
CHIP_SHUFFLE(unsigned int)
CHIP_SHUFFLE(long)
CHIP_SHUFFLE(unsigned long)
CHIP_SHUFFLE(float)
CHIP_SHUFFLE(double)
#undef CHIP_SHUFFLE

namespace chip_device {
typedef unsigned int __Ballot __attribute__((ext_vector_type(4)));
}
CHIP_WARP chip_device::__Ballot __spirv_GroupNonUniformBallot(int scope, bool predicate) noexcept;
CHIP_WARP bool __spirv_GroupNonUniformAny(int scope, bool predicate) noexcept;
CHIP_WARP bool __spirv_GroupNonUniformAll(int scope, bool predicate) noexcept;
__attribute__((const)) __device__ unsigned int __spirv_BuiltInSubgroupLocalInvocationId() noexcept;
#undef CHIP_WARP

#ifdef CHIP_CHECK_MASKS
/// The CPU driver makes a check of it. Elsewhere it does next to nothing, but what has an effect.
extern "C" __attribute__((convergent, weak, noinline)) __device__ void
__chip_named_lanes(unsigned int) {
  __spirv_MemoryBarrier(chip_device::warp_scope, chip_device::all_memory);
}
#endif

namespace chip_device {
/// Compiled with -DCHIP_CHECK_MASKS, chip-check is told of the mask that a function has as its argument.
CHIP_DEVICE void names_lanes([[maybe_unused]] unsigned int lanes) {
#ifdef CHIP_CHECK_MASKS
  __chip_named_lanes(lanes);
#endif
}
} // namespace chip_device

/// This thread's place in its warp.
CHIP_DEVICE unsigned int __lane_id() { return __spirv_BuiltInSubgroupLocalInvocationId(); }
CHIP_DEVICE unsigned long long __lanemask_eq() { return 1ull << __lane_id(); }
CHIP_DEVICE unsigned long long __lanemask_lt() { return (1ull << __lane_id()) - 1; }
CHIP_DEVICE unsigned long long __lanemask_gt() {
  return 0xffffffffull & ~((2ull << __lane_id()) - 1);
}

// Votes of the threads that are active

CHIP_DEVICE unsigned long long __ballot(int predicate) {
  return __spirv_GroupNonUniformBallot(chip_device::warp_scope, predicate != 0).x;
}
CHIP_DEVICE unsigned long long __ballot64(int predicate) { return __ballot(predicate); }
CHIP_DEVICE unsigned long long __activemask() { return __ballot(true); }
CHIP_DEVICE int __any(int predicate) {
  return __spirv_GroupNonUniformAny(chip_device::warp_scope, predicate != 0);
}
CHIP_DEVICE int __all(int predicate) {
  return __spirv_GroupNonUniformAll(chip_device::warp_scope, predicate != 0);
}

/// The threads that call it together wait for each other and see each other's writes. A vote makes
/// them wait: a barrier would wait for threads outside the mask too.
CHIP_DEVICE void __syncwarp(unsigned long mask = ~0ul) {
  chip_device::names_lanes(static_cast<unsigned int>(mask));
  __spirv_MemoryBarrier(chip_device::warp_scope, chip_device::all_memory);
  __spirv_GroupNonUniformBallot(chip_device::warp_scope, true);
  __spirv_MemoryBarrier(chip_device::warp_scope, chip_device::all_memory);
}

// Shuffles: the warp is cut into parts of `width` threads (a power of two); a value comes from a
// thread of the same part, or from the thread itself where that would be outside of it.

namespace chip_device {

/// The first lane of this thread's part, and the one behind its last.
CHIP_DEVICE unsigned int first_lane(int width) {
  return __lane_id() & ~(static_cast<unsigned int>(width) - 1);
}
CHIP_DEVICE unsigned int end_lane(int width) {
  return first_lane(width) + static_cast<unsigned int>(width);
}

CHIP_DEVICE unsigned int lane_of(int lane, int width) {
  return first_lane(width) + static_cast<unsigned int>(lane & (width - 1));
}
CHIP_DEVICE unsigned int lane_below(unsigned int distance, int width) {
  const unsigned int self = __lane_id();
  return distance > self - first_lane(width) ? self : self - distance;
}
CHIP_DEVICE unsigned int lane_above(unsigned int distance, int width) {
  const unsigned int self = __lane_id();
  return distance >= end_lane(width) - self ? self : self + distance;
}
CHIP_DEVICE unsigned int lane_across(int mask, int width) {
  const unsigned int other = __lane_id() ^ static_cast<unsigned int>(mask);
  return other >= end_lane(width) ? __lane_id() : other;
}

} // namespace chip_device

/// `via` is a type that the device can shuffle.
#define CHIP_SHUFFLES(type, via)                                                                   \
  CHIP_DEVICE type __shfl(type value, int lane, int width = warpSize) {                            \
    return static_cast<type>(__spirv_GroupNonUniformShuffle(                                       \
        chip_device::warp_scope, static_cast<via>(value), chip_device::lane_of(lane, width)));     \
  }                                                                                                \
  CHIP_DEVICE type __shfl_up(type value, unsigned int distance, int width = warpSize) {            \
    return static_cast<type>(                                                                      \
        __spirv_GroupNonUniformShuffle(chip_device::warp_scope, static_cast<via>(value),           \
                                       chip_device::lane_below(distance, width)));                 \
  }                                                                                                \
  CHIP_DEVICE type __shfl_down(type value, unsigned int distance, int width = warpSize) {          \
    return static_cast<type>(                                                                      \
        __spirv_GroupNonUniformShuffle(chip_device::warp_scope, static_cast<via>(value),           \
                                       chip_device::lane_above(distance, width)));                 \
  }                                                                                                \
  CHIP_DEVICE type __shfl_xor(type value, int mask, int width = warpSize) {                        \
    return static_cast<type>(__spirv_GroupNonUniformShuffle(                                       \
        chip_device::warp_scope, static_cast<via>(value), chip_device::lane_across(mask, width))); \
  }
CHIP_SHUFFLES(int, int)
CHIP_SHUFFLES(unsigned int, unsigned int)
CHIP_SHUFFLES(long, long)
CHIP_SHUFFLES(unsigned long, unsigned long)
CHIP_SHUFFLES(long long, long)
CHIP_SHUFFLES(unsigned long long, unsigned long)
CHIP_SHUFFLES(float, float)
CHIP_SHUFFLES(double, double)
#undef CHIP_SHUFFLES
