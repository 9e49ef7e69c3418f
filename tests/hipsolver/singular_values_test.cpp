// Singular values and vectors.
#include "support.h"

namespace {

constexpr int n = 27, batch = 3;
constexpr std::tuple<int, int> shapes[] = {{n, n}, {n, 16}, {16, n}};

struct JacobiInfo {
  JacobiInfo() { SOLVER(hipsolverCreateGesvdjInfo(&info)); }
  ~JacobiInfo() { (void)hipsolverDestroyGesvdjInfo(info); }
  operator hipsolverGesvdjInfo_t() const { return info; }

  hipsolverGesvdjInfo_t info = nullptr;
};

/// Holds U, S and V to U S V^H = A, to orthogonal columns, and S to its order.
template <class T>
void check_product(const Dense &a, const Dense &u, const std::vector<Real<T>> &s, const Dense &v) {
  CHECK(std::is_sorted(s.rbegin(), s.rend()));
  CHECK((s.empty() || s.back() >= 0));
  CHECK(norm(u * diagonal(s, u.columns, v.columns) * adjoint(v) - a) <= bound<T>(n, norm(a)));
  CHECK(orthogonality(u) <= bound<T>(n, n));
  CHECK(orthogonality(v) <= bound<T>(n, n));
}

/// Values are those of A, whose squares have the sum of A's elements' squares and are roots of the characteristic polynomial of
/// A^H A: which is what a function that has been held to that gives.
template <class T> std::vector<Real<T>> values_of(const Solver &solver, const Dense &a) {
  const Matrix<T> matrix(a), u(Dense(a.rows, a.rows)), v(Dense(a.columns, a.columns));
  const Buffer<Real<T>> s = vector_of<Real<T>>(std::min(a.rows, a.columns));
  const Info info;
  SOLVER(OF(T, gesvd, gesvd)(solver, 'A', 'A', a.rows, a.columns, matrix, matrix.ld, s, u, u.ld, v,
                             v.ld, nullptr, 0, nullptr, info));
  check_product<T>(a, u.read(), s.read(), adjoint(v.read()));
  return s.read();
}

template <class T>
void check_same(const std::vector<Real<T>> &one, const std::vector<Real<T>> &other, double size) {
  REQUIRE(one.size() == other.size());
  double worst = 0;
  for (size_t i = 0; i < one.size(); ++i)
    worst = std::max(worst, std::abs(double(one[i]) - double(other[i])));
  CHECK(worst <= bound<T>(n, size));
}

template <class T>
Dense part_of(const std::vector<T> &elements, int first, int ld, int rows, int columns) {
  Dense a(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i)
      a(i, j) = exact(elements[size_t(first + i + j * ld)]);
  return a;
}

/// Matrices at equal distances, with their elements in one array.
template <class T> struct Batch {
  Batch(int m, int k, int ld, int stride) : elements(size_t(batch * stride)) {
    for (int index = 0; index < batch; ++index) {
      matrices.push_back(random_matrix<T>(m, k));
      for (int j = 0; j < k; ++j)
        for (int i = 0; i < m; ++i)
          elements[size_t(index * stride + i + j * ld)] = rounded<T>(matrices.back()(i, j));
    }
  }
  std::vector<Dense> matrices;
  std::vector<T> elements;
};

} // namespace

TEMPLATE_TEST_CASE("singular values and vectors are found by all jobs", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  for (const auto &[m, k] : shapes) {
    const Dense a = random_matrix<T>(m, k);
    const int least = std::min(m, k);
    const auto values = values_of<T>(solver, a);
    for (const signed char jobu : {'N', 'A', 'S', 'O'})
      for (const signed char jobv : {'N', 'A', 'S', 'O'})
        for (const bool dense : {false, true}) {
          if (jobu == 'O' && jobv == 'O')
            continue;
          const Matrix<T> matrix(a), u(Dense(m, m)), v(Dense(k, k));
          const Buffer<Real<T>> s = vector_of<Real<T>>(least),
                                rest(std::vector<Real<T>>(size_t(least), 9));
          const Info info;
          const Workspace<T> work([&, m = m, k = k](int *length) {
            return dense ? DN(T, gesvd_bufferSize, gesvd_bufferSize)(solver, m, k, length)
                         : OF(T, gesvd_bufferSize, gesvd_bufferSize)(solver, jobu, jobv, m, k,
                                                                     length);
          });
          const auto call = dense ? DN(T, gesvd, gesvd) : OF(T, gesvd, gesvd);
          SOLVER(call(solver, jobu, jobv, m, k, matrix, matrix.ld, s, u, u.ld, v, v.ld, work.data,
                      work.length, rest, info));
          CHECK(info.is_zero());
          check_same<T>(s.read(), values, norm(a));
          std::vector<Real<T>> expected(size_t(least), 0); // Nothing is left beside the diagonal.
          expected.back() = 9;
          CHECK(rest.read() == expected);
          if (jobu == 'N' || jobv == 'N')
            continue;
          const Dense left = jobu == 'O'   ? corner(matrix.read(), m, least)
                             : jobu == 'S' ? corner(u.read(), m, least)
                                           : u.read();
          const Dense right = jobv == 'O'   ? corner(matrix.read(), least, k)
                              : jobv == 'S' ? corner(v.read(), least, k)
                                            : v.read();
          check_product<T>(a, left, s.read(), adjoint(right));
        }
  }
}

TEMPLATE_TEST_CASE("functions of Jacobi's method find singular values", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  const JacobiInfo jacobi;
  for (const auto &[m, k] : shapes) {
    const Dense a = random_matrix<T>(m, k);
    const int least = std::min(m, k);
    const auto values = values_of<T>(solver, a);
    for (const auto job : {HIPSOLVER_EIG_MODE_VECTOR, HIPSOLVER_EIG_MODE_NOVECTOR})
      for (const int econ : {0, 1})
        with_each(EACH_OF(T, gesvdj, gesvdj), [&, m = m, k = k](auto call, auto size) {
          const Matrix<T> matrix(a), u(Dense(m, econ ? least : m)), v(Dense(k, econ ? least : k));
          const Buffer<Real<T>> s = vector_of<Real<T>>(least);
          const Info info;
          const Workspace<T> work([&](int *length) {
            return size(solver, job, econ, m, k, matrix, matrix.ld, s, u, u.ld, v, v.ld, length,
                        jacobi);
          });
          SOLVER(call(solver, job, econ, m, k, matrix, matrix.ld, s, u, u.ld, v, v.ld, work.data,
                      work.length, info, jacobi));
          CHECK(info.is_zero());
          check_same<T>(s.read(), values, norm(a));
          if (job == HIPSOLVER_EIG_MODE_VECTOR)
            check_product<T>(a, u.read(), s.read(), v.read());
          else
            CHECK((norm(u.read()) == 0 && norm(v.read()) == 0));
        });
  }
}

TEMPLATE_TEST_CASE("singular values of batches are found", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  const JacobiInfo jacobi;
  for (const auto &[m, k] : shapes)
    with_each(EACH_OF(T, gesvdjBatched, gesvdjBatched), [&, m = m, k = k](auto call, auto size) {
      const int lda = m + 1, ldu = m + 2, ldv = k + 3, least = std::min(m, k);
      const Batch<T> a(m, k, lda, lda * k);
      const Buffer<T> data(a.elements), u = vector_of<T>(batch * ldu * m),
                                        v = vector_of<T>(batch * ldv * k);
      const Buffer<Real<T>> s = vector_of<Real<T>>(batch * least);
      const Info info(batch);
      const Workspace<T> work([&](int *length) {
        return size(solver, HIPSOLVER_EIG_MODE_VECTOR, m, k, data, lda, s, u, ldu, v, ldv, length,
                    jacobi, batch);
      });
      SOLVER(call(solver, HIPSOLVER_EIG_MODE_VECTOR, m, k, data, lda, s, u, ldu, v, ldv, work.data,
                  work.length, info, jacobi, batch));
      CHECK(info.is_zero());
      const auto all = s.read();
      for (int index = 0; index < batch; ++index)
        check_product<T>(a.matrices[size_t(index)], part_of(u.read(), index * ldu * m, ldu, m, m),
                         {all.begin() + index * least, all.begin() + (index + 1) * least},
                         part_of(v.read(), index * ldv * k, ldv, k, k));
    });
}

TEMPLATE_TEST_CASE("the largest singular values of batches are found", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  for (const auto &[m, k] : shapes)
    for (const int rank : {5, 16})
      for (const auto job : {HIPSOLVER_EIG_MODE_VECTOR, HIPSOLVER_EIG_MODE_NOVECTOR}) {
        const int lda = m + 1, ldu = m + 2, ldv = k + 3;
        const int stride_a = lda * k + 4, stride_s = rank + 1, stride_u = ldu * rank + 2,
                  stride_v = ldv * rank + 1;
        const Batch<T> a(m, k, lda, stride_a);
        const Buffer<T> data(a.elements), u = vector_of<T>(batch * stride_u),
                                          v = vector_of<T>(batch * stride_v);
        const Buffer<Real<T>> s = vector_of<Real<T>>(batch * stride_s);
        const Info info(batch);
        const Workspace<T> work([&, m = m, k = k](int *length) {
          return DN(T, gesvdaStridedBatched_bufferSize, gesvdaStridedBatched_bufferSize)(
              solver, job, rank, m, k, data, lda, stride_a, s, stride_s, u, ldu, stride_u, v, ldv,
              stride_v, length, batch);
        });
        SOLVER(DN(T, gesvdaStridedBatched, gesvdaStridedBatched)(
            solver, job, rank, m, k, data, lda, stride_a, s, stride_s, u, ldu, stride_u, v, ldv,
            stride_v, work.data, work.length, info, nullptr, batch));
        CHECK(info.is_zero());
        const auto all = s.read();
        for (int index = 0; index < batch; ++index) {
          const Dense &matrix = a.matrices[size_t(index)];
          auto values = values_of<T>(solver, matrix);
          values.resize(size_t(rank));
          const std::vector<Real<T>> found(all.begin() + index * stride_s,
                                           all.begin() + index * stride_s + rank);
          check_same<T>(found, values, norm(matrix));
          CHECK(norm(part_of(data.read(), index * stride_a, lda, m, k) - matrix) == 0);
          if (job == HIPSOLVER_EIG_MODE_NOVECTOR)
            continue;
          const Dense left = part_of(u.read(), index * stride_u, ldu, m, rank);
          const Dense right = part_of(v.read(), index * stride_v, ldv, k, rank);
          CHECK(norm(matrix * right - left * diagonal(found, rank, rank)) <=
                bound<T>(n, norm(matrix)));
          CHECK(orthogonality(left) <= bound<T>(n, n));
          CHECK(orthogonality(right) <= bound<T>(n, n));
        }
      }
}

TEMPLATE_TEST_CASE("no singular values leave V as it is", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  const JacobiInfo jacobi;
  Dense ones(3, 3);
  for (int i = 0; i < 3; ++i)
    ones(i, i) = 1;
  const Matrix<T> a(Dense(1, 3)), u(Dense(1, 1)), v(ones);
  const Buffer<Real<T>> s = vector_of<Real<T>>(1);
  const Info info;
  SOLVER(OF(T, gesvdj, gesvdj)(solver, HIPSOLVER_EIG_MODE_VECTOR, 0, 0, 3, a, a.ld, s, u, u.ld, v,
                               v.ld, nullptr, 0, info, jacobi));
  CHECK(norm(v.read() - ones) == 0);
}

TEMPLATE_TEST_CASE("matrices that are not finite have no singular values", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  const JacobiInfo jacobi;
  constexpr int order = 3;
  for (const double odd : {std::nan(""), -std::numeric_limits<double>::infinity()})
    for (const bool is_real : {true, false}) {
      // LAPACK does not come to an end with such an identity.
      Dense elements = identity(order);
      elements(1, 1) = is_real ? Exact(odd, 0) : Exact(1, odd);
      if (!is_real && std::is_same_v<T, Real<T>>)
        continue;
      const Matrix<T> a(elements), u(Dense(order, order)), v(Dense(order, order));
      const auto check = [](const Info &info, const Buffer<Real<T>> &values) {
        CHECK(info.read()[0] > 0);
        const auto read = values.read();
        CHECK(std::all_of(read.begin(), read.end(), [](Real<T> value) { return value != value; }));
      };
      {
        const Buffer<Real<T>> s = vector_of<Real<T>>(order);
        const Info info;
        SOLVER(OF(T, gesvd, gesvd)(solver, 'A', 'A', order, order, a, a.ld, s, u, u.ld, v, v.ld,
                                   nullptr, 0, nullptr, info));
        check(info, s);
      }
      {
        const Buffer<Real<T>> s = vector_of<Real<T>>(order);
        const Info info;
        SOLVER(OF(T, gesvdj, gesvdj)(solver, HIPSOLVER_EIG_MODE_VECTOR, 1, order, order, a, a.ld, s,
                                     u, u.ld, v, v.ld, nullptr, 0, info, jacobi));
        check(info, s);
      }
      const int rank = 2;
      const Buffer<Real<T>> s = vector_of<Real<T>>(rank);
      const Info info;
      const Workspace<T> work([&](int *length) {
        return DN(T, gesvdaStridedBatched_bufferSize, gesvdaStridedBatched_bufferSize)(
            solver, HIPSOLVER_EIG_MODE_VECTOR, rank, order, order, a, a.ld, 0, s, rank, u, u.ld, 0,
            v, v.ld, 0, length, 1);
      });
      SOLVER(DN(T, gesvdaStridedBatched, gesvdaStridedBatched)(
          solver, HIPSOLVER_EIG_MODE_VECTOR, rank, order, order, a, a.ld, 0, s, rank, u, u.ld, 0, v,
          v.ld, 0, work.data, work.length, info, nullptr, 1));
      check(info, s);
    }
}
