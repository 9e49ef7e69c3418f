/// __half and __half2: numbers of 16 bits. Atomics, shuffles and the functions of mathematics are for
/// code that is compiled as HIP.
#ifndef HIP_INCLUDE_HIP_HIP_FP16_H
#define HIP_INCLUDE_HIP_HIP_FP16_H

#include <hip/hip_common.h>

#if defined(__cplusplus) && defined(__FLT16_MANT_DIG__)
#include <hip/spirv_detail/types/half.h>

#define HIPRT_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define HIPRT_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define HIPRT_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define HIPRT_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define HIPRT_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define HIPRT_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define HIPRT_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#else
#include <stdint.h>

/// Compilers without a type for it, and C, can only keep the bits.
typedef struct {
  uint16_t x;
} __half_raw;
typedef struct {
  uint16_t x, y;
} __half2_raw;
typedef __half_raw __half;
typedef __half2_raw __half2;
#endif

#endif
