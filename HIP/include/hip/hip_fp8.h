/// Numbers of 8 bits, for storage: four exponent bits and three of the fraction (E4M3), or five and
/// two (E5M2); as the Open Compute Project specifies them, or without a negative zero and infinities
/// (FNUZ). Alone, in twos and in fours. For C++.
#ifndef HIP_INCLUDE_HIP_HIP_FP8_H
#define HIP_INCLUDE_HIP_HIP_FP8_H

#include <hip/hip_common.h>

#ifdef __cplusplus
#include <hip/spirv_detail/types/fp8.h>
#endif

#endif
