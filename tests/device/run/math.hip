// Common math functions of float and double against the host's, within a few units in the last place.
#include "device_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace device_test;

#define FUNCTIONS(X)                                                                               \
  X(sqrt(x)) X(rsqrt_(x)) X(exp(x)) X(log(x)) X(sin(x)) X(cos(x)) X(tan(x)) X(asin(1 / (1 + x)))     \
  X(acos(1 / (1 + x))) X(atan(x)) X(sinh(x)) X(cosh(x)) X(tanh(x)) X(exp2(x)) X(log2(x))             \
  X(log10(x)) X(log1p(x)) X(expm1(x)) X(cbrt(x)) X(pow(x, T(1.7))) X(fmod(x, T(0.3)))                \
  X(hypot(x, T(2))) X(atan2(x, T(2))) X(fma(x, x, T(1))) X(floor(x)) X(ceil(x)) X(trunc(x))          \
  X(round(x)) X(rint(x)) X(fabs(-x)) X(fmax(x, T(1))) X(fmin(x, T(1))) X(copysign(x, T(-1)))         \
  X(erf(x)) X(erfc(x)) X(x / T(3)) X(std::max(x, T(2))) X(std::min(x, T(2))) X(std::abs(-x))

template <class T> __host__ __device__ T rsqrt_(T x) { return T(1) / sqrt(x); }

template <class T> __host__ __device__ int evaluate(T x, T *out) {
  int n = 0;
#define X(expression) out[n++] = T(expression);
  FUNCTIONS(X)
#undef X
  return n;
}

template <class T> __global__ void on_device(const T *x, T *out, int width) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  evaluate(x[i], out + i * width);
}

const char *names[] = {
#define X(expression) #expression,
    FUNCTIONS(X)
#undef X
};

template <class T> void test(double ulps) {
  constexpr int count = 256, width = sizeof names / sizeof *names;
  Array<T> x(count), out(count * width);
  for (int i = 0; i < count; ++i)
    x[size_t(i)] = T(0.01 + 0.035 * i);
  on_device<<<count / 64, 64>>>(x.get(), out.get(), width);
  wait();
  for (int f = 0; f < width; ++f) {
    double worst = 0;
    for (int i = 0; i < count; ++i) {
      T expected[width];
      evaluate(x[size_t(i)], expected);
      double unit = std::max<double>(std::abs(double(expected[f])) * std::numeric_limits<T>::epsilon(),
                                     double(std::numeric_limits<T>::min()));
      worst = std::max(worst, std::abs(double(out[size_t(i * width + f)]) - double(expected[f])) / unit);
    }
    if (worst > ulps && !unchecked())
      std::printf("%s: %g ulp\n", names[f], worst);
    CHECK(worst <= ulps);
  }
}

__global__ void integers(unsigned *out) {
  out[0] = unsigned(__popc(0xf0f0f0f0u));
  out[1] = unsigned(__clz(1));
  out[2] = unsigned(__ffs(8));
  out[3] = __brev(1u);
  out[4] = __umulhi(0x80000000u, 6u);
  out[5] = __float_as_uint(1.0f);
  out[6] = unsigned(min(3, 5) + max(3, 5));
}

// Conversions to integers, also of what they do not reach.
template <class T> __global__ void to_integers(const T *x, long long *out);
#define TO_INTEGERS(type)                                                                                                 \
  template <> __global__ void to_integers(const type *x, long long *out) {                                                \
    const unsigned i = threadIdx.x;                                                                                       \
    out[4 * i] = __##type##2int_rn(x[i]);                                                                                 \
    out[4 * i + 1] = __##type##2uint_rz(x[i]);                                                                            \
    out[4 * i + 2] = __##type##2ll_rd(x[i]);                                                                              \
    out[4 * i + 3] = static_cast<long long>(__##type##2ull_ru(x[i]));                                                     \
  }
TO_INTEGERS(float)
TO_INTEGERS(double)

template <class T> void test_conversions() {
  constexpr long long most = std::numeric_limits<long long>::max(), least = -most - 1, int_most = 2147483647, uint_most = 4294967295;
  const T values[] = {2.5, -2.5, T(3e9), T(1e30), -T(1e30), std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN(), 0.25};
  const long long expected[][4] = {{2, 2, 2, 3},
                                   {-2, 0, -3, 0},
                                   {int_most, 3000000000, 3000000000, 3000000000},
                                   {int_most, uint_most, most, -1},
                                   {-int_most - 1, 0, least, 0},
                                   {int_most, uint_most, most, -1},
                                   {0, 0, 0, 0},
                                   {0, 0, 0, 1}};
  constexpr size_t count = sizeof values / sizeof *values;
  Array<T> x(count);
  Array<long long> out(4 * count);
  for (size_t i = 0; i < count; ++i)
    x[i] = values[i];
  to_integers<T><<<1, count>>>(x.get(), out.get());
  wait();
  for (size_t i = 0; i < 4 * count; ++i)
    CHECK(out[i] == expected[i / 4][i % 4]);
}

int main() {
  test_conversions<float>();
  test_conversions<double>();
  test<float>(16);
  test<double>(16);
  Array<unsigned> out(7);
  integers<<<1, 1>>>(out.get());
  wait();
  const unsigned expected[] = {16, 31, 4, 0x80000000u, 3, 0x3f800000u, 8};
  for (size_t i = 0; i < 7; ++i)
    CHECK(out[i] == expected[i]);
  return result();
}
