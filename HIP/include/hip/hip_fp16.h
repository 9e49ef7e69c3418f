/// __half and __half2: numbers of 16 bits, for host and device code that is compiled as HIP.
#ifndef HIP_INCLUDE_HIP_HIP_FP16_H
#define HIP_INCLUDE_HIP_HIP_FP16_H

#include <hip/hip_common.h>

#if defined(__cplusplus) && __HIP_CLANG_ONLY__
#include <hip/hip_runtime.h>

#include <hip/spirv_detail/half.h>
#else
#include <stdint.h>

/// Other compilers can only keep the bits.
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
