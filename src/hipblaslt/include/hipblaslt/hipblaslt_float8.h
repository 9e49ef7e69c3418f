/// 8-bit floats by the names that hipBLASLt has for them: those of HIP, or in C their bits.
#ifndef HIPBLASLT_FLOAT8_H
#define HIPBLASLT_FLOAT8_H

#ifdef __cplusplus
#include <hip/hip_fp8.h>

typedef __hip_fp8_e4m3_fnuz hipblaslt_f8_fnuz;
typedef __hip_fp8_e5m2_fnuz hipblaslt_bf8_fnuz;
typedef __hip_fp8_e4m3 hipblaslt_f8;
typedef __hip_fp8_e5m2 hipblaslt_bf8;
#else
#include <stdint.h>

typedef struct {
  uint8_t __x;
} hipblaslt_f8_fnuz;
typedef struct {
  uint8_t __x;
} hipblaslt_bf8_fnuz;
typedef struct {
  uint8_t __x;
} hipblaslt_f8;
typedef struct {
  uint8_t __x;
} hipblaslt_bf8;
#endif

#endif
