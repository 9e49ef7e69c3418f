// Elements of arrays as host functions and kernels read and write them, whatever their type.
#pragma once

#include "problem.h"

#include <cstring>
#include <type_traits>

#ifdef __HIP__
#define HIPBLAS_BOTH __host__ __device__
#else
#define HIPBLAS_BOTH
#endif

namespace hipblas {

/// A complex number, as Fortran has it. std::complex has no functions for devices.
template <class R> struct Complex {
  R re, im;

  Complex() = default;
  HIPBLAS_BOTH Complex(R re, R im = 0) : re(re), im(im) {}
  HIPBLAS_BOTH friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  HIPBLAS_BOTH friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  HIPBLAS_BOTH friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  /// Without overflow where the quotient does not.
  HIPBLAS_BOTH friend Complex operator/(Complex a, Complex b) {
    const R re = b.re < 0 ? -b.re : b.re, im = b.im < 0 ? -b.im : b.im;
    if (re >= im) {
      const R ratio = b.im / b.re, scale = b.re + b.im * ratio;
      return {(a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale};
    }
    const R ratio = b.re / b.im, scale = b.re * ratio + b.im;
    return {(a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale};
  }
  HIPBLAS_BOTH friend bool operator==(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }
  HIPBLAS_BOTH Complex &operator+=(Complex other) { return *this = *this + other; }
};

template <class T> struct ElementTraits {
  using Real = T;
  static constexpr bool complex = false;
};
template <class R> struct ElementTraits<Complex<R>> {
  using Real = R;
  static constexpr bool complex = true;
};
template <class T> using Real = typename ElementTraits<T>::Real;
template <class T> inline constexpr bool is_complex_v = ElementTraits<T>::complex;

template <class T> HIPBLAS_BOTH T conj(T value) {
  if constexpr (is_complex_v<T>)
    return {value.re, -value.im};
  else
    return value;
}
template <class T> HIPBLAS_BOTH Real<T> real(T value) {
  if constexpr (is_complex_v<T>)
    return value.re;
  else
    return value;
}
template <class T> HIPBLAS_BOTH T conj_if(bool condition, T value) {
  return condition ? conj(value) : value;
}
template <class R> HIPBLAS_BOTH R magnitude(R value) { return value < 0 ? -value : value; }
/// What BLAS takes for the size of a complex number: of its parts.
template <class T> HIPBLAS_BOTH Real<T> size(T value) {
  if constexpr (is_complex_v<T>)
    return magnitude(value.re) + magnitude(value.im);
  else
    return magnitude(value);
}

template <class To, class From> HIPBLAS_BOTH To bits(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  __builtin_memcpy(&result, &value, sizeof result);
  return result;
}

// Halves by their bits, since not every device computes with them.

HIPBLAS_BOTH inline float from_half(uint16_t half) {
  const uint32_t sign = uint32_t(half & 0x8000) << 16, rest = half & 0x7fff;
  if (rest >= 0x7c00)
    return bits<float>(sign | 0x7f800000 | (rest & 0x3ff) << 13);
  if (rest < 0x400) { // Multiples of 2^-24.
    const float value = float(rest) * 0x1p-24f;
    return sign ? -value : value;
  }
  return bits<float>(sign | ((rest << 13) + (112u << 23)));
}

HIPBLAS_BOTH inline uint16_t to_half(float value) {
  const uint32_t all = bits<uint32_t>(value), sign = all >> 16 & 0x8000, rest = all & 0x7fffffff;
  if (rest > 0x7f800000)
    return uint16_t(sign | 0x7e00);
  if (rest >= 0x477ff000) // Rounded, no finite half.
    return uint16_t(sign | 0x7c00);
  if (rest < 0x38800000) { // The sum's last bits are multiples of 2^-24.
    const uint32_t sum = bits<uint32_t>(bits<float>(rest) + 0.5f);
    return uint16_t(sign | (sum - bits<uint32_t>(0.5f)));
  }
  return uint16_t(sign | ((rest - (112u << 23) + 0xfff + (rest >> 13 & 1)) >> 13));
}

HIPBLAS_BOTH inline float from_bfloat(uint16_t value) { return bits<float>(uint32_t(value) << 16); }

HIPBLAS_BOTH inline uint16_t to_bfloat(float value) {
  const uint32_t all = bits<uint32_t>(value);
  if ((all & 0x7fffffff) > 0x7f800000)
    return uint16_t(all >> 16 | 0x40);
  return uint16_t((all + 0x7fff + (all >> 16 & 1)) >> 16);
}

template <class T, class From> HIPBLAS_BOTH T convert(From value) {
  if constexpr (std::is_same_v<T, From>)
    return value;
  else if constexpr (is_complex_v<T> && is_complex_v<From>)
    return {Real<T>(value.re), Real<T>(value.im)};
  else if constexpr (is_complex_v<T>)
    return {Real<T>(value), 0};
  else
    return T(real(value));
}

/// What a number that is computed with is stored as.
template <class T> inline constexpr Type own_type = Type::i32;
template <> inline constexpr Type own_type<float> = Type::f32;
template <> inline constexpr Type own_type<double> = Type::f64;
template <> inline constexpr Type own_type<Complex<float>> = Type::c32;
template <> inline constexpr Type own_type<Complex<double>> = Type::c64;

// Doubles are left out for arithmetic in float: kernels that mention them need devices that have them.
template <class T> inline constexpr bool with_doubles = sizeof(Real<T>) == 8;

/// The element at `index` of an array of `type`.
template <class T> HIPBLAS_BOTH T load(const void *data, Type type, int64_t index) {
  switch (type) {
  case Type::f16:
    return convert<T>(from_half(static_cast<const uint16_t *>(data)[index]));
  case Type::bf16:
    return convert<T>(from_bfloat(static_cast<const uint16_t *>(data)[index]));
  case Type::f32:
    return convert<T>(static_cast<const float *>(data)[index]);
  case Type::c32:
    return convert<T>(static_cast<const Complex<float> *>(data)[index]);
  case Type::f64:
    if constexpr (with_doubles<T>)
      return convert<T>(static_cast<const double *>(data)[index]);
    break;
  case Type::c64:
    if constexpr (with_doubles<T>)
      return convert<T>(static_cast<const Complex<double> *>(data)[index]);
    break;
  case Type::i8:
    return convert<T>(static_cast<const int8_t *>(data)[index]);
  case Type::i32:
    return convert<T>(static_cast<const int32_t *>(data)[index]);
  case Type::none:
  case Type::i64:
    break;
  }
  return T(0);
}

template <class T> HIPBLAS_BOTH void store(void *data, Type type, int64_t index, T value) {
  switch (type) {
  case Type::f16:
    static_cast<uint16_t *>(data)[index] = to_half(convert<float>(value));
    return;
  case Type::bf16:
    static_cast<uint16_t *>(data)[index] = to_bfloat(convert<float>(value));
    return;
  case Type::f32:
    static_cast<float *>(data)[index] = convert<float>(value);
    return;
  case Type::c32:
    static_cast<Complex<float> *>(data)[index] = convert<Complex<float>>(value);
    return;
  case Type::f64:
    if constexpr (with_doubles<T>)
      static_cast<double *>(data)[index] = convert<double>(value);
    return;
  case Type::c64:
    if constexpr (with_doubles<T>)
      static_cast<Complex<double> *>(data)[index] = convert<Complex<double>>(value);
    return;
  case Type::i32:
    static_cast<int32_t *>(data)[index] = convert<int32_t>(value);
    return;
  case Type::none:
  case Type::i8:
  case Type::i64:
    return;
  }
}

template <class T> HIPBLAS_BOTH T value_of(const Scalar &scalar) {
  return load<T>(scalar.pointer ? scalar.pointer : scalar.bytes, scalar.type, 0);
}

/// Where the elements of a problem of a batch begin. `stored` is their type, where that is known.
template <Type stored = Type::none>
HIPBLAS_BOTH void *data_of(const Operand &operand, Kind kind, int64_t index) {
  const auto bytes = int64_t(size_of(stored == Type::none ? operand.type : stored));
  if (kind == Kind::batched)
    return static_cast<char *const *>(operand.data)[index] + operand.offset * bytes;
  return static_cast<char *>(const_cast<void *>(operand.data)) +
         (operand.offset + index * operand.stride) * bytes;
}

/// The distance of element 0 of a vector from its beginning.
HIPBLAS_BOTH inline int64_t first_of(int64_t n, int64_t increment) {
  return increment < 0 ? (1 - n) * increment : 0;
}

} // namespace hipblas
