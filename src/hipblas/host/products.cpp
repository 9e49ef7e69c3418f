// Products of matrices whose elements BLAS does not have: converted in blocks.
#include "blas_library.h"
#include "item.h"

#include <algorithm>

namespace hipblas {

namespace {

template <class T>
void gemm(char trans_a, char trans_b, int m, int n, int k, T alpha, const T *a, int lda, const T *b,
          int ldb, T beta, T *c, int ldc) {
  blas<"gemm", T>(&trans_a, &trans_b, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);
}

/// A part of op(matrix) as T, without gaps: `rows` of it from `row` on, and `columns` from `column` on.
template <class T>
void read_part(std::vector<T> &part, const void *data, Type type, int64_t step, int operation,
               int64_t row, int64_t column, int64_t rows, int64_t columns) {
  part.resize(size_t(rows * columns));
  if (operation == op_n) {
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < rows; ++i)
        part[size_t(i + j * rows)] = load<T>(data, type, row + i + (column + j) * step);
  } else {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        part[size_t(i + j * rows)] =
            conj_if(operation == op_c, load<T>(data, type, column + j + (row + i) * step));
  }
}

// Columns of a block of the product, and the most of the sum's terms whose total in float is exact for elements of 8 bits:
// 1,024 times 128 times 128 is 2^24.
constexpr int64_t block_columns = 512, block_terms = 1024;

} // namespace

template <class T> void compute_product(const Item<T> &item) {
  const Problem &p = item.p;
  constexpr Type type = type_for<T>;
  if (p.c.type == type && (item.alpha == T(0) || p.k == 0))
    return scale(item.c.data, item.c.step, p.m, p.n, item.beta);
  if (p.a.type == type && p.b.type == type && p.c.type == type)
    return gemm(item.trans_a, item.trans_b, item.m, item.n, item.k, item.alpha,
                static_cast<const T *>(item.a.data), item.a.step,
                static_cast<const T *>(item.b.data), item.b.step, item.beta, item.c.data,
                item.c.step);
  std::vector<T> a, b, c;
  // What is multiplied by 0 is not read, and need not be there.
  const int64_t terms = item.alpha == T(0) ? 0 : p.k;
  if (terms)
    read_part(a, item.a.data, p.a.type, p.a.step, p.trans_a, 0, 0, p.m, terms);
  for (int64_t column = 0; column < p.n; column += block_columns) {
    const int64_t columns = std::min(block_columns, p.n - column);
    if (terms)
      read_part(b, item.b.data, p.b.type, p.b.step, p.trans_b, 0, column, terms, columns);
    if (item.beta == T(0))
      c.assign(size_t(p.m * columns), T(0));
    else
      read_part(c, item.c.data, p.c.type, p.c.step, op_n, 0, column, p.m, columns);
    gemm('N', 'N', item.m, int(columns), int(terms), item.alpha, a.data(), item.m, b.data(),
         std::max(1, int(terms)), item.beta, c.data(), item.m);
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < p.m; ++i)
        store(item.c.data, p.c.type, i + (column + j) * p.c.step, c[size_t(i + j * p.m)]);
  }
}

void compute_integer_product(const Problem &p, int64_t index) {
  const auto alpha = value_of<int32_t>(p.alpha), beta = value_of<int32_t>(p.beta);
  const void *a_data = p.a.data ? data_of(p.a, p.kind, index) : nullptr;
  const void *b_data = p.b.data ? data_of(p.b, p.kind, index) : nullptr;
  auto *c = static_cast<int32_t *>(data_of(p.c, p.kind, index));
  std::vector<float> a, b, product;
  std::vector<int32_t> sum;
  const int64_t terms = alpha == 0 ? 0 : p.k;
  for (int64_t column = 0; column < p.n; column += block_columns) {
    const int64_t columns = std::min(block_columns, p.n - column);
    sum.assign(size_t(p.m * columns), 0);
    product.resize(sum.size());
    for (int64_t term = 0; term < terms; term += block_terms) {
      const int64_t some = std::min(block_terms, terms - term);
      read_part(a, a_data, p.a.type, p.a.step, p.trans_a, 0, term, p.m, some);
      read_part(b, b_data, p.b.type, p.b.step, p.trans_b, term, column, some, columns);
      gemm('N', 'N', int(p.m), int(columns), int(some), 1.0f, a.data(), int(p.m), b.data(),
           int(some), 0.0f, product.data(), int(p.m));
      // As devices do: sums wrap.
      for (size_t i = 0; i < sum.size(); ++i)
        sum[i] = int32_t(uint32_t(sum[i]) + uint32_t(int32_t(product[i])));
    }
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < p.m; ++i) {
        int32_t &element = c[i + (column + j) * p.c.step];
        const uint32_t old = beta == 0 ? 0 : uint32_t(beta) * uint32_t(element);
        element = int32_t(uint32_t(alpha) * uint32_t(sum[size_t(i + j * p.m)]) + old);
      }
  }
}

template void compute_product(const Item<float> &);
template void compute_product(const Item<double> &);
template void compute_product(const Item<Complex<float>> &);
template void compute_product(const Item<Complex<double>> &);

} // namespace hipblas
