// Triangular factors, solutions of systems of equations, inverses.
#include "support.h"

namespace {

constexpr int n = 33, columns = 5, batch = 3;

/// Rows exchanged as pivots say, the last exchange first: P of A = P L U.
template <class Integer> Dense permuted(Dense a, const std::vector<Integer> &pivots) {
  for (int i = int(pivots.size()) - 1; i >= 0; --i)
    for (int j = 0; j < a.columns; ++j)
      std::swap(a(i, j), a(int(pivots[size_t(i)]) - 1, j));
  return a;
}

/// L U, or with pivots P L U, of what getrf leaves.
Dense product_of_factors(const Dense &factors) {
  const int least = std::min(factors.rows, factors.columns);
  return triangle(corner(factors, factors.rows, least), false, true) *
         triangle(corner(factors, least, factors.columns), true);
}

/// A of the factor that potrf leaves.
Dense product_of_factor(const Dense &factor, hipsolverFillMode_t uplo) {
  const Dense f = triangle(factor, uplo);
  return uplo == HIPSOLVER_FILL_MODE_UPPER ? adjoint(f) * f : f * adjoint(f);
}

/// A of what sytrf leaves: a product of exchanges and columns on both sides of blocks on the diagonal.
Dense product_of_blocks(const Dense &factors, const std::vector<int> &pivots, bool upper) {
  const int size = factors.rows;
  struct Step {
    int first, columns, exchanged, with;
  };
  std::vector<Step> steps; // The outermost first.
  for (int k = upper ? size - 1 : 0; upper ? k >= 0 : k < size;) {
    const int pivot = pivots[size_t(k)], count = pivot > 0 ? 1 : 2;
    const int first = upper ? k - count + 1 : k;
    const int exchanged = count == 1 ? k : upper ? k - 1 : k + 1;
    steps.push_back({first, count, exchanged, std::abs(pivot) - 1});
    k += upper ? -count : count;
  }
  Dense a(size, size);
  for (const Step &step : steps)
    for (int i = step.first; i < step.first + step.columns; ++i)
      for (int j = step.first; j < step.first + step.columns; ++j)
        a(i, j) = (upper ? i <= j : i >= j) ? factors(i, j) : factors(j, i);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    Dense left = identity(size);
    const int end = step->first + step->columns;
    for (int j = step->first; j < end; ++j)
      for (int i = upper ? 0 : end; i < (upper ? step->first : size); ++i)
        left(i, j) = factors(i, j);
    for (int j = 0; j < size; ++j)
      std::swap(left(step->exchanged, j), left(step->with, j));
    a = left * a * transposed(left);
  }
  return a;
}

} // namespace

TEMPLATE_TEST_CASE("matrices are products of triangles", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  for (const auto &[rows, cols] : {std::tuple{n, n}, std::tuple{n, 20}, std::tuple{20, n}}) {
    const Dense a = random_matrix<T>(rows, cols);
    const int least = std::min(rows, cols);
    const auto check = [&](auto factor) {
      const Matrix<T> on_device(a);
      const Buffer<int> pivots = vector_of<int>(least);
      const Info info;
      SOLVER(factor(on_device, on_device.ld, pivots, info));
      CHECK(info.is_zero());
      const Dense product = permuted(product_of_factors(on_device.read()), pivots.read());
      CHECK(norm(product - a) <= bound<T>(n, norm(a)));
    };
    const auto work = [&](auto size) {
      return Workspace<T>(
          [&](int *length) { return size(solver, rows, cols, nullptr, rows, length); });
    };
    const Workspace<T> first = work(OF(T, getrf_bufferSize, getrf_bufferSize));
    check([&](T *data, int ld, int *pivots, int *info) {
      return OF(T, getrf, getrf)(solver, rows, cols, data, ld, first.data, first.length, pivots,
                                 info);
    });
    const Workspace<T> second = work(DN(T, getrf_bufferSize, getrf_bufferSize));
    check([&](T *data, int ld, int *pivots, int *info) {
      return DN(T, getrf, getrf)(solver, rows, cols, data, ld, second.data, pivots, info);
    });

    Dense large = a;
    for (int i = 0; i < least; ++i)
      large(i, i) = exact(rounded<T>(large(i, i) + 2.0 * n));
    const Matrix<T> on_device(large);
    const Info info;
    SOLVER(OF(T, getrf, getrf)(solver, rows, cols, on_device, on_device.ld, nullptr, 0, nullptr,
                               info));
    CHECK(info.is_zero());
    CHECK(norm(product_of_factors(on_device.read()) - large) <= bound<T>(n, norm(large)));
  }
}

TEMPLATE_TEST_CASE("singular matrices have a pivot that is 0", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  const Matrix<T> a(identity(4) - diagonal(std::vector<double>{0, 0, 1, 0}, 4, 4));
  const Buffer<int> pivots = vector_of<int>(4);
  const Info info, definite;
  SOLVER(OF(T, getrf, getrf)(solver, 4, 4, a, a.ld, nullptr, 0, pivots, info));
  CHECK(info.read()[0] == 3);
  SOLVER(OF(T, potrf, potrf)(solver, HIPSOLVER_FILL_MODE_LOWER, 4, a, a.ld, nullptr, 0, definite));
  CHECK(definite.read()[0] == 3);
}

TEMPLATE_TEST_CASE("factors solve systems of equations", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  const Dense a = random_matrix<T>(n, n), b = random_matrix<T>(n, columns);
  const Matrix<T> factors(a);
  const Buffer<int> pivots = vector_of<int>(n);
  const Info info;
  SOLVER(OF(T, getrf, getrf)(solver, n, n, factors, factors.ld, nullptr, 0, pivots, info));
  for (const hipsolverOperation_t operation : {HIPSOLVER_OP_N, HIPSOLVER_OP_T, HIPSOLVER_OP_C}) {
    const auto check = [&](auto solve) {
      const Matrix<T> x(b);
      const Info solved;
      SOLVER(solve(x, x.ld, solved));
      CHECK(solved.is_zero());
      const Dense solution = x.read();
      CHECK(norm(applied(operation, a) * solution - b) <= bound<T>(n, norm(a) * norm(solution)));
    };
    const Workspace<T> work([&](int *length) {
      return OF(T, getrs_bufferSize, getrs_bufferSize)(solver, operation, n, columns, factors,
                                                       factors.ld, pivots, nullptr, n, length);
    });
    check([&](T *x, int ld, int *solved) {
      return OF(T, getrs, getrs)(solver, operation, n, columns, factors, factors.ld, pivots, x, ld,
                                 work.data, work.length, solved);
    });
    check([&](T *x, int ld, int *solved) {
      return DN(T, getrs, getrs)(solver, operation, n, columns, factors, factors.ld, pivots, x, ld,
                                 solved);
    });
  }
}

TEMPLATE_TEST_CASE("systems of equations are solved in one call", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  const Dense a = random_matrix<T>(n, n), b = random_matrix<T>(n, columns);
  const auto solve = [&](T *matrix, int lda, int *pivots, T *right, int ldb, T *x, int ldx,
                         int *info, bool dense) {
#define SOLVE(PREFIX, ...)                                                                         \
  size_t length = 0;                                                                               \
  void *work = nullptr;                                                                            \
  SOLVER((pick<T>(PREFIX##SSgesv_bufferSize, PREFIX##DDgesv_bufferSize, PREFIX##CCgesv_bufferSize, \
                  PREFIX##ZZgesv_bufferSize)(solver, n, columns, matrix, lda, pivots, right, ldb,  \
                                             x, ldx, __VA_ARGS__ & length)));                      \
  REQUIRE(length >= sizeof(T));                                                                    \
  HIP(hipMalloc(&work, length));                                                                   \
  int iterations = 0;                                                                              \
  SOLVER((pick<T>(PREFIX##SSgesv, PREFIX##DDgesv, PREFIX##CCgesv,                                  \
                  PREFIX##ZZgesv)(solver, n, columns, matrix, lda, pivots, right, ldb, x, ldx,     \
                                  work, length, &iterations, info)));                              \
  HIP(hipFree(work))
    if (dense) {
      SOLVE(hipsolverDn, nullptr, );
    } else {
      SOLVE(hipsolver, );
    }
  };
  for (const bool dense : {false, true})
    for (const bool in_place : {false, true}) {
      const Matrix<T> matrix(a), right(b), x(Dense(n, columns));
      const Matrix<T> &place = in_place ? right : x;
      const Buffer<int> pivots = vector_of<int>(n);
      const Info info;
      solve(matrix, matrix.ld, pivots, right, right.ld, place, place.ld, info, dense);
      CHECK(info.is_zero());
      const Dense solution = place.read();
      CHECK(norm(a * solution - b) <= bound<T>(n, norm(a) * norm(solution)));
      if (!in_place)
        CHECK(norm(right.read() - b) == 0);
      CHECK(norm(permuted(product_of_factors(matrix.read()), pivots.read()) - a) <=
            bound<T>(n, norm(a)));
    }
}

TEMPLATE_TEST_CASE("positive definite matrices have a factor, a solution and an inverse", "",
                   ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  for (const hipsolverFillMode_t uplo : all_fills) {
    const Dense a = random_positive<T>(n), b = random_matrix<T>(n, columns);
    with_each(EACH_OF(T, potrf, potrf), [&](auto factor, auto size) {
      const Matrix<T> matrix(with_rubbish<T>(a, uplo));
      const Info info;
      const Workspace<T> work(
          [&](int *length) { return size(solver, uplo, n, matrix, matrix.ld, length); });
      SOLVER(factor(solver, uplo, n, matrix, matrix.ld, work.data, work.length, info));
      CHECK(info.is_zero());
      const Dense factors = matrix.read();
      CHECK(norm(product_of_factor(factors, uplo) - a) <= bound<T>(n, norm(a)));

      const auto check = [&](auto solve) {
        const Matrix<T> x(b);
        const Info solved;
        SOLVER(solve(x, x.ld, solved));
        CHECK(solved.is_zero());
        const Dense solution = x.read();
        CHECK(norm(a * solution - b) <= bound<T>(n, norm(a) * norm(solution)));
      };
      const Workspace<T> solving([&](int *length) {
        return OF(T, potrs_bufferSize, potrs_bufferSize)(solver, uplo, n, columns, matrix,
                                                         matrix.ld, nullptr, n, length);
      });
      check([&](T *x, int ld, int *solved) {
        return OF(T, potrs, potrs)(solver, uplo, n, columns, matrix, matrix.ld, x, ld, solving.data,
                                   solving.length, solved);
      });
      check([&](T *x, int ld, int *solved) {
        return DN(T, potrs, potrs)(solver, uplo, n, columns, matrix, matrix.ld, x, ld, solved);
      });
    });
    with_each(EACH_OF(T, potri, potri), [&](auto invert, auto size) {
      const Matrix<T> matrix(with_rubbish<T>(a, uplo));
      const Info info;
      SOLVER(OF(T, potrf, potrf)(solver, uplo, n, matrix, matrix.ld, nullptr, 0, info));
      const Workspace<T> work(
          [&](int *length) { return size(solver, uplo, n, matrix, matrix.ld, length); });
      const Info inverted;
      SOLVER(invert(solver, uplo, n, matrix, matrix.ld, work.data, work.length, inverted));
      CHECK(inverted.is_zero());
      const Dense half = triangle(matrix.read(), uplo);
      Dense inverse = half;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          if (uplo == HIPSOLVER_FILL_MODE_UPPER ? i > j : i < j)
            inverse(i, j) = std::conj(half(j, i));
      CHECK(norm(a * inverse - identity(n)) <= bound<T>(n, norm(a) * norm(inverse)));
    });
  }
}

TEMPLATE_TEST_CASE("batches of positive definite matrices have factors and solutions", "",
                   ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  for (const bool dense : {false, true})
    for (const hipsolverFillMode_t uplo : all_fills) {
      std::vector<T> elements, right_elements;
      std::vector<Dense> a, b;
      for (int index = 0; index < batch; ++index) {
        a.push_back(random_positive<T>(n));
        b.push_back(random_matrix<T>(n, 1));
        for (const Exact &element : a.back().elements)
          elements.push_back(rounded<T>(element));
        for (const Exact &element : b.back().elements)
          right_elements.push_back(rounded<T>(element));
      }
      const Buffer<T> data(elements), right(right_elements);
      const auto pointers = pointers_to<T>(data, n * n, batch);
      const auto right_pointers = pointers_to<T>(right, n, batch);
      const Info info(batch), solved(batch);
      if (dense) {
        SOLVER(DN(T, potrfBatched, potrfBatched)(solver, uplo, n, pointers, n, info, batch));
        SOLVER(DN(T, potrsBatched, potrsBatched)(solver, uplo, n, 1, pointers, n, right_pointers, n,
                                                 solved, batch));
      } else {
        const Workspace<T> work([&](int *length) {
          return OF(T, potrfBatched_bufferSize, potrfBatched_bufferSize)(solver, uplo, n, pointers,
                                                                         n, length, batch);
        });
        const Workspace<T> solving([&](int *length) {
          return OF(T, potrsBatched_bufferSize, potrsBatched_bufferSize)(
              solver, uplo, n, 1, pointers, n, right_pointers, n, length, batch);
        });
        SOLVER(OF(T, potrfBatched, potrfBatched)(solver, uplo, n, pointers, n, work.data,
                                                 work.length, info, batch));
        SOLVER(OF(T, potrsBatched, potrsBatched)(solver, uplo, n, 1, pointers, n, right_pointers, n,
                                                 solving.data, solving.length, solved, batch));
      }
      CHECK((info.is_zero() && solved.is_zero()));
      const auto factors = data.read(), solutions = right.read();
      for (int index = 0; index < batch; ++index) {
        Dense factor(n, n), solution(n, 1);
        for (int i = 0; i < n * n; ++i)
          factor.elements[size_t(i)] = exact(factors[size_t(index * n * n + i)]);
        for (int i = 0; i < n; ++i)
          solution(i, 0) = exact(solutions[size_t(index * n + i)]);
        CHECK(norm(product_of_factor(factor, uplo) - a[size_t(index)]) <=
              bound<T>(n, norm(a[size_t(index)])));
        CHECK(norm(a[size_t(index)] * solution - b[size_t(index)]) <=
              bound<T>(n, norm(a[size_t(index)]) * norm(solution)));
      }
    }
}

TEMPLATE_TEST_CASE("symmetric matrices have factors with blocks", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  for (const hipsolverFillMode_t uplo : all_fills)
    with_each(EACH_OF(T, sytrf, sytrf), [&](auto factor, auto size) {
      const Dense half = random_matrix<T>(n, n);
      Dense a = half - Dense(n, n);
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < j; ++i)
          a(i, j) = a(j, i);
      const Matrix<T> matrix(with_rubbish<T>(a, uplo));
      const Buffer<int> pivots = vector_of<int>(n);
      const Info info;
      const Workspace<T> work(
          [&](int *length) { return size(solver, n, matrix, matrix.ld, length); });
      SOLVER(factor(solver, uplo, n, matrix, matrix.ld, pivots, work.data, work.length, info));
      CHECK(info.is_zero());
      const Dense product =
          product_of_blocks(matrix.read(), pivots.read(), uplo == HIPSOLVER_FILL_MODE_UPPER);
      CHECK(norm(product - a) <= bound<T>(n, norm(a)));
    });
}
