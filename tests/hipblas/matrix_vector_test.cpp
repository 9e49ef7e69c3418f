#include "support.h"

namespace {

constexpr int n = 71, m = 53;

/// Checks y = alpha A x + beta y, where element(i, j) is A's.
template <class T, class Element>
bool is_product(const Element &element, T alpha, const Strided<T> &x, T beta, const Strided<T> &y,
                std::vector<T> computed) {
  for (int i = 0; i < y.n; ++i) {
    Sum expected;
    expected.add(exact(beta) * y[i]);
    for (int j = 0; j < x.n; ++j)
      expected.add(exact(alpha) * element(i, j) * x[j]);
    if (!expected.accepts(y.at(computed, i)))
      return false;
  }
  return true;
}

/// Where element (i, j) of a packed triangle is.
size_t packed(hipblasFillMode_t uplo, int i, int j) {
  return size_t(uplo == HIPBLAS_FILL_MODE_UPPER ? i + j * (j + 1) / 2
                                                : i + (2 * n - j - 1) * j / 2);
}

} // namespace

TEMPLATE_TEST_CASE("matrices are multiplied with vectors", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  const T alpha = random_element<T>(), beta = random_element<T>();
  constexpr int below = 4, above = 7;
  for (hipblasOperation_t operation : all_operations)
    for (int step : all_steps) {
      const bool plain = operation == HIPBLAS_OP_N;
      const Matrix<T> a(m, n), band(below + above + 1, n);
      const Strided<T> x(plain ? n : m, step), y(plain ? m : n, -step);
      const Buffer<T> on_device_a(a.elements), on_device_band(band.elements);
      const Buffer<T> on_device_x(x.elements), on_device_y(y.elements);
      BLAS(OF_TYPE(T, gemv)(blas, operation, m, n, &alpha, on_device_a, a.ld, on_device_x, x.step,
                            &beta, on_device_y, y.step));
      CHECK(is_product([&](int i, int j) { return a.at(i, j, operation); }, alpha, x, beta, y,
                       on_device_y.read()));
      const auto band_element = [&](int i, int j) -> Exact {
        if (!plain)
          std::swap(i, j);
        if (i - j > below || j - i > above)
          return 0;
        return conj_if(operation == HIPBLAS_OP_C, band.at(above + i - j, j));
      };
      const Buffer<T> again(y.elements);
      BLAS(OF_TYPE(T, gbmv)(blas, operation, m, n, below, above, &alpha, on_device_band, band.ld,
                            on_device_x, x.step, &beta, again, y.step));
      CHECK(is_product(band_element, alpha, x, beta, y, again.read()));
    }
}

TEST_CASE("what is multiplied by 0 is not read") {
  const Blas blas;
  const float zero = 0, nan = std::nanf("");
  const Buffer<float> y(std::vector<float>(8, nan));
  const Buffer<float> x(std::vector<float>(8, 1.0f)), a(std::vector<float>(64, 1.0f));
  const float one = 1;
  BLAS(hipblasSgemv(blas, HIPBLAS_OP_N, 8, 8, &one, a, 8, x, 1, &zero, y, 1));
  CHECK(y.read() == std::vector<float>(8, 8.0f));
  BLAS(hipblasSgemv(blas, HIPBLAS_OP_N, 8, 8, &zero, nullptr, 8, nullptr, 1, &zero, y, 1));
  CHECK(y.read() == std::vector<float>(8, 0.0f));
}

TEMPLATE_TEST_CASE("products of vectors are added to matrices", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  const T alpha = random_element<T>();
  for (int step : all_steps) {
    const Matrix<T> a(m, n);
    const Strided<T> x(m, step), y(n, -step);
    const Buffer<T> on_device_x(x.elements), on_device_y(y.elements);
    for (bool conjugated : {false, true}) {
      const Buffer<T> on_device_a(a.elements);
      if (conjugated)
        BLAS(OF_TYPES(T, ger, gerc)(blas, m, n, &alpha, on_device_x, x.step, on_device_y, y.step,
                                    on_device_a, a.ld));
      else
        BLAS(OF_TYPES(T, ger, geru)(blas, m, n, &alpha, on_device_x, x.step, on_device_y, y.step,
                                    on_device_a, a.ld));
      const auto computed = on_device_a.read();
      bool right = true;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < a.ld && a.index(i, j) < computed.size(); ++i) {
          Sum expected;
          expected.add(a.at(i, j));
          if (i < m)
            expected.add(exact(alpha) * x[i] * conj_if(conjugated, y[j]));
          right = right && expected.accepts(computed[a.index(i, j)]);
        }
      CHECK(right);
    }
  }
}

TEMPLATE_TEST_CASE("symmetric and hermitian matrices are multiplied with vectors", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  const T alpha = random_element<T>(), beta = random_element<T>();
  constexpr int k = 6;
  for (hipblasFillMode_t uplo : all_fills)
    for (int step : all_steps) {
      const bool up = uplo == HIPBLAS_FILL_MODE_UPPER;
      const Matrix<T> a(n, n), band(k + 1, n);
      const auto triangle = random_elements<T>(size_t(n * (n + 1) / 2));
      const Strided<T> x(n, step), y(n, -step);
      const Buffer<T> on_device_a(a.elements), on_device_band(band.elements),
          on_device_triangle(triangle);
      const Buffer<T> on_device_x(x.elements);
      const auto stored = [&](int i, int j) { return a.at(i, j); };
      const auto banded = [&](int i, int j) -> Exact {
        return std::abs(i - j) > k ? 0 : band.at(up ? k + i - j : i - j, j);
      };
      const auto in_triangle = [&](int i, int j) { return exact(triangle[packed(uplo, i, j)]); };
      const auto check = [&](const auto &elements, Shape shape, const auto &call) {
        const Buffer<T> on_device_y(y.elements);
        BLAS(call(on_device_y));
        CHECK(is_product(
            [&](int i, int j) {
              return shaped(elements, shape, uplo, HIPBLAS_DIAG_NON_UNIT, i, j);
            },
            alpha, x, beta, y, on_device_y.read()));
      };
      check(stored, Shape::symmetric, [&](T *to) {
        return OF_TYPE(T, symv)(blas, uplo, n, &alpha, on_device_a, a.ld, on_device_x, x.step,
                                &beta, to, y.step);
      });
      const Shape shape = is_complex<T> ? Shape::hermitian : Shape::symmetric;
      check(stored, shape, [&](T *to) {
        return OF_TYPES(T, symv, hemv)(blas, uplo, n, &alpha, on_device_a, a.ld, on_device_x,
                                       x.step, &beta, to, y.step);
      });
      check(banded, shape, [&](T *to) {
        return OF_TYPES(T, sbmv, hbmv)(blas, uplo, n, k, &alpha, on_device_band, band.ld,
                                       on_device_x, x.step, &beta, to, y.step);
      });
      check(in_triangle, shape, [&](T *to) {
        return OF_TYPES(T, spmv, hpmv)(blas, uplo, n, &alpha, on_device_triangle, on_device_x,
                                       x.step, &beta, to, y.step);
      });
    }
}

TEMPLATE_TEST_CASE("products of vectors are added to symmetric and hermitian matrices", "",
                   ALL_TYPES) {
  using T = TestType;
  using R = Real<T>;
  const Blas blas;
  const T alpha = random_element<T>();
  const R real_alpha = R(0.75);
  for (hipblasFillMode_t uplo : all_fills)
    for (int step : all_steps) {
      Matrix<T> a(n, n);
      auto triangle = random_elements<T>(size_t(n * (n + 1) / 2));
      // Those that are hermitian have a real diagonal.
      for (int i = 0; i < n; ++i) {
        a.elements[a.index(i, i)] = rounded<T>(a.at(i, i).real());
        triangle[packed(uplo, i, i)] = rounded<T>(exact(triangle[packed(uplo, i, i)]).real());
      }
      const Strided<T> x(n, step), y(n, -step);
      const Buffer<T> on_device_x(x.elements), on_device_y(y.elements);
      const auto check = [&](const std::vector<T> &before, const auto &index, const auto &term,
                             const auto &call) {
        const Buffer<T> matrix(before);
        BLAS(call(matrix));
        const auto computed = matrix.read();
        bool right = true;
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i)
            if (uplo == HIPBLAS_FILL_MODE_UPPER ? i <= j : i >= j) {
              Sum expected;
              expected.add(exact(before[index(i, j)]));
              term(expected, i, j);
              right = right && expected.accepts(computed[index(i, j)]);
            } else if (before.size() > triangle.size()) {
              right = right && exact(computed[index(i, j)]) == exact(before[index(i, j)]);
            }
        CHECK(right);
      };
      const auto full = [&](int i, int j) { return a.index(i, j); };
      const auto pack = [&](int i, int j) { return packed(uplo, i, j); };
      const auto symmetric = [&](Sum &sum, int i, int j) { sum.add(exact(alpha) * x[i] * x[j]); };
      const auto of_two = [&](bool conjugated) {
        return [&, conjugated](Sum &sum, int i, int j) {
          sum.add(exact(alpha) * x[i] * conj_if(conjugated, y[j]));
          sum.add(conj_if(conjugated, exact(alpha)) * y[i] * conj_if(conjugated, x[j]));
        };
      };
      check(a.elements, full, symmetric, [&](T *to) {
        return OF_TYPE(T, syr)(blas, uplo, n, &alpha, on_device_x, x.step, to, a.ld);
      });
      check(triangle, pack, symmetric,
            [&](T *to) { return OF_TYPE(T, spr)(blas, uplo, n, &alpha, on_device_x, x.step, to); });
      check(a.elements, full, of_two(false), [&](T *to) {
        return OF_TYPE(T, syr2)(blas, uplo, n, &alpha, on_device_x, x.step, on_device_y, y.step, to,
                                a.ld);
      });
      check(triangle, pack, of_two(is_complex<T>), [&](T *to) {
        return OF_TYPES(T, spr2, hpr2)(blas, uplo, n, &alpha, on_device_x, x.step, on_device_y,
                                       y.step, to);
      });
      if constexpr (is_complex<T>) {
        const auto hermitian = [&](Sum &sum, int i, int j) {
          sum.add(double(real_alpha) * x[i] * std::conj(x[j]));
        };
        constexpr bool single = std::is_same_v<R, float>;
        check(a.elements, full, of_two(true), [&](T *to) {
          if constexpr (single)
            return hipblasCher2(blas, uplo, n, &alpha, on_device_x, x.step, on_device_y, y.step, to,
                                a.ld);
          else
            return hipblasZher2(blas, uplo, n, &alpha, on_device_x, x.step, on_device_y, y.step, to,
                                a.ld);
        });
        check(a.elements, full, hermitian, [&](T *to) {
          if constexpr (single)
            return hipblasCher(blas, uplo, n, &real_alpha, on_device_x, x.step, to, a.ld);
          else
            return hipblasZher(blas, uplo, n, &real_alpha, on_device_x, x.step, to, a.ld);
        });
        check(triangle, pack, hermitian, [&](T *to) {
          if constexpr (single)
            return hipblasChpr(blas, uplo, n, &real_alpha, on_device_x, x.step, to);
          else
            return hipblasZhpr(blas, uplo, n, &real_alpha, on_device_x, x.step, to);
        });
      }
    }
}

TEMPLATE_TEST_CASE("triangular matrices are multiplied with vectors, and solved for them", "",
                   ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  constexpr int k = 6;
  for (hipblasFillMode_t uplo : all_fills)
    for (hipblasOperation_t operation : all_operations)
      for (hipblasDiagType_t diag : all_diagonals) {
        const int step = operation == HIPBLAS_OP_N ? 2 : -1;
        const bool up = uplo == HIPBLAS_FILL_MODE_UPPER;
        // Small beside the diagonal, so that solutions do not grow.
        Matrix<T> a(n, n), band(k + 1, n);
        auto triangle = random_elements<T>(size_t(n * (n + 1) / 2));
        const auto weaken = [&](T &element, bool diagonal) {
          element = rounded<T>(diagonal ? exact(element) + 2.0 : exact(element) / double(n));
        };
        for (int j = 0; j < n; ++j) {
          for (int i = 0; i < n; ++i)
            weaken(a.elements[a.index(i, j)], i == j);
          for (int i = 0; i <= k; ++i)
            weaken(band.elements[band.index(i, j)], i == (up ? k : 0));
          for (int i = up ? 0 : j; i < (up ? j + 1 : n); ++i)
            weaken(triangle[packed(uplo, i, j)], i == j);
        }
        const Buffer<T> on_device_a(a.elements), on_device_band(band.elements),
            on_device_triangle(triangle);
        const Strided<T> x(n, step);
        const auto check = [&](const auto &elements, const auto &multiply, const auto &solve) {
          const auto element = [&](int i, int j) {
            if (operation != HIPBLAS_OP_N)
              std::swap(i, j);
            return conj_if(operation == HIPBLAS_OP_C,
                           shaped(elements, Shape::triangular, uplo, diag, i, j));
          };
          const Buffer<T> product(x.elements), solution(x.elements);
          BLAS(multiply(product));
          BLAS(solve(solution));
          auto multiplied = product.read(), solved = solution.read();
          bool right = true;
          for (int i = 0; i < n; ++i) {
            Sum expected, residual;
            for (int j = 0; j < n; ++j) {
              expected.add(element(i, j) * x[j]);
              residual.add(element(i, j) * exact(x.at(solved, j)));
            }
            right = right && expected.accepts(x.at(multiplied, i)) &&
                    std::abs(residual.value - x[i]) <= 4 * n * epsilon<T> * (residual.size + 1);
          }
          CHECK(right);
        };
        check(
            [&](int i, int j) { return a.at(i, j); },
            [&](T *to) {
              return OF_TYPE(T, trmv)(blas, uplo, operation, diag, n, on_device_a, a.ld, to, step);
            },
            [&](T *to) {
              return OF_TYPE(T, trsv)(blas, uplo, operation, diag, n, on_device_a, a.ld, to, step);
            });
        check(
            [&](int i, int j) { return exact(triangle[packed(uplo, i, j)]); },
            [&](T *to) {
              return OF_TYPE(T, tpmv)(blas, uplo, operation, diag, n, on_device_triangle, to, step);
            },
            [&](T *to) {
              return OF_TYPE(T, tpsv)(blas, uplo, operation, diag, n, on_device_triangle, to, step);
            });
        check(
            [&](int i, int j) -> Exact {
              return std::abs(i - j) > k ? 0 : band.at(up ? k + i - j : i - j, j);
            },
            [&](T *to) {
              return OF_TYPE(T, tbmv)(blas, uplo, operation, diag, n, k, on_device_band, band.ld,
                                      to, step);
            },
            [&](T *to) {
              return OF_TYPE(T, tbsv)(blas, uplo, operation, diag, n, k, on_device_band, band.ld,
                                      to, step);
            });
      }
}
