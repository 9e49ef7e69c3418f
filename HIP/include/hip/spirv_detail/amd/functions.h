/// Functions that HIP has for instructions of AMD's devices. Those that mean something elsewhere
/// are here by what they mean; others do not compile, and say why.
#pragma once

#include <hip/spirv_detail/amd/lanes.h>
#include <hip/spirv_detail/amd/numbers.h>

typedef unsigned char uchar;
typedef unsigned long long ullong;

// Lanes

CHIP_DEVICE unsigned int __mbcnt_lo(unsigned int mask, unsigned int add) {
  return __builtin_amdgcn_mbcnt_lo(mask, add);
}
CHIP_DEVICE unsigned int __mbcnt_hi(unsigned int mask, unsigned int add) {
  return __builtin_amdgcn_mbcnt_hi(mask, add);
}

/// The value of the first active lane.
template <typename T> CHIP_DEVICE T __hip_readfirstlane(T value) {
  return chip_device::value_from(value, static_cast<unsigned int>(__ffsll(__activemask()) - 1));
}

// By the bits of a number, as the builtins take integers only.
#define CHIP_LANES(type, suffix)                                                                   \
  CHIP_DEVICE type __hip_ds_bpermute##suffix(int index, type value) {                              \
    return __builtin_bit_cast(                                                                     \
        type, __builtin_amdgcn_ds_bpermute(index, __builtin_bit_cast(int, value)));                \
  }                                                                                                \
  CHIP_DEVICE type __hip_ds_permute##suffix(int index, type value) {                               \
    return __builtin_bit_cast(type,                                                                \
                              __builtin_amdgcn_ds_permute(index, __builtin_bit_cast(int, value))); \
  }                                                                                                \
  template <int pattern> CHIP_DEVICE type __hip_ds_swizzle##suffix##_N(type value) {               \
    return __builtin_bit_cast(                                                                     \
        type, __builtin_amdgcn_ds_swizzle(__builtin_bit_cast(int, value), pattern));               \
  }
CHIP_LANES(unsigned int, )
CHIP_LANES(float, f)
#undef CHIP_LANES
#define __hip_ds_swizzle(value, pattern) __hip_ds_swizzle_N<(pattern)>((value))
#define __hip_ds_swizzlef(value, pattern) __hip_ds_swizzlef_N<(pattern)>((value))

template <int control, int row_mask, int bank_mask, bool bound_control>
CHIP_DEVICE int __hip_move_dpp_N(int value) {
  return __builtin_amdgcn_mov_dpp(value, control, row_mask, bank_mask, bound_control);
}
#define __hip_move_dpp(value, control, row_mask, bank_mask, bound_control)                         \
  __hip_move_dpp_N<(control), (row_mask), (bank_mask), (bound_control)>((value))

CHIP_DEVICE void __named_sync() { __syncthreads(); }

// Four numbers of eight bits at once; each keeps the low bits of its result.

CHIP_DEVICE char4 __hip_hc_add8pk(char4 a, char4 b) { return a + b; }
CHIP_DEVICE char4 __hip_hc_sub8pk(char4 a, char4 b) { return a - b; }
CHIP_DEVICE char4 __hip_hc_mul8pk(char4 a, char4 b) { return a * b; }

// Products of packed numbers, added to c; with `saturate`, what the type has that is nearest.

#define CHIP_DOT(vector, number, bits)                                                             \
  CHIP_DEVICE number amd_mixed_dot(vector a, vector b, number c, bool saturate) {                  \
    constexpr bool is_signed = static_cast<number>(-1) < 0;                                        \
    return chip_device::dot(bits, is_signed, __builtin_bit_cast(unsigned int, a), is_signed,       \
                            __builtin_bit_cast(unsigned int, b), c, saturate);                     \
  }
CHIP_DOT(short2, int, 16)
CHIP_DOT(ushort2, unsigned int, 16)
CHIP_DOT(char4, int, 8)
CHIP_DOT(uchar4, unsigned int, 8)
CHIP_DOT(int, int, 4)
CHIP_DOT(unsigned int, unsigned int, 4)
#undef CHIP_DOT

// What has no meaning on other devices

__device__ unsigned int __smid()
    __attribute__((unavailable("Level Zero does not tell kernels which compute unit runs them")));
