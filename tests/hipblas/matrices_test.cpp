#include "support.h"

namespace {

// A little more than the tiles that kernels multiply have.
constexpr int m = 67, n = 71, k = 35;

/// Checks elements of `computed` against sums that `term` adds to, where `is_written` says so, and that all others are as before.
template <class T, class Term, class Written>
bool is_right(const Matrix<T> &before, const std::vector<T> &computed, const Written &is_written,
              const Term &term) {
  for (int j = 0; j < before.columns; ++j)
    for (int i = 0; i < before.ld; ++i) {
      const size_t index = before.index(i, j);
      if (i >= before.rows || !is_written(i, j)) {
        if (exact(computed[index]) != exact(before.elements[index]))
          return false;
        continue;
      }
      Sum expected;
      term(expected, i, j);
      if (!expected.accepts(computed[index]))
        return false;
    }
  return true;
}

const auto everywhere = [](int, int) { return true; };

template <class T> auto element_of(const Matrix<T> &matrix, hipblasOperation_t operation) {
  return [&matrix, operation](int i, int j) { return matrix.at(i, j, operation); };
}

} // namespace

TEMPLATE_TEST_CASE("matrices are multiplied", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  const T alpha = random_element<T>(), beta = random_element<T>();
  for (hipblasOperation_t op_a : all_operations)
    for (hipblasOperation_t op_b : all_operations) {
      const Matrix<T> a(op_a == HIPBLAS_OP_N ? m : k, op_a == HIPBLAS_OP_N ? k : m);
      const Matrix<T> b(op_b == HIPBLAS_OP_N ? k : n, op_b == HIPBLAS_OP_N ? n : k);
      const Matrix<T> c(m, n);
      const Buffer<T> on_device_a(a.elements), on_device_b(b.elements), on_device_c(c.elements);
      BLAS(OF_TYPE(T, gemm)(blas, op_a, op_b, m, n, k, &alpha, on_device_a, a.ld, on_device_b, b.ld,
                            &beta, on_device_c, c.ld));
      CHECK(is_right(c, on_device_c.read(), everywhere, [&](Sum &sum, int i, int j) {
        sum.add(exact(beta) * c.at(i, j));
        for (int l = 0; l < k; ++l)
          sum.add(exact(alpha) * a.at(i, l, op_a) * b.at(l, j, op_b));
      }));
    }
}

TEMPLATE_TEST_CASE("products of no terms are 0", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  const T alpha = rounded<T>(1), beta = rounded<T>(2);
  const Matrix<T> c(m, n);
  const Buffer<T> on_device_c(c.elements);
  BLAS(OF_TYPE(T, gemm)(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, 0, &alpha, nullptr, m, nullptr, 1,
                        &beta, on_device_c, c.ld));
  CHECK(is_right(c, on_device_c.read(), everywhere,
                 [&](Sum &sum, int i, int j) { sum.add(2.0 * c.at(i, j)); }));
}

TEMPLATE_TEST_CASE("symmetric and hermitian matrices are multiplied", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  const T alpha = random_element<T>(), beta = random_element<T>();
  for (hipblasSideMode_t side : all_sides)
    for (hipblasFillMode_t uplo : all_fills)
      for (Shape shape : {Shape::symmetric, Shape::hermitian}) {
        const int order = side == HIPBLAS_SIDE_LEFT ? m : n;
        const Matrix<T> a(order, order), b(m, n), c(m, n);
        const Buffer<T> on_device_a(a.elements), on_device_b(b.elements), on_device_c(c.elements);
        if (shape == Shape::symmetric)
          BLAS(OF_TYPE(T, symm)(blas, side, uplo, m, n, &alpha, on_device_a, a.ld, on_device_b,
                                b.ld, &beta, on_device_c, c.ld));
        else
          BLAS(OF_TYPES(T, symm, hemm)(blas, side, uplo, m, n, &alpha, on_device_a, a.ld,
                                       on_device_b, b.ld, &beta, on_device_c, c.ld));
        const auto factor = [&](int i, int j) {
          return shaped([&](int r, int s) { return a.at(r, s); },
                        is_complex<T> ? shape : Shape::symmetric, uplo, HIPBLAS_DIAG_NON_UNIT, i,
                        j);
        };
        CHECK(is_right(c, on_device_c.read(), everywhere, [&](Sum &sum, int i, int j) {
          sum.add(exact(beta) * c.at(i, j));
          for (int l = 0; l < order; ++l)
            sum.add(exact(alpha) * (side == HIPBLAS_SIDE_LEFT ? factor(i, l) * b.at(l, j)
                                                              : b.at(i, l) * factor(l, j)));
        }));
      }
}

TEMPLATE_TEST_CASE("products that are symmetric or hermitian are added to a triangle", "",
                   ALL_TYPES) {
  using T = TestType;
  using R = Real<T>;
  const Blas blas;
  const T alpha = random_element<T>(), beta = random_element<T>();
  const R real_alpha = R(0.6), real_beta = R(-1.1);
  // More columns than one block of the library has.
  constexpr int order = 150;
  for (hipblasFillMode_t uplo : all_fills)
    for (bool plain : {true, false}) {
      const auto in_triangle = [&](int i, int j) {
        return uplo == HIPBLAS_FILL_MODE_UPPER ? i <= j : i >= j;
      };
      const Matrix<T> a(plain ? order : k, plain ? k : order), b(a.rows, a.columns);
      Matrix<T> c(order, order);
      for (int i = 0; i < order; ++i)
        c.elements[c.index(i, i)] = rounded<T>(c.at(i, i).real());
      const Buffer<T> on_device_a(a.elements), on_device_b(b.elements);
      const auto operation = plain ? HIPBLAS_OP_N : HIPBLAS_OP_T;
      const auto check = [&](Exact beta_used, const auto &term, const auto &call) {
        const Buffer<T> on_device_c(c.elements);
        BLAS(call(on_device_c));
        CHECK(is_right(c, on_device_c.read(), in_triangle, [&](Sum &sum, int i, int j) {
          sum.add(beta_used * c.at(i, j));
          for (int l = 0; l < k; ++l)
            term(sum, i, j, l);
        }));
      };
      const auto row = [&](const Matrix<T> &matrix, int i, int l) {
        return plain ? matrix.at(i, l) : matrix.at(l, i);
      };
      check(
          exact(beta),
          [&](Sum &sum, int i, int j, int l) {
            sum.add(exact(alpha) * row(a, i, l) * row(a, j, l));
          },
          [&](T *to) {
            return OF_TYPE(T, syrk)(blas, uplo, operation, order, k, &alpha, on_device_a, a.ld,
                                    &beta, to, c.ld);
          });
      check(
          exact(beta),
          [&](Sum &sum, int i, int j, int l) {
            sum.add(exact(alpha) * row(a, i, l) * row(b, j, l));
            sum.add(exact(alpha) * row(b, i, l) * row(a, j, l));
          },
          [&](T *to) {
            return OF_TYPE(T, syr2k)(blas, uplo, operation, order, k, &alpha, on_device_a, a.ld,
                                     on_device_b, b.ld, &beta, to, c.ld);
          });
      check(
          exact(beta),
          [&](Sum &sum, int i, int j, int l) {
            sum.add(exact(alpha) * row(a, i, l) * row(b, j, l));
          },
          [&](T *to) {
            return OF_TYPE(T, syrkx)(blas, uplo, operation, order, k, &alpha, on_device_a, a.ld,
                                     on_device_b, b.ld, &beta, to, c.ld);
          });
      if constexpr (is_complex<T>) {
        constexpr bool single = std::is_same_v<R, float>;
        const auto conjugated = plain ? HIPBLAS_OP_N : HIPBLAS_OP_C;
        // A^H A has the conjugate of the first factor, A A^H that of the second.
        const auto term = [&](const Matrix<T> &first, const Matrix<T> &second, int i, int j,
                              int l) {
          return conj_if(!plain, row(first, i, l)) * conj_if(plain, row(second, j, l));
        };
        check(
            double(real_beta),
            [&](Sum &sum, int i, int j, int l) {
              sum.add(double(real_alpha) * term(a, a, i, j, l));
            },
            [&](T *to) {
              if constexpr (single)
                return hipblasCherk(blas, uplo, conjugated, order, k, &real_alpha, on_device_a,
                                    a.ld, &real_beta, to, c.ld);
              else
                return hipblasZherk(blas, uplo, conjugated, order, k, &real_alpha, on_device_a,
                                    a.ld, &real_beta, to, c.ld);
            });
        check(
            double(real_beta),
            [&](Sum &sum, int i, int j, int l) {
              sum.add(exact(alpha) * term(a, b, i, j, l));
              sum.add(std::conj(exact(alpha)) * term(b, a, i, j, l));
            },
            [&](T *to) {
              if constexpr (single)
                return hipblasCher2k(blas, uplo, conjugated, order, k, &alpha, on_device_a, a.ld,
                                     on_device_b, b.ld, &real_beta, to, c.ld);
              else
                return hipblasZher2k(blas, uplo, conjugated, order, k, &alpha, on_device_a, a.ld,
                                     on_device_b, b.ld, &real_beta, to, c.ld);
            });
        // That of one matrix is hermitian, as the function wants it.
        const T as_complex = rounded<T>(double(real_alpha));
        check(
            double(real_beta),
            [&](Sum &sum, int i, int j, int l) {
              sum.add(double(real_alpha) * term(a, a, i, j, l));
            },
            [&](T *to) {
              if constexpr (single)
                return hipblasCherkx(blas, uplo, conjugated, order, k, &as_complex, on_device_a,
                                     a.ld, on_device_a, a.ld, &real_beta, to, c.ld);
              else
                return hipblasZherkx(blas, uplo, conjugated, order, k, &as_complex, on_device_a,
                                     a.ld, on_device_a, a.ld, &real_beta, to, c.ld);
            });
      }
    }
}

TEMPLATE_TEST_CASE("triangular matrices are multiplied, solved and inverted", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  const T alpha = random_element<T>();
  for (hipblasSideMode_t side : all_sides)
    for (hipblasFillMode_t uplo : all_fills)
      for (hipblasOperation_t operation : all_operations)
        for (hipblasDiagType_t diag : all_diagonals) {
          const bool left = side == HIPBLAS_SIDE_LEFT;
          const int order = left ? m : n;
          Matrix<T> a(order, order);
          const Matrix<T> b(m, n), c(m, n);
          for (int j = 0; j < order; ++j)
            for (int i = 0; i < order; ++i)
              a.elements[a.index(i, j)] =
                  rounded<T>(i == j ? a.at(i, j) + 2.0 : a.at(i, j) / double(order));
          const Buffer<T> on_device_a(a.elements), on_device_b(b.elements), on_device_c(c.elements);
          const auto stored = [&](int i, int j) { return a.at(i, j); };
          const auto factor = [&](int i, int j) {
            if (operation != HIPBLAS_OP_N)
              std::swap(i, j);
            return conj_if(operation == HIPBLAS_OP_C,
                           shaped(stored, Shape::triangular, uplo, diag, i, j));
          };
          const auto check_product = [&](const Matrix<T> &before, const std::vector<T> &computed) {
            CHECK(is_right(before, computed, everywhere, [&](Sum &sum, int i, int j) {
              for (int l = 0; l < order; ++l)
                sum.add(exact(alpha) *
                        (left ? factor(i, l) * b.at(l, j) : b.at(i, l) * factor(l, j)));
            }));
          };
          BLAS(OF_TYPE(T, trmm)(blas, side, uplo, operation, diag, m, n, &alpha, on_device_a, a.ld,
                                on_device_b, b.ld, on_device_c, c.ld));
          check_product(c, on_device_c.read());
          const Buffer<T> in_place(b.elements);
          BLAS(OF_TYPE(T, trmm)(blas, side, uplo, operation, diag, m, n, &alpha, on_device_a, a.ld,
                                in_place, b.ld, in_place, b.ld));
          check_product(b, in_place.read());

          BLAS(OF_TYPE(T, trsm)(blas, side, uplo, operation, diag, m, n, &alpha, on_device_a, a.ld,
                                on_device_b, b.ld));
          const auto solution = on_device_b.read();
          bool right = true;
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
              Sum residual;
              for (int l = 0; l < order; ++l)
                residual.add(left ? factor(i, l) * exact(solution[b.index(l, j)])
                                  : exact(solution[b.index(i, l)]) * factor(l, j));
              right = right && std::abs(residual.value - exact(alpha) * b.at(i, j)) <=
                                   4 * order * epsilon<T> * (residual.size + 1);
            }
          CHECK(right);

          if (!left || operation != HIPBLAS_OP_N)
            continue;
          const Matrix<T> inverse(order, order);
          const Buffer<T> on_device_inverse(inverse.elements);
          BLAS(OF_TYPE(T, trtri)(blas, uplo, diag, order, on_device_a, a.ld, on_device_inverse,
                                 inverse.ld));
          const auto inverted = on_device_inverse.read();
          const auto of_inverse = [&](int i, int j) {
            return shaped([&](int r, int s) { return exact(inverted[inverse.index(r, s)]); },
                          Shape::triangular, uplo, HIPBLAS_DIAG_NON_UNIT, i, j);
          };
          for (int j = 0; j < order; ++j)
            for (int i = 0; i < order; ++i) {
              Sum product;
              for (int l = 0; l < order; ++l)
                product.add(factor(i, l) * of_inverse(l, j));
              right = right && std::abs(product.value - double(i == j)) <=
                                   4 * order * epsilon<T> * (product.size + 1);
            }
          CHECK(right);
        }
}

TEMPLATE_TEST_CASE("matrices are added, and multiplied with diagonal ones", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  const T alpha = random_element<T>(), beta = random_element<T>();
  for (hipblasOperation_t op_a : all_operations)
    for (hipblasOperation_t op_b : all_operations) {
      const Matrix<T> a(op_a == HIPBLAS_OP_N ? m : n, op_a == HIPBLAS_OP_N ? n : m);
      const Matrix<T> b(op_b == HIPBLAS_OP_N ? m : n, op_b == HIPBLAS_OP_N ? n : m);
      const Matrix<T> c(m, n);
      const Buffer<T> on_device_a(a.elements), on_device_b(b.elements), on_device_c(c.elements);
      BLAS(OF_TYPE(T, geam)(blas, op_a, op_b, m, n, &alpha, on_device_a, a.ld, &beta, on_device_b,
                            b.ld, on_device_c, c.ld));
      CHECK(is_right(c, on_device_c.read(), everywhere, [&](Sum &sum, int i, int j) {
        sum.add(exact(alpha) * a.at(i, j, op_a));
        sum.add(exact(beta) * b.at(i, j, op_b));
      }));
    }
  for (hipblasSideMode_t side : all_sides)
    for (int step : all_steps) {
      const Matrix<T> a(m, n), c(m, n);
      const Strided<T> x(side == HIPBLAS_SIDE_LEFT ? m : n, step);
      const Buffer<T> on_device_a(a.elements), on_device_c(c.elements), on_device_x(x.elements);
      BLAS(OF_TYPE(T, dgmm)(blas, side, m, n, on_device_a, a.ld, on_device_x, x.step, on_device_c,
                            c.ld));
      CHECK(is_right(c, on_device_c.read(), everywhere, [&](Sum &sum, int i, int j) {
        sum.add(a.at(i, j) * x[side == HIPBLAS_SIDE_LEFT ? i : j]);
      }));
    }
}

TEMPLATE_TEST_CASE("batches of matrices lie at strides or behind pointers", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  constexpr int batch = 3, order = 24, stride = order * order + 5;
  const auto a = random_elements<T>(batch * stride), b = random_elements<T>(batch * stride);
  auto weak = a;
  for (int at = 0; at < batch; ++at)
    for (int i = 0; i < order; ++i)
      weak[size_t(at * stride + i * (order + 1))] = rounded<T>(double(order));
  const Buffer<T> on_device_a(a), on_device_b(b), on_device_weak(weak);
  const T alpha = rounded<T>(1), beta = rounded<T>(0);
  const auto at = [&](const std::vector<T> &elements, int index, int i, int j) {
    return exact(elements[size_t(index * stride + i + j * order)]);
  };
  const auto is_product = [&](const std::vector<T> &c) {
    for (int index = 0; index < batch; ++index)
      for (int j = 0; j < order; ++j)
        for (int i = 0; i < order; ++i) {
          Sum expected;
          for (int l = 0; l < order; ++l)
            expected.add(at(a, index, i, l) * at(b, index, l, j));
          if (!expected.accepts(c[size_t(index * stride + i + j * order)]))
            return false;
        }
    return true;
  };
  const Buffer<T> strided(b), behind_pointers(b);
  BLAS(OF_TYPE(T, gemmStridedBatched)(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, order, order, order, &alpha,
                                      on_device_a, order, stride, on_device_b, order, stride, &beta,
                                      strided, order, stride, batch));
  CHECK(is_product(strided.read()));
  const auto a_pointers = pointers_to<T>(on_device_a, stride, batch);
  const auto b_pointers = pointers_to<T>(on_device_b, stride, batch);
  const auto c_pointers = pointers_to<T>(behind_pointers, stride, batch);
  BLAS(OF_TYPE(T, gemmBatched)(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, order, order, order, &alpha,
                               a_pointers, order, b_pointers, order, &beta, c_pointers, order,
                               batch));
  CHECK(is_product(behind_pointers.read()));

  // Products in place and solutions, one after the other.
  const auto weak_pointers = pointers_to<T>(on_device_weak, stride, batch);
  BLAS(OF_TYPE(T, trmmBatched)(blas, HIPBLAS_SIDE_LEFT, HIPBLAS_FILL_MODE_UPPER, HIPBLAS_OP_N,
                               HIPBLAS_DIAG_NON_UNIT, order, order, &alpha, weak_pointers, order,
                               b_pointers, order, b_pointers, order, batch));
  BLAS(OF_TYPE(T, trsmStridedBatched)(
      blas, HIPBLAS_SIDE_LEFT, HIPBLAS_FILL_MODE_UPPER, HIPBLAS_OP_N, HIPBLAS_DIAG_NON_UNIT, order,
      order, &alpha, on_device_weak, order, stride, on_device_b, order, stride, batch));
  const auto again = on_device_b.read();
  bool right = true;
  for (size_t i = 0; i < b.size(); ++i)
    right = right && std::abs(exact(again[i]) - exact(b[i])) <= 8 * order * epsilon<T>;
  CHECK(right);
}
