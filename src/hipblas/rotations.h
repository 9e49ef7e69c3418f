// The small computations of plane rotations, for host functions and kernels: after "Basic Linear Algebra Subprograms for Fortran
// Usage" (Lawson, Hanson, Kincaid, Krogh).
#pragma once

#include "elements.h"

#if !defined(__HIP__)
#include <cmath>
#endif

namespace hipblas {

template <class R> HIPBLAS_BOTH R root(R value) {
#ifdef __HIP__
  if constexpr (sizeof(R) == 4)
    return ::sqrtf(value);
  else
    return ::sqrt(value);
#else
  return std::sqrt(value);
#endif
}

template <class R> HIPBLAS_BOTH R absolute(R value) { return magnitude(value); }
/// The absolute value, without overflow where it does not.
template <class R> HIPBLAS_BOTH R absolute(Complex<R> value) {
  const R re = magnitude(value.re), im = magnitude(value.im);
  const R larger = re > im ? re : im, smaller = re > im ? im : re;
  if (larger == 0)
    return 0;
  const R ratio = smaller / larger;
  return larger * root(1 + ratio * ratio);
}

/// The rotation that turns (a, b) into (r, 0): a becomes r, and b what the rotation can be told from, for real numbers.
template <class R> HIPBLAS_BOTH void make_rotation(R &a, R &b, R &c, R &s) {
  const R size_a = magnitude(a), size_b = magnitude(b), scale = size_a > size_b ? size_a : size_b;
  if (scale == 0) {
    c = 1;
    s = a = b = 0;
    return;
  }
  const R x = a / scale, y = b / scale;
  R r = scale * root(x * x + y * y);
  if ((size_a > size_b ? a : b) < 0)
    r = -r;
  c = a / r;
  s = b / r;
  b = size_a > size_b ? s : c != 0 ? 1 / c : R(1);
  a = r;
}

template <class R>
HIPBLAS_BOTH void make_rotation(Complex<R> &a, Complex<R> &b, R &c, Complex<R> &s) {
  const R size_a = absolute(a);
  if (size_a == 0) {
    c = 0;
    s = {1, 0};
    a = b;
    return;
  }
  const R size_b = absolute(b), scale = size_a + size_b;
  const R x = size_a / scale, y = size_b / scale;
  const R norm = scale * root(x * x + y * y);
  const Complex<R> phase = {a.re / size_a, a.im / size_a};
  c = size_a / norm;
  const Complex<R> product = phase * conj(b);
  s = {product.re / norm, product.im / norm};
  a = {phase.re * norm, phase.im * norm};
}

/// The four numbers of a modified rotation, as its first parameter says which of them are stored.
template <class R> struct ModifiedRotation {
  R h11, h12, h21, h22;
  bool identity;

  template <class Parameters> HIPBLAS_BOTH explicit ModifiedRotation(const Parameters &p) {
    const R flag = p(0);
    identity = flag == -2;
    h11 = flag == 1 || flag == -1 ? p(1) : R(1);
    h21 = flag == 0 || flag == -1 ? p(2) : R(-1);
    h12 = flag == 0 || flag == -1 ? p(3) : R(1);
    h22 = flag == 1 || flag == -1 ? p(4) : R(1);
  }
};

/// The modified rotation that makes the second component of (sqrt(d1) x1, sqrt(d2) y1) zero.
template <class R>
HIPBLAS_BOTH void make_modified_rotation(R &d1, R &d2, R &x1, R y1, R *parameters) {
  constexpr R gamma = 4096, gamma_squared = gamma * gamma;
  R flag, h11 = 0, h12 = 0, h21 = 0, h22 = 0;
  const R p2 = d2 * y1;
  if (d1 < 0) {
    flag = -1;
    d1 = d2 = x1 = 0;
  } else if (p2 == 0) {
    parameters[0] = -2;
    return;
  } else {
    const R p1 = d1 * x1, q2 = p2 * y1, q1 = p1 * x1;
    if (magnitude(q1) > magnitude(q2)) {
      h21 = -y1 / x1;
      h12 = p2 / p1;
      const R u = 1 - h12 * h21;
      flag = 0;
      if (u > 0) {
        d1 /= u;
        d2 /= u;
        x1 *= u;
      } else {
        flag = -1;
        h12 = h21 = d1 = d2 = x1 = 0;
      }
    } else if (q2 < 0) {
      flag = -1;
      d1 = d2 = x1 = 0;
    } else {
      flag = 1;
      h11 = p1 / p2;
      h22 = x1 / y1;
      const R u = 1 + h11 * h22, swapped = d2 / u;
      d2 = d1 / u;
      d1 = swapped;
      x1 = y1 * u;
    }
    // The factors are kept near 1. Infinite ones cannot be.
    const auto is_far = [](R value) {
      const R size = magnitude(value);
      return size != 0 && value - value == 0 &&
             (size <= 1 / gamma_squared || size >= gamma_squared);
    };
    const auto make_explicit = [&] {
      if (flag == 0) {
        h11 = h22 = 1;
      } else if (flag == 1) {
        h21 = -1;
        h12 = 1;
      }
      flag = -1;
    };
    while (is_far(d1)) {
      make_explicit();
      const R factor = magnitude(d1) <= 1 / gamma_squared ? gamma : 1 / gamma;
      d1 *= factor * factor;
      x1 /= factor;
      h11 /= factor;
      h12 /= factor;
    }
    while (is_far(d2)) {
      make_explicit();
      const R factor = magnitude(d2) <= 1 / gamma_squared ? gamma : 1 / gamma;
      d2 *= factor * factor;
      h21 /= factor;
      h22 /= factor;
    }
  }
  parameters[0] = flag;
  if (flag != 0) {
    parameters[1] = h11;
    parameters[4] = h22;
  }
  if (flag != 1) {
    parameters[2] = h21;
    parameters[3] = h12;
  }
}

/// rotg or rotmg of one problem of a batch.
template <class T> HIPBLAS_BOTH void make_rotation(const Problem &p, int64_t index) {
  const auto at = [&](const Operand &operand) { return data_of(operand, p.kind, index); };
  if (p.operation == Operation::rotg) {
    make_rotation(*static_cast<T *>(at(p.a)), *static_cast<T *>(at(p.b)),
                  *static_cast<Real<T> *>(at(p.x)), *static_cast<T *>(at(p.y)));
  } else if constexpr (!is_complex_v<T>) {
    make_modified_rotation(*static_cast<T *>(at(p.a)), *static_cast<T *>(at(p.b)),
                           *static_cast<T *>(at(p.c)), *static_cast<const T *>(at(p.x)),
                           static_cast<T *>(at(p.y)));
  }
}

} // namespace hipblas
