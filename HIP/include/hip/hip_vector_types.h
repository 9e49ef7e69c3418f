/// Vectors of one to four numbers: char1 to double4, and make_char1 to make_double4.
///
/// In C++ they have operators that work component by component; in C they are plain structures of
/// the same layout. Vectors of two and four are aligned to their size, others to their component.
#ifndef HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H
#define HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H

#include <hip/api/types/qualifiers.h>

#ifdef __cplusplus
#include <hip/spirv_detail/types/vector.h>

#define CHIP_VECTOR_TYPES(name, component)                                                         \
  typedef HIP_vector_type<component, 1> name##1;                                                   \
  typedef HIP_vector_type<component, 2> name##2;                                                   \
  typedef HIP_vector_type<component, 3> name##3;                                                   \
  typedef HIP_vector_type<component, 4> name##4;

#else

#define CHIP_VECTOR_TYPES(name, component)                                                         \
  typedef struct {                                                                                 \
    component x;                                                                                   \
  } name##1;                                                                                       \
  typedef struct __attribute__((aligned(2 * sizeof(component)))) {                                 \
    component x, y;                                                                                \
  } name##2;                                                                                       \
  typedef struct {                                                                                 \
    component x, y, z;                                                                             \
  } name##3;                                                                                       \
  typedef struct __attribute__((aligned(4 * sizeof(component)))) {                                 \
    component x, y, z, w;                                                                          \
  } name##4;

#endif

// clang-format off
#define CHIP_MAKE_VECTORS(name, component)                                                         \
  static inline __host__ __device__ name##1 make_##name##1(component x) {                          \
    name##1 v;                                                                                     \
    v.x = x;                                                                                       \
    return v;                                                                                      \
  }                                                                                                \
  static inline __host__ __device__ name##2 make_##name##2(component x, component y) {             \
    name##2 v;                                                                                     \
    v.x = x; v.y = y;                                                                              \
    return v;                                                                                      \
  }                                                                                                \
  static inline __host__ __device__ name##3 make_##name##3(component x, component y,               \
                                                           component z) {                          \
    name##3 v;                                                                                     \
    v.x = x; v.y = y; v.z = z;                                                                     \
    return v;                                                                                      \
  }                                                                                                \
  static inline __host__ __device__ name##4 make_##name##4(component x, component y, component z,  \
                                                           component w) {                          \
    name##4 v;                                                                                     \
    v.x = x; v.y = y; v.z = z; v.w = w;                                                            \
    return v;                                                                                      \
  }
// clang-format on

#define CHIP_VECTORS(name, component)                                                              \
  CHIP_VECTOR_TYPES(name, component)                                                               \
  CHIP_MAKE_VECTORS(name, component)

CHIP_VECTORS(char, char)
CHIP_VECTORS(uchar, unsigned char)
CHIP_VECTORS(short, short)
CHIP_VECTORS(ushort, unsigned short)
CHIP_VECTORS(int, int)
CHIP_VECTORS(uint, unsigned int)
CHIP_VECTORS(long, long)
CHIP_VECTORS(ulong, unsigned long)
CHIP_VECTORS(longlong, long long)
CHIP_VECTORS(ulonglong, unsigned long long)
CHIP_VECTORS(float, float)
CHIP_VECTORS(double, double)

#undef CHIP_VECTORS
#undef CHIP_MAKE_VECTORS
#undef CHIP_VECTOR_TYPES

#endif
