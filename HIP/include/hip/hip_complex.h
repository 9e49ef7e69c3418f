/// Complex numbers as vectors of two: hipFloatComplex and hipDoubleComplex, for host and device.
#ifndef HIP_INCLUDE_HIP_HIP_COMPLEX_H
#define HIP_INCLUDE_HIP_HIP_COMPLEX_H

#include <hip/hip_vector_types.h>

#ifndef __HIPCC_RTC__
#include <math.h>
#endif

/// The functions of one type; those of float have an f at the end of their names.
#define CHIP_COMPLEX(complex, real, f)                                                             \
  static inline __host__ __device__ complex make_##complex(real re, real im) {                     \
    complex z;                                                                                     \
    z.x = re;                                                                                      \
    z.y = im;                                                                                      \
    return z;                                                                                      \
  }                                                                                                \
  static inline __host__ __device__ real hipCreal##f(complex z) { return z.x; }                    \
  static inline __host__ __device__ real hipCimag##f(complex z) { return z.y; }                    \
  static inline __host__ __device__ complex hipConj##f(complex z) {                                \
    return make_##complex(z.x, -z.y);                                                              \
  }                                                                                                \
  /* The square of the absolute value. */                                                          \
  static inline __host__ __device__ real hipCsqabs##f(complex z) {                                 \
    return z.x * z.x + z.y * z.y;                                                                  \
  }                                                                                                \
  static inline __host__ __device__ real hipCabs##f(complex z) { return hypot##f(z.x, z.y); }      \
  static inline __host__ __device__ complex hipCadd##f(complex p, complex q) {                     \
    return make_##complex(p.x + q.x, p.y + q.y);                                                   \
  }                                                                                                \
  static inline __host__ __device__ complex hipCsub##f(complex p, complex q) {                     \
    return make_##complex(p.x - q.x, p.y - q.y);                                                   \
  }                                                                                                \
  static inline __host__ __device__ complex hipCmul##f(complex p, complex q) {                     \
    return make_##complex(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y);                           \
  }                                                                                                \
  /* Divided by the larger part of q first, so that no square overflows. */                        \
  static inline __host__ __device__ complex hipCdiv##f(complex p, complex q) {                     \
    if (fabs##f(q.x) >= fabs##f(q.y)) {                                                            \
      const real ratio = q.y / q.x;                                                                \
      const real divisor = q.x + q.y * ratio;                                                      \
      return make_##complex((p.x + p.y * ratio) / divisor, (p.y - p.x * ratio) / divisor);         \
    }                                                                                              \
    const real ratio = q.x / q.y;                                                                  \
    const real divisor = q.x * ratio + q.y;                                                        \
    return make_##complex((p.x * ratio + p.y) / divisor, (p.y * ratio - p.x) / divisor);           \
  }                                                                                                \
  /* p * q + r */                                                                                  \
  static inline __host__ __device__ complex hipCfma##f(complex p, complex q, complex r) {          \
    return make_##complex(p.x * q.x - p.y * q.y + r.x, p.y * q.x + p.x * q.y + r.y);               \
  }

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
CHIP_COMPLEX(hipFloatComplex, float, f)
CHIP_COMPLEX(hipDoubleComplex, double, )
#undef CHIP_COMPLEX

typedef hipFloatComplex hipComplex;

static inline __host__ __device__ hipComplex make_hipComplex(float re, float im) {
  return make_hipFloatComplex(re, im);
}
static inline __host__ __device__ hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return make_hipFloatComplex((float)z.x, (float)z.y);
}
static inline __host__ __device__ hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) {
  return make_hipDoubleComplex(z.x, z.y);
}

#endif
