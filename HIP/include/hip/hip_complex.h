/// Complex numbers as vectors of two: hipFloatComplex and hipDoubleComplex, for host and device.
#ifndef HIP_INCLUDE_HIP_HIP_COMPLEX_H
#define HIP_INCLUDE_HIP_HIP_COMPLEX_H

#include <hip/hip_vector_types.h>

#ifndef __HIPCC_RTC__
#include <math.h>
#endif

/// The functions of one type; those of float have an f at the end of their names.
#define CHIP_COMPLEX(complex, real, f)                                                               \
  static inline __host__ __device__ complex make_##complex(real re, real im) {                       \
    complex z;                                                                                       \
    z.x = re;                                                                                        \
    z.y = im;                                                                                        \
    return z;                                                                                        \
  }                                                                                                  \
  static inline __host__ __device__ real hipCreal##f(complex z) { return z.x; }                      \
  static inline __host__ __device__ real hipCimag##f(complex z) { return z.y; }                      \
  static inline __host__ __device__ complex hipConj##f(complex z) {                                  \
    return make_##complex(z.x, -z.y);                                                                \
  }                                                                                                  \
  /* The square of the absolute value. */                                                            \
  static inline __host__ __device__ real hipCsqabs##f(complex z) { return z.x * z.x + z.y * z.y; }   \
  static inline __host__ __device__ real hipCabs##f(complex z) { return hypot##f(z.x, z.y); }        \
  static inline __host__ __device__ complex hipCadd##f(complex p, complex q) {                       \
    return make_##complex(p.x + q.x, p.y + q.y);                                                     \
  }                                                                                                  \
  static inline __host__ __device__ complex hipCsub##f(complex p, complex q) {                       \
    return make_##complex(p.x - q.x, p.y - q.y);                                                     \
  }                                                                                                  \
  static inline __host__ __device__ complex hipCmul##f(complex p, complex q) {                       \
    return make_##complex(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y);                             \
  }                                                                                                  \
  /* p times the conjugate of q, over the square of q, part by part as HIP documents it and AMD's  \
     headers compute it: a square that overflows or vanishes takes the quotient with it. */ \
  static inline __host__ __device__ complex hipCdiv##f(complex p, complex q) {                       \
    const real square = hipCsqabs##f(q);                                                             \
    return make_##complex((p.x * q.x + p.y * q.y) / square, (p.y * q.x - p.x * q.y) / square);       \
  }                                                                                                  \
  /* p * q + r, in the order of AMD's and CUDA's headers. */                                         \
  static inline __host__ __device__ complex hipCfma##f(complex p, complex q, complex r) {            \
    const real re = p.x * q.x + r.x;                                                                 \
    const real im = q.x * p.y + r.y;                                                                 \
    return make_##complex(re - p.y * q.y, im + p.x * q.y);                                           \
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
