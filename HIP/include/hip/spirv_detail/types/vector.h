/// HIP_vector_type: what the vector types of hip_vector_types.h are in C++, and their operators.
#pragma once

#include <hip/api/types/qualifiers.h>

/// `n` components of type T. Without an initialiser they have no value; one value sets them all,
/// whatever type it has that becomes a T.
template <typename T, unsigned int n> struct HIP_vector_type;

/// What operators with one operand take a vector as, below. Nothing of it is in a namespace, whose
/// functions programs would then call with vectors.
template <typename T, unsigned int n> struct __HIP_vector_operand {};

// A constructor of its own: braces around T's alone would not take what T is narrower than.
#define CHIP_VECTOR_FROM_NUMBER                                                                    \
  template <typename __From, typename = decltype(static_cast<T>(__From()))>                        \
  explicit constexpr __host__ __device__ HIP_vector_type(__From value)                             \
      : HIP_vector_type(static_cast<T>(value)) {}

#define CHIP_VECTOR_MEMBERS                                                                        \
  typedef T value_type;                                                                            \
  HIP_vector_type() = default;

template <typename T> struct HIP_vector_type<T, 1> : __HIP_vector_operand<T, 1> {
  T x;
  explicit constexpr __host__ __device__ HIP_vector_type(T value) : x(value) {}
  CHIP_VECTOR_FROM_NUMBER
  CHIP_VECTOR_MEMBERS
};

template <typename T>
struct alignas(2 * sizeof(T)) HIP_vector_type<T, 2> : __HIP_vector_operand<T, 2> {
  T x, y;
  explicit constexpr __host__ __device__ HIP_vector_type(T value) : x(value), y(value) {}
  CHIP_VECTOR_FROM_NUMBER
  template <typename __X, typename __Y>
  constexpr __host__ __device__ HIP_vector_type(__X x_, __Y y_)
      : x(static_cast<T>(x_)), y(static_cast<T>(y_)) {}
  CHIP_VECTOR_MEMBERS
};

template <typename T> struct HIP_vector_type<T, 3> : __HIP_vector_operand<T, 3> {
  T x, y, z;
  explicit constexpr __host__ __device__ HIP_vector_type(T value) : x(value), y(value), z(value) {}
  CHIP_VECTOR_FROM_NUMBER
  template <typename __X, typename __Y, typename __Z>
  constexpr __host__ __device__ HIP_vector_type(__X x_, __Y y_, __Z z_)
      : x(static_cast<T>(x_)), y(static_cast<T>(y_)), z(static_cast<T>(z_)) {}
  CHIP_VECTOR_MEMBERS
};

template <typename T>
struct alignas(4 * sizeof(T)) HIP_vector_type<T, 4> : __HIP_vector_operand<T, 4> {
  T x, y, z, w;
  explicit constexpr __host__ __device__ HIP_vector_type(T value)
      : x(value), y(value), z(value), w(value) {}
  CHIP_VECTOR_FROM_NUMBER
  template <typename __X, typename __Y, typename __Z, typename __W>
  constexpr __host__ __device__ HIP_vector_type(__X x_, __Y y_, __Z z_, __W w_)
      : x(static_cast<T>(x_)), y(static_cast<T>(y_)), z(static_cast<T>(z_)), w(static_cast<T>(w_)) {
  }
  CHIP_VECTOR_MEMBERS
};

#undef CHIP_VECTOR_FROM_NUMBER
#undef CHIP_VECTOR_MEMBERS

namespace chip_vector {

template <typename T> void __take(T);
template <typename T> T __make();

/// A number beside a vector: whatever becomes a T.
template <typename T, unsigned int n> struct __Number : HIP_vector_type<T, n> {
  template <typename __From, typename = decltype(__take<T>(__make<__From>()))>
  constexpr __host__ __device__ __Number(__From value)
      : HIP_vector_type<T, n>(static_cast<T>(value)) {}
};

/// What stands on the right of a vector: another one, or a number.
template <typename T, unsigned int n> struct __Operand : HIP_vector_type<T, n> {
  using HIP_vector_type<T, n>::HIP_vector_type;
  constexpr __host__ __device__ __Operand(const HIP_vector_type<T, n> &vector)
      : HIP_vector_type<T, n>(vector) {}
  template <typename __From, typename = decltype(__take<T>(__make<__From>()))>
  constexpr __host__ __device__ __Operand(__From value)
      : HIP_vector_type<T, n>(static_cast<T>(value)) {}
};

/// The same type, without a say in what T and n are.
template <typename T> struct __Convert {
  typedef T __To;
};

// `Operation` with each component.

#define CHIP_EACH template <typename __Operation, typename T> constexpr __host__ __device__
CHIP_EACH HIP_vector_type<T, 1> each(const HIP_vector_type<T, 1> &a) {
  return HIP_vector_type<T, 1>(__Operation::of(a.x));
}
CHIP_EACH HIP_vector_type<T, 2> each(const HIP_vector_type<T, 2> &a) {
  return HIP_vector_type<T, 2>(__Operation::of(a.x), __Operation::of(a.y));
}
CHIP_EACH HIP_vector_type<T, 3> each(const HIP_vector_type<T, 3> &a) {
  return HIP_vector_type<T, 3>(__Operation::of(a.x), __Operation::of(a.y), __Operation::of(a.z));
}
CHIP_EACH HIP_vector_type<T, 4> each(const HIP_vector_type<T, 4> &a) {
  return HIP_vector_type<T, 4>(__Operation::of(a.x), __Operation::of(a.y), __Operation::of(a.z),
                               __Operation::of(a.w));
}
CHIP_EACH HIP_vector_type<T, 1> each(const HIP_vector_type<T, 1> &a,
                                     const HIP_vector_type<T, 1> &b) {
  return HIP_vector_type<T, 1>(__Operation::of(a.x, b.x));
}
CHIP_EACH HIP_vector_type<T, 2> each(const HIP_vector_type<T, 2> &a,
                                     const HIP_vector_type<T, 2> &b) {
  return HIP_vector_type<T, 2>(__Operation::of(a.x, b.x), __Operation::of(a.y, b.y));
}
CHIP_EACH HIP_vector_type<T, 3> each(const HIP_vector_type<T, 3> &a,
                                     const HIP_vector_type<T, 3> &b) {
  return HIP_vector_type<T, 3>(__Operation::of(a.x, b.x), __Operation::of(a.y, b.y),
                               __Operation::of(a.z, b.z));
}
CHIP_EACH HIP_vector_type<T, 4> each(const HIP_vector_type<T, 4> &a,
                                     const HIP_vector_type<T, 4> &b) {
  return HIP_vector_type<T, 4>(__Operation::of(a.x, b.x), __Operation::of(a.y, b.y),
                               __Operation::of(a.z, b.z), __Operation::of(a.w, b.w));
}
#undef CHIP_EACH

#define CHIP_EQUAL template <typename T> constexpr __host__ __device__ bool
CHIP_EQUAL equal(const HIP_vector_type<T, 1> &a, const HIP_vector_type<T, 1> &b) {
  return a.x == b.x;
}
CHIP_EQUAL equal(const HIP_vector_type<T, 2> &a, const HIP_vector_type<T, 2> &b) {
  return a.x == b.x && a.y == b.y;
}
CHIP_EQUAL equal(const HIP_vector_type<T, 3> &a, const HIP_vector_type<T, 3> &b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
CHIP_EQUAL equal(const HIP_vector_type<T, 4> &a, const HIP_vector_type<T, 4> &b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
#undef CHIP_EQUAL

} // namespace chip_vector

// A program may define each of these operators for its vectors itself, for the host, the device or
// both, and as a template for vectors of many types. Its own is always called: one operand of ours is
// converted, to a type that is nobody else's, and an operator that takes all as they are is better.
// Only one, so that an operator for a class that vectors become, and that would convert both, is
// worse. A single operand is converted to a base class, from which its type can still be deduced.
// None of the operators calls another, which may be the program's.
//
// A number never becomes a vector elsewhere, else calls of functions that programs overload for
// numbers and vectors would be ambiguous. Operators that the components do not have are none of the
// vectors either. Components may be narrower than int, hence the casts.

#define CHIP_VECTOR_TEMPLATE(...)                                                                  \
  template <typename T, unsigned int n, typename = decltype(__VA_ARGS__)>
#define CHIP_VECTOR HIP_vector_type<T, n>
#define CHIP_SINGLE __HIP_vector_operand<T, n>
#define CHIP_OPERAND typename chip_vector::__Convert<chip_vector::__Operand<T, n>>::__To
#define CHIP_NUMBER typename chip_vector::__Convert<chip_vector::__Number<T, n>>::__To

#define CHIP_VECTOR_BINARY(op, name)                                                               \
  namespace chip_vector {                                                                          \
  struct name {                                                                                    \
    template <typename T> static constexpr __host__ __device__ T of(T a, T b) {                    \
      return static_cast<T>(a op b);                                                               \
    }                                                                                              \
  };                                                                                               \
  }                                                                                                \
  CHIP_VECTOR_TEMPLATE(T() op T())                                                                 \
  constexpr __host__ __device__ CHIP_VECTOR operator op(const CHIP_VECTOR &a, CHIP_OPERAND b) {    \
    return chip_vector::each<chip_vector::name, T>(a, b);                                          \
  }                                                                                                \
  CHIP_VECTOR_TEMPLATE(T() op T())                                                                 \
  constexpr __host__ __device__ CHIP_VECTOR operator op(CHIP_NUMBER a, const CHIP_VECTOR &b) {     \
    return chip_vector::each<chip_vector::name, T>(a, b);                                          \
  }                                                                                                \
  CHIP_VECTOR_TEMPLATE(T() op T())                                                                 \
  inline __host__ __device__ CHIP_VECTOR &operator op## = (CHIP_VECTOR & a, CHIP_OPERAND b) {      \
    return a = chip_vector::each<chip_vector::name, T>(a, b);                                      \
  }
CHIP_VECTOR_BINARY(+, __Sum)
CHIP_VECTOR_BINARY(-, __Difference)
CHIP_VECTOR_BINARY(*, __Product)
CHIP_VECTOR_BINARY(/, __Quotient)
CHIP_VECTOR_BINARY(%, __Remainder)
CHIP_VECTOR_BINARY(&, __And)
CHIP_VECTOR_BINARY(|, __Or)
CHIP_VECTOR_BINARY(^, __Xor)
CHIP_VECTOR_BINARY(<<, __Left)
CHIP_VECTOR_BINARY(>>, __Right)
#undef CHIP_VECTOR_BINARY

#define CHIP_VECTOR_UNARY(op, name)                                                                \
  namespace chip_vector {                                                                          \
  struct name {                                                                                    \
    template <typename T> static constexpr __host__ __device__ T of(T a) {                         \
      return static_cast<T>(op a);                                                                 \
    }                                                                                              \
  };                                                                                               \
  }                                                                                                \
  CHIP_VECTOR_TEMPLATE(op T())                                                                     \
  constexpr __host__ __device__ CHIP_VECTOR operator op(const CHIP_SINGLE &a) {                    \
    return chip_vector::each<chip_vector::name>(static_cast<const CHIP_VECTOR &>(a));              \
  }
CHIP_VECTOR_UNARY(+, __Same)
CHIP_VECTOR_UNARY(-, __Negative)
CHIP_VECTOR_UNARY(~, __Complement)
#undef CHIP_VECTOR_UNARY

#define CHIP_VECTOR_STEP(step, name)                                                               \
  CHIP_VECTOR_TEMPLATE(T())                                                                        \
  inline __host__ __device__ CHIP_VECTOR &operator step(CHIP_SINGLE &a) {                          \
    CHIP_VECTOR &operand = static_cast<CHIP_VECTOR &>(a);                                          \
    return operand = chip_vector::each<chip_vector::name>(operand, CHIP_VECTOR(T(1)));             \
  }                                                                                                \
  CHIP_VECTOR_TEMPLATE(T())                                                                        \
  inline __host__ __device__ CHIP_VECTOR operator step(CHIP_SINGLE &a, int) {                      \
    CHIP_VECTOR &operand = static_cast<CHIP_VECTOR &>(a);                                          \
    const CHIP_VECTOR before = operand;                                                            \
    operand = chip_vector::each<chip_vector::name>(operand, CHIP_VECTOR(T(1)));                    \
    return before;                                                                                 \
  }
CHIP_VECTOR_STEP(++, __Sum)
CHIP_VECTOR_STEP(--, __Difference)
#undef CHIP_VECTOR_STEP

#define CHIP_VECTOR_COMPARISON(op, is_equal)                                                       \
  CHIP_VECTOR_TEMPLATE(T())                                                                        \
  constexpr __host__ __device__ bool operator op(const CHIP_VECTOR &a, CHIP_OPERAND b) {           \
    return chip_vector::equal<T>(a, b) == is_equal;                                                \
  }                                                                                                \
  CHIP_VECTOR_TEMPLATE(T())                                                                        \
  constexpr __host__ __device__ bool operator op(CHIP_NUMBER a, const CHIP_VECTOR &b) {            \
    return chip_vector::equal<T>(a, b) == is_equal;                                                \
  }
CHIP_VECTOR_COMPARISON(==, true)
CHIP_VECTOR_COMPARISON(!=, false)
#undef CHIP_VECTOR_COMPARISON

#undef CHIP_NUMBER
#undef CHIP_OPERAND
#undef CHIP_SINGLE
#undef CHIP_VECTOR
#undef CHIP_VECTOR_TEMPLATE
