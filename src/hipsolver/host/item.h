// One problem of a batch, for LAPACK: its operands with elements of their type, and its sizes in 32 bits.
#pragma once

#include "../../hipblas/host/factor.h"
#include "../problem.h"

namespace hipsolver {

using hipblas::is_complex_v;
using hipblas::lapack;
using hipblas::Name;
using hipblas::Real;
using hipblas::with_workspace;

template <class T> struct Array {
  T *data;
  int step; ///< At least 1, as LAPACK has it also of matrices without elements.

  T *column(int64_t j) const { return data + j * step; }
};

template <class T> struct Item {
  Item(const Problem &problem, int64_t index)
      : p(problem), m(int(problem.m)), n(int(problem.n)), k(int(problem.k)),
        least(int(std::min(problem.m, problem.n))),
        side(problem.side == HIPSOLVER_SIDE_LEFT ? 'L' : 'R'),
        trans(problem.trans == HIPSOLVER_OP_N   ? 'N'
              : problem.trans == HIPSOLVER_OP_T ? 'T'
                                                : 'C'),
        uplo(problem.uplo == HIPSOLVER_FILL_MODE_UPPER ? 'U' : 'L'),
        vectors(problem.jobz == HIPSOLVER_EIG_MODE_VECTOR), a(array(problem.a, index)),
        b(array(problem.b, index)), c(array(problem.c, index)), v(array(problem.v, index)),
        tau(static_cast<T *>(problem.tau)),
        values(static_cast<Real<T> *>(problem.values) + index * problem.values_stride),
        e(static_cast<Real<T> *>(problem.e)), pivots(static_cast<int *>(problem.pivots)),
        info(problem.info[index]) {}

  Array<T> array(const Matrix &matrix, int64_t index) const {
    const int step = int(std::max<int64_t>(1, matrix.step));
    T *data = static_cast<T *>(const_cast<void *>(matrix.data));
    if (p.kind == Kind::batched && data)
      data = static_cast<T *const *>(matrix.data)[index];
    else if (data)
      data += index * matrix.stride;
    return {data, step};
  }

  const Problem &p;
  int m, n, k, least;
  char side, trans, uplo;
  bool vectors;
  Array<T> a, b, c, v;
  T *tau;
  Real<T> *values, *e;
  int *pivots;
  int &info;
};

/// Calls a function of LAPACK that has one name for real elements and another for complex ones.
template <Name real_name, Name complex_name, class T, class... Arguments>
void lapack_of(Arguments *...arguments) {
  if constexpr (is_complex_v<T>)
    lapack<complex_name, T>(arguments...);
  else
    lapack<real_name, T>(arguments...);
}

template <class T> void copy(Array<T> from, Array<T> to, int64_t rows, int64_t columns) {
  for (int64_t j = 0; j < columns; ++j)
    std::copy_n(from.column(j), rows, to.column(j));
}

template <class T> bool is_finite(T value) {
  if constexpr (is_complex_v<T>)
    return std::isfinite(value.re) && std::isfinite(value.im);
  else
    return std::isfinite(value);
}

/// Whether all elements of a matrix are finite, or all of the triangle that `uplo` says. LAPACK does not come to an end with some that
/// are not, and says nothing of others.
template <class T> bool is_finite(Array<T> a, int64_t rows, int64_t columns, char uplo = 'A') {
  for (int64_t j = 0; j < columns; ++j) {
    const int64_t first = uplo == 'L' ? j : 0, end = uplo == 'U' ? j + 1 : rows;
    for (int64_t row = first; row < end; ++row)
      if (!is_finite(a.column(j)[row]))
        return false;
  }
  return true;
}

/// What is told of a matrix that is not finite: that its values have not been found.
template <class T> void give_up(const Item<T> &i, int64_t values) {
  std::fill_n(i.values, values, std::numeric_limits<Real<T>>::quiet_NaN());
  i.info = std::max(1, i.least - 1);
}

// What computes a problem of a batch; these take all operations between them.
template <class T> void compute_factors(const Item<T> &item);
template <class T> void compute_orthogonal(const Item<T> &item);
template <class T> void compute_eigenvalues(const Item<T> &item);
template <class T> void compute_singular_values(const Item<T> &item);

} // namespace hipsolver
