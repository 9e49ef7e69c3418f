#include "blas_library.h"
#include "item.h"

#include <algorithm>

namespace hipblas {

namespace {

using enum Operation;

/// The stored triangle of alpha A B' + beta C, where A and B are such that the product is symmetric: in blocks of columns, those on
/// the diagonal by way of a square.
template <class T> void compute_rank_update(const Item<T> &i) {
  constexpr int block = 128;
  const bool hermitian = i.p.operation == herkx, plain = i.trans_a == 'N';
  const char trans_a = i.trans_a, trans_b = !plain ? 'N' : hermitian ? 'C' : 'T';
  const auto rows_of = [&](const Array<T> &matrix, int first) {
    return plain ? matrix.data + first : matrix.data + int64_t(first) * matrix.step;
  };
  const auto multiply = [&](int row, int rows, int column, int columns, T beta, T *c, int ldc) {
    if (i.alpha == T(0) || i.k == 0)
      return scale(c, ldc, rows, columns, beta);
    blas<"gemm", T>(&trans_a, &trans_b, &rows, &columns, &i.k, &i.alpha, rows_of(i.a, row),
                    &i.a.step, rows_of(i.b, column), &i.b.step, &beta, c, &ldc);
  };
  std::vector<T> square(size_t(block) * block);
  for (int first = 0; first < i.n; first += block) {
    const int columns = std::min(block, i.n - first);
    T *const c = i.c.data + int64_t(first) * i.c.step;
    const int row = i.uplo == 'U' ? 0 : first + columns;
    const int rows = i.uplo == 'U' ? first : i.n - row;
    if (rows > 0)
      multiply(row, rows, first, columns, i.beta, c + row, i.c.step);
    multiply(first, columns, first, columns, T(0), square.data(), block);
    for (int column = 0; column < columns; ++column) {
      const int begin = i.uplo == 'U' ? 0 : column, end = i.uplo == 'U' ? column + 1 : columns;
      for (int r = begin; r < end; ++r) {
        T &element = c[first + r + int64_t(column) * i.c.step];
        element = square[size_t(r + column * block)] + (i.beta == T(0) ? T(0) : i.beta * element);
        if (hermitian && r == column)
          element = T(real(element));
      }
    }
  }
}

template <class T> T element_of(const Array<T> &matrix, char trans, int64_t i, int64_t j) {
  return trans == 'N' ? matrix.data[i + j * matrix.step]
                      : conj_if(trans == 'C', matrix.data[j + i * matrix.step]);
}

template <class T> void add(const Item<T> &i) {
  for (int64_t column = 0; column < i.n; ++column)
    for (int64_t row = 0; row < i.m; ++row) {
      const T a = i.alpha == T(0) ? T(0) : i.alpha * element_of(i.a, i.trans_a, row, column);
      const T b = i.beta == T(0) ? T(0) : i.beta * element_of(i.b, i.trans_b, row, column);
      i.c.data[row + column * i.c.step] = a + b;
    }
}

template <class T> void multiply_by_diagonal(const Item<T> &i) {
  const int64_t first = first_of(i.side == 'L' ? i.m : i.n, i.x.step);
  for (int64_t column = 0; column < i.n; ++column)
    for (int64_t row = 0; row < i.m; ++row)
      i.c.data[row + column * i.c.step] =
          i.a.data[row + column * i.a.step] *
          i.x.data[first + (i.side == 'L' ? row : column) * i.x.step];
}

/// BLAS multiplies in place.
template <class T> void multiply_triangular(const Item<T> &i) {
  if (i.alpha == T(0)) {
    for (int64_t column = 0; column < i.n; ++column)
      std::fill_n(i.c.data + column * i.c.step, i.m, T(0));
    return;
  }
  if (i.c.data != i.b.data)
    for (int64_t column = 0; column < i.n; ++column)
      std::copy_n(i.b.data + column * i.b.step, i.m, i.c.data + column * i.c.step);
  blas<"trmm", T>(&i.side, &i.uplo, &i.trans_a, &i.diag, &i.m, &i.n, &i.alpha, i.a.data, &i.a.step,
                  i.c.data, &i.c.step);
}

/// The solution for the columns of the identity. The other triangle of the inverse stays as it is.
template <class T> void invert_triangular(const Item<T> &i) {
  const char side = 'L', trans = 'N';
  const T one(1);
  std::vector<T> inverse(size_t(i.n) * size_t(i.n), T(0));
  for (int64_t j = 0; j < i.n; ++j)
    inverse[size_t(j * i.n + j)] = one;
  blas<"trsm", T>(&side, &i.uplo, &trans, &i.diag, &i.n, &i.n, &one, i.a.data, &i.a.step,
                  inverse.data(), &i.n);
  for (int64_t j = 0; j < i.n; ++j)
    for (int64_t row = i.uplo == 'U' ? 0 : j; row < (i.uplo == 'U' ? j + 1 : i.n); ++row)
      i.b.data[row + j * i.b.step] = inverse[size_t(row + j * i.n)];
}

} // namespace

template <class T> void compute_matrices(const Item<T> &i) {
  const Real<T> real_alpha = real(i.alpha), real_beta = real(i.beta);
  switch (i.p.operation) {
  case gemm:
    return compute_product(i);
  case symm:
    return blas<"symm", T>(&i.side, &i.uplo, &i.m, &i.n, &i.alpha, i.a.data, &i.a.step, i.b.data,
                           &i.b.step, &i.beta, i.c.data, &i.c.step);
  case syrk:
    return blas<"syrk", T>(&i.uplo, &i.trans_a, &i.n, &i.k, &i.alpha, i.a.data, &i.a.step, &i.beta,
                           i.c.data, &i.c.step);
  case syr2k:
    return blas<"syr2k", T>(&i.uplo, &i.trans_a, &i.n, &i.k, &i.alpha, i.a.data, &i.a.step,
                            i.b.data, &i.b.step, &i.beta, i.c.data, &i.c.step);
  case syrkx:
  case herkx:
    return compute_rank_update(i);
  case geam:
    return add(i);
  case trmm:
    return multiply_triangular(i);
  case trsm:
    return blas<"trsm", T>(&i.side, &i.uplo, &i.trans_a, &i.diag, &i.m, &i.n, &i.alpha, i.a.data,
                           &i.a.step, i.b.data, &i.b.step);
  case dgmm:
    return multiply_by_diagonal(i);
  case trtri:
    return invert_triangular(i);
  default:
    break;
  }
  if constexpr (is_complex_v<T>) {
    switch (i.p.operation) {
    case hemm:
      return blas<"hemm", T>(&i.side, &i.uplo, &i.m, &i.n, &i.alpha, i.a.data, &i.a.step, i.b.data,
                             &i.b.step, &i.beta, i.c.data, &i.c.step);
    case herk:
      return blas<"herk", T>(&i.uplo, &i.trans_a, &i.n, &i.k, &real_alpha, i.a.data, &i.a.step,
                             &real_beta, i.c.data, &i.c.step);
    default: // her2k
      return blas<"her2k", T>(&i.uplo, &i.trans_a, &i.n, &i.k, &i.alpha, i.a.data, &i.a.step,
                              i.b.data, &i.b.step, &real_beta, i.c.data, &i.c.step);
    }
  }
}

template void compute_matrices(const Item<float> &);
template void compute_matrices(const Item<double> &);
template void compute_matrices(const Item<Complex<float>> &);
template void compute_matrices(const Item<Complex<double>> &);

} // namespace hipblas
