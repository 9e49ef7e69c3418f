// std::complex in kernels, against the host's: products and quotients of ordinary, huge, tiny, infinite and undefined numbers,
// and functions.
#include "device_test.h"

#include <cmath>
#include <complex>
#include <limits>

using namespace device_test;

constexpr int operations = 6;

template <class T> __host__ __device__ void evaluate(std::complex<T> x, std::complex<T> y, std::complex<T> *out) {
  out[0] = x * y;
  out[1] = x / y;
  out[2] = x + y * T(2);
  out[3] = std::conj(x) - y;
  out[4] = std::complex<T>(std::abs(x), std::norm(y));
  out[5] = std::exp(x);
}
template <class T> __global__ void on_device(const std::complex<T> *x, std::complex<T> *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  evaluate(x[2 * i], x[2 * i + 1], out + operations * i);
}

// Two results that are as good as each other: equally infinite or undefined, or near.
template <class T> bool near(std::complex<T> x, std::complex<T> y, double scale) {
  const bool infinite = std::isinf(x.real()) || std::isinf(x.imag());
  if (infinite || std::isinf(y.real()) || std::isinf(y.imag()))
    return infinite && (std::isinf(y.real()) || std::isinf(y.imag()));
  const auto part = [&](T a, T b) {
    return std::isnan(a) ? std::isnan(b) : std::abs(double(a) - double(b)) <= scale * 8 * std::numeric_limits<T>::epsilon();
  };
  return part(x.real(), y.real()) && part(x.imag(), y.imag());
}

template <class T> void test() {
  typedef std::numeric_limits<T> Limits;
  const T parts[] = {0, -T(0), 1, T(-2.5), T(0.3), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                     std::sqrt(Limits::max()) * 16, std::sqrt(Limits::min()) / 16, T(3), T(-0.7)};
  constexpr size_t count = sizeof parts / sizeof *parts, pairs = count * count * count * count;
  static_assert(pairs % 64 == 0);
  Array<std::complex<T>> x(2 * pairs), out(operations * pairs);
  for (size_t i = 0; i < pairs; ++i) {
    x[2 * i] = {parts[i % count], parts[i / count % count]};
    x[2 * i + 1] = {parts[i / count / count % count], parts[i / count / count / count]};
  }
  on_device<<<pairs / 64, 64>>>(x.get(), out.get());
  wait();
  int wrong[operations] = {};
  for (size_t i = 0; i < pairs; ++i) {
    std::complex<long double> wide[operations];
    evaluate(std::complex<long double>(x[2 * i]), std::complex<long double>(x[2 * i + 1]), wide);
    for (int f = 0; f < operations; ++f) {
      const std::complex<T> have = out[operations * i + size_t(f)], expected(wide[f]);
      const double scale = std::fmax(std::fmax(std::fabs(double(expected.real())), std::fabs(double(expected.imag()))), double(Limits::min()));
      // Beside a NaN, a product of the other parts that overflows makes an infinity; the wide one does not overflow.
      if (f == 0 && std::isnan(expected.real()) && std::isnan(expected.imag()) && (std::isinf(have.real()) || std::isinf(have.imag())))
        continue;
      if (!near(have, expected, scale) && wrong[f]++ < 3 && !unchecked())
        std::printf("%d of (%g, %g) and (%g, %g): (%g, %g), not (%g, %g)\n", f, double(x[2 * i].real()), double(x[2 * i].imag()),
                    double(x[2 * i + 1].real()), double(x[2 * i + 1].imag()), double(have.real()), double(have.imag()),
                    double(expected.real()), double(expected.imag()));
    }
  }
  for (int f = 0; f < operations; ++f)
    CHECK(wrong[f] == 0);
}

int main() {
  test<float>();
  test<double>();
  return result();
}
