// Eigenvalues and vectors of symmetric and hermitian matrices, alone and with a second matrix.
#include "support.h"

#include <array>

namespace {

constexpr int n = 29, batch = 3;

/// What functions of Jacobi's method are told.
struct JacobiInfo {
  JacobiInfo() { SOLVER(hipsolverCreateSyevjInfo(&info)); }
  ~JacobiInfo() { (void)hipsolverDestroySyevjInfo(info); }
  operator hipsolverSyevjInfo_t() const { return info; }

  hipsolverSyevjInfo_t info = nullptr;
};

template <class R> bool ascend(const std::vector<R> &values) {
  return std::is_sorted(values.begin(), values.end());
}

/// Holds vectors and values to A V = V W and to V^H V = 1.
template <class T>
void check_pairs(const Dense &a, const Dense &vectors, const std::vector<Real<T>> &values) {
  CHECK(ascend(values));
  const Dense w = diagonal(values, vectors.columns, vectors.columns);
  CHECK(norm(a * vectors - vectors * w) <= bound<T>(n, norm(a)));
  CHECK(orthogonality(vectors) <= bound<T>(n, n));
}

/// Values alone are those that come with vectors.
template <class T>
void check_same(const std::vector<Real<T>> &one, const std::vector<Real<T>> &other, double size) {
  REQUIRE(one.size() == other.size());
  double worst = 0;
  for (size_t i = 0; i < one.size(); ++i)
    worst = std::max(worst, std::abs(double(one[i]) - double(other[i])));
  CHECK(worst <= bound<T>(n, size));
}

/// A, B, and the matrix whose eigenvalues a problem of two has.
template <class T> struct Pair {
  Pair() : a(random_hermitian<T>(n)), b(random_positive<T>(n)) {}

  /// Holds vectors and values to the problem, and vectors to how they are scaled.
  void check(int type, const Dense &x, const std::vector<Real<T>> &values) const {
    CHECK(ascend(values));
    const Dense w = diagonal(values, x.columns, x.columns);
    const double size = norm(a) * norm(b) * norm(x);
    if (type == 1)
      CHECK(norm(a * x - b * x * w) <= bound<T>(n, size));
    else if (type == 2)
      CHECK(norm(a * (b * x) - x * w) <= bound<T>(n, size));
    else
      CHECK(norm(b * (a * x) - x * w) <= bound<T>(n, size));
    // X^H B X is 1; of the last type, X^H B^-1 X, which is the same of what B^-1 has made of X: A X / w.
    if (type < 3)
      CHECK(norm(adjoint(x) * b * x - identity(x.columns)) <= bound<T>(n, norm(b) * n));
    else
      CHECK(norm(adjoint(x) * (a * x) - w) <= bound<T>(n, norm(a) * norm(x) * norm(x)));
  }

  Dense a, b;
};

constexpr hipsolverEigType_t types[] = {HIPSOLVER_EIG_TYPE_1, HIPSOLVER_EIG_TYPE_2,
                                        HIPSOLVER_EIG_TYPE_3};

/// Which eigenvalues of all are asked for.
template <class R> struct Part {
  hipsolverEigRange_t range;
  R vl, vu;
  int il, iu;
  size_t first, end;
};

template <class R> std::array<Part<R>, 4> parts_of(const std::vector<R> &all) {
  const auto between = [&](size_t i) { return (all[i] + all[i + 1]) / 2; };
  return {{{HIPSOLVER_EIG_RANGE_ALL, 0, 0, 0, 0, 0, all.size()},
           {HIPSOLVER_EIG_RANGE_I, 0, 0, 3, 9, 2, 9},
           {HIPSOLVER_EIG_RANGE_I, 0, 0, 1, 1, 0, 1},
           {HIPSOLVER_EIG_RANGE_V, between(4), between(12), 0, 0, 5, 13}}};
}

template <class R> std::vector<R> first_of(std::vector<R> values, size_t count) {
  values.resize(count);
  return values;
}

} // namespace

TEMPLATE_TEST_CASE("eigenvalues and vectors of a matrix are found", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  const JacobiInfo jacobi;
  for (const hipsolverFillMode_t uplo : all_fills) {
    const Dense a = random_hermitian<T>(n);
    const auto check = [&](auto call, auto size) {
      std::vector<Real<T>> with_vectors;
      for (const auto job : {HIPSOLVER_EIG_MODE_VECTOR, HIPSOLVER_EIG_MODE_NOVECTOR}) {
        const Matrix<T> matrix(with_rubbish<T>(a, uplo));
        const Buffer<Real<T>> values = vector_of<Real<T>>(n);
        const Info info;
        const Workspace<T> work(
            [&](int *length) { return size(job, matrix, matrix.ld, values, length); });
        SOLVER(call(job, matrix, matrix.ld, values, work.data, work.length, info));
        CHECK(info.is_zero());
        if (job == HIPSOLVER_EIG_MODE_VECTOR) {
          with_vectors = values.read();
          check_pairs<T>(a, matrix.read(), with_vectors);
        } else {
          check_same<T>(values.read(), with_vectors, norm(a));
        }
      }
    };
    with_each(EACH_OF(T, syevd, heevd), [&](auto call, auto size) {
      check([&](auto job, T *m, int ld, Real<T> *w, T *work, int length,
                int *info) { return call(solver, job, uplo, n, m, ld, w, work, length, info); },
            [&](auto job, T *m, int ld, Real<T> *w, int *length) {
              return size(solver, job, uplo, n, m, ld, w, length);
            });
    });
    with_each(EACH_OF(T, syevj, heevj), [&](auto call, auto size) {
      check(
          [&](auto job, T *m, int ld, Real<T> *w, T *work, int length, int *info) {
            return call(solver, job, uplo, n, m, ld, w, work, length, info, jacobi);
          },
          [&](auto job, T *m, int ld, Real<T> *w, int *length) {
            return size(solver, job, uplo, n, m, ld, w, length, jacobi);
          });
    });
  }
}

TEMPLATE_TEST_CASE("eigenvalues of batches of matrices are found", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  const JacobiInfo jacobi;
  constexpr int ld = n + 2;
  for (const hipsolverFillMode_t uplo : all_fills)
    with_each(EACH_OF(T, syevjBatched, heevjBatched), [&](auto call, auto size) {
      std::vector<Dense> a;
      std::vector<T> elements(size_t(batch * ld * n));
      for (int index = 0; index < batch; ++index) {
        a.push_back(random_hermitian<T>(n));
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i)
            elements[size_t(index * ld * n + i + j * ld)] = rounded<T>(a.back()(i, j));
      }
      const Buffer<T> data(elements);
      const Buffer<Real<T>> values = vector_of<Real<T>>(batch * n);
      const Info info(batch);
      const Workspace<T> work([&](int *length) {
        return size(solver, HIPSOLVER_EIG_MODE_VECTOR, uplo, n, data, ld, values, length, jacobi,
                    batch);
      });
      SOLVER(call(solver, HIPSOLVER_EIG_MODE_VECTOR, uplo, n, data, ld, values, work.data,
                  work.length, info, jacobi, batch));
      CHECK(info.is_zero());
      const auto vectors = data.read();
      const auto all = values.read();
      for (int index = 0; index < batch; ++index) {
        Dense v(n, n);
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i)
            v(i, j) = exact(vectors[size_t(index * ld * n + i + j * ld)]);
        check_pairs<T>(
            a[size_t(index)], v,
            std::vector<Real<T>>(all.begin() + index * n, all.begin() + (index + 1) * n));
      }
    });
}

TEMPLATE_TEST_CASE("some eigenvalues of a matrix are found", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  const Dense a = random_hermitian<T>(n);
  const Buffer<Real<T>> all_values = vector_of<Real<T>>(n);
  const Matrix<T> all_vectors(a);
  const Info all_info;
  SOLVER(OF(T, syevd, heevd)(solver, HIPSOLVER_EIG_MODE_VECTOR, HIPSOLVER_FILL_MODE_LOWER, n,
                             all_vectors, all_vectors.ld, all_values, nullptr, 0, all_info));
  const auto all = all_values.read();
  for (const hipsolverFillMode_t uplo : all_fills)
    for (const auto job : {HIPSOLVER_EIG_MODE_VECTOR, HIPSOLVER_EIG_MODE_NOVECTOR})
      for (const Part<Real<T>> &part : parts_of(all))
        with_each(EACH_OF(T, syevdx, heevdx), [&](auto call, auto size) {
          const Matrix<T> matrix(with_rubbish<T>(a, uplo));
          const Buffer<Real<T>> values = vector_of<Real<T>>(n);
          const Buffer<int> count(-1);
          const Info info;
          const Workspace<T> work([&](int *length) {
            return size(solver, job, part.range, uplo, n, matrix, matrix.ld, part.vl, part.vu,
                        part.il, part.iu, count, values, length);
          });
          SOLVER(call(solver, job, part.range, uplo, n, matrix, matrix.ld, part.vl, part.vu,
                      part.il, part.iu, count, values, work.data, work.length, info));
          CHECK(info.is_zero());
          const size_t found = part.end - part.first;
          REQUIRE(count.read()[0] == int(found));
          const auto some = first_of(values.read(), found);
          check_same<T>(some, {all.begin() + long(part.first), all.begin() + long(part.end)},
                        norm(a));
          if (job == HIPSOLVER_EIG_MODE_VECTOR)
            check_pairs<T>(a, corner(matrix.read(), n, int(found)), some);
        });
}

TEMPLATE_TEST_CASE("eigenvalues of two matrices are found", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  const JacobiInfo jacobi;
  const Pair<T> pair;
  for (const hipsolverFillMode_t uplo : all_fills)
    for (int type = 1; type <= 3; ++type) {
      const auto check = [&](auto call, auto size) {
        std::vector<Real<T>> with_vectors;
        for (const auto job : {HIPSOLVER_EIG_MODE_VECTOR, HIPSOLVER_EIG_MODE_NOVECTOR}) {
          const Matrix<T> a(with_rubbish<T>(pair.a, uplo)), b(with_rubbish<T>(pair.b, uplo));
          const Buffer<Real<T>> values = vector_of<Real<T>>(n);
          const Info info;
          const Workspace<T> work([&](int *length) { return size(job, a, b, values, length); });
          SOLVER(call(job, a, b, values, work.data, work.length, info));
          CHECK(info.is_zero());
          if (job == HIPSOLVER_EIG_MODE_VECTOR) {
            with_vectors = values.read();
            pair.check(type, a.read(), with_vectors);
          } else {
            check_same<T>(values.read(), with_vectors, norm(pair.a) * norm(pair.b));
          }
        }
      };
      const auto itype = types[type - 1];
      using M = const Matrix<T> &;
      with_each(EACH_OF(T, sygvd, hegvd), [&](auto call, auto size) {
        check(
            [&](auto job, M a, M b, Real<T> *w, T *work, int length, int *info) {
              return call(solver, itype, job, uplo, n, a, a.ld, b, b.ld, w, work, length, info);
            },
            [&](auto job, M a, M b, Real<T> *w, int *length) {
              return size(solver, itype, job, uplo, n, a, a.ld, b, b.ld, w, length);
            });
      });
      with_each(EACH_OF(T, sygvj, hegvj), [&](auto call, auto size) {
        check(
            [&](auto job, M a, M b, Real<T> *w, T *work, int length, int *info) {
              return call(solver, itype, job, uplo, n, a, a.ld, b, b.ld, w, work, length, info,
                          jacobi);
            },
            [&](auto job, M a, M b, Real<T> *w, int *length) {
              return size(solver, itype, job, uplo, n, a, a.ld, b, b.ld, w, length, jacobi);
            });
      });
    }
}

TEMPLATE_TEST_CASE("some eigenvalues of two matrices are found", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  const Pair<T> pair;
  for (int type = 1; type <= 3; ++type) {
    const auto itype = types[type - 1];
    const auto uplo = HIPSOLVER_FILL_MODE_UPPER;
    const Buffer<Real<T>> all_values = vector_of<Real<T>>(n);
    const Matrix<T> all_a(pair.a), all_b(pair.b);
    const Info all_info;
    SOLVER(OF(T, sygvd, hegvd)(solver, itype, HIPSOLVER_EIG_MODE_NOVECTOR, uplo, n, all_a, all_a.ld,
                               all_b, all_b.ld, all_values, nullptr, 0, all_info));
    const auto all = all_values.read();
    for (const Part<Real<T>> &part : parts_of(all))
      with_each(EACH_OF(T, sygvdx, hegvdx), [&](auto call, auto size) {
        const Matrix<T> a(pair.a), b(pair.b);
        const Buffer<Real<T>> values = vector_of<Real<T>>(n);
        const Buffer<int> count(-1);
        const Info info;
        const auto job = HIPSOLVER_EIG_MODE_VECTOR;
        const Workspace<T> work([&](int *length) {
          return size(solver, itype, job, part.range, uplo, n, a, a.ld, b, b.ld, part.vl, part.vu,
                      part.il, part.iu, count, values, length);
        });
        SOLVER(call(solver, itype, job, part.range, uplo, n, a, a.ld, b, b.ld, part.vl, part.vu,
                    part.il, part.iu, count, values, work.data, work.length, info));
        CHECK(info.is_zero());
        const size_t found = part.end - part.first;
        REQUIRE(count.read()[0] == int(found));
        const auto some = first_of(values.read(), found);
        check_same<T>(some, {all.begin() + long(part.first), all.begin() + long(part.end)},
                      norm(pair.a) * norm(pair.b));
        pair.check(type, corner(a.read(), n, int(found)), some);
      });
  }
}

TEST_CASE("a second matrix has to be positive definite") {
  const Solver solver;
  const Matrix<double> a(identity(3)), b(diagonal(std::vector<double>{1, -1, 1}, 3, 3));
  const Buffer<double> values = vector_of<double>(3);
  const Buffer<int> count(-1);
  const Info info;
  SOLVER(hipsolverDsygvdx(solver, HIPSOLVER_EIG_TYPE_1, HIPSOLVER_EIG_MODE_VECTOR,
                          HIPSOLVER_EIG_RANGE_I, HIPSOLVER_FILL_MODE_LOWER, 3, a, a.ld, b, b.ld, 0,
                          0, 2, 3, count, values, nullptr, 0, info));
  CHECK(info.read()[0] == 3 + 2);
  CHECK(count.read()[0] == 0);
}

TEST_CASE("matrices that are not finite have no eigenvalues") {
  const Solver solver;
  Dense elements = identity(3);
  elements(2, 0) = std::nan("");
  const auto info_of = [&](hipsolverFillMode_t uplo, Buffer<double> &values) {
    const Matrix<double> a(elements);
    const Info info;
    SOLVER(hipsolverDsyevd(solver, HIPSOLVER_EIG_MODE_VECTOR, uplo, 3, a, a.ld, values, nullptr, 0,
                           info));
    return info.read()[0];
  };
  Buffer<double> values = vector_of<double>(3);
  CHECK(info_of(HIPSOLVER_FILL_MODE_LOWER, values) > 0);
  CHECK(std::isnan(values.read()[0]));
  // What is not looked at may be anything.
  CHECK(info_of(HIPSOLVER_FILL_MODE_UPPER, values) == 0);
  CHECK(values.read()[0] == 1);

  const Matrix<double> a(elements), b(identity(3));
  const Buffer<int> count(-1);
  const Info info;
  SOLVER(hipsolverDsygvdx(solver, HIPSOLVER_EIG_TYPE_1, HIPSOLVER_EIG_MODE_VECTOR,
                          HIPSOLVER_EIG_RANGE_I, HIPSOLVER_FILL_MODE_LOWER, 3, a, a.ld, b, b.ld, 0,
                          0, 2, 3, count, values, nullptr, 0, info));
  CHECK(info.read()[0] > 0);
  CHECK(count.read()[0] == 0);
}
