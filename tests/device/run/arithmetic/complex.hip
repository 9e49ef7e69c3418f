// std::complex in kernels, against the host's: products and quotients of ordinary, huge, tiny, infinite and undefined numbers,
// and functions. And the functions of hip_complex.h, in kernels and on the host.
#include "../device_test.h"

#include <hip/hip_complex.h>

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

// One name for the functions of both types.
__host__ __device__ hipFloatComplex quotient(hipFloatComplex p, hipFloatComplex q) { return hipCdivf(p, q); }
__host__ __device__ hipDoubleComplex quotient(hipDoubleComplex p, hipDoubleComplex q) { return hipCdiv(p, q); }
__host__ __device__ hipFloatComplex fused(hipFloatComplex p, hipFloatComplex q, hipFloatComplex r) { return hipCfmaf(p, q, r); }
__host__ __device__ hipDoubleComplex fused(hipDoubleComplex p, hipDoubleComplex q, hipDoubleComplex r) { return hipCfma(p, q, r); }
__host__ __device__ float length(hipFloatComplex z) { return hipCabsf(z); }
__host__ __device__ double length(hipDoubleComplex z) { return hipCabs(z); }

template <class Complex> __global__ void divide(const Complex *in, Complex *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = quotient(in[2 * i], in[2 * i + 1]);
}
template <class Complex> __global__ void fuse(const Complex *in, Complex *out) {
  out[0] = fused(in[0], in[1], in[2]);
  out[1].x = length(in[3]);
}

template <class Complex> void test_hip_functions() {
  typedef decltype(Complex::x) Real;
  const auto is = [](Complex z, Real re, Real im) { return z.x == re && z.y == im; };
  // Products of these are exact, and so are their sums: what is rounded is the division by the square, once.
  const Real parts[] = {Real(-4.75), Real(0.25), Real(1.75), Real(0.75), Real(-3.25), Real(6), Real(-0.5), Real(2.25)};
  constexpr size_t count = sizeof parts / sizeof *parts, pairs = count * count * count * count;
  Array<Complex> in(2 * pairs), out(pairs);
  for (size_t i = 0; i < pairs; ++i) {
    in[2 * i].x = parts[i % count];
    in[2 * i].y = parts[i / count % count];
    in[2 * i + 1].x = parts[i / count / count % count];
    in[2 * i + 1].y = parts[i / count / count / count];
  }
  divide<<<pairs / 64, 64>>>(in.get(), out.get());
  wait();
  int wrong_on_device = 0, wrong_on_host = 0;
  for (size_t i = 0; i < pairs; ++i) {
    const Complex p = in[2 * i], q = in[2 * i + 1];
    const Real square = q.x * q.x + q.y * q.y, re = (p.x * q.x + p.y * q.y) / square, im = (p.y * q.x - p.x * q.y) / square;
    wrong_on_device += !is(out[i], re, im);
    wrong_on_host += !is(quotient(p, q), re, im);
  }
  CHECK(wrong_on_device == 0);
  CHECK(wrong_on_host == 0);

  // The sum comes after the first product, which it cancels here, so that the second is left as it is.
  const Real small = std::numeric_limits<Real>::epsilon() / 8, huge = std::sqrt(std::numeric_limits<Real>::max());
  const Complex p{1, small}, q{1, 1}, r{-1, -1};
  in[0] = p;
  in[1] = q;
  in[2] = r;
  in[3].x = 3 * huge; // whose square is too large
  in[3].y = 4 * huge;
  fuse<<<1, 1>>>(in.get(), out.get());
  wait();
  CHECK(is(out[0], -small, 0));
  CHECK(is(fused(p, q, r), -small, 0));
  const auto is_five = [&](Real x) { return std::abs(x / huge - 5) <= 8 * std::numeric_limits<Real>::epsilon(); };
  CHECK(is_five(out[1].x));
  CHECK(is_five(length(in[3])));
}

int main() {
  test<float>();
  test<double>();
  test_hip_functions<hipFloatComplex>();
  test_hip_functions<hipDoubleComplex>();
  return result();
}
