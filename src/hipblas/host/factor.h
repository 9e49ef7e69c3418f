// What functions that call LAPACK share.
#pragma once

#include "blas_library.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

namespace hipblas {

/// A length that LAPACK has said as a number of a matrix's type: such a number may be the nearest one below.
template <class T> int length_of(T wanted) {
  const double length = double(real(wanted));
  const double above = length * (1 + double(std::numeric_limits<Real<T>>::epsilon()));
  if (!(above < double(std::numeric_limits<int>::max())))
    throw std::bad_alloc();
  return std::max(1, int(std::ceil(above)));
}

/// Calls a function of LAPACK that says how much memory it wants when it is asked, and then with that memory.
template <class T, class Function> void with_workspace(const Function &function) {
  T wanted(0);
  int length = -1;
  function(&wanted, &length);
  length = length_of(wanted);
  std::vector<T> workspace(static_cast<size_t>(length));
  function(workspace.data(), &length);
}

/// A = L U without pivots, of m rows and n columns. Returns the first column whose pivot is 0, from 1 on, else 0.
template <class T> int factor_without_pivots(T *elements, int64_t step, int64_t m, int64_t n) {
  int first_zero = 0;
  const auto a = [&](int64_t row, int64_t column) -> T & { return elements[row + column * step]; };
  for (int64_t j = 0; j < std::min(m, n); ++j) {
    if (a(j, j) == T(0)) {
      first_zero = first_zero ? first_zero : int(j + 1);
      continue;
    }
    for (int64_t row = j + 1; row < m; ++row)
      a(row, j) = a(row, j) / a(j, j);
    for (int64_t column = j + 1; column < n; ++column)
      for (int64_t row = j + 1; row < m; ++row)
        a(row, column) = a(row, column) - a(row, j) * a(j, column);
  }
  return first_zero;
}

} // namespace hipblas
