/// The elements of matrices by the names that hipBLASLt has for them.
#ifndef HIPBLASLT_TYPES_H
#define HIPBLASLT_TYPES_H

#include "hipblaslt_float8.h"

#include <hip/hip_bfloat16.h>
#include <stdint.h>

typedef float hipblasLtFloat;
#ifdef ROCM_USE_FLOAT16
typedef _Float16 hipblasLtHalf;
#else
typedef struct _hipblasLtHalf {
  uint16_t data;
} hipblasLtHalf;
#endif
typedef hip_bfloat16 hipblasLtBfloat16;
typedef int8_t hipblasLtInt8;
typedef int32_t hipblasLtInt32;

#endif
