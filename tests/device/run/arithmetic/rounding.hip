// Arithmetic with a chosen rounding, against the host's arithmetic in that rounding mode.
#include "../device_test.h"

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>

using namespace device_test;

constexpr int operations = 7;

// The host's, in the mode that is set. Operands are read where the compiler cannot see them, so that it cannot compute in its own.
template <class T> __attribute__((noinline, optnone)) void on_host(const volatile T *x, T *out) {
  volatile T a = x[0], b = x[1], c = x[2];
  out[0] = a + b;
  out[1] = a - b;
  out[2] = a * b;
  out[3] = a / b;
  out[4] = 1 / a;
  out[5] = std::sqrt(T(a));
  out[6] = std::fma(T(a), T(b), T(c));
}

#define OPERATIONS(mode)                                                                                                  \
  __device__ void evaluate_##mode(const float *x, float *out) {                                                           \
    out[0] = __fadd_##mode(x[0], x[1]);                                                                                   \
    out[1] = __fsub_##mode(x[0], x[1]);                                                                                   \
    out[2] = __fmul_##mode(x[0], x[1]);                                                                                   \
    out[3] = __fdiv_##mode(x[0], x[1]);                                                                                   \
    out[4] = __frcp_##mode(x[0]);                                                                                         \
    out[5] = __fsqrt_##mode(x[0]);                                                                                        \
    out[6] = __fmaf_##mode(x[0], x[1], x[2]);                                                                             \
  }                                                                                                                       \
  __device__ void evaluate_##mode(const double *x, double *out) {                                                         \
    out[0] = __dadd_##mode(x[0], x[1]);                                                                                   \
    out[1] = __dsub_##mode(x[0], x[1]);                                                                                   \
    out[2] = __dmul_##mode(x[0], x[1]);                                                                                   \
    out[3] = __ddiv_##mode(x[0], x[1]);                                                                                   \
    out[4] = __drcp_##mode(x[0]);                                                                                         \
    out[5] = __dsqrt_##mode(x[0]);                                                                                        \
    out[6] = __fma_##mode(x[0], x[1], x[2]);                                                                              \
  }
OPERATIONS(rn)
OPERATIONS(rz)
OPERATIONS(rd)
OPERATIONS(ru)

template <class T> __global__ void evaluate(const T *x, T *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  evaluate_rn(x + 3 * i, out + 4 * operations * i);
  evaluate_rz(x + 3 * i, out + 4 * operations * i + operations);
  evaluate_rd(x + 3 * i, out + 4 * operations * i + 2 * operations);
  evaluate_ru(x + 3 * i, out + 4 * operations * i + 3 * operations);
}

template <class T> bool same(T x, T y) {
  return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
}

unsigned long long state = 1;
unsigned long long random_bits() {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return state >> 32 ^ state << 20;
}

// Of all sizes, or near one, with few bits so that exact results and middles are frequent, or special.
template <class T> T operand() {
  typedef std::numeric_limits<T> Limits;
  const T special[] = {0, Limits::min(), Limits::denorm_min(), Limits::max(), Limits::infinity(), Limits::quiet_NaN(), 1,
                       std::nextafter(T(1), T(2)), Limits::min() - Limits::denorm_min(), 3 * Limits::denorm_min()};
  const unsigned kind = random_bits() % 16;
  T x = 0;
  if (kind < 2)
    x = special[random_bits() % (sizeof special / sizeof *special)];
  else if (kind < 8)
    x = std::ldexp(T(random_bits() % 4096), int(random_bits() % 64) - 32);
  else if (kind < 12)
    x = std::ldexp(T(1) + T(random_bits()) / T(0x1p64), int(random_bits() % 8));
  else
    x = std::ldexp(T(1) + T(random_bits()) / T(0x1p64),
                   int(random_bits() % (2 * Limits::max_exponent + Limits::digits)) - Limits::max_exponent - Limits::digits + 1);
  return random_bits() % 2 ? -x : x;
}

template <class T> void test(const char *type) {
  constexpr size_t count = 16384;
  Array<T> x(3 * count), out(count * 4 * operations);
  for (size_t i = 0; i < 3 * count; ++i)
    x[i] = operand<T>();
  for (size_t i = 0; i < count; i += 5) { // products that a third operand nearly or exactly cancels
    x[i * 3 + 2] = -(x[i * 3] * x[i * 3 + 1]);
    if (i % 10 == 0)
      x[i * 3 + 1] = -x[i * 3];
  }
  evaluate<<<count / 64, 64>>>(x.get(), out.get());
  wait();
  static const char *names[] = {"add", "sub", "mul", "div", "rcp", "sqrt", "fma"};
  const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  for (int mode = 0; mode < 4; ++mode) {
    int wrong[operations] = {};
    for (size_t i = 0; i < count; ++i) {
      T expected[operations];
      std::fesetround(modes[mode]);
      on_host(x.get() + 3 * i, expected);
      std::fesetround(FE_TONEAREST);
      for (int f = 0; f < operations; ++f) {
        const T have = out[(i * 4 + size_t(mode)) * operations + size_t(f)];
        if (!same(have, expected[f]) && wrong[f]++ < 3 && !unchecked())
          std::printf("%s %s, mode %d, of %a, %a and %a: %a, not %a\n", type, names[f], mode, double(x[3 * i]), double(x[3 * i + 1]),
                      double(x[3 * i + 2]), double(have), double(expected[f]));
      }
    }
    for (int f = 0; f < operations; ++f)
      CHECK(wrong[f] == 0);
  }
}

// All fractions of even and odd exponents, at the ends of the range and in its middle.
__global__ void roots(unsigned first, unsigned step, float *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __frsqrt_rn(__uint_as_float(first + step * i));
}

void test_roots() {
  constexpr unsigned count = 1 << 16, step = 257; // together, a bit more than two exponents
  Array<float> out(count);
  for (unsigned first : {0x3f800000u, 0x00000001u, 0x00800000u, 0x7e700000u, 0x3f7fff00u}) {
    roots<<<count / 64, 64>>>(first, step, out.get());
    wait();
    int wrong = 0;
    for (unsigned i = 0; i < count; ++i) {
      const float x = __builtin_bit_cast(float, first + step * i), expected = float(1 / std::sqrt((long double)x));
      if (out[i] != expected && wrong++ < 3 && !unchecked())
        std::printf("rsqrt of %a: %a, not %a\n", double(x), double(out[i]), double(expected));
    }
    CHECK(wrong == 0);
  }
  Array<float> special(4);
  roots<<<1, 1>>>(0, 0, &special[0]);
  roots<<<1, 1>>>(0x7f800000u, 0, &special[1]);
  roots<<<1, 1>>>(0xbf800000u, 0, &special[2]);
  roots<<<1, 1>>>(0x7fc00000u, 0, &special[3]);
  wait();
  CHECK(std::isinf(special[0]) && special[1] == 0 && std::isnan(special[2]) && std::isnan(special[3]));
}

int main() {
  test_roots();
  test<float>("float");
  test<double>("double");
  return result();
}
