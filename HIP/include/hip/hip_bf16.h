/// __hip_bfloat16 and __hip_bfloat162: floats without the lower half of their fraction. Atomics,
/// shuffles and the functions of mathematics are for code that is compiled as HIP.
#ifndef HIP_INCLUDE_HIP_HIP_BF16_H
#define HIP_INCLUDE_HIP_HIP_BF16_H

#include <hip/hip_common.h>

#ifdef __cplusplus
#include <hip/spirv_detail/types/bfloat16.h>

#define HIPRT_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define HIPRT_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define HIPRT_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#define HIPRT_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define HIPRT_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define HIPRT_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define HIPRT_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#else

/// C can only keep the bits.
typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __hip_bfloat16_raw;
typedef struct __attribute__((aligned(4))) {
  unsigned short x, y;
} __hip_bfloat162_raw;
typedef __hip_bfloat16_raw __hip_bfloat16;
typedef __hip_bfloat162_raw __hip_bfloat162;
#endif

#endif
