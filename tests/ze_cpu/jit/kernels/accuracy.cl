// Each function of accuracy_functions.h on all values: results of one function lie behind those of the other.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "accuracy_functions.h"

#define HELPERS(T)                                                                                 \
  T __attribute__((overloadable)) reciprocal(T x) { return 1 / x; }                                \
  T __attribute__((overloadable)) quotient(T x, T y) { return x / y; }                             \
  T __attribute__((overloadable)) fract_part(T x) {                                                \
    T whole;                                                                                       \
    return fract(x, &whole);                                                                       \
  }                                                                                                \
  T __attribute__((overloadable)) sincos_sine(T x) {                                               \
    T cosine;                                                                                      \
    return sincos(x, &cosine);                                                                     \
  }                                                                                                \
  T __attribute__((overloadable)) sincos_cosine(T x) {                                             \
    T cosine;                                                                                      \
    sincos(x, &cosine);                                                                            \
    return cosine;                                                                                 \
  }                                                                                                \
  T __attribute__((overloadable)) remquo_rest(T x, T y) {                                          \
    int quotient;                                                                                  \
    return remquo(x, y, &quotient);                                                                \
  }
HELPERS(float)
HELPERS(double)
HELPERS(half)

#define UNARY(name, ...) out[n * next++ + i] = name(x);
#define BINARY(name, ...) out[n * next++ + i] = name(x, y);
#define INTEGER(name, ...) out[n * next++ + i] = name(x, k);
#define KERNEL(group, F, T)                                                                        \
  kernel void group##_##T(global const T *a, global const T *b, global const int *integers,        \
                          global T *out, uint n) {                                                 \
    const uint i = get_global_id(0);                                                               \
    const T x = a[i], y = b[i];                                                                    \
    const int k = integers[i];                                                                     \
    uint next = 0;                                                                                 \
    group(F)                                                                                       \
  }
#define KERNELS(T)                                                                                 \
  KERNEL(EXPONENTIALS, UNARY, T)                                                                   \
  KERNEL(LOGARITHMS, UNARY, T)                                                                     \
  KERNEL(ERRORS, UNARY, T)                                                                         \
  KERNEL(TRIGONOMETRIC, UNARY, T)                                                                  \
  KERNEL(OTHERS, UNARY, T)                                                                         \
  KERNEL(INSTRUCTIONS, UNARY, T)                                                                   \
  KERNEL(POWERS, BINARY, T)                                                                        \
  KERNEL(OTHERS_OF_TWO, BINARY, T)                                                                 \
  KERNEL(WITH_INTEGER, INTEGER, T)
KERNELS(float)
KERNELS(double)
KERNELS(half)
KERNEL(FAST, UNARY, float)
KERNEL(FAST_OF_TWO, BINARY, float)

#define FUSED(T)                                                                                   \
  kernel void fused_##T(global const T *a, global const T *b, global const T *c, global T *out) {  \
    const uint i = get_global_id(0);                                                               \
    out[i] = fma(a[i], b[i], c[i]);                                                                \
  }
FUSED(float)
FUSED(double)
FUSED(half)

kernel void from_half(global const half *in, global float *singles, global double *doubles) {
  const uint i = get_global_id(0);
  singles[i] = in[i];
  doubles[i] = in[i];
}

kernel void to_half(global const float *singles, global const double *doubles, global half *out) {
  const uint i = get_global_id(0), n = get_global_size(0);
  out[i] = singles[i];
  out[n + i] = doubles[i];
}

short __spirv_ConvertFToBF16INTEL(float);
float __spirv_ConvertBF16ToFINTEL(short);

kernel void bfloat16(global const float *in, global short *narrow, global float *back) {
  const uint i = get_global_id(0);
  narrow[i] = __spirv_ConvertFToBF16INTEL(in[i]);
  back[i] = __spirv_ConvertBF16ToFINTEL(narrow[i]);
}
