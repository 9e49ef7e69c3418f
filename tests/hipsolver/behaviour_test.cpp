// Handles, streams, graphs and errors.
#include "support.h"

namespace {

constexpr auto invalid = HIPSOLVER_STATUS_INVALID_VALUE;
constexpr auto unknown = HIPSOLVER_STATUS_INVALID_ENUM;
constexpr auto upper = HIPSOLVER_FILL_MODE_UPPER;
constexpr auto vectors = HIPSOLVER_EIG_MODE_VECTOR;

/// The functions for what those of Jacobi's method are told.
struct Jacobi {
  hipsolverStatus_t (*create)(void **);
  hipsolverStatus_t (*destroy)(void *);
  hipsolverStatus_t (*set_max_sweeps)(void *, int);
  hipsolverStatus_t (*set_sort)(void *, int);
  hipsolverStatus_t (*set_tolerance)(void *, double);
  hipsolverStatus_t (*get_residual)(hipsolverHandle_t, void *, double *);
  hipsolverStatus_t (*get_sweeps)(hipsolverHandle_t, void *, int *);
};
#define JACOBI(PREFIX, NAME, SHORT)                                                                \
  Jacobi {                                                                                         \
    PREFIX##Create##NAME##Info, PREFIX##Destroy##NAME##Info, PREFIX##X##SHORT##SetMaxSweeps,       \
        PREFIX##X##SHORT##SetSortEig, PREFIX##X##SHORT##SetTolerance,                              \
        PREFIX##X##SHORT##GetResidual, PREFIX##X##SHORT##GetSweeps                                 \
  }

} // namespace

TEST_CASE("a handle keeps what is set") {
  const Solver solver;
  hipStream_t stream = hipStreamPerThread;
  SOLVER(hipsolverGetStream(solver, &stream));
  CHECK(stream == nullptr);
  const Stream other;
  SOLVER(hipsolverDnSetStream(solver, other));
  SOLVER(hipsolverDnGetStream(solver, &stream));
  CHECK(stream == other.stream);
  auto mode = HIPSOLVER_DETERMINISTIC_RESULTS;
  SOLVER(hipsolverGetDeterministicMode(solver, &mode));
  CHECK(mode == HIPSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
  SOLVER(hipsolverDnSetDeterministicMode(solver, HIPSOLVER_DETERMINISTIC_RESULTS));
  SOLVER(hipsolverDnGetDeterministicMode(solver, &mode));
  CHECK(mode == HIPSOLVER_DETERMINISTIC_RESULTS);
  CHECK(hipsolverSetDeterministicMode(solver, hipsolverDeterministicMode_t(5)) == unknown);
  CHECK(hipsolverGetDeterministicMode(solver, nullptr) == invalid);
  CHECK(hipsolverGetStream(solver, nullptr) == invalid);
  CHECK(hipsolverSetStream(nullptr, other) == HIPSOLVER_STATUS_NOT_INITIALIZED);
  CHECK(hipsolverCreate(nullptr) == HIPSOLVER_STATUS_HANDLE_IS_NULLPTR);
  CHECK(hipsolverDestroy(nullptr) == HIPSOLVER_STATUS_NOT_INITIALIZED);
  hipsolverHandle_t dense = nullptr;
  SOLVER(hipsolverDnCreate(&dense));
  SOLVER(hipsolverDnDestroy(dense));
}

TEST_CASE("functions of Jacobi's method say what became of them") {
  const Solver solver;
  const Matrix<double> a(identity(4));
  const Buffer<double> w = vector_of<double>(4);
  const Info result(2);
  const auto check = [&](const Jacobi &jacobi, auto one, auto two) {
    void *info = nullptr;
    CHECK(jacobi.create(nullptr) == invalid);
    SOLVER(jacobi.create(&info));
    SOLVER(jacobi.set_max_sweeps(info, 20));
    SOLVER(jacobi.set_sort(info, 1));
    SOLVER(jacobi.set_tolerance(info, 1e-7));
    CHECK(jacobi.set_max_sweeps(info, 0) == invalid);
    CHECK(jacobi.set_max_sweeps(nullptr, 20) == invalid);
    CHECK(jacobi.set_sort(nullptr, 1) == invalid);
    CHECK(jacobi.set_tolerance(nullptr, 1e-7) == invalid);
    double residual = 7;
    int sweeps = 7;
    CHECK(jacobi.get_residual(solver, info, &residual) == HIPSOLVER_STATUS_INTERNAL_ERROR);
    SOLVER(one(info));
    SOLVER(jacobi.get_residual(solver, info, &residual));
    SOLVER(jacobi.get_sweeps(solver, info, &sweeps));
    CHECK((residual == 0 && sweeps == 0));
    CHECK(jacobi.get_sweeps(nullptr, info, &sweeps) == HIPSOLVER_STATUS_HANDLE_IS_NULLPTR);
    CHECK(jacobi.get_sweeps(solver, nullptr, &sweeps) == invalid);
    CHECK(jacobi.get_sweeps(solver, info, nullptr) == invalid);
    CHECK(jacobi.get_residual(solver, info, nullptr) == invalid);
    SOLVER(two(info));
    CHECK(jacobi.get_sweeps(solver, info, &sweeps) == HIPSOLVER_STATUS_NOT_SUPPORTED);
    // Work that is queued does not look at it.
    SOLVER(jacobi.destroy(info));
    CHECK(jacobi.destroy(nullptr) == invalid);
  };
  for (const Jacobi &jacobi : {JACOBI(hipsolver, Syevj, syevj), JACOBI(hipsolverDn, Syevj, syevj)})
    check(
        jacobi,
        [&](void *info) {
          return hipsolverDsyevj(solver, vectors, upper, 4, a, a.ld, w, nullptr, 0, result, info);
        },
        [&](void *info) {
          return hipsolverDsyevjBatched(solver, vectors, upper, 2, a, 2, w, nullptr, 0, result,
                                        info, 2);
        });
  for (const Jacobi &jacobi :
       {JACOBI(hipsolver, Gesvdj, gesvdj), JACOBI(hipsolverDn, Gesvdj, gesvdj)})
    check(
        jacobi,
        [&](void *info) {
          return hipsolverDgesvdj(solver, HIPSOLVER_EIG_MODE_NOVECTOR, 0, 4, 4, a, a.ld, w, nullptr,
                                  1, nullptr, 1, nullptr, 0, result, info);
        },
        [&](void *info) {
          return hipsolverDgesvdjBatched(solver, HIPSOLVER_EIG_MODE_NOVECTOR, 2, 2, a, 2, w,
                                         nullptr, 1, nullptr, 1, nullptr, 0, result, info, 2);
        });
  HIP(hipDeviceSynchronize());
}

TEST_CASE("arguments of factors are checked") {
  const Solver solver;
  const Matrix<float> a(identity(8));
  const Buffer<int> pivots = vector_of<int>(8);
  const Buffer<float> tau = vector_of<float>(8);
  const Info info;
  int length = 0;

  const auto getrf = [&](hipsolverHandle_t handle, int m, int n, float *data, int lda,
                         int *result) {
    return hipsolverSgetrf(handle, m, n, data, lda, nullptr, 0, pivots, result);
  };
  CHECK(getrf(nullptr, 8, 8, a, 8, info) == HIPSOLVER_STATUS_NOT_INITIALIZED);
  CHECK(getrf(solver, -1, 8, a, 8, info) == invalid);
  CHECK(getrf(solver, 8, -1, a, 8, info) == invalid);
  CHECK(getrf(solver, 8, 8, a, 7, info) == invalid);
  CHECK(getrf(solver, 8, 8, nullptr, 8, info) == invalid);
  CHECK(getrf(solver, 8, 8, a, 8, nullptr) == invalid);
  SOLVER(getrf(solver, 0, 8, nullptr, 1, info));
  CHECK(info.is_zero());
  CHECK(hipsolverSgetrf_bufferSize(nullptr, 8, 8, a, 8, &length) ==
        HIPSOLVER_STATUS_NOT_INITIALIZED);
  CHECK(hipsolverSgetrf_bufferSize(solver, 8, 8, a, 7, &length) == invalid);
  CHECK(hipsolverSgetrf_bufferSize(solver, 8, 8, a, 8, nullptr) == invalid);

  const auto getrs = [&](int trans, int nrhs, int *exchanged, int ldb) {
    return hipsolverSgetrs(solver, hipsolverOperation_t(trans), 8, nrhs, a, 8, exchanged, tau, ldb,
                           nullptr, 0, info);
  };
  CHECK(getrs(7, 1, pivots, 8) == unknown);
  CHECK(getrs(HIPSOLVER_OP_N, -1, pivots, 8) == invalid);
  CHECK(getrs(HIPSOLVER_OP_N, 1, nullptr, 8) == invalid);
  CHECK(getrs(HIPSOLVER_OP_N, 1, pivots, 7) == invalid);

  const auto potrf = [&](int uplo, int n) {
    return hipsolverDnSpotrf(solver, hipsolverFillMode_t(uplo), n, a, 8, nullptr, 0, info);
  };
  CHECK(potrf(HIPBLAS_FILL_MODE_FULL, 8) == unknown);
  CHECK(potrf(upper, 9) == invalid);
  const auto batched = pointers_to<float>(a, 2, 2);
  CHECK(hipsolverSpotrfBatched(solver, upper, 2, batched, 2, nullptr, 0, info, -1) == invalid);
  SOLVER(hipsolverSpotrfBatched(solver, upper, 2, nullptr, 2, nullptr, 0, nullptr, 0));

  const auto orgqr = [&](int m, int n, int k, float *scalars) {
    return hipsolverSorgqr(solver, m, n, k, a, 8, scalars, nullptr, 0, info);
  };
  CHECK(orgqr(4, 5, 2, tau) == invalid);
  CHECK(orgqr(5, 4, 5, tau) == invalid);
  CHECK(orgqr(5, 4, 3, nullptr) == invalid);
  const auto orgbr = [&](int side, int m, int n, int k) {
    return hipsolverSorgbr(solver, hipsolverSideMode_t(side), m, n, k, a, 8, tau, nullptr, 0, info);
  };
  CHECK(orgbr(HIPBLAS_SIDE_BOTH, 5, 4, 4) == unknown);
  CHECK(orgbr(HIPSOLVER_SIDE_LEFT, 4, 5, 5) == invalid);
  CHECK(orgbr(HIPSOLVER_SIDE_LEFT, 5, 3, 4) == invalid);
  CHECK(orgbr(HIPSOLVER_SIDE_RIGHT, 5, 4, 4) == invalid);
  const auto ormqr = [&](hipsolverOperation_t trans, int m, int k) {
    return hipsolverSormqr(solver, HIPSOLVER_SIDE_LEFT, trans, m, 2, k, a, 8, tau, a, 8, nullptr, 0,
                           info);
  };
  CHECK(ormqr(HIPSOLVER_OP_C, 4, 2) == invalid);
  CHECK(ormqr(HIPSOLVER_OP_T, 4, 5) == invalid);
  const auto gels = [&](int m, int n, float *b, int ldb, float *x, int ldx) {
    return hipsolverSSgels(solver, m, n, 1, a, 8, b, ldb, x, ldx, nullptr, 0, nullptr, info);
  };
  CHECK(gels(4, 8, tau, 4, a, 4) == invalid);
  CHECK(gels(4, 8, tau, 4, tau, 8) == invalid);
  CHECK(gels(4, 8, tau, 3, a, 8) == invalid);
}

TEST_CASE("arguments of eigenvalues and singular values are checked") {
  const Solver solver;
  const Matrix<double> a(identity(8));
  const Buffer<double> w = vector_of<double>(8);
  const Buffer<int> count(0);
  const Info info;
  const auto syevd = [&](int job, int uplo, double *values) {
    return hipsolverDsyevd(solver, hipsolverEigMode_t(job), hipsolverFillMode_t(uplo), 8, a, 8,
                           values, nullptr, 0, info);
  };
  CHECK(syevd(5, upper, w) == unknown);
  CHECK(syevd(vectors, 5, w) == unknown);
  CHECK(syevd(vectors, upper, nullptr) == invalid);
  CHECK(hipsolverDsyevj(solver, vectors, upper, 8, a, 8, w, nullptr, 0, info, nullptr) == invalid);
  const auto syevdx = [&](int range, double vl, double vu, int il, int iu, int *found) {
    return hipsolverDsyevdx(solver, vectors, hipsolverEigRange_t(range), upper, 8, a, 8, vl, vu, il,
                            iu, found, w, nullptr, 0, info);
  };
  CHECK(syevdx(5, 0, 1, 1, 8, count) == unknown);
  CHECK(syevdx(HIPSOLVER_EIG_RANGE_V, 1, 1, 1, 8, count) == invalid);
  CHECK(syevdx(HIPSOLVER_EIG_RANGE_I, 0, 1, 0, 8, count) == invalid);
  CHECK(syevdx(HIPSOLVER_EIG_RANGE_I, 0, 1, 3, 2, count) == invalid);
  CHECK(syevdx(HIPSOLVER_EIG_RANGE_I, 0, 1, 3, 9, count) == invalid);
  CHECK(syevdx(HIPSOLVER_EIG_RANGE_I, 0, 1, 3, 8, nullptr) == invalid);
  CHECK(hipsolverDsygvd(solver, hipsolverEigType_t(4), vectors, upper, 8, a, 8, a, 8, w, nullptr, 0,
                        info) == unknown);
  CHECK(hipsolverDsygvd(solver, HIPSOLVER_EIG_TYPE_1, vectors, upper, 8, a, 8, a, 7, w, nullptr, 0,
                        info) == invalid);
  const auto gesvd = [&](char u, char v, int ldu, int ldv) {
    return hipsolverDgesvd(solver, static_cast<signed char>(u), static_cast<signed char>(v), 6, 8,
                           a, 8, w, a, ldu, a, ldv, nullptr, 0, nullptr, info);
  };
  CHECK(gesvd('X', 'N', 8, 8) == invalid);
  CHECK(gesvd('O', 'O', 8, 8) == invalid);
  CHECK(gesvd('A', 'N', 5, 1) == invalid);
  CHECK(gesvd('N', 'A', 1, 7) == invalid);
  CHECK(gesvd('N', 'S', 1, 5) == invalid);
  SOLVER(gesvd('N', 'N', 1, 1));
  CHECK(hipsolverDgesvdj(solver, vectors, 0, 8, 8, a, 8, w, a, 8, a, 8, nullptr, 0, info,
                         nullptr) == invalid);
  CHECK(hipsolverDnDgesvdaStridedBatched(solver, vectors, 9, 8, 8, a, 8, 0, w, 0, a, 8, 0, a, 8, 0,
                                         nullptr, 0, info, nullptr, 1) == invalid);
  HIP(hipDeviceSynchronize());
}

TEST_CASE("work is in the order of the stream") {
  const Solver solver;
  const Stream stream;
  SOLVER(hipsolverSetStream(solver, stream));
  constexpr int n = 64, repeats = 20;
  const std::vector<double> four(n * n, 0.0);
  const Buffer<double> matrix(four);
  const Buffer<int> info(-7);
  std::vector<double> from = four;
  for (int i = 0; i < n; ++i)
    from[size_t(i * n + i)] = 4;
  std::vector<double> after(size_t(repeats), -1);
  std::vector<int> results(size_t(repeats), -1);
  for (int i = 0; i < repeats; ++i) {
    HIP(hipMemcpyAsync(matrix, from.data(), n * n * sizeof(double), hipMemcpyHostToDevice, stream));
    SOLVER(hipsolverDpotrf(solver, HIPSOLVER_FILL_MODE_LOWER, n, matrix, n, nullptr, 0, info));
    SOLVER(hipsolverDpotri(solver, HIPSOLVER_FILL_MODE_LOWER, n, matrix, n, nullptr, 0, info));
    HIP(hipMemcpyAsync(&after[size_t(i)], matrix + 0, sizeof(double), hipMemcpyDeviceToHost,
                       stream));
    HIP(hipMemcpyAsync(&results[size_t(i)], info, sizeof(int), hipMemcpyDeviceToHost, stream));
    HIP(hipMemsetAsync(info, 1, sizeof(int), stream));
    HIP(hipMemsetAsync(matrix, 0, n * n * sizeof(double), stream));
  }
  HIP(hipStreamSynchronize(stream));
  CHECK(after == std::vector<double>(size_t(repeats), 0.25));
  CHECK(results == std::vector<int>(size_t(repeats), 0));
}

TEST_CASE("work waits for what was queued before, and its handle may go") {
  const Stream stream;
  const Matrix<float> a(identity(8));
  const Buffer<int> pivots = vector_of<int>(8), info(-7);
  volatile bool open = false;
  HIP(hipLaunchHostFunc(
      stream,
      [](void *gate) {
        while (!*static_cast<volatile bool *>(gate)) {
        }
      },
      const_cast<bool *>(&open)));
  {
    const Solver solver;
    SOLVER(hipsolverSetStream(solver, stream));
    SOLVER(hipsolverSgetrf(solver, 8, 8, a, a.ld, nullptr, 0, pivots, info));
  }
  CHECK(*static_cast<volatile int *>(static_cast<int *>(info)) ==
        -7); // The device's memory is the host's.
  open = true;
  HIP(hipStreamSynchronize(stream));
  CHECK(info.read()[0] == 0);
}

TEST_CASE("work is captured into graphs that are launched again") {
  const Solver solver;
  const Stream stream;
  SOLVER(hipsolverSetStream(solver, stream));
  const Buffer<double> x(8.0), values(0.0), singular(0.0);
  const Info info, second;
  hipGraph_t graph = nullptr;
  hipGraphExec_t executable = nullptr;
  HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  int length = 0;
  SOLVER(hipsolverDpotrf_bufferSize(solver, upper, 1, x, 1, &length));
  // A number becomes its square root, which becomes an eigenvalue, which takes its place.
  SOLVER(hipsolverDpotrf(solver, upper, 1, x, 1, nullptr, 0, info));
  SOLVER(hipsolverDsyevd(solver, HIPSOLVER_EIG_MODE_NOVECTOR, upper, 1, x, 1, values, nullptr, 0,
                         second));
  HIP(hipMemcpyAsync(x, values, sizeof(double), hipMemcpyDeviceToDevice, stream));
  HIP(hipStreamEndCapture(stream, &graph));
  HIP(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP(hipGraphDestroy(graph));
  CHECK((x.read()[0] == 8 && info.read()[0] == -7));
  double expected = 8;
  for (int i = 0; i < 3; ++i) {
    HIP(hipGraphLaunch(executable, stream));
    HIP(hipStreamSynchronize(stream));
    expected = std::sqrt(expected);
    CHECK(std::abs(x.read()[0] - expected) <= 8 * epsilon<double>);
    CHECK((info.is_zero() && second.is_zero()));
    HIP(hipMemset(info, 1, sizeof(int)));
  }
  HIP(hipGraphExecDestroy(executable));
}

TEST_CASE("matrices without elements have no work, and are no error") {
  const Solver solver;
  const Buffer<int> count(-1);
  const Info first, second, third;
  SOLVER(hipsolverSgeqrf(solver, 0, 0, nullptr, 1, nullptr, nullptr, 0, first));
  SOLVER(hipsolverSsyevdx(solver, vectors, HIPSOLVER_EIG_RANGE_I, upper, 0, nullptr, 0, 0, 0, 1, 1,
                          count, nullptr, nullptr, 0, second));
  SOLVER(hipsolverSgesvd(solver, 'A', 'A', 0, 0, nullptr, 0, nullptr, nullptr, 0, nullptr, 0,
                         nullptr, 0, nullptr, third));
  CHECK((first.is_zero() && second.is_zero() && third.is_zero()));
  CHECK(count.read()[0] == 0);
}

TEST_CASE("devInfo says that there was no memory, and the stream goes on") {
  const Solver solver;
  const Matrix<float> a(identity(2)), b(identity(2)), x(identity(2));
  const Info info, next;
  constexpr int huge =
      std::numeric_limits<int>::max(); // More elements than there are addresses: none is looked at.
  SOLVER(hipsolverSSgels(solver, huge, huge, huge, a, huge, b, huge, x, huge, nullptr, 0, nullptr,
                         info));
  SOLVER(hipsolverSpotrf(solver, upper, 2, a, a.ld, nullptr, 0, next));
  CHECK(info.read()[0] == -1);
  CHECK(next.is_zero());
  CHECK(norm(x.read() - identity(2)) == 0);
}

TEST_CASE("no other device than the CPU is supported", "[elsewhere]") {
  const Solver solver;
  int length = 0;
  float *data = nullptr;
  HIP(hipMalloc(reinterpret_cast<void **>(&data), 64));
  const auto other = reinterpret_cast<int *>(data + 4);
  CHECK(hipsolverSpotrf_bufferSize(solver, upper, 2, data, 2, &length) ==
        HIPSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(hipsolverSpotrf(solver, upper, 2, data, 2, nullptr, 0, other) ==
        HIPSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(hipsolverSpotrf(solver, upper, -2, data, 2, nullptr, 0, other) == invalid);
  HIP(hipFree(data));
}
