// Common math functions of float and double against the host's, within a few units in the last place.
#include "../device_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace device_test;

// N(name) is name or std::name.
#define FUNCTIONS(X)                                                                                                      \
  X(N(sqrt)(x)) X(N(exp)(x)) X(N(log)(x)) X(N(sin)(x)) X(N(cos)(x)) X(N(tan)(x)) X(N(asin)(1 / (1 + x)))                  \
  X(N(acos)(1 / (1 + x))) X(N(atan)(x)) X(N(sinh)(x)) X(N(cosh)(x)) X(N(tanh)(x)) X(N(exp2)(x)) X(N(log2)(x))             \
  X(N(log10)(x)) X(N(log1p)(x)) X(N(expm1)(x)) X(N(cbrt)(x)) X(N(pow)(x, T(1.7))) X(N(fmod)(x, T(0.3)))                   \
  X(N(hypot)(x, T(2))) X(N(atan2)(x, T(2))) X(N(fma)(x, x, T(1))) X(N(floor)(x)) X(N(ceil)(x)) X(N(trunc)(x))             \
  X(N(round)(x)) X(N(rint)(x)) X(N(fabs)(-x)) X(N(fmax)(x, T(1))) X(N(fmin)(x, T(1))) X(N(copysign)(x, T(-1)))            \
  X(N(erf)(x)) X(N(erfc)(x)) X(N(tgamma)(x)) X(N(acosh)(1 + x)) X(N(asinh)(x)) X(N(atanh)(1 / (2 + x)))                   \
  X(N(remainder)(x, T(0.3))) X(N(fdim)(x, T(2))) X(N(ldexp)(x, 3)) X(N(logb)(x)) X(N(nextafter)(x, T(0)))                   \
  X(({ int quotient; N(remquo)(x, T(1.1), &quotient); quotient; })) X(N(ilogb)(x)) X(N(ilogb)(sqrt(-1 - x)))
#define OTHERS(X) X(x / T(3)) X(1 / sqrt(x)) X(std::max(x, T(2))) X(std::min(x, T(2))) X(std::abs(-x))
#define GLOBAL(name) name
#define STANDARD(name) std::name

template <class T> __host__ __device__ int evaluate(T x, T *out) {
  int n = 0;
#define X(expression) out[n++] = T(expression);
#define N GLOBAL
  FUNCTIONS(X)
#undef N
#define N STANDARD
  FUNCTIONS(X)
#undef N
  OTHERS(X)
#undef X
  return n;
}

template <class T> __global__ void on_device(const T *x, T *out, int width) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  evaluate(x[i], out + i * width);
}

const char *names[] = {
#define X(expression) #expression,
#define N(name) name
    FUNCTIONS(X) FUNCTIONS(X) OTHERS(X)
#undef N
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
  out[7] = unsigned(__clz(0) + __ffs(0));
  out[8] = unsigned(__popcll(0xff00000000ffull) + __clzll(1));
  out[9] = unsigned(__mul24(-3, 5) + abs(-20));
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
  Array<unsigned> out(10);
  integers<<<1, 1>>>(out.get());
  wait();
  const unsigned expected[] = {16, 31, 4, 0x80000000u, 3, 0x3f800000u, 8, 32, 16 + 63, 5};
  for (size_t i = 0; i < 10; ++i)
    CHECK(out[i] == expected[i]);
  return result();
}
