/// Functions that HIP has for instructions of AMD's devices. Those that mean something elsewhere
/// are here by what they mean; others do not compile, and say why.
#pragma once

#include <hip/spirv_detail/warp_sync.h>

typedef unsigned char uchar;
typedef unsigned long long ullong;

// Lanes

/// `add` and the number of bits of the mask below this lane's. Warps have no upper half.
CHIP_DEVICE unsigned int __mbcnt_lo(unsigned int mask, unsigned int add) {
  return add + __popc(mask & ((1u << __lane_id()) - 1));
}
CHIP_DEVICE unsigned int __mbcnt_hi(unsigned int, unsigned int add) { return add; }
CHIP_DEVICE unsigned int __builtin_amdgcn_mbcnt_lo(unsigned int mask, unsigned int add) {
  return __mbcnt_lo(mask, add);
}
CHIP_DEVICE unsigned int __builtin_amdgcn_mbcnt_hi(unsigned int mask, unsigned int add) {
  return __mbcnt_hi(mask, add);
}

/// The value of the first active lane.
template <typename T> CHIP_DEVICE T __hip_readfirstlane(T value) {
  return chip_device::value_from(value, static_cast<unsigned int>(__ffsll(__activemask()) - 1));
}

namespace chip_device {

/// The value of the lane at a place given in bytes, four for each lane.
template <typename T> CHIP_DEVICE T pull(int index, T value) {
  return value_from(value, static_cast<unsigned int>(index) / 4 % warpSize);
}

/// Sends the value to such a lane. Of several that send to one lane the highest wins; who is sent
/// nothing gets 0.
template <typename T> CHIP_DEVICE T push(int index, T value) {
  const unsigned int to = static_cast<unsigned int>(index) / 4 % warpSize;
  const unsigned long long active = __activemask();
  T result = 0;
  for (unsigned int lane = 0; lane < warpSize; ++lane) {
    const bool is_mine = value_from(to, lane) == __lane_id() && (active >> lane & 1) != 0;
    const T sent = value_from(value, lane);
    if (is_mine)
      result = sent;
  }
  return result;
}

/// The lane that a pattern of AMD's instruction ds_swizzle names: one of the same four, or this
/// lane after masks for and, or, and xor.
template <int pattern> CHIP_DEVICE unsigned int swizzled_lane() {
  static_assert(pattern >= 0 && pattern < 0x8100,
                "of __hip_ds_swizzle's patterns only masks and quads work on this platform");
  const unsigned int lane = __lane_id();
  if (pattern >= 0x8000)
    return (lane & ~3u) | (pattern >> 2 * (lane & 3) & 3);
  return ((lane & pattern & 31) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
}

} // namespace chip_device

CHIP_DEVICE unsigned int __hip_ds_bpermute(int index, unsigned int value) {
  return chip_device::pull(index, value);
}
CHIP_DEVICE float __hip_ds_bpermutef(int index, float value) {
  return chip_device::pull(index, value);
}
CHIP_DEVICE unsigned int __hip_ds_permute(int index, unsigned int value) {
  return chip_device::push(index, value);
}
CHIP_DEVICE float __hip_ds_permutef(int index, float value) {
  return chip_device::push(index, value);
}
template <int pattern> CHIP_DEVICE unsigned int __hip_ds_swizzle_N(unsigned int value) {
  return chip_device::value_from(value, chip_device::swizzled_lane<pattern>());
}
template <int pattern> CHIP_DEVICE float __hip_ds_swizzlef_N(float value) {
  return chip_device::value_from(value, chip_device::swizzled_lane<pattern>());
}
#define __hip_ds_swizzle(value, pattern) __hip_ds_swizzle_N<(pattern)>((value))
#define __hip_ds_swizzlef(value, pattern) __hip_ds_swizzlef_N<(pattern)>((value))

CHIP_DEVICE void __named_sync() { __syncthreads(); }

// Four numbers of eight bits at once; each keeps the low bits of its result.

CHIP_DEVICE char4 __hip_hc_add8pk(char4 a, char4 b) { return a + b; }
CHIP_DEVICE char4 __hip_hc_sub8pk(char4 a, char4 b) { return a - b; }
CHIP_DEVICE char4 __hip_hc_mul8pk(char4 a, char4 b) { return a * b; }

// Products of packed numbers, added to c; with `saturate`, what the type has that is nearest.

namespace chip_device {

CHIP_DEVICE int sum_of_products(long sum, int, bool saturate) {
  const long lowest = -2147483648l, highest = 2147483647;
  if (saturate)
    sum = sum < lowest ? lowest : sum > highest ? highest : sum;
  return static_cast<int>(sum);
}
CHIP_DEVICE unsigned int sum_of_products(unsigned long sum, unsigned int, bool saturate) {
  const unsigned long highest = 4294967295;
  return static_cast<unsigned int>(saturate && sum > highest ? highest : sum);
}

/// Four bits with their sign, by shifting them to the upper end and down again.
CHIP_DEVICE int nibble(int x, int shift) {
  return static_cast<int>(static_cast<unsigned int>(x) << shift) >> 28;
}
CHIP_DEVICE unsigned int nibble(unsigned int x, int shift) { return x << shift >> 28; }

} // namespace chip_device

#define CHIP_DOT(vector, number, wide, products)                                                   \
  CHIP_DEVICE number amd_mixed_dot(vector a, vector b, number c, bool saturate) {                  \
    wide sum = c;                                                                                  \
    products;                                                                                      \
    return chip_device::sum_of_products(sum, c, saturate);                                         \
  }
#define CHIP_ADD(component) sum += static_cast<decltype(sum)>(a.component) * b.component
#define CHIP_ADD_2 CHIP_ADD(x), CHIP_ADD(y)
#define CHIP_ADD_4 CHIP_ADD_2, CHIP_ADD(z), CHIP_ADD(w)
#define CHIP_ADD_NIBBLES                                                                           \
  for (int i = 28; i >= 0; i -= 4)                                                                 \
  sum += static_cast<decltype(sum)>(chip_device::nibble(a, i)) * chip_device::nibble(b, i)
CHIP_DOT(short2, int, long, CHIP_ADD_2)
CHIP_DOT(ushort2, unsigned int, unsigned long, CHIP_ADD_2)
CHIP_DOT(char4, int, long, CHIP_ADD_4)
CHIP_DOT(uchar4, unsigned int, unsigned long, CHIP_ADD_4)
CHIP_DOT(int, int, long, CHIP_ADD_NIBBLES)
CHIP_DOT(unsigned int, unsigned int, unsigned long, CHIP_ADD_NIBBLES)
#undef CHIP_ADD_NIBBLES
#undef CHIP_ADD_4
#undef CHIP_ADD_2
#undef CHIP_ADD
#undef CHIP_DOT

// What has no meaning on other devices

template <int, int, int, bool> CHIP_DEVICE int __hip_move_dpp_N(int value) {
  static_assert(sizeof(value) == 0, "__hip_move_dpp is an instruction of AMD's devices: "
                                    "use __shfl and its kin on this platform");
  return value;
}
#define __hip_move_dpp(value, control, row_mask, bank_mask, bound_control)                         \
  __hip_move_dpp_N<(control), (row_mask), (bank_mask), (bound_control)>((value))

__device__ unsigned int __smid()
    __attribute__((unavailable("Level Zero does not tell kernels which compute unit runs them")));
