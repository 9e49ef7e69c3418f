#include "blas_library.h"
#include "item.h"

namespace hipblas {

namespace {

using enum Operation;

// BLAS has no symmetric matrices of complex elements at this level: they are put together of vectors.

/// Column j of the stored triangle, without the diagonal's element if `below` is 1.
template <class T> struct Column {
  T *data;
  int64_t first, length; ///< The row that it begins with, and its rows.
};

template <class T> Column<T> column_of(const Item<T> &item, int64_t j, bool packed) {
  const int64_t n = item.n;
  if (item.uplo == 'U')
    return {packed ? item.a.data + j * (j + 1) / 2 : item.a.data + j * item.a.step, 0, j + 1};
  return {packed ? item.a.data + j * (2 * n - j + 1) / 2 : item.a.data + j * item.a.step + j, j,
          n - j};
}

template <class T> void multiply_symmetric(const Item<T> &item) {
  const int64_t n = item.n, x0 = first_of(n, item.x.step), y0 = first_of(n, item.y.step);
  const auto x = [&](int64_t i) { return item.x.data[x0 + i * item.x.step]; };
  const auto y = [&](int64_t i) -> T & { return item.y.data[y0 + i * item.y.step]; };
  for (int64_t i = 0; i < n; ++i)
    y(i) = item.beta == T(0) ? T(0) : item.beta * y(i);
  if (item.alpha == T(0))
    return;
  for (int64_t j = 0; j < n; ++j) {
    const Column<T> column = column_of(item, j, false);
    for (int64_t row = 0; row < column.length; ++row) {
      const int64_t i = column.first + row;
      const T scaled = item.alpha * column.data[row];
      y(i) += scaled * x(j);
      if (i != j)
        y(j) += scaled * x(i);
    }
  }
}

/// syr, spr and syr2: x x', or x y' + y x'.
template <class T> void update_symmetric(const Item<T> &item, bool packed, bool two) {
  const int64_t n = item.n, x0 = first_of(n, item.x.step), y0 = first_of(n, item.y.step);
  const auto x = [&](int64_t i) { return item.x.data[x0 + i * item.x.step]; };
  const auto y = [&](int64_t i) { return item.y.data[y0 + i * item.y.step]; };
  for (int64_t j = 0; j < n; ++j) {
    const Column<T> column = column_of(item, j, packed);
    for (int64_t row = 0; row < column.length; ++row) {
      const int64_t i = column.first + row;
      column.data[row] += item.alpha * (two ? x(i) * y(j) + y(i) * x(j) : x(i) * x(j));
    }
  }
}

template <class T> void compute_symmetric(const Item<T> &i) {
  switch (i.p.operation) {
  case symv:
    if constexpr (!is_complex_v<T>)
      return blas<"symv", T>(&i.uplo, &i.n, &i.alpha, i.a.data, &i.a.step, i.x.data, &i.x.step,
                             &i.beta, i.y.data, &i.y.step);
    else
      return multiply_symmetric(i);
  case syr:
    if constexpr (!is_complex_v<T>)
      return blas<"syr", T>(&i.uplo, &i.n, &i.alpha, i.x.data, &i.x.step, i.a.data, &i.a.step);
    else
      return update_symmetric(i, false, false);
  case spr:
    if constexpr (!is_complex_v<T>)
      return blas<"spr", T>(&i.uplo, &i.n, &i.alpha, i.x.data, &i.x.step, i.a.data);
    else
      return update_symmetric(i, true, false);
  case syr2:
    if constexpr (!is_complex_v<T>)
      return blas<"syr2", T>(&i.uplo, &i.n, &i.alpha, i.x.data, &i.x.step, i.y.data, &i.y.step,
                             i.a.data, &i.a.step);
    else
      return update_symmetric(i, false, true);
  default:
    break;
  }
  if constexpr (!is_complex_v<T>) {
    switch (i.p.operation) {
    case sbmv:
      return blas<"sbmv", T>(&i.uplo, &i.n, &i.k, &i.alpha, i.a.data, &i.a.step, i.x.data,
                             &i.x.step, &i.beta, i.y.data, &i.y.step);
    case spmv:
      return blas<"spmv", T>(&i.uplo, &i.n, &i.alpha, i.a.data, i.x.data, &i.x.step, &i.beta,
                             i.y.data, &i.y.step);
    case spr2:
      return blas<"spr2", T>(&i.uplo, &i.n, &i.alpha, i.x.data, &i.x.step, i.y.data, &i.y.step,
                             i.a.data);
    default: // ger
      return blas<"ger", T>(&i.m, &i.n, &i.alpha, i.x.data, &i.x.step, i.y.data, &i.y.step,
                            i.a.data, &i.a.step);
    }
  }
}

template <class T> void compute_hermitian(const Item<T> &i) {
  const Real<T> real_alpha = real(i.alpha);
  switch (i.p.operation) {
  case hbmv:
    return blas<"hbmv", T>(&i.uplo, &i.n, &i.k, &i.alpha, i.a.data, &i.a.step, i.x.data, &i.x.step,
                           &i.beta, i.y.data, &i.y.step);
  case hemv:
    return blas<"hemv", T>(&i.uplo, &i.n, &i.alpha, i.a.data, &i.a.step, i.x.data, &i.x.step,
                           &i.beta, i.y.data, &i.y.step);
  case hpmv:
    return blas<"hpmv", T>(&i.uplo, &i.n, &i.alpha, i.a.data, i.x.data, &i.x.step, &i.beta,
                           i.y.data, &i.y.step);
  case her:
    return blas<"her", T>(&i.uplo, &i.n, &real_alpha, i.x.data, &i.x.step, i.a.data, &i.a.step);
  case hpr:
    return blas<"hpr", T>(&i.uplo, &i.n, &real_alpha, i.x.data, &i.x.step, i.a.data);
  case her2:
    return blas<"her2", T>(&i.uplo, &i.n, &i.alpha, i.x.data, &i.x.step, i.y.data, &i.y.step,
                           i.a.data, &i.a.step);
  case hpr2:
    return blas<"hpr2", T>(&i.uplo, &i.n, &i.alpha, i.x.data, &i.x.step, i.y.data, &i.y.step,
                           i.a.data);
  case geru:
    return blas<"geru", T>(&i.m, &i.n, &i.alpha, i.x.data, &i.x.step, i.y.data, &i.y.step, i.a.data,
                           &i.a.step);
  default:
    return blas<"gerc", T>(&i.m, &i.n, &i.alpha, i.x.data, &i.x.step, i.y.data, &i.y.step, i.a.data,
                           &i.a.step);
  }
}

} // namespace

template <class T> void compute_matrix_vector(const Item<T> &i) {
  switch (i.p.operation) {
  case gemv:
    return blas<"gemv", T>(&i.trans_a, &i.m, &i.n, &i.alpha, i.a.data, &i.a.step, i.x.data,
                           &i.x.step, &i.beta, i.y.data, &i.y.step);
  case gbmv:
    return blas<"gbmv", T>(&i.trans_a, &i.m, &i.n, &i.kl, &i.ku, &i.alpha, i.a.data, &i.a.step,
                           i.x.data, &i.x.step, &i.beta, i.y.data, &i.y.step);
  case tbmv:
    return blas<"tbmv", T>(&i.uplo, &i.trans_a, &i.diag, &i.n, &i.k, i.a.data, &i.a.step, i.x.data,
                           &i.x.step);
  case tbsv:
    return blas<"tbsv", T>(&i.uplo, &i.trans_a, &i.diag, &i.n, &i.k, i.a.data, &i.a.step, i.x.data,
                           &i.x.step);
  case tpmv:
    return blas<"tpmv", T>(&i.uplo, &i.trans_a, &i.diag, &i.n, i.a.data, i.x.data, &i.x.step);
  case tpsv:
    return blas<"tpsv", T>(&i.uplo, &i.trans_a, &i.diag, &i.n, i.a.data, i.x.data, &i.x.step);
  case trmv:
    return blas<"trmv", T>(&i.uplo, &i.trans_a, &i.diag, &i.n, i.a.data, &i.a.step, i.x.data,
                           &i.x.step);
  case trsv:
    return blas<"trsv", T>(&i.uplo, &i.trans_a, &i.diag, &i.n, i.a.data, &i.a.step, i.x.data,
                           &i.x.step);
  case symv:
  case syr:
  case syr2:
  case spr:
  case sbmv:
  case spmv:
  case spr2:
  case ger:
    return compute_symmetric(i);
  default:
    if constexpr (is_complex_v<T>)
      return compute_hermitian(i);
  }
}

template void compute_matrix_vector(const Item<float> &);
template void compute_matrix_vector(const Item<double> &);
template void compute_matrix_vector(const Item<Complex<float>> &);
template void compute_matrix_vector(const Item<Complex<double>> &);

} // namespace hipblas
