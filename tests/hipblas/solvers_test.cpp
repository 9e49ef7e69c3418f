// Systems of equations, which the system's LAPACK solves on the CPU driver.
#include "support.h"

#include <cstdlib>

namespace {

constexpr int n = 37, columns = 5, batch = 3;

} // namespace

TEMPLATE_TEST_CASE("systems of equations are solved by factors", "[lapack]", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  for (hipblasOperation_t operation : all_operations) {
    Matrix<T> a(n, n);
    const Matrix<T> b(n, columns);
    const Buffer<T> on_device_a(a.elements), on_device_b(b.elements);
    const Buffer<int> pivots{std::vector<int>(n)}, info(-1);
    const auto status = OF_TYPE(T, getrf)(blas, n, on_device_a, a.ld, pivots, info);
    if (status == HIPBLAS_STATUS_NOT_SUPPORTED)
      SKIP("there is no LAPACK");
    BLAS(status);
    CHECK(info.read()[0] == 0);
    int argument = -1;
    BLAS(OF_TYPE(T, getrs)(blas, operation, n, columns, on_device_a, a.ld, pivots, on_device_b,
                           b.ld, &argument));
    CHECK(argument == 0);
    const auto solution = on_device_b.read();
    bool right = true;
    double largest = 0;
    for (const T &element : solution)
      largest = std::max(largest, std::abs(exact(element)));
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < n; ++i) {
        Exact residual = -b.at(i, j);
        for (int l = 0; l < n; ++l)
          residual += a.at(i, l, operation) * exact(solution[b.index(l, j)]);
        right = right && std::abs(residual) <= 8 * n * epsilon<T> * (n * largest + 1);
      }
    CHECK(right);
    CHECK(OF_TYPE(T, getrs)(blas, operation, n, columns, on_device_a, n - 1, pivots, on_device_b,
                            b.ld, &argument) == HIPBLAS_STATUS_INVALID_VALUE);
    CHECK(argument != 0);
  }
}

TEMPLATE_TEST_CASE("batches of matrices are inverted", "[lapack]", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  constexpr int stride = n * n;
  auto a = random_elements<T>(batch * stride);
  const Buffer<T> factors(a), inverses(a);
  const auto a_pointers = pointers_to<T>(factors, stride, batch);
  const auto c_pointers = pointers_to<T>(inverses, stride, batch);
  const Buffer<int> pivots(std::vector<int>(batch * n)), info(std::vector<int>(batch, -1));
  const auto status = OF_TYPE(T, getrfBatched)(blas, n, a_pointers, n, pivots, info, batch);
  if (status == HIPBLAS_STATUS_NOT_SUPPORTED)
    SKIP("there is no LAPACK");
  BLAS(status);
  BLAS(OF_TYPE(T, getriBatched)(blas, n, a_pointers, n, pivots, c_pointers, n, info, batch));
  CHECK(info.read() == std::vector<int>(batch, 0));
  const auto c = inverses.read();
  double worst = 0;
  for (int index = 0; index < batch; ++index)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        Exact product = -double(i == j);
        double size = 1;
        for (int l = 0; l < n; ++l) {
          const Exact term = exact(a[size_t(index * stride + i + l * n)]) *
                             exact(c[size_t(index * stride + l + j * n)]);
          product += term;
          size += std::abs(term);
        }
        worst = std::max(worst, std::abs(product) / size);
      }
  // The condition of random matrices of this size is below 10,000 or so.
  CHECK(worst <= 1000 * n * epsilon<T>);
}

TEMPLATE_TEST_CASE("factors without pivots are those of matrices that need none", "[lapack]",
                   ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  Matrix<T> a(n, n);
  for (int i = 0; i < n; ++i)
    a.elements[a.index(i, i)] = rounded<T>(a.at(i, i) + double(n));
  const Buffer<T> on_device(a.elements);
  const Buffer<int> info(-1);
  const auto status = OF_TYPE(T, getrf)(blas, n, on_device, a.ld, nullptr, info);
  if (status == HIPBLAS_STATUS_NOT_SUPPORTED)
    SKIP("there is no LAPACK");
  BLAS(status);
  CHECK(info.read()[0] == 0);
  const auto factors = on_device.read();
  bool right = true;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      Sum product;
      for (int l = 0; l <= std::min(i, j); ++l)
        product.add((l == i ? 1.0 : exact(factors[a.index(i, l)])) * exact(factors[a.index(l, j)]));
      right = right && std::abs(product.value - a.at(i, j)) <= 4 * n * epsilon<T> * product.size;
    }
  CHECK(right);
}

TEMPLATE_TEST_CASE("least squares are found, and orthogonal factors", "[lapack]", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  constexpr int rows = 50, unknowns = 20;
  const Matrix<T> a(rows, unknowns), b(rows, columns);
  const Buffer<T> on_device_a(a.elements), on_device_b(b.elements);
  const Buffer<int> device_info(-1);
  int info = -1;
  const auto status = OF_TYPE(T, gels)(blas, HIPBLAS_OP_N, rows, unknowns, columns, on_device_a,
                                       a.ld, on_device_b, b.ld, &info, device_info);
  if (status == HIPBLAS_STATUS_NOT_SUPPORTED)
    SKIP("there is no LAPACK");
  BLAS(status);
  CHECK((info == 0 && device_info.read()[0] == 0));
  const auto solution = on_device_b.read();
  // What is left is orthogonal to the columns.
  double worst = 0;
  for (int j = 0; j < columns; ++j) {
    std::vector<Exact> rest;
    for (int i = 0; i < rows; ++i) {
      rest.push_back(b.at(i, j));
      for (int l = 0; l < unknowns; ++l)
        rest.back() -= a.at(i, l) * exact(solution[b.index(l, j)]);
    }
    for (int l = 0; l < unknowns; ++l) {
      Exact product = 0;
      for (int i = 0; i < rows; ++i)
        product += std::conj(a.at(i, l)) * rest[size_t(i)];
      worst = std::max(worst, std::abs(product));
    }
  }
  CHECK(worst <= 100 * rows * epsilon<T>);

  // |R| has the norms of the columns: that of the first one is its first element.
  const Buffer<T> factors(a.elements), scalars{std::vector<T>(size_t(unknowns))};
  BLAS(OF_TYPE(T, geqrf)(blas, rows, unknowns, factors, a.ld, scalars, &info));
  CHECK(info == 0);
  const auto r = factors.read();
  for (int j = 0; j < unknowns; ++j) {
    double before = 0, after = 0;
    for (int i = 0; i < rows; ++i)
      before += std::norm(a.at(i, j));
    for (int i = 0; i <= j; ++i)
      after += std::norm(exact(r[a.index(i, j)]));
    CHECK(std::abs(before - after) <= 8 * rows * epsilon<T> * before);
  }
}

TEST_CASE("factors are made by LAPACK and by no kernel") {
  const Blas blas;
  const Matrix<float> a(4, 4);
  const Buffer<float> on_device(a.elements);
  const Buffer<int> pivots{std::vector<int>(4)}, info(-1);
  CHECK(hipblasSgetrf(blas, 4, on_device, a.ld, pivots, info) ==
        (std::getenv("CHIP_BLAS") ? HIPBLAS_STATUS_NOT_SUPPORTED : HIPBLAS_STATUS_SUCCESS));
}
