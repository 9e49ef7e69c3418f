// Functions whose sizes have 64 bits and whose arguments say the types.
#include "support.h"

namespace {

constexpr int64_t n = 24, columns = 3;

template <class T>
constexpr hipDataType type_of = pick<T>(HIP_R_32F, HIP_R_64F, HIP_C_32F, HIP_C_64F);

struct Params {
  Params() { SOLVER(hipsolverDnCreateParams(&params)); }
  ~Params() { (void)hipsolverDnDestroyParams(params); }
  operator hipsolverDnParams_t() const { return params; }

  hipsolverDnParams_t params = nullptr;
};

} // namespace

TEMPLATE_TEST_CASE("types are arguments: triangles and solutions", "", ALL_TYPES) {
  using T = TestType;
  constexpr hipDataType type = type_of<T>;
  const Solver solver;
  const Params params;
  const Dense a = random_matrix<T>(n, n), b = random_matrix<T>(n, columns);
  const Matrix<T> matrix(a), x(b);
  const Buffer<int64_t> pivots = vector_of<int64_t>(n);
  const Info info;
  size_t on_device = 0, on_host = 7;
  SOLVER(hipsolverDnXgetrf_bufferSize(solver, params, n, n, type, matrix, matrix.ld, type,
                                      &on_device, &on_host));
  CHECK((on_device == sizeof(T) && on_host == 0));
  const Buffer<T> work = vector_of<T>(1);
  SOLVER(hipsolverDnXgetrf(solver, params, n, n, type, matrix, matrix.ld, pivots, type, work,
                           on_device, nullptr, on_host, info));
  CHECK(info.is_zero());
  const Info solved;
  SOLVER(hipsolverDnXgetrs(solver, params, HIPSOLVER_OP_T, n, columns, type, matrix, matrix.ld,
                           pivots, type, x, x.ld, solved));
  CHECK(solved.is_zero());
  const Dense solution = x.read();
  CHECK(norm(transposed(a) * solution - b) <= bound<T>(n, norm(a) * norm(solution)));
  for (const int64_t pivot : pivots.read())
    CHECK((pivot >= 1 && pivot <= n));

  const Matrix<T> plain(random_positive<T>(n));
  SOLVER(hipsolverDnXgetrf(solver, params, n, n, type, plain, plain.ld, nullptr, type, nullptr, 0,
                           nullptr, 0, info));
  CHECK(info.is_zero());
}

TEMPLATE_TEST_CASE("types are arguments: positive definite matrices", "", ALL_TYPES) {
  using T = TestType;
  constexpr hipDataType type = type_of<T>;
  const Solver solver;
  const Params params;
  for (const hipsolverFillMode_t uplo : all_fills) {
    const Dense a = random_positive<T>(n), b = random_matrix<T>(n, columns);
    const Matrix<T> matrix(with_rubbish<T>(a, uplo)), x(b);
    const Info info, solved;
    size_t on_device = 0, on_host = 7;
    SOLVER(hipsolverDnXpotrf_bufferSize(solver, params, uplo, n, type, matrix, matrix.ld, type,
                                        &on_device, &on_host));
    CHECK((on_device == sizeof(T) && on_host == 0));
    SOLVER(hipsolverDnXpotrf(solver, params, uplo, n, type, matrix, matrix.ld, type, nullptr, 0,
                             nullptr, 0, info));
    SOLVER(hipsolverDnXpotrs(solver, params, uplo, n, columns, type, matrix, matrix.ld, type, x,
                             x.ld, solved));
    CHECK((info.is_zero() && solved.is_zero()));
    const Dense solution = x.read();
    CHECK(norm(a * solution - b) <= bound<T>(n, norm(a) * norm(solution)));
  }
}

TEMPLATE_TEST_CASE("types are arguments: orthogonal factors", "", ALL_TYPES) {
  using T = TestType;
  constexpr hipDataType type = type_of<T>;
  const Solver solver;
  const Params params;
  const int m = n + 9;
  const Dense a = random_matrix<T>(m, n);
  const Matrix<T> matrix(a);
  const Buffer<T> tau = vector_of<T>(n);
  const Info info;
  size_t on_device = 0, on_host = 7;
  SOLVER(hipsolverDnXgeqrf_bufferSize(solver, params, m, n, type, matrix, matrix.ld, type, tau,
                                      type, &on_device, &on_host));
  CHECK((on_device == sizeof(T) && on_host == 0));
  SOLVER(hipsolverDnXgeqrf(solver, params, m, n, type, matrix, matrix.ld, type, tau, type, nullptr,
                           0, nullptr, 0, info));
  CHECK(info.is_zero());
  const Dense r = triangle(corner(matrix.read(), n, n), true);
  const Info made;
  SOLVER(OF(T, orgqr, ungqr)(solver, m, n, n, matrix, matrix.ld, tau, nullptr, 0, made));
  CHECK(norm(matrix.read() * r - a) <= bound<T>(m, norm(a)));
}

TEST_CASE("types that are arguments are checked") {
  const Solver solver;
  const Params params;
  const Matrix<float> a(identity(4));
  const Info info;
  const auto factor = [&](hipsolverHandle_t handle, hipsolverDnParams_t p, int64_t size,
                          hipDataType type, hipDataType compute) {
    return hipsolverDnXpotrf(handle, p, HIPSOLVER_FILL_MODE_LOWER, size, type, a, a.ld, compute,
                             nullptr, 0, nullptr, 0, info);
  };
  CHECK(factor(nullptr, params, 4, HIP_R_32F, HIP_R_32F) == HIPSOLVER_STATUS_NOT_INITIALIZED);
  CHECK(factor(solver, nullptr, 4, HIP_R_32F, HIP_R_32F) == HIPSOLVER_STATUS_INVALID_VALUE);
  CHECK(factor(solver, params, 4, HIP_R_32F, HIP_R_64F) == HIPSOLVER_STATUS_INVALID_ENUM);
  CHECK(factor(solver, params, 4, HIP_R_16F, HIP_R_16F) == HIPSOLVER_STATUS_INVALID_ENUM);
  CHECK(factor(solver, params, -1, HIP_R_32F, HIP_R_32F) == HIPSOLVER_STATUS_INVALID_VALUE);
  CHECK(hipsolverDnXpotrf(solver, params, HIPSOLVER_FILL_MODE_LOWER, int64_t(1) << 32, HIP_R_32F, a,
                          int64_t(1) << 32, HIP_R_32F, nullptr, 0, nullptr, 0,
                          info) == HIPSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(hipsolverDnSetAdvOptions(params, HIPSOLVERDN_GETRF, HIPSOLVER_ALG_0) ==
        HIPSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(hipsolverDnCreateParams(nullptr) == HIPSOLVER_STATUS_INVALID_VALUE);
  size_t on_device = 0;
  CHECK(hipsolverDnXpotrf_bufferSize(solver, params, HIPSOLVER_FILL_MODE_LOWER, 4, HIP_R_32F, a,
                                     a.ld, HIP_R_32F, &on_device,
                                     nullptr) == HIPSOLVER_STATUS_INVALID_VALUE);
}
