/// What programs that hiprtc compiles find without including anything.
#pragma once

#include <hip/hip_runtime.h>

#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <hip/hip_math_constants.h>

/// Of <type_traits>, under the name that AMD's headers have it.
namespace __hip_internal {
template <typename T, T number> struct integral_constant {
  static constexpr T value = number;
  using value_type = T;
  using type = integral_constant;
  __host__ __device__ constexpr operator T() const { return number; }
};
template <bool condition> using bool_constant = integral_constant<bool, condition>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <typename T, typename U> struct is_same : bool_constant<__is_same(T, U)> {};
template <typename T> struct is_integral : bool_constant<__is_integral(T)> {};
template <typename T> struct is_floating_point : bool_constant<__is_floating_point(T)> {};
template <typename T> struct is_arithmetic : bool_constant<__is_arithmetic(T)> {};
template <typename T> struct is_signed : bool_constant<__is_signed(T)> {};
template <typename T> struct is_unsigned : bool_constant<__is_unsigned(T)> {};
template <typename T> struct is_pointer : bool_constant<__is_pointer(T)> {};

template <bool condition, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> {
  using type = T;
};
template <bool condition, typename T, typename __F> struct conditional {
  using type = T;
};
template <typename T, typename __F> struct conditional<false, T, __F> {
  using type = __F;
};
template <typename T> struct remove_cv {
  using type = __remove_cv(T);
};
template <typename T> struct remove_reference {
  using type = __remove_reference_t(T);
};
} // namespace __hip_internal

#ifndef __HIP_NO_STD_DEFS__
// As the C library declares them.
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#endif
