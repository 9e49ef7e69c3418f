// What is not read, not there or not allowed: as AMD's own library has it.
#include "support.h"

namespace {

constexpr int n = 6;
const float not_a_number = std::numeric_limits<float>::quiet_NaN();
const float zero = 0, one = 1, two = 2;

constexpr auto none = HIPBLAS_OP_N, transposed = HIPBLAS_OP_T;

} // namespace

TEST_CASE("a product by zero does not read its factors") {
  const Blas blas;
  const Buffer<float> a(std::vector<float>(n * n, not_a_number)), scalar(zero), factor(two);
  const std::vector<float> doubled(n * n, 6.0f);
  for (const hipblasOperation_t operation : {none, transposed}) {
    const Buffer<float> c(std::vector<float>(n * n, 3.0f));
    BLAS(hipblasSgemm(blas, operation, operation, n, n, n, &zero, a, n, a, n, &two, c, n));
    CHECK(c.read() == doubled);
    BLAS(hipblasSgemm(blas, operation, operation, n, n, n, &zero, nullptr, n, nullptr, n, &zero, c,
                      n));
    CHECK(c.read() == std::vector<float>(n * n, 0.0f));
  }
  {
    const Buffer<float> c(std::vector<float>(n * n, 3.0f));
    BLAS(hipblasSetPointerMode(blas, HIPBLAS_POINTER_MODE_DEVICE));
    BLAS(hipblasSgemm(blas, none, none, n, n, n, scalar, a, n, a, n, factor, c, n));
    BLAS(hipblasSetPointerMode(blas, HIPBLAS_POINTER_MODE_HOST));
    CHECK(c.read() == doubled);
  }
  const Buffer<float> c(std::vector<float>(n * n, 3.0f));
  BLAS(hipblasSsyrkx(blas, HIPBLAS_FILL_MODE_UPPER, none, n, n, &zero, a, n, a, n, &two, c, n));
  const std::vector<float> triangle = c.read();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      CHECK(triangle[size_t(i + j * n)] == (i <= j ? 6.0f : 3.0f));
}

TEST_CASE("a product of no terms needs neither alpha nor factors") {
  const Blas blas;
  const Buffer<float> c(std::vector<float>(n * n, 3.0f));
  BLAS(hipblasSgemm(blas, none, none, n, n, 0, nullptr, nullptr, n, nullptr, n, &two, c, n));
  CHECK(c.read() == std::vector<float>(n * n, 6.0f));
}

TEST_CASE("what changes nothing needs no operands") {
  const Blas blas;
  const auto fill = HIPBLAS_FILL_MODE_LOWER;
  BLAS(hipblasSgemm(blas, none, none, n, n, n, &zero, nullptr, n, nullptr, n, &one, nullptr, n));
  BLAS(hipblasSsyrk(blas, fill, none, n, n, &zero, nullptr, n, &one, nullptr, n));
  BLAS(hipblasSsyrk(blas, fill, none, n, 0, &two, nullptr, n, &one, nullptr, n));
  BLAS(hipblasSgemv(blas, none, n, n, &zero, nullptr, n, nullptr, 1, &one, nullptr, 1));
  BLAS(hipblasSdotBatched(blas, n, nullptr, 1, nullptr, 1, -1, nullptr));
  CHECK(hipblasSgemm(blas, none, none, n, n, n, &zero, nullptr, n, nullptr, n, &two, nullptr, n) ==
        HIPBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE("sums of matrices are in place where elements stay where they are") {
  const Blas blas;
  const Buffer<float> a(std::vector<float>(n * n, 1.0f)), b(std::vector<float>(n * n, 2.0f));
  BLAS(hipblasSgeam(blas, none, transposed, n, n, &one, a, n, &one, b, n, a, n));
  CHECK(a.read() == std::vector<float>(n * n, 3.0f));
  CHECK(hipblasSgeam(blas, transposed, none, n, n, &one, a, n, &one, b, n, a, n) ==
        HIPBLAS_STATUS_INVALID_VALUE);
  CHECK(hipblasSgeam(blas, none, none, 2, 2, &one, a, 2, &one, b, n, a, 3) ==
        HIPBLAS_STATUS_INVALID_VALUE);
  CHECK(hipblasStrmm(blas, HIPBLAS_SIDE_LEFT, HIPBLAS_FILL_MODE_UPPER, none, HIPBLAS_DIAG_NON_UNIT,
                     2, 2, &one, b, n, a, 2, a, 3) == HIPBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE("values of enumerations that no function takes are told from unknown ones") {
  const Blas blas;
  const Buffer<float> c(std::vector<float>(n * n, 3.0f));
  CHECK(hipblasSsyrk(blas, HIPBLAS_FILL_MODE_FULL, none, n, n, &one, c, n, &one, c, n) ==
        HIPBLAS_STATUS_INVALID_VALUE);
  CHECK(hipblasSdgmm(blas, HIPBLAS_SIDE_BOTH, n, n, c, n, c, 1, c, n) ==
        HIPBLAS_STATUS_INVALID_VALUE);
  CHECK(hipblasSsyrk(blas, hipblasFillMode_t(7), none, n, n, &one, c, n, &one, c, n) ==
        HIPBLAS_STATUS_INVALID_ENUM);
}

TEST_CASE("the norm of complex numbers is computed in the type of its result") {
  const Blas blas;
  const Buffer<hipblasComplex> x(std::vector<hipblasComplex>(4, hipblasComplex(3, 4)));
  float norm = 0;
  BLAS(hipblasNrm2Ex(blas, 4, x, HIPBLAS_C_32F, 1, &norm, HIPBLAS_R_32F, HIPBLAS_R_32F));
  CHECK(norm == 10);
  CHECK(hipblasNrm2Ex(blas, 4, x, HIPBLAS_C_32F, 1, &norm, HIPBLAS_R_64F, HIPBLAS_R_64F) ==
        HIPBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("products in halves are of halves, and factors are of one type") {
  const Blas blas;
  const Buffer<float> a(std::vector<float>(n * n, 1.0f));
  CHECK(hipblasGemmEx_v2(blas, none, none, n, n, n, &one, a, HIP_R_32F, n, a, HIP_R_32F, n, &one, a,
                         HIP_R_32F, n, HIPBLAS_COMPUTE_16F,
                         HIPBLAS_GEMM_DEFAULT) == HIPBLAS_STATUS_NOT_SUPPORTED);
  CHECK(hipblasGemmEx_v2(blas, none, none, n, n, n, &one, a, HIP_R_16F, n, a, HIP_R_16BF, n, &one,
                         a, HIP_R_32F, n, HIPBLAS_COMPUTE_32F,
                         HIPBLAS_GEMM_DEFAULT) == HIPBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("solvers say which parameter is wrong") {
  const Blas blas;
  float *const some = reinterpret_cast<float *>(64); // not read
  int *const pivots = reinterpret_cast<int *>(64);
  int info = 7;
  const auto solve = [&](int order, int columns, float *a, int lda, int *ipiv, float *b, int ldb) {
    return hipblasSgetrs(blas, none, order, columns, a, lda, ipiv, b, ldb, &info);
  };
  const auto refused = HIPBLAS_STATUS_INVALID_VALUE;
  CHECK((solve(-1, 1, some, 1, pivots, some, 1) == refused && info == -2));
  CHECK((solve(2, -1, some, 2, pivots, some, 2) == refused && info == -3));
  CHECK((solve(2, 1, nullptr, 2, pivots, some, 2) == refused && info == -4));
  CHECK((solve(2, 1, some, 1, pivots, some, 2) == refused && info == -5));
  CHECK((solve(2, 1, some, 2, nullptr, some, 2) == refused && info == -6));
  CHECK((solve(2, 1, some, 2, pivots, nullptr, 2) == refused && info == -7));
  CHECK((solve(2, 1, some, 2, pivots, some, 1) == refused && info == -8));
  CHECK((hipblasSgeqrf(blas, 2, 2, nullptr, 2, some, &info) == refused && info == -3));
  CHECK((hipblasSgels(blas, none, -1, 2, 1, some, 2, some, 2, &info, pivots) == refused &&
         info == -2));
  CHECK((hipblasSgels(blas, none, 2, 2, 1, some, 2, some, 1, &info, pivots) == refused &&
         info == -8));
  // Real matrices have no conjugate transpose there, and complex ones no other.
  CHECK((hipblasSgels(blas, HIPBLAS_OP_C, 2, 2, 1, some, 2, some, 2, &info, pivots) == refused &&
         info == -1));
  hipblasComplex *const complex = reinterpret_cast<hipblasComplex *>(64);
  CHECK((hipblasCgels(blas, HIPBLAS_OP_T, 2, 2, 1, complex, 2, complex, 2, &info, pivots) ==
             refused &&
         info == -1));
  BLAS(solve(0, 1, nullptr, 1, nullptr, nullptr, 1));
  CHECK(info == 0);
}
