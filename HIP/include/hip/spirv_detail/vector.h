/// HIP_vector_type: what the vector types of hip_vector_types.h are in C++, and their operators.
#pragma once

#include <hip/api/qualifiers.h>

// The operators are friends and no templates: a number on either side becomes a component first, and
// then a vector of equal components, as in `2 * v`. It never becomes a vector elsewhere, else calls of
// functions that programs overload for numbers and vectors would be ambiguous. Operators that only
// integers have fail to compile when other vectors use them, not before. Components may be narrower
// than int, hence the casts.

#define CHIP_BINARY(op, c) static_cast<T>(a.c op b.c)
#define CHIP_UNARY(op, c) static_cast<T>(op a.c)

/// `op` with a number on either side.
#define CHIP_VECTOR_WITH_NUMBER(result, op)                                                        \
  friend constexpr __host__ __device__ result operator op(const HIP_vector_type &a, T b) {         \
    return a op HIP_vector_type(b);                                                                \
  }                                                                                                \
  friend constexpr __host__ __device__ result operator op(T a, const HIP_vector_type &b) {         \
    return HIP_vector_type(a) op b;                                                                \
  }

#define CHIP_VECTOR_BINARY(op)                                                                     \
  friend constexpr __host__ __device__ HIP_vector_type operator op(const HIP_vector_type &a,       \
                                                                   const HIP_vector_type &b) {     \
    return HIP_vector_type(CHIP_EACH(CHIP_BINARY, op));                                            \
  }                                                                                                \
  CHIP_VECTOR_WITH_NUMBER(HIP_vector_type, op)                                                     \
  friend inline __host__ __device__ HIP_vector_type &operator op##=(HIP_vector_type &a,            \
                                                                    const HIP_vector_type &b) {    \
    return a = a op b;                                                                             \
  }                                                                                                \
  friend inline __host__ __device__ HIP_vector_type &operator op##=(HIP_vector_type &a, T b) {     \
    return a = a op b;                                                                             \
  }

#define CHIP_VECTOR_UNARY(op)                                                                      \
  friend constexpr __host__ __device__ HIP_vector_type operator op(const HIP_vector_type &a) {     \
    return HIP_vector_type(CHIP_EACH(CHIP_UNARY, op));                                             \
  }

#define CHIP_VECTOR_STEP(step, op)                                                                 \
  friend inline __host__ __device__ HIP_vector_type &operator step(HIP_vector_type &a) {           \
    return a = a op HIP_vector_type(T(1));                                                         \
  }                                                                                                \
  friend inline __host__ __device__ HIP_vector_type operator step(HIP_vector_type &a, int) {       \
    const HIP_vector_type before = a;                                                              \
    a = a op HIP_vector_type(T(1));                                                                \
    return before;                                                                                 \
  }

/// `equal` compares the components of `a` and `b`.
#define CHIP_VECTOR_MEMBERS(equal)                                                                 \
  typedef T value_type;                                                                            \
  HIP_vector_type() = default;                                                                     \
  friend constexpr __host__ __device__ bool operator==(const HIP_vector_type &a,                   \
                                                       const HIP_vector_type &b) {                 \
    return equal;                                                                                  \
  }                                                                                                \
  friend constexpr __host__ __device__ bool operator!=(const HIP_vector_type &a,                   \
                                                       const HIP_vector_type &b) {                 \
    return !(a == b);                                                                              \
  }                                                                                                \
  CHIP_VECTOR_WITH_NUMBER(bool, ==)                                                                \
  CHIP_VECTOR_WITH_NUMBER(bool, !=)                                                                \
  CHIP_VECTOR_BINARY(+)                                                                            \
  CHIP_VECTOR_BINARY(-)                                                                            \
  CHIP_VECTOR_BINARY(*)                                                                            \
  CHIP_VECTOR_BINARY(/)                                                                            \
  CHIP_VECTOR_BINARY(%)                                                                            \
  CHIP_VECTOR_BINARY(&)                                                                            \
  CHIP_VECTOR_BINARY(|)                                                                            \
  CHIP_VECTOR_BINARY(^)                                                                            \
  CHIP_VECTOR_BINARY(<<)                                                                           \
  CHIP_VECTOR_BINARY(>>)                                                                           \
  CHIP_VECTOR_UNARY(+)                                                                             \
  CHIP_VECTOR_UNARY(-)                                                                             \
  CHIP_VECTOR_UNARY(~)                                                                             \
  CHIP_VECTOR_STEP(++, +)                                                                          \
  CHIP_VECTOR_STEP(--, -)

// A constructor of its own: braces around T's alone would not take what T is narrower than.
#define CHIP_VECTOR_FROM_NUMBER                                                                    \
  template <typename __From, typename = decltype(static_cast<T>(__From()))>                        \
  explicit constexpr __host__ __device__ HIP_vector_type(__From value)                             \
      : HIP_vector_type(static_cast<T>(value)) {}

/// `n` components of type T. Without an initialiser they have no value; one value sets them all,
/// whatever type it has that becomes a T.
template <typename T, unsigned int n> struct HIP_vector_type;

#define CHIP_EACH(what, op) what(op, x)
template <typename T> struct HIP_vector_type<T, 1> {
  T x;
  explicit constexpr __host__ __device__ HIP_vector_type(T value) : x(value) {}
  CHIP_VECTOR_FROM_NUMBER
  CHIP_VECTOR_MEMBERS(a.x == b.x)
};
#undef CHIP_EACH

#define CHIP_EACH(what, op) what(op, x), what(op, y)
template <typename T> struct alignas(2 * sizeof(T)) HIP_vector_type<T, 2> {
  T x, y;
  explicit constexpr __host__ __device__ HIP_vector_type(T value) : x(value), y(value) {}
  CHIP_VECTOR_FROM_NUMBER
  template <typename __X, typename __Y>
  constexpr __host__ __device__ HIP_vector_type(__X x_, __Y y_)
      : x(static_cast<T>(x_)), y(static_cast<T>(y_)) {}
  CHIP_VECTOR_MEMBERS(a.x == b.x && a.y == b.y)
};
#undef CHIP_EACH

#define CHIP_EACH(what, op) what(op, x), what(op, y), what(op, z)
template <typename T> struct HIP_vector_type<T, 3> {
  T x, y, z;
  explicit constexpr __host__ __device__ HIP_vector_type(T value) : x(value), y(value), z(value) {}
  CHIP_VECTOR_FROM_NUMBER
  template <typename __X, typename __Y, typename __Z>
  constexpr __host__ __device__ HIP_vector_type(__X x_, __Y y_, __Z z_)
      : x(static_cast<T>(x_)), y(static_cast<T>(y_)), z(static_cast<T>(z_)) {}
  CHIP_VECTOR_MEMBERS(a.x == b.x && a.y == b.y && a.z == b.z)
};
#undef CHIP_EACH

#define CHIP_EACH(what, op) what(op, x), what(op, y), what(op, z), what(op, w)
template <typename T> struct alignas(4 * sizeof(T)) HIP_vector_type<T, 4> {
  T x, y, z, w;
  explicit constexpr __host__ __device__ HIP_vector_type(T value)
      : x(value), y(value), z(value), w(value) {}
  CHIP_VECTOR_FROM_NUMBER
  template <typename __X, typename __Y, typename __Z, typename __W>
  constexpr __host__ __device__ HIP_vector_type(__X x_, __Y y_, __Z z_, __W w_)
      : x(static_cast<T>(x_)), y(static_cast<T>(y_)), z(static_cast<T>(z_)), w(static_cast<T>(w_)) {
  }
  CHIP_VECTOR_MEMBERS(a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w)
};
#undef CHIP_EACH

#undef CHIP_VECTOR_FROM_NUMBER
#undef CHIP_VECTOR_MEMBERS
#undef CHIP_VECTOR_STEP
#undef CHIP_VECTOR_UNARY
#undef CHIP_VECTOR_BINARY
#undef CHIP_VECTOR_WITH_NUMBER
#undef CHIP_UNARY
#undef CHIP_BINARY
