// Orthogonal factors, what is reduced by them, and least squares.
#include "support.h"

namespace {

constexpr int n = 31, columns = 4;

} // namespace

TEMPLATE_TEST_CASE("matrices are products of an orthogonal factor and a triangle", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  for (const auto &[m, k] : {std::tuple{n, n}, std::tuple{n, 20}, std::tuple{20, n}})
    with_each(EACH_OF(T, geqrf, geqrf), [&, m = m, k = k](auto factor, auto size) {
      const Dense a = random_matrix<T>(m, k);
      const int least = std::min(m, k);
      const Matrix<T> matrix(a);
      const Buffer<T> tau = vector_of<T>(least);
      const Info info;
      const Workspace<T> work(
          [&](int *length) { return size(solver, m, k, matrix, matrix.ld, length); });
      SOLVER(factor(solver, m, k, matrix, matrix.ld, tau, work.data, work.length, info));
      CHECK(info.is_zero());
      const Dense factors = matrix.read(), r = triangle(corner(factors, least, k), true);

      with_each(EACH_OF(T, orgqr, ungqr), [&](auto make, auto make_size) {
        const Matrix<T> q(corner(factors, m, least));
        const Info made;
        const Workspace<T> making(
            [&](int *length) { return make_size(solver, m, least, least, q, q.ld, tau, length); });
        SOLVER(make(solver, m, least, least, q, q.ld, tau, making.data, making.length, made));
        CHECK(made.is_zero());
        CHECK(norm(q.read() * r - a) <= bound<T>(n, norm(a)));
        CHECK(orthogonality(q.read()) <= bound<T>(n, n));
      });

      // Q of all columns, which multiplies others.
      const Matrix<T> square(identity(m));
      const Info multiplied;
      const auto transpose = is_complex<T> ? HIPSOLVER_OP_C : HIPSOLVER_OP_T;
      SOLVER(OF(T, ormqr, unmqr)(solver, HIPSOLVER_SIDE_LEFT, HIPSOLVER_OP_N, m, m, least, matrix,
                                 matrix.ld, tau, square, square.ld, nullptr, 0, multiplied));
      const Dense q = square.read();
      CHECK(orthogonality(q) <= bound<T>(n, n));
      CHECK(norm(corner(q, m, least) * r - a) <= bound<T>(n, norm(a)));
      with_each(EACH_OF(T, ormqr, unmqr), [&](auto multiply, auto multiply_size) {
        for (const hipsolverSideMode_t side : all_sides)
          for (const hipsolverOperation_t operation : {HIPSOLVER_OP_N, transpose}) {
            const bool left = side == HIPSOLVER_SIDE_LEFT;
            const Dense c = left ? random_matrix<T>(m, columns) : random_matrix<T>(columns, m);
            const Matrix<T> product(c);
            const Workspace<T> multiplying([&](int *length) {
              return multiply_size(solver, side, operation, c.rows, c.columns, least, matrix,
                                   matrix.ld, tau, product, product.ld, length);
            });
            const Info done;
            SOLVER(multiply(solver, side, operation, c.rows, c.columns, least, matrix, matrix.ld,
                            tau, product, product.ld, multiplying.data, multiplying.length, done));
            CHECK(done.is_zero());
            const Dense factor = applied(operation, q);
            CHECK(norm(product.read() - (left ? factor * c : c * factor)) <= bound<T>(n, norm(c)));
          }
      });
    });
}

TEMPLATE_TEST_CASE("matrices are reduced to two diagonals", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  for (const auto &[m, k] : {std::tuple{n, 20}, std::tuple{20, n}})
    with_each(EACH_OF(T, gebrd, gebrd), [&, m = m, k = k](auto reduce, auto size) {
      const Dense a = random_matrix<T>(m, k);
      const int least = std::min(m, k);
      const Matrix<T> matrix(a);
      const Buffer<Real<T>> d = vector_of<Real<T>>(least), e = vector_of<Real<T>>(least - 1);
      const Buffer<T> tauq = vector_of<T>(least), taup = vector_of<T>(least);
      const Info info;
      const Workspace<T> work([&](int *length) { return size(solver, m, k, length); });
      SOLVER(
          reduce(solver, m, k, matrix, matrix.ld, d, e, tauq, taup, work.data, work.length, info));
      CHECK(info.is_zero());
      Dense reduced = diagonal(d.read(), least, least);
      const auto beside = e.read();
      for (int i = 0; i + 1 < least; ++i) // Above where there are more rows than columns.
        (m >= k ? reduced(i, i + 1) : reduced(i + 1, i)) = double(beside[size_t(i)]);
      const Dense factors = matrix.read();
      with_each(EACH_OF(T, orgbr, ungbr), [&](auto make, auto make_size) {
        const Matrix<T> q(corner(factors, m, least)), p(corner(factors, least, k));
        const Workspace<T> making([&](int *length) {
          return make_size(solver, HIPSOLVER_SIDE_LEFT, m, least, k, q, q.ld, tauq, length);
        });
        const Info left, right;
        SOLVER(make(solver, HIPSOLVER_SIDE_LEFT, m, least, k, q, q.ld, tauq, making.data,
                    making.length, left));
        SOLVER(make(solver, HIPSOLVER_SIDE_RIGHT, least, k, m, p, p.ld, taup, making.data,
                    making.length, right));
        CHECK((left.is_zero() && right.is_zero()));
        CHECK(orthogonality(q.read()) <= bound<T>(n, n));
        CHECK(orthogonality(adjoint(p.read())) <= bound<T>(n, n));
        CHECK(norm(q.read() * reduced * p.read() - a) <= bound<T>(n, norm(a)));
      });
    });
}

TEMPLATE_TEST_CASE("symmetric matrices are reduced to three diagonals", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  for (const hipsolverFillMode_t uplo : all_fills)
    with_each(EACH_OF(T, sytrd, hetrd), [&](auto reduce, auto size) {
      const Dense a = random_hermitian<T>(n);
      const Matrix<T> matrix(with_rubbish<T>(a, uplo));
      const Buffer<Real<T>> d = vector_of<Real<T>>(n), e = vector_of<Real<T>>(n - 1);
      const Buffer<T> tau = vector_of<T>(n - 1);
      const Info info;
      const Workspace<T> work(
          [&](int *length) { return size(solver, uplo, n, matrix, matrix.ld, d, e, tau, length); });
      SOLVER(reduce(solver, uplo, n, matrix, matrix.ld, d, e, tau, work.data, work.length, info));
      CHECK(info.is_zero());
      Dense reduced = diagonal(d.read(), n, n);
      const auto beside = e.read();
      for (int i = 0; i + 1 < n; ++i)
        reduced(i, i + 1) = reduced(i + 1, i) = double(beside[size_t(i)]);
      const Dense factors = matrix.read();
      with_each(EACH_OF(T, orgtr, ungtr), [&](auto make, auto make_size) {
        const Matrix<T> made(factors);
        const Workspace<T> making(
            [&](int *length) { return make_size(solver, uplo, n, made, made.ld, tau, length); });
        const Info done;
        SOLVER(make(solver, uplo, n, made, made.ld, tau, making.data, making.length, done));
        CHECK(done.is_zero());
        const Dense q = made.read();
        CHECK(orthogonality(q) <= bound<T>(n, n));
        CHECK(norm(q * reduced * adjoint(q) - a) <= bound<T>(n, norm(a)));
        const auto transpose = is_complex<T> ? HIPSOLVER_OP_C : HIPSOLVER_OP_T;
        with_each(EACH_OF(T, ormtr, unmtr), [&](auto multiply, auto multiply_size) {
          for (const hipsolverSideMode_t side : all_sides)
            for (const hipsolverOperation_t operation : {HIPSOLVER_OP_N, transpose}) {
              const bool left = side == HIPSOLVER_SIDE_LEFT;
              const Dense c = left ? random_matrix<T>(n, columns) : random_matrix<T>(columns, n);
              const Matrix<T> product(c);
              const Workspace<T> multiplying([&](int *length) {
                return multiply_size(solver, side, uplo, operation, c.rows, c.columns, matrix,
                                     matrix.ld, tau, product, product.ld, length);
              });
              const Info multiplied;
              SOLVER(multiply(solver, side, uplo, operation, c.rows, c.columns, matrix, matrix.ld,
                              tau, product, product.ld, multiplying.data, multiplying.length,
                              multiplied));
              CHECK(multiplied.is_zero());
              const Dense factor = applied(operation, q);
              CHECK(norm(product.read() - (left ? factor * c : c * factor)) <=
                    bound<T>(n, norm(c)));
            }
        });
      });
    });
}

TEMPLATE_TEST_CASE("least squares are found, and least solutions", "", ALL_TYPES) {
  using T = TestType;
  const Solver solver;
  for (const auto &[m, k] : {std::tuple{n, 12}, std::tuple{12, n}})
    for (const bool dense : {false, true})
      for (const bool in_place : {false, true}) {
        const Dense a = random_matrix<T>(m, k), b = random_matrix<T>(m, columns);
        const Matrix<T> matrix(a), right(b, n), x(Dense(k, columns));
        T *const place = in_place ? right : x;
        const int ldx = in_place ? right.ld : x.ld;
        const Info info;
        size_t length = 0;
        int iterations = 0;
        void *work = nullptr;
        if (dense)
          SOLVER((pick<T>(hipsolverDnSSgels_bufferSize, hipsolverDnDDgels_bufferSize,
                          hipsolverDnCCgels_bufferSize, hipsolverDnZZgels_bufferSize)(
              solver, m, k, columns, matrix, matrix.ld, right, right.ld, place, ldx, nullptr,
              &length)));
        else
          SOLVER((pick<T>(hipsolverSSgels_bufferSize, hipsolverDDgels_bufferSize,
                          hipsolverCCgels_bufferSize, hipsolverZZgels_bufferSize)(
              solver, m, k, columns, matrix, matrix.ld, right, right.ld, place, ldx, &length)));
        REQUIRE(length >= sizeof(T));
        HIP(hipMalloc(&work, length));
        const auto solve =
            dense ? pick<T>(hipsolverDnSSgels, hipsolverDnDDgels, hipsolverDnCCgels,
                            hipsolverDnZZgels)
                  : pick<T>(hipsolverSSgels, hipsolverDDgels, hipsolverCCgels, hipsolverZZgels);
        SOLVER(solve(solver, m, k, columns, matrix, matrix.ld, right, right.ld, place, ldx, work,
                     length, &iterations, info));
        CHECK(info.is_zero());
        HIP(hipFree(work));
        const Dense solution = in_place ? right.read(k) : x.read();
        const Dense rest = a * solution - b;
        const double size = norm(a) * norm(solution) + norm(b);
        if (m > k) { // What is left is orthogonal to the columns.
          CHECK(norm(adjoint(a) * rest) <= bound<T>(n, norm(a) * size));
        } else {
          // It is a combination of the rows: what is orthogonal to them is not in it.
          CHECK(norm(rest) <= bound<T>(n, size));
          const Matrix<T> rows(adjoint(a));
          const Buffer<T> tau = vector_of<T>(m);
          const Info factored;
          SOLVER(OF(T, geqrf, geqrf)(solver, k, m, rows, rows.ld, tau, nullptr, 0, factored));
          SOLVER(OF(T, orgqr, ungqr)(solver, k, m, m, rows, rows.ld, tau, nullptr, 0, factored));
          const Dense q = rows.read();
          CHECK(norm(q * (adjoint(q) * solution) - solution) <= bound<T>(n, size));
        }
        if (!in_place)
          CHECK(norm(right.read() - b) == 0);
      }
}
