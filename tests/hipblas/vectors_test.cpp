#include "support.h"

namespace {

constexpr int n = 613;

} // namespace

TEMPLATE_TEST_CASE("vectors are added, copied, swapped and scaled", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  const T alpha = random_element<T>();
  for (int step_x : all_steps)
    for (int step_y : all_steps) {
      const Strided<T> x(n, step_x), y(n, step_y);
      const Buffer<T> on_device_x(x.elements), on_device_y(y.elements);
      BLAS(OF_TYPE(T, axpy)(blas, n, &alpha, on_device_x, step_x, on_device_y, step_y));
      std::vector<T> sum = on_device_y.read();
      bool right = true;
      for (int i = 0; i < n; ++i) {
        Sum expected;
        expected.add(y[i]);
        expected.add(exact(alpha) * x[i]);
        right = right && expected.accepts(y.at(sum, i));
      }
      CHECK(right);

      BLAS(OF_TYPE(T, swap)(blas, n, on_device_x, step_x, on_device_y, step_y));
      std::vector<T> x_now = on_device_x.read(), y_now = on_device_y.read();
      for (int i = 0; i < n; ++i)
        right =
            right && exact(x.at(x_now, i)) == exact(y.at(sum, i)) && exact(y.at(y_now, i)) == x[i];
      CHECK(right);

      BLAS(OF_TYPE(T, copy)(blas, n, on_device_x, step_x, on_device_y, step_y));
      y_now = on_device_y.read();
      for (int i = 0; i < n; ++i)
        right = right && exact(y.at(y_now, i)) == exact(x.at(x_now, i));
      CHECK(right);

      if (step_x < 0)
        continue;
      BLAS(OF_TYPE(T, scal)(blas, n, &alpha, on_device_x, step_x));
      std::vector<T> scaled = on_device_x.read();
      for (int i = 0; i < n; ++i) {
        Sum expected;
        expected.add(exact(alpha) * exact(x.at(x_now, i)));
        right = right && expected.accepts(x.at(scaled, i));
      }
      CHECK(right);
    }
}

TEMPLATE_TEST_CASE("sums of vectors are computed for the host and for the device", "", ALL_TYPES) {
  using T = TestType;
  using R = Real<T>;
  const Blas blas;
  const auto nrm2 = pick<T>(hipblasSnrm2, hipblasDnrm2, hipblasScnrm2, hipblasDznrm2);
  const auto asum = pick<T>(hipblasSasum, hipblasDasum, hipblasScasum, hipblasDzasum);
  const auto iamax = pick<T>(hipblasIsamax, hipblasIdamax, hipblasIcamax, hipblasIzamax);
  const auto iamin = pick<T>(hipblasIsamin, hipblasIdamin, hipblasIcamin, hipblasIzamin);
  for (int step_x : all_steps)
    for (int step_y : all_steps) {
      const Strided<T> x(n, step_x), y(n, step_y);
      const Buffer<T> on_device_x(x.elements), on_device_y(y.elements);
      Sum dotu, dotc, squares, sizes;
      int largest = 0, smallest = 0;
      const auto size = [&](int i) {
        // As BLAS adds the parts, so that equal sizes are equal.
        const T value = x.elements[x.index(i)];
        if constexpr (is_complex<T>)
          return std::abs(value.real()) + std::abs(value.imag());
        else
          return std::abs(value);
      };
      for (int i = 0; i < n; ++i) {
        dotu.add(x[i] * y[i]);
        dotc.add(std::conj(x[i]) * y[i]);
        squares.add(std::norm(x[i]));
        sizes.add(std::abs(x[i].real()) + std::abs(x[i].imag()));
        largest = size(i) > size(largest) ? i : largest;
        smallest = size(i) < size(smallest) ? i : smallest;
      }
      const auto norm_is_right = [&](R norm) {
        return std::abs(norm - std::sqrt(squares.value.real())) <=
               n * epsilon<T> * std::sqrt(squares.value.real());
      };
      T host_dot, host_dotc;
      BLAS(OF_TYPES(T, dot, dotu)(blas, n, on_device_x, step_x, on_device_y, step_y, &host_dot));
      BLAS(OF_TYPES(T, dot, dotc)(blas, n, on_device_x, step_x, on_device_y, step_y, &host_dotc));
      CHECK(dotu.accepts(host_dot));
      CHECK(dotc.accepts(host_dotc));
      const Buffer<T> device_dot(random_element<T>());
      BLAS(hipblasSetPointerMode(blas, HIPBLAS_POINTER_MODE_DEVICE));
      BLAS(OF_TYPES(T, dot, dotc)(blas, n, on_device_x, step_x, on_device_y, step_y, device_dot));
      CHECK(dotc.accepts(device_dot.read()[0]));
      const Buffer<R> device_norm(R(0));
      const Buffer<int> device_index(-1);
      BLAS(nrm2(blas, n, on_device_x, step_x, device_norm));
      BLAS(iamax(blas, n, on_device_x, step_x, device_index));
      const R norm_on_device = device_norm.read()[0];
      const int index_on_device = device_index.read()[0];
      BLAS(hipblasSetPointerMode(blas, HIPBLAS_POINTER_MODE_HOST));
      R norm = -1, sum = -1;
      int first = -1, last = -1;
      BLAS(nrm2(blas, n, on_device_x, step_x, &norm));
      BLAS(asum(blas, n, on_device_x, step_x, &sum));
      BLAS(iamax(blas, n, on_device_x, step_x, &first));
      BLAS(iamin(blas, n, on_device_x, step_x, &last));
      if (step_x < 0) { // These have no vectors that go backwards.
        CHECK((norm == 0 && sum == 0 && first == 0 && last == 0));
        CHECK((norm_on_device == 0 && index_on_device == 0));
        continue;
      }
      CHECK(norm_is_right(norm));
      CHECK(norm_is_right(norm_on_device));
      CHECK(sizes.accepts(sum));
      CHECK(first == largest + 1);
      CHECK(index_on_device == largest + 1);
      CHECK(last == smallest + 1);
    }
}

TEST_CASE("long vectors of a batch are reduced by several blocks each") {
  const Blas blas;
  constexpr int length = 20003, batch = 3;
  // Small whole numbers, of which sums are exact in any order.
  std::vector<float> elements(length * batch);
  double sums[batch] = {}, squares[batch] = {};
  for (int k = 0; k < batch; ++k)
    for (int i = 0; i < length; ++i) {
      const float value = float(i % 3 - 1 + k);
      elements[size_t(k * length + i)] = value;
      sums[k] += std::abs(value);
      squares[k] += value * value;
    }
  // The first of the largest is neither in the first block nor in the last.
  for (int k = 0; k < batch; ++k)
    for (int i : {9000 + k, 19000}) {
      float &element = elements[size_t(k * length + i)];
      sums[k] += 100 - std::abs(element);
      squares[k] += 10000 - element * element;
      element = -100;
    }
  const Buffer<float> x(elements);
  float dots[batch], sizes[batch], norms[batch];
  int places[batch];
  BLAS(hipblasSdotStridedBatched(blas, length, x, 1, length, x, 1, length, batch, dots));
  BLAS(hipblasSasumStridedBatched(blas, length, x, 1, length, batch, sizes));
  BLAS(hipblasSnrm2StridedBatched(blas, length, x, 1, length, batch, norms));
  BLAS(hipblasIsamaxStridedBatched(blas, length, x, 1, length, batch, places));
  for (int k = 0; k < batch; ++k) {
    CAPTURE(k);
    CHECK(dots[k] == squares[k]);
    CHECK(sizes[k] == sums[k]);
    CHECK(std::abs(norms[k] - std::sqrt(squares[k])) < 1e-3);
    CHECK(places[k] == 9001 + k);
  }
}

TEST_CASE("norms neither overflow nor vanish") {
  const Blas blas;
  for (float scale : {1e30f, 1e-30f}) {
    const Buffer<float> x(std::vector<float>{3 * scale, 4 * scale});
    float norm = 0;
    BLAS(hipblasSnrm2(blas, 2, x, 1, &norm));
    CHECK(std::abs(norm - 5 * scale) <= 1e-6f * scale);
  }
}

TEMPLATE_TEST_CASE("planes are rotated", "", ALL_TYPES) {
  using T = TestType;
  using R = Real<T>;
  const Blas blas;
  const R c = R(0.6);
  const T s = rounded<T>({0.48, 0.64});
  for (int step_x : all_steps) {
    const Strided<T> x(n, step_x), y(n, -1);
    const Buffer<T> on_device_x(x.elements), on_device_y(y.elements);
    BLAS(OF_TYPE(T, rot)(blas, n, on_device_x, step_x, on_device_y, -1, &c, &s));
    std::vector<T> x_now = on_device_x.read(), y_now = on_device_y.read();
    bool right = true;
    for (int i = 0; i < n; ++i) {
      Sum expected_x, expected_y;
      expected_x.add(double(c) * x[i]);
      expected_x.add(exact(s) * y[i]);
      expected_y.add(double(c) * y[i]);
      expected_y.add(-std::conj(exact(s)) * x[i]);
      right = right && expected_x.accepts(x.at(x_now, i)) && expected_y.accepts(y.at(y_now, i));
    }
    CHECK(right);
  }
  // The rotation of two numbers makes the second one 0.
  const T first = random_element<T>(), second = random_element<T>();
  T a = first, b = second, sine;
  R cosine;
  const auto is_right = [&] {
    const Exact r = double(cosine) * exact(first) + exact(sine) * exact(second);
    const Exact zero = double(cosine) * exact(second) - std::conj(exact(sine)) * exact(first);
    return std::abs(r - exact(a)) < 16 * epsilon<T> && std::abs(zero) < 16 * epsilon<T>;
  };
  BLAS(OF_TYPE(T, rotg)(blas, &a, &b, &cosine, &sine));
  CHECK(is_right());
  const Buffer<T> device_a(first), device_b(second), device_sine(random_element<T>());
  const Buffer<R> device_cosine(R(0));
  BLAS(hipblasSetPointerMode(blas, HIPBLAS_POINTER_MODE_DEVICE));
  BLAS(OF_TYPE(T, rotg)(blas, device_a, device_b, device_cosine, device_sine));
  a = device_a.read()[0], sine = device_sine.read()[0], cosine = device_cosine.read()[0];
  CHECK(is_right());
}

TEMPLATE_TEST_CASE("planes are rotated by modified rotations", "", float, double) {
  using T = TestType;
  const Blas blas;
  const auto rotmg = [](auto... arguments) {
    if constexpr (std::is_same_v<T, float>)
      return hipblasSrotmg(arguments...);
    else
      return hipblasDrotmg(arguments...);
  };
  const auto rotm = [](auto... arguments) {
    if constexpr (std::is_same_v<T, float>)
      return hipblasSrotm(arguments...);
    else
      return hipblasDrotm(arguments...);
  };
  // Each of the forms that such a rotation is stored in, and numbers that have to be scaled.
  const T cases[][4] = {
      {2, 3, 5, 1}, {2, 3, 1, 5}, {T(1e-9), T(2e-9), 3, 1}, {T(1e9), T(1e9), 1, 2}, {1, 1, 1, 0}};
  for (const auto &numbers : cases) {
    T d1 = numbers[0], d2 = numbers[1], x1 = numbers[2], y1 = numbers[3], param[5] = {};
    BLAS(rotmg(blas.handle, &d1, &d2, &x1, const_cast<const T *>(&y1), param));
    // It keeps d1 x^2 + d2 y^2 and makes the second component 0.
    const Buffer<T> x(numbers[2]), y(numbers[3]);
    BLAS(rotm(blas.handle, 1, static_cast<T *>(x), 1, static_cast<T *>(y), 1,
              const_cast<const T *>(param)));
    const double rotated_x = x.read()[0], rotated_y = y.read()[0];
    const double before =
        double(numbers[0]) * numbers[2] * numbers[2] + double(numbers[1]) * numbers[3] * numbers[3];
    const double after = double(d1) * rotated_x * rotated_x + double(d2) * rotated_y * rotated_y;
    CHECK(std::abs(before - after) <= 32 * epsilon<T> * before);
    CHECK(std::abs(rotated_y) <= 32 * epsilon<T> * std::abs(double(numbers[3]) + numbers[2]));
    CHECK(std::abs(rotated_x - double(x1)) <= 32 * epsilon<T> * std::abs(rotated_x));
  }
}

TEMPLATE_TEST_CASE("batches of vectors lie at strides or behind pointers", "", ALL_TYPES) {
  using T = TestType;
  const Blas blas;
  constexpr int batch = 5, stride = 700;
  const auto x = random_elements<T>(batch * stride), y = random_elements<T>(batch * stride);
  const Buffer<T> on_device_x(x), on_device_y(y);
  const auto x_pointers = pointers_to<T>(on_device_x, stride, batch);
  const auto y_pointers = pointers_to<T>(on_device_y, stride, batch);
  T strided[batch], behind_pointers[batch];
  BLAS(OF_TYPES(T, dotStridedBatched, dotcStridedBatched)(blas, n, on_device_x, 1, stride,
                                                          on_device_y, 1, stride, batch, strided));
  BLAS(OF_TYPES(T, dotBatched, dotcBatched)(blas, n, x_pointers, 1, y_pointers, 1, batch,
                                            behind_pointers));
  for (int b = 0; b < batch; ++b) {
    Sum expected;
    for (int i = 0; i < n; ++i)
      expected.add(std::conj(exact(x[size_t(b * stride + i)])) * exact(y[size_t(b * stride + i)]));
    CHECK(expected.accepts(strided[b]));
    CHECK(expected.accepts(behind_pointers[b]));
  }
  const Buffer<T> alpha(random_element<T>());
  const Exact factor = exact(alpha.read()[0]);
  BLAS(hipblasSetPointerMode(blas, HIPBLAS_POINTER_MODE_DEVICE));
  BLAS(OF_TYPE(T, axpyBatched)(blas, n, alpha, x_pointers, 1, y_pointers, 1, batch));
  BLAS(OF_TYPE(T, axpyStridedBatched)(blas, n, alpha, on_device_x, 1, stride, on_device_y, 1,
                                      stride, batch));
  const auto sum = on_device_y.read();
  bool right = true;
  for (size_t i = 0; i < sum.size(); ++i) {
    Sum expected;
    expected.add(exact(y[i]));
    for (int twice = 0; twice < 2 && i % stride < n; ++twice)
      expected.add(factor * exact(x[i]));
    right = right && expected.accepts(sum[i]);
  }
  CHECK(right);
}
