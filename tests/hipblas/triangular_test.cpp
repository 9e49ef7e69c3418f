// Solutions of triangular systems of all sizes: kernels solve small ones, few and many right-hand sides, and parts of large ones each in
// a way of its own.
#include "support.h"

namespace {

/// A triangle whose system is well-conditioned. What is not to be read is no number.
template <class T>
std::vector<T> make_triangle(int order, int ld, hipblasFillMode_t uplo, hipblasDiagType_t diag) {
  std::vector<T> elements(size_t(ld) * size_t(order), rounded<T>(NAN));
  for (int j = 0; j < order; ++j)
    for (int i = 0; i < order; ++i)
      if (i == j && diag == HIPBLAS_DIAG_NON_UNIT)
        elements[size_t(i + j * ld)] = rounded<T>(exact(random_element<T>()) + 2.0);
      else if (uplo == HIPBLAS_FILL_MODE_UPPER ? i < j : i > j)
        elements[size_t(i + j * ld)] = rounded<T>(exact(random_element<T>()) / double(order));
  return elements;
}

/// Element (i, j) of what an operation makes of a triangle.
template <class T>
Exact element_of(const T *triangle, int ld, hipblasFillMode_t uplo, hipblasOperation_t operation,
                 hipblasDiagType_t diag, int i, int j) {
  if (operation != HIPBLAS_OP_N)
    std::swap(i, j);
  const auto stored = [&](int row, int column) { return exact(triangle[row + column * ld]); };
  return conj_if(operation == HIPBLAS_OP_C, shaped(stored, Shape::triangular, uplo, diag, i, j));
}

template <class T> void append(std::vector<T> &all, const std::vector<T> &more) {
  all.insert(all.end(), more.begin(), more.end());
}

constexpr int batch = 2;

/// A batch of systems, on the device.
template <class T> struct Systems {
  Systems(hipblasSideMode_t side, hipblasFillMode_t uplo, hipblasOperation_t operation,
          hipblasDiagType_t diag, int order, int count)
      : left(side == HIPBLAS_SIDE_LEFT), side(side), uplo(uplo), operation(operation), diag(diag),
        order(order), m(left ? order : count), n(left ? count : order) {
    for (int i = 0; i < batch; ++i)
      append(triangles, make_triangle<T>(order, lda, uplo, diag));
    right_hand_sides = random_elements<T>(size_t(batch * b_stride));
  }

  hipblasStatus_t solve(hipblasHandle_t blas, bool by_pointers, const T *alpha, T *a, T *b) const {
    if (!by_pointers)
      return OF_TYPE(T, trsmStridedBatched)(blas, side, uplo, operation, diag, m, n, alpha, a, lda,
                                            a_stride, b, ldb, b_stride, batch);
    const auto a_pointers = pointers_to<T>(a, a_stride, batch);
    const auto b_pointers = pointers_to<T>(b, b_stride, batch);
    const hipblasStatus_t status = OF_TYPE(T, trsmBatched)(
        blas, side, uplo, operation, diag, m, n, alpha, a_pointers, lda, b_pointers, ldb, batch);
    HIP(hipDeviceSynchronize()); // The pointers go.
    return status;
  }

  bool are_solved_by(const std::vector<T> &solution, Exact alpha) const {
    for (int index = 0; index < batch; ++index) {
      const T *const a = triangles.data() + index * a_stride;
      const T *const b = right_hand_sides.data() + index * b_stride;
      const T *const x = solution.data() + index * b_stride;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
          Sum sum;
          for (int l = 0; l < order; ++l)
            sum.add(left ? element_of(a, lda, uplo, operation, diag, i, l) * exact(x[l + j * ldb])
                         : exact(x[i + l * ldb]) * element_of(a, lda, uplo, operation, diag, l, j));
          const double bound = 4 * order * epsilon<T> * (sum.size + 1);
          if (!(std::abs(sum.value - alpha * exact(b[i + j * ldb])) <= bound))
            return false;
        }
    }
    return true;
  }

  bool left;
  hipblasSideMode_t side;
  hipblasFillMode_t uplo;
  hipblasOperation_t operation;
  hipblasDiagType_t diag;
  int order, m, n, lda = order + 1, ldb = m + 2;
  int64_t a_stride = int64_t(lda) * order, b_stride = int64_t(ldb) * n;
  std::vector<T> triangles, right_hand_sides;
};

/// Calls `check` for all systems, with one kind of diagonal each.
template <class T, class Check> void for_all_systems(int order, int count, const Check &check) {
  bool is_unit = false;
  for (hipblasSideMode_t side : all_sides)
    for (hipblasFillMode_t uplo : all_fills)
      for (hipblasOperation_t operation : all_operations) {
        is_unit = !is_unit;
        check(Systems<T>(side, uplo, operation, is_unit ? HIPBLAS_DIAG_UNIT : HIPBLAS_DIAG_NON_UNIT,
                         order, count));
      }
}

} // namespace

TEMPLATE_TEST_CASE("triangular systems of all sizes are solved", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  const T alpha = random_element<T>();
  const auto check = [&](const Systems<T> &systems) {
    const bool by_pointers = systems.diag == HIPBLAS_DIAG_UNIT;
    const Buffer<T> a(systems.triangles), b(systems.right_hand_sides);
    BLAS(systems.solve(blas, by_pointers, &alpha, a, b));
    CHECK(systems.are_solved_by(b.read(), exact(alpha)));
  };
  for (int order : {3, 16, 17, 32, 33, 100})
    for (int count : {1, 3, 37})
      for_all_systems<T>(order, count, check);
  for_all_systems<T>(350, 3, check); // Few right-hand sides, but not few elements.
}

TEMPLATE_TEST_CASE("a triangle that is multiplied by 0 is not read", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  const T zero = rounded<T>(0);
  const Buffer<T> zero_on_device(zero);
  for (int order : {16, 32, 70, 350})
    for (int count : {3, 37})
      for (bool on_device : {false, true})
        for_all_systems<T>(order, count, [&](const Systems<T> &systems) {
          const Buffer<T> a(std::vector<T>(systems.triangles.size(), rounded<T>(NAN)));
          const Buffer<T> b(systems.right_hand_sides);
          BLAS(hipblasSetPointerMode(blas, on_device ? HIPBLAS_POINTER_MODE_DEVICE
                                                     : HIPBLAS_POINTER_MODE_HOST));
          BLAS(systems.solve(blas, false, on_device ? zero_on_device : &zero, a, b));
          const std::vector<T> solution = b.read();
          bool are_zero = true;
          for (int index = 0; index < batch; ++index)
            for (int j = 0; j < systems.n; ++j)
              for (int i = 0; i < systems.m; ++i)
                are_zero =
                    are_zero &&
                    exact(solution[size_t(index * systems.b_stride + i + j * systems.ldb)]) == 0.0;
          CHECK(are_zero);
        });
}

TEST_CASE("pointers to triangles that are multiplied by 0 are not read") {
  const Blas blas;
  const float zero = 0;
  for (int order : {16, 32, 350})
    for (int count : {3, 37}) {
      const Buffer<float> b(std::vector<float>(size_t(order * count), 1));
      const auto pointers = pointers_to<float>(b, 0, 1);
      BLAS(hipblasStrsmBatched(blas, HIPBLAS_SIDE_LEFT, HIPBLAS_FILL_MODE_LOWER, HIPBLAS_OP_N,
                               HIPBLAS_DIAG_UNIT, order, count, &zero, nullptr, order, pointers,
                               order, 1));
      CHECK(b.read() == std::vector<float>(size_t(order * count), 0));
    }
}

TEMPLATE_TEST_CASE("long vectors are solved for", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  constexpr int n = 301, ld = n + 3;
  for (hipblasFillMode_t uplo : all_fills)
    for (hipblasOperation_t operation : all_operations)
      for (int step : all_steps) {
        const auto diag = step == 1 ? HIPBLAS_DIAG_UNIT : HIPBLAS_DIAG_NON_UNIT;
        const std::vector<T> triangle = make_triangle<T>(n, ld, uplo, diag);
        const Strided<T> x(n, step);
        const Buffer<T> a(triangle), solution(x.elements);
        BLAS(OF_TYPE(T, trsv)(blas, uplo, operation, diag, n, a, ld, solution, step));
        auto solved = solution.read();
        bool right = true;
        for (int i = 0; i < n; ++i) {
          Sum sum;
          for (int j = 0; j < n; ++j)
            sum.add(element_of(triangle.data(), ld, uplo, operation, diag, i, j) *
                    exact(x.at(solved, j)));
          right = right && std::abs(sum.value - x[i]) <= 4 * n * epsilon<T> * (sum.size + 1);
        }
        CHECK(right);
      }
}
