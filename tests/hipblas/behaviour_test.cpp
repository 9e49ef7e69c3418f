// Handles, streams, graphs and errors.
#include "support.h"

#include <string>

namespace {

constexpr int n = 1000;

} // namespace

TEST_CASE("a handle keeps what is set") {
  const Blas blas;
  hipStream_t stream = hipStreamPerThread;
  BLAS(hipblasGetStream(blas, &stream));
  CHECK(stream == nullptr);
  const Stream other;
  BLAS(hipblasSetStream(blas, other));
  BLAS(hipblasGetStream(blas, &stream));
  CHECK(stream == other.stream);
  hipblasPointerMode_t pointers = HIPBLAS_POINTER_MODE_DEVICE;
  BLAS(hipblasGetPointerMode(blas, &pointers));
  CHECK(pointers == HIPBLAS_POINTER_MODE_HOST);
  hipblasMath_t math = HIPBLAS_TENSOR_OP_MATH;
  BLAS(hipblasGetMathMode(blas, &math));
  CHECK(math == HIPBLAS_DEFAULT_MATH);
  BLAS(hipblasSetMathMode(blas, HIPBLAS_XF32_XDL_MATH));
  BLAS(hipblasGetMathMode(blas, &math));
  CHECK(math == HIPBLAS_XF32_XDL_MATH);
  CHECK(hipblasSetMathMode(blas, HIPBLAS_PEDANTIC_MATH) == HIPBLAS_STATUS_NOT_SUPPORTED);
  CHECK(hipblasSetMathMode(blas, hipblasMath_t(6)) == HIPBLAS_STATUS_INVALID_ENUM);
  hipblasAtomicsMode_t atomics = HIPBLAS_ATOMICS_ALLOWED;
  BLAS(hipblasSetAtomicsMode(blas, HIPBLAS_ATOMICS_NOT_ALLOWED));
  BLAS(hipblasGetAtomicsMode(blas, &atomics));
  CHECK(atomics == HIPBLAS_ATOMICS_NOT_ALLOWED);
  CHECK(hipblasSetPointerMode(blas, hipblasPointerMode_t(7)) == HIPBLAS_STATUS_INVALID_ENUM);
  CHECK(hipblasGetStream(blas, nullptr) == HIPBLAS_STATUS_INVALID_VALUE);
  CHECK(hipblasCreate(nullptr) == HIPBLAS_STATUS_HANDLE_IS_NULLPTR);
  CHECK(hipblasDestroy(nullptr) == HIPBLAS_STATUS_NOT_INITIALIZED);
  CHECK(std::string(hipblasStatusToString(HIPBLAS_STATUS_NOT_SUPPORTED)) ==
        "HIPBLAS_STATUS_NOT_SUPPORTED");
}

TEST_CASE("arguments are checked") {
  const Blas blas;
  const Buffer<float> x(std::vector<float>(64, 1.0f));
  const float one = 1;
  float result = 7;
  const auto invalid = HIPBLAS_STATUS_INVALID_VALUE;
  CHECK(hipblasSaxpy(nullptr, 8, &one, x, 1, x, 1) == HIPBLAS_STATUS_NOT_INITIALIZED);
  CHECK(hipblasSaxpy(blas, 8, nullptr, x, 1, x, 1) == invalid);
  CHECK(hipblasSaxpy(blas, 8, &one, nullptr, 1, x, 1) == invalid);
  CHECK(hipblasSaxpy(blas, 0, nullptr, nullptr, 1, nullptr, 1) == HIPBLAS_STATUS_SUCCESS);
  CHECK(hipblasSdot(blas, 8, x, 1, x, 1, nullptr) == invalid);
  CHECK(hipblasSdot(blas, 0, nullptr, 1, nullptr, 1, &result) == HIPBLAS_STATUS_SUCCESS);
  CHECK(result == 0);

  const auto gemv = [&](hipblasOperation_t op, int m, int columns, int lda, int incx) {
    return hipblasSgemv(blas, op, m, columns, &one, x, lda, x, incx, &one, x, 1);
  };
  CHECK(gemv(HIPBLAS_OP_N, -1, 8, 8, 1) == invalid);
  CHECK(gemv(HIPBLAS_OP_N, 8, 8, 7, 1) == invalid);
  CHECK(gemv(HIPBLAS_OP_N, 8, 8, 8, 0) == invalid);
  CHECK(gemv(hipblasOperation_t(5), 8, 8, 8, 1) == HIPBLAS_STATUS_INVALID_ENUM);
  CHECK(gemv(HIPBLAS_OP_N, 0, 8, 8, 1) == HIPBLAS_STATUS_SUCCESS);
  CHECK(hipblasStrsv(blas, HIPBLAS_FILL_MODE_FULL, HIPBLAS_OP_N, HIPBLAS_DIAG_UNIT, 8, x, 8, x,
                     1) == HIPBLAS_STATUS_INVALID_VALUE);

  const auto gemm = [&](int m, int k, int lda, const float *a, const float *beta, int batch) {
    return hipblasSgemmStridedBatched(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, m, 2, k, &one, a, lda, 0, x,
                                      8, 0, beta, x, 8, 0, batch);
  };
  CHECK(gemm(4, 4, 3, x, &one, 1) == invalid);
  CHECK(gemm(4, -1, 4, x, &one, 1) == invalid);
  CHECK(gemm(4, 4, 4, nullptr, &one, 1) == invalid);
  CHECK(gemm(4, 4, 4, x, nullptr, 1) == invalid);
  CHECK(gemm(4, 4, 4, x, &one, -1) == invalid);
  CHECK(gemm(4, 4, 4, nullptr, nullptr, 0) == HIPBLAS_STATUS_SUCCESS);
  CHECK(gemm(0, 4, 4, nullptr, nullptr, 1) == HIPBLAS_STATUS_SUCCESS);
  const hipblasComplex complex_one(1);
  CHECK(hipblasCherk(blas, HIPBLAS_FILL_MODE_UPPER, HIPBLAS_OP_T, 2, 2, &one, nullptr, 2, &one,
                     nullptr, 2) == invalid);
  CHECK(hipblasCsyrk(blas, HIPBLAS_FILL_MODE_UPPER, HIPBLAS_OP_C, 2, 2, &complex_one, nullptr, 2,
                     &complex_one, nullptr, 2) == invalid);
}

TEST_CASE("work is in the order of the stream, and scalars are read at once") {
  const Blas blas;
  const Stream stream;
  BLAS(hipblasSetStream(blas, stream));
  const Buffer<float> x(std::vector<float>(n, -1.0f)), y(std::vector<float>(n, 0.0f));
  const std::vector<float> ones(n, 1.0f);
  HIP(hipMemcpyAsync(x, ones.data(), n * sizeof(float), hipMemcpyHostToDevice, stream));
  float alpha = 1;
  for (int i = 0; i < 50; ++i) {
    alpha = float(i % 2 + 1);
    BLAS(hipblasSaxpy(blas, n, &alpha, x, 1, y, 1));
  }
  alpha = 1000;
  std::vector<float> copied(n);
  HIP(hipMemcpyAsync(copied.data(), y, n * sizeof(float), hipMemcpyDeviceToHost, stream));
  HIP(hipStreamSynchronize(stream));
  CHECK(copied == std::vector<float>(n, 75.0f));
  float sum = 0;
  BLAS(hipblasSasum(blas, n, y, 1, &sum));
  CHECK(sum == 75.0f * n);
}

TEST_CASE("scalars of the device are read when the work is done") {
  const Blas blas;
  BLAS(hipblasSetPointerMode(blas, HIPBLAS_POINTER_MODE_DEVICE));
  const Buffer<float> x(std::vector<float>(n, 2.0f)), y(std::vector<float>(n, 1.0f)), sum(0.0f);
  // 2,000 times 1 is the factor of what follows.
  BLAS(hipblasSasum(blas, n, x, 1, sum));
  BLAS(hipblasSscal(blas, n, sum, y, 1));
  CHECK(y.read() == std::vector<float>(n, 2000.0f));
}

TEST_CASE("work is captured into graphs that are launched again") {
  const Blas blas;
  const Stream stream;
  BLAS(hipblasSetStream(blas, stream));
  const Buffer<float> x(std::vector<float>(n, 1.0f)), y(std::vector<float>(n, 0.0f)), sum(0.0f);
  float alpha = 3;
  hipGraph_t graph = nullptr;
  hipGraphExec_t executable = nullptr;
  HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  BLAS(hipblasSaxpy(blas, n, &alpha, x, 1, y, 1));
  alpha = 1000;
  float on_host = 0;
  CHECK(hipblasSasum(blas, n, y, 1, &on_host) == HIPBLAS_STATUS_NOT_SUPPORTED);
  BLAS(hipblasSetPointerMode(blas, HIPBLAS_POINTER_MODE_DEVICE));
  BLAS(hipblasSasum(blas, n, y, 1, sum));
  HIP(hipStreamEndCapture(stream, &graph));
  HIP(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP(hipGraphDestroy(graph));
  CHECK(y.read() == std::vector<float>(n, 0.0f));
  for (int i = 1; i <= 3; ++i) {
    HIP(hipGraphLaunch(executable, stream));
    HIP(hipStreamSynchronize(stream));
    CHECK(sum.read()[0] == 3.0f * float(i) * n);
  }
  HIP(hipGraphExecDestroy(executable));
}

TEST_CASE("an error that the caller has not read stays, and is not that of a function") {
  const Blas blas;
  const Buffer<float> x(std::vector<float>(9, 1)), y(std::vector<float>(9, 2));
  const Buffer<float> a(std::vector<float>(9, 1));
  const float one = 1;
  float sum = 0;
  const auto require_right = [](hipblasStatus_t status) {
    REQUIRE(status == HIPBLAS_STATUS_SUCCESS);
    REQUIRE(hipGetLastError() == hipErrorInvalidDevice);
    REQUIRE(hipSetDevice(99) == hipErrorInvalidDevice);
  };
  REQUIRE(hipSetDevice(99) == hipErrorInvalidDevice);
  require_right(hipblasSaxpy(blas, 3, &one, x, 1, y, 1));
  require_right(hipblasSdot(blas, 3, x, 1, y, 1, &sum));
  require_right(hipblasSgemv(blas, HIPBLAS_OP_N, 3, 3, &one, a, 3, x, 1, &one, y, 1));
  require_right(hipblasSger(blas, 3, 3, &one, x, 1, y, 1, a, 3));
  require_right(hipblasStrmv(blas, HIPBLAS_FILL_MODE_UPPER, HIPBLAS_OP_N, HIPBLAS_DIAG_NON_UNIT, 3,
                             a, 3, x, 1));
  require_right(
      hipblasSgemm(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, 3, 3, 3, &one, x, 3, y, 3, &one, a, 3));
  require_right(hipblasSgeam(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, 3, 3, &one, x, 3, &one, y, 3, a, 3));
  require_right(hipblasStrsm(blas, HIPBLAS_SIDE_LEFT, HIPBLAS_FILL_MODE_UPPER, HIPBLAS_OP_N,
                             HIPBLAS_DIAG_UNIT, 3, 3, &one, a, 3, y, 3));
  (void)hipGetLastError();
}

TEST_CASE("vectors and matrices are copied to the device and back") {
  const std::vector<float> from = random_elements<float>(60);
  const Buffer<float> on_device(std::vector<float>(60, 0.0f));
  BLAS(hipblasSetVector(20, sizeof(float), from.data(), 3, on_device, 2));
  auto stored = on_device.read();
  std::vector<float> back(60, -1.0f);
  BLAS(hipblasGetVector(20, sizeof(float), on_device, 2, back.data(), 3));
  for (size_t i = 0; i < 20; ++i) {
    CHECK(stored[2 * i] == from[3 * i]);
    CHECK(stored[2 * i + 1] == 0);
    CHECK(back[3 * i] == from[3 * i]);
    CHECK(back[3 * i + 1] == -1);
  }
  const Stream stream;
  BLAS(hipblasSetMatrixAsync(4, 5, sizeof(float), from.data(), 7, on_device, 6, stream));
  BLAS(hipblasGetMatrixAsync(4, 5, sizeof(float), on_device, 6, back.data(), 9, stream));
  HIP(hipStreamSynchronize(stream));
  for (size_t j = 0; j < 5; ++j)
    for (size_t i = 0; i < 4; ++i)
      CHECK(back[i + 9 * j] == from[i + 7 * j]);
  CHECK(hipblasSetVector(4, 0, from.data(), 1, on_device, 1) == HIPBLAS_STATUS_INVALID_VALUE);
  CHECK(hipblasSetMatrix(4, 4, 4, from.data(), 3, on_device, 4) == HIPBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE("sizes of 64 bits, and functions by their second name") {
  const Blas blas;
  const Buffer<float> x(std::vector<float>(n, 2.0f));
  int64_t index = -1;
  BLAS(hipblasIsamax_64(blas, n, x, 1, &index));
  CHECK(index == 1);
  const hipComplex alpha = {0, 2};
  const Buffer<hipComplex> z(std::vector<hipComplex>(n, {1, 0}));
  BLAS(hipblasCscal_v2_64(blas, n, &alpha, z, 1));
  const auto scaled = z.read();
  CHECK((scaled[n - 1].x == 0 && scaled[n - 1].y == 2));
}
