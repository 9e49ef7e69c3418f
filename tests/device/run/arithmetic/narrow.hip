// __half and __hip_bfloat16: all their values, everything between two neighbours that conversions tell apart, and arithmetic
// with other values, on host and device against their formats' definition.
#include "../device_test.h"
#include "narrow_reference.h"

#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>

using namespace device_test;

template <class T> struct Traits;
template <> struct Traits<__half> {
  typedef __half2 Pair;
  static constexpr Reference reference = {5, 10, 15};
  static constexpr unsigned infinity = 0x7c00;
};
template <> struct Traits<__hip_bfloat16> {
  typedef __hip_bfloat162 Pair;
  static constexpr Reference reference = {8, 7, 127};
  static constexpr unsigned infinity = 0x7f80;
};
template <class T> double value_of(unsigned bits) {
  const unsigned magnitude = bits & 0x7fff;
  const double value = magnitude == Traits<T>::infinity ? INFINITY
                       : magnitude > Traits<T>::infinity ? NAN
                                                         : Traits<T>::reference.value(magnitude);
  return std::copysign(value, bits & 0x8000 ? -1.0 : 1.0);
}
template <class T> __host__ __device__ T make(unsigned bits) { return __builtin_bit_cast(T, (unsigned short)bits); }
template <class T> __host__ __device__ unsigned bits_of(T x) { return __builtin_bit_cast(unsigned short, x); }
template <class T> bool same(unsigned bits, unsigned expected) {
  if ((expected & 0x7fff) > Traits<T>::infinity)
    return (bits & 0x7fff) > Traits<T>::infinity;
  return bits == expected;
}

__host__ __device__ unsigned rounded(__half, float x, int mode) {
  return bits_of(mode == 0   ? __float2half(x)
                 : mode == 1 ? __float2half_rz(x)
                 : mode == 2 ? __float2half_rd(x)
                             : __float2half_ru(x));
}
__host__ __device__ unsigned rounded(__hip_bfloat16, float x, int mode) {
  return bits_of(mode == 0   ? __float2bfloat16(x)
                 : mode == 1 ? __float2bfloat16_rz(x)
                 : mode == 2 ? __float2bfloat16_rd(x)
                             : __float2bfloat16_ru(x));
}

// Conversions. The inputs are the value itself, the middle between it and the next, and what is next to the middle.
struct Input {
  float f[4];
  double d[4];
};
struct Converted {
  float value;
  unsigned from_float[4][4], from_double[4];
};
template <class T> __host__ __device__ Converted convert(unsigned bits, const Input &input) {
  Converted result;
  result.value = static_cast<float>(make<T>(bits));
  for (int i = 0; i < 4; ++i) {
    for (int mode = 0; mode < 4; ++mode)
      result.from_float[i][mode] = rounded(T(), input.f[i], mode);
    result.from_double[i] = bits_of(T(input.d[i]));
  }
  return result;
}
template <class T> __global__ void convert_all(const Input *inputs, Converted *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = convert<T>(i, inputs[i]);
}

template <class T> Input input_of(unsigned bits) {
  const double value = value_of<T>(bits), sign = bits & 0x8000 ? -1 : 1;
  double middle = value;
  if (!std::isnan(value) && !std::isinf(value))
    middle = sign * (std::fabs(value) + Traits<T>::reference.value((bits & 0x7fff) + 1)) / 2;
  const float m = float(middle);
  return {{float(value), m, std::nextafter(m, 0.0f), std::nextafter(m, float(sign) * INFINITY)},
          {value, middle, std::nextafter(middle, 0.0), std::nextafter(middle, sign * INFINITY)}};
}

template <class T> bool right(unsigned bits, const Input &input, const Converted &result) {
  const Reference &reference = Traits<T>::reference;
  const double value = value_of<T>(bits);
  bool good = std::isnan(value) ? std::isnan(result.value)
                                : double(result.value) == value && std::signbit(result.value) == std::signbit(value);
  for (int i = 0; i < 4; ++i) {
    const double x = input.f[i];
    good &= same<T>(result.from_float[i][0], reference.bits(x, nearest));
    good &= same<T>(result.from_float[i][1], reference.bits(x, [](double y) { return std::trunc(y); }));
    good &= same<T>(result.from_float[i][2], reference.bits(x, [](double y) { return std::floor(y); }));
    good &= same<T>(result.from_float[i][3], reference.bits(x, [](double y) { return std::ceil(y); }));
    good &= same<T>(result.from_double[i], reference.bits(input.d[i], nearest));
  }
  return good;
}

// Arithmetic of one value with another
constexpr int operations = 7, saturated_operations = 4;
struct Computed {
  unsigned number[operations], saturated[saturated_operations], comparisons, unordered;
};
template <class T> __host__ __device__ Computed compute(T a, T b, T c) {
  Computed r;
  r.number[0] = bits_of(a + b);
  r.number[1] = bits_of(a - b);
  r.number[2] = bits_of(a * b);
  r.number[3] = bits_of(a / b);
  r.number[4] = bits_of(__hfma(a, b, c));
  r.number[5] = bits_of(__hmin(a, b));
  r.number[6] = bits_of(__hmax_nan(a, b));
  r.saturated[0] = bits_of(__hadd_sat(a, b));
  r.saturated[1] = bits_of(__hsub_sat(a, b));
  r.saturated[2] = bits_of(__hmul_sat(a, b));
  r.saturated[3] = bits_of(__hfma_sat(a, b, c));
  r.comparisons = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5 |
                  __hisnan(a) << 6 | __hisinf(a) << 7;
  r.unordered = __hequ(a, b) | __hneu(a, b) << 1 | __hltu(a, b) << 2 | __hleu(a, b) << 3 | __hgtu(a, b) << 4 |
                __hgeu(a, b) << 5 | __hne(a, b) << 6;
  return r;
}
__host__ __device__ inline unsigned partner(unsigned i, unsigned round) { return (i * 40503u + round * 9973u) >> (round % 3) & 0xffff; }
template <class T> __global__ void compute_all(unsigned round, Computed *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = compute(make<T>(i), make<T>(partner(i, round)), make<T>(partner(i, round + 7)));
}

// The sum of a * b, which is exact, and c, that lies on the same side of every middle as the exact one.
double exact_enough_fma(double a, double b, double c) {
  const double product = a * b, sum = product + c, part = sum - product;
  const double lost = (product - (sum - part)) + (c - part);
  return lost == 0 || std::isnan(lost) ? sum : std::nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
}

// bfloat16's fma is rounded to float first; so may that of half be, on devices without one.
template <class T> bool right_fma(double a, double b, double c, unsigned bits, bool on_device) {
  const Reference &reference = Traits<T>::reference;
  const bool twice = reference.fraction_bits == 7;
  const unsigned by_float = reference.bits(double(std::fma(float(a), float(b), float(c))), nearest);
  if (twice || (on_device && same<T>(bits, by_float)))
    return same<T>(bits, by_float);
  return same<T>(bits, reference.bits(exact_enough_fma(a, b, c), nearest));
}

template <class T> bool right(double a, double b, double c, const Computed &r, bool on_device) {
  const Reference &reference = Traits<T>::reference;
  const bool nan = std::isnan(a) || std::isnan(b);
  const double expected[operations] = {a + b, a - b, a * b, a / b, 0, std::fmin(a, b), nan ? NAN : std::fmax(a, b)};
  bool good = true;
  for (int i = 0; i < operations; ++i) {
    const unsigned bits = reference.bits(expected[i], nearest);
    if (i == 4)
      good &= right_fma<T>(a, b, c, r.number[i], on_device);
    else if ((i == 5 || i == 6) && a == 0 && b == 0) // of two zeros, either will do
      good &= (r.number[i] & 0x7fff) == 0;
    else
      good &= same<T>(r.number[i], bits);
  }
  // Between 0 and 1 after rounding; comparisons with a NaN are false, so that it stays as it is.
  const int of_saturated[saturated_operations] = {0, 1, 2, 4};
  for (int i = 0; i < saturated_operations; ++i) {
    const unsigned bits = r.number[of_saturated[i]];
    const double value = value_of<T>(bits);
    good &= same<T>(r.saturated[i], value < 0 ? 0 : value > 1 ? reference.bits(1, nearest) : bits);
  }
  const unsigned comparisons = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5;
  good &= r.comparisons == (comparisons | unsigned(std::isnan(a)) << 6 | unsigned(std::isinf(a)) << 7);
  good &= r.unordered == (nan ? 63 : comparisons | unsigned(a != b) << 6);
  return good;
}

// Functions of mathematics are within a unit of the last place; comparisons of pairs, operators and shuffles.
template <class T> __global__ void functions(T *out, bool *good) {
  typedef typename Traits<T>::Pair Pair;
  const T x = T(0.75f);
  const T values[] = {hceil(x), hcos(x),   hexp(x),  hexp10(x), hexp2(x), hfloor(x), hlog(x),  hlog10(x),
                      hlog2(x), hrcp(x),   hrint(x), hrsqrt(x), hsin(x),  hsqrt(x),  htrunc(x)};
  for (int i = 0; i < 15; ++i)
    out[i] = values[i];
  const T one = T(1), two = T(2), nan = T(__builtin_nanf(""));
  Pair p(one, two), q(two, nan);
  bool ok = (p + p == Pair(two, T(4))) && p != q && !(p == q) && p < Pair(two, T(3)) && !(p < Pair(two, one)) && -p == __hneg2(p);
  ok &= bits_of(__hlt2(p, q).x) == bits_of(one) && bits_of(__hlt2(p, q).y) == 0 && bits_of(__hltu2(p, q).y) == bits_of(one);
  ok &= !__hblt2(p, q) && __hbltu2(p, q) && !__hbne2(p, q) && __hbneu2(p, q) && __hble2(p, p) && bits_of(__hisnan2(q).y) == bits_of(one);
  ok &= __hfma2(p, p, p) == Pair(two, T(6)) && __hmul2(p, p) == Pair(one, T(4)) && __h2div(p, Pair(two, two)) == Pair(T(0.5f), one);
  ok &= __hmax2(p, q) == Pair(two, two) && __hmin2(p, q) == p && __habs2(-p) == p && h2rcp(p) == Pair(one, T(0.5f));
  const Pair sums[] = {__hadd2_sat(p, q), __hsub2_sat(p, q), __hmul2_sat(p, q), __hfma2_sat(p, p, q)};
  for (const Pair &sum : sums)
    ok &= (sum.x == one || sum.x == T(0)) && __hisnan(sum.y);
  ok &= bits_of(__hne2(p, q).x) == bits_of(one) && bits_of(__hne2(p, q).y) == 0 && bits_of(__hneu2(p, q).y) == bits_of(one);
  ok &= __low2float(p) == 1 && __high2float(p) == 2 && __lowhigh2highlow(p) == Pair(two, one);
  p += p;
  ++p;
  ok &= p == Pair(T(3), T(5)) && p-- == Pair(T(3), T(5)) && p == Pair(two, T(4));
  T t = one;
  t += 2;
  ok &= t++ == T(3) && --t == 3 && 2 * t == 6.0f && t - 1 < 3 && +t == -(-t) && __hfma_relu(t, -t, one) == 0 && __hfma_sat(t, t, t) == 1;
  const unsigned lane = threadIdx.x;
  const T mine = T(lane);
  ok &= __shfl(mine, 5) == T(5) && __shfl_xor(mine, 1) == T(lane ^ 1) && __shfl_up(mine, 1) == T(lane == 0 ? 0 : lane - 1);
  ok &= __shfl_down_sync(~0ull, Pair(mine, one), 2) == Pair(T(lane > 29 ? lane : lane + 2), one);
  good[lane] = ok;
}

template <class T> __global__ void add(typename Traits<T>::Pair *sum) {
  unsafeAtomicAdd(sum, typename Traits<T>::Pair(T(1), T(0.5f)));
}

template <class T> void test() {
  constexpr unsigned count = 65536;
  Array<Input> inputs(count);
  Array<Converted> converted(count);
  for (unsigned i = 0; i < count; ++i)
    inputs[i] = input_of<T>(i);
  convert_all<T><<<count / 64, 64>>>(inputs.get(), converted.get());
  wait();
  int wrong_host = 0, wrong_device = 0;
  for (unsigned i = 0; i < count; ++i) {
    wrong_host += !right<T>(i, inputs[i], convert<T>(i, inputs[i]));
    if (!right<T>(i, inputs[i], converted[i]) && wrong_device++ < 5 && !unchecked())
      std::printf("conversions of %04x are wrong\n", i);
  }
  CHECK(wrong_host == 0);
  CHECK(wrong_device == 0);

  Array<Computed> computed(count);
  for (unsigned round = 0; round < 6; ++round) {
    compute_all<T><<<count / 64, 64>>>(round, computed.get());
    wait();
    wrong_host = wrong_device = 0;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned j = partner(i, round), k = partner(i, round + 7);
      const double a = value_of<T>(i), b = value_of<T>(j), c = value_of<T>(k);
      wrong_host += !right<T>(a, b, c, compute(make<T>(i), make<T>(j), make<T>(k)), false);
      if (!right<T>(a, b, c, computed[i], true) && wrong_device++ < 5 && !unchecked())
        std::printf("arithmetic of %04x, %04x and %04x is wrong\n", i, j, k);
    }
    CHECK(wrong_host == 0);
    CHECK(wrong_device == 0);
  }

  Array<T> values(15);
  Array<bool> good(32);
  functions<T><<<1, 32>>>(values.get(), good.get());
  wait();
  bool all = true;
  for (size_t i = 0; i < 32; ++i)
    all &= good[i];
  CHECK(all);
  const double x = 0.75, expected[] = {1, cos(x), exp(x), pow(10, x), exp2(x), 0, log(x), log10(x), log2(x), 1 / x, 1, 1 / sqrt(x), sin(x), sqrt(x), 0};
  for (size_t i = 0; i < 15; ++i)
    CHECK(std::fabs(double(float(values[i])) - expected[i]) <= std::fabs(expected[i]) * std::ldexp(1, -Traits<T>::reference.fraction_bits));

  Array<typename Traits<T>::Pair> sum(1);
  sum[0] = typename Traits<T>::Pair(T(0), T(0));
  add<T><<<2, 64>>>(sum.get());
  wait();
  CHECK(sum[0] == typename Traits<T>::Pair(T(128), T(64)));
}

template <class T> __host__ __device__ void from_integers(unsigned *out) {
  const long long values[] = {0, -1, 2049, 2051, -65503, 65519, 65520, 16777217, -16842753, 9223372036854775807ll,
                              0x7f800000000001ll, 0x7f8000000000000ll, 0x7fffffff80000000ll};
  for (int i = 0; i < 13; ++i)
    out[i] = bits_of(T(values[i]));
  out[13] = bits_of(T(~0ull));
  out[14] = bits_of(T(-2147483647 - 1));
}
template <class T> __global__ void from_integers_on_device(unsigned *out) { from_integers<T>(out); }

__host__ __device__ void half_integers(long long *out) {
  const __half values[] = {__half(2.5f), __half(-2.5f), __half(-0.25f), __half(65504.0f), __half(INFINITY), __half(-INFINITY), __half(NAN)};
  for (const __half x : values) {
    *out++ = __half2int_rn(x);
    *out++ = __half2short_rz(x);
    *out++ = __half2ushort_rd(x);
    *out++ = __half2ll_ru(x);
    *out++ = __half2uint_rn(x);
  }
  *out++ = __half_as_short(__int2half_rz(2147483647));
  *out++ = __half_as_short(__int2half_rn(2147483647));
  *out++ = __half_as_short(__int2half_rd(-70000));
  *out++ = __half_as_short(__ll2half_ru(2049));
  *out++ = __half_as_short(__ull2half_rd(2051));
  *out++ = __half_as_short(__ushort2half_ru(65505));
  *out++ = __half_as_short(__uint2half_rn(65505));
}
__global__ void half_integers_on_device(long long *out) { half_integers(out); }

template <class T> void test_integers(const unsigned *expected) {
  Array<unsigned> device(15);
  unsigned host[15];
  from_integers<T>(host);
  from_integers_on_device<T><<<1, 1>>>(device.get());
  wait();
  for (size_t i = 0; i < 15; ++i) {
    CHECK(host[i] == expected[i]);
    CHECK(device[i] == expected[i]);
  }
}

int main() {
  test<__half>();
  test<__hip_bfloat16>();
  const unsigned half[] = {0, 0xbc00, 0x6800, 0x6802, 0xfbff, 0x7bff, 0x7c00, 0x7c00, 0xfc00, 0x7c00, 0x7c00, 0x7c00, 0x7c00, 0x7c00, 0xfc00};
  test_integers<__half>(half);
  const unsigned bfloat16[] = {0,      0xbf80, 0x4500, 0x4500, 0xc780, 0x4780, 0x4780, 0x4b80, 0xcb81, 0x5f00, 0x5aff, 0x5cff, 0x5f00, 0x5f80, 0xcf00};
  test_integers<__hip_bfloat16>(bfloat16);

  constexpr long long integers[] = {2,  2,  2,  3,  2,  -2, -2, 0, -2, 0, 0, 0, 0, 0, 0, 65504, 32767, 65504, 65504, 65504,
                                    2147483647, 32767, 65535, 9223372036854775807ll, 4294967295ll,
                                    -2147483647 - 1, -32768, 0, -9223372036854775807ll - 1, 0, 0, 0, 0, 0, 0,
                                    0x7bff, 0x7c00, static_cast<short>(0xfc00), 0x6801, 0x6801, 0x7c00, 0x7bff};
  constexpr size_t count = sizeof integers / sizeof *integers;
  Array<long long> device(count);
  long long host[count];
  half_integers(host);
  half_integers_on_device<<<1, 1>>>(device.get());
  wait();
  for (size_t i = 0; i < count; ++i) {
    CHECK(host[i] == integers[i]);
    CHECK(device[i] == integers[i]);
  }
  return result();
}
