// Elements of matrices, real or complex, as the tests of libraries take them.
#pragma once

#include <complex>
#include <limits>
#include <type_traits>

using Exact = std::complex<double>;

/// The parts of a number: complex ones of HIP have members, those of hipBLAS functions.
template <class T> constexpr auto real_part(T value) {
  if constexpr (requires { value.real(); })
    return value.real();
  else if constexpr (requires { value.x; })
    return value.x;
  else
    return value;
}
template <class T> constexpr auto imaginary_part(T value) {
  if constexpr (requires { value.imag(); })
    return value.imag();
  else
    return value.y;
}

template <class T> using Real = decltype(real_part(T()));
template <class T> inline constexpr bool is_complex = !std::is_same_v<T, Real<T>>;
template <class T> inline constexpr double epsilon = std::numeric_limits<Real<T>>::epsilon();

template <class T> Exact exact(T value) {
  if constexpr (is_complex<T>)
    return {real_part(value), imaginary_part(value)};
  else
    return double(value);
}
template <class T> T rounded(Exact value) {
  if constexpr (is_complex<T>)
    return {Real<T>(value.real()), Real<T>(value.imag())};
  else
    return T(value.real());
}

/// The function of four whose elements are T.
template <class T, class S, class D, class C, class Z> constexpr auto pick(S s, D d, C c, Z z) {
  if constexpr (std::is_same_v<T, float>)
    return s;
  else if constexpr (std::is_same_v<T, double>)
    return d;
  else if constexpr (std::is_same_v<Real<T>, float>)
    return c;
  else
    return z;
}
