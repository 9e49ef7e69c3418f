// Numbers of 8 bits: all their values, and everything between two neighbours that conversions tell apart, on host and device
// against their formats' definition.
#include "../device_test.h"
#include "narrow_reference.h"

#include <hip/hip_fp8.h>

using namespace device_test;

// What the four formats are.
struct Format {
  Reference reference;
  unsigned highest;
  bool fnuz;

  bool is_nan(unsigned bits) const {
    return fnuz ? bits == 0x80 : (bits & 0x7f) > highest && !(reference.fraction_bits == 2 && (bits & 0x7f) == 0x7c);
  }
  double value(unsigned bits) const {
    const unsigned magnitude = bits & 0x7f;
    const double value = is_nan(bits) ? NAN : magnitude > highest ? INFINITY : reference.value(magnitude);
    return std::copysign(value, bits & 0x80 ? -1.0 : 1.0);
  }
  unsigned bits(double x, bool saturate) const {
    if (std::isnan(x))
      return fnuz ? 0x80 : 0x7f;
    unsigned magnitude = std::isinf(x) ? 0x100 : reference.magnitude(std::fabs(x), nearest);
    if (magnitude > highest) {
      if (!saturate)
        return fnuz ? 0x80 : (std::signbit(x) ? 0x80 : 0) | (reference.fraction_bits == 2 ? 0x7c : 0x7f);
      magnitude = highest;
    }
    return (std::signbit(x) && !(fnuz && magnitude == 0) ? 0x80 : 0) | magnitude;
  }
  bool same(unsigned bits, unsigned expected) const { return is_nan(expected) ? is_nan(bits) : bits == expected; }
};
const Format formats[] = {{{4, 3, 7}, 0x7e, false}, {{5, 2, 15}, 0x7b, false}, {{4, 3, 8}, 0x7f, true}, {{5, 2, 16}, 0x7f, true}};

// The value, the middle between it and the next, what is next to the middle, and a NaN.
constexpr int count = 5;
struct Input {
  double d[count];
  float f[count];
};
Input input_of(const Format &format, unsigned bits) {
  // A format without a negative zero has the numbers between that and the first negative one nevertheless.
  const double value = format.fnuz && bits == 0x80 ? -0.0 : format.value(bits), sign = bits & 0x80 ? -1 : 1;
  double middle = value;
  if (!std::isnan(value) && !std::isinf(value))
    middle = sign * (std::fabs(value) + format.reference.value((bits & 0x7f) + 1)) / 2;
  const float m = float(middle);
  return {{value, middle, std::nextafter(middle, 0.0), std::nextafter(middle, sign * INFINITY), NAN},
          {float(value), m, std::nextafter(m, 0.0f), std::nextafter(m, float(sign) * INFINITY), NAN}};
}

struct Result {
  double value_double;
  float value, by_half, by_bfloat16, x2, x4;
  long long integer;
  int small;
  bool truth;
  unsigned char from_double[count][2], from_float[count][2], from_half[count][2], from_bfloat16[count], constructed[count],
      from_integer[count];
};

template <class T, class T2, class T4> __host__ __device__ void evaluate(unsigned bits, const Input &input, Result &r) {
  constexpr __hip_fp8_interpretation_t type = T::__default_interpret;
  T x;
  x.__x = static_cast<__hip_fp8_storage_t>(bits);
  r.value = x;
  r.value_double = x;
  r.by_half = static_cast<__half>(x);
  r.by_bfloat16 = static_cast<__hip_bfloat16>(x);
  r.integer = x;
  r.small = static_cast<signed char>(x);
  r.truth = x;
  T2 two;
  two.__x = static_cast<__hip_fp8x2_storage_t>(bits << 8 | 0x11);
  r.x2 = static_cast<float2>(two).y;
  T4 four;
  four.__x = bits << 16 | 0x22001133u;
  r.x4 = static_cast<float4>(four).z;
  for (int i = 0; i < count; ++i) {
    for (int s = 0; s < 2; ++s) {
      const auto saturation = s ? __HIP_SATFINITE : __HIP_NOSAT;
      r.from_double[i][s] = __hip_cvt_double_to_fp8(input.d[i], saturation, type);
      r.from_float[i][s] = __hip_cvt_float_to_fp8(input.f[i], saturation, type);
      r.from_half[i][s] = __hip_cvt_halfraw_to_fp8(__half(input.f[i]), saturation, type);
    }
    r.from_bfloat16[i] = __hip_cvt_bfloat16raw_to_fp8(__hip_bfloat16(input.f[i]), __HIP_SATFINITE, type);
    r.constructed[i] = T(input.d[i]).__x;
    r.from_integer[i] = T(static_cast<int>(bits) * (i + 1) - 300).__x;
  }
}
__host__ __device__ void evaluate(unsigned type, unsigned bits, const Input &input, Result &r) {
  switch (type) {
  case 0:
    return evaluate<__hip_fp8_e4m3, __hip_fp8x2_e4m3, __hip_fp8x4_e4m3>(bits, input, r);
  case 1:
    return evaluate<__hip_fp8_e5m2, __hip_fp8x2_e5m2, __hip_fp8x4_e5m2>(bits, input, r);
  case 2:
    return evaluate<__hip_fp8_e4m3_fnuz, __hip_fp8x2_e4m3_fnuz, __hip_fp8x4_e4m3_fnuz>(bits, input, r);
  default:
    return evaluate<__hip_fp8_e5m2_fnuz, __hip_fp8x2_e5m2_fnuz, __hip_fp8x4_e5m2_fnuz>(bits, input, r);
  }
}
__global__ void evaluate_all(unsigned type, const Input *inputs, Result *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  evaluate(type, i, inputs[i], out[i]);
}

bool equal(double x, double expected) {
  return std::isnan(expected) ? std::isnan(x) : x == expected && std::signbit(x) == std::signbit(expected);
}

bool right(const Format &format, unsigned bits, const Input &input, const Result &r) {
  const double value = format.value(bits);
  bool good = equal(r.value, value) && equal(r.value_double, value) && equal(r.by_half, value) &&
              equal(r.by_bfloat16, value) && equal(r.x2, value) && equal(r.x4, value);
  if (std::isnan(value))
    good &= r.integer == 0 && r.small == 0;
  else if (!std::isinf(value))
    good &= r.integer == static_cast<long long>(value) && r.small == int(std::trunc(std::fmax(-128, std::fmin(127, value))));
  good &= r.truth == (value != 0);
  for (int i = 0; i < count; ++i) {
    for (int s = 0; s < 2; ++s) {
      good &= format.same(r.from_double[i][s], format.bits(input.d[i], s));
      good &= format.same(r.from_float[i][s], format.bits(double(input.f[i]), s));
      good &= format.same(r.from_half[i][s], format.bits(double(float(__half(input.f[i]))), s));
    }
    good &= format.same(r.from_bfloat16[i], format.bits(double(float(__hip_bfloat16(input.f[i]))), true));
    good &= format.same(r.constructed[i], format.bits(input.d[i], true));
    good &= format.same(r.from_integer[i], format.bits(int(bits) * (i + 1) - 300, true));
  }
  return good;
}

template <class T2, class T4> __host__ __device__ bool packed() {
  const T2 two(make_float2(1, -2)), by_half(__half2(1, -2)), by_bfloat16(__hip_bfloat162(1, -2)), by_double(make_double2(1, -2));
  const T4 four(make_float4(1, -2, 4, 0.5f)), four_half(__half2(1, -2), __half2(4, 0.5f)),
      four_bfloat16(__hip_bfloat162(1, -2), __hip_bfloat162(4, 0.5f)), four_double(make_double4(1, -2, 4, 0.5));
  const float2 a = two;
  const __half2 h = two;
  const float4 b = four;
  return a.x == 1 && a.y == -2 && __low2float(h) == 1 && __high2float(h) == -2 && b.x == 1 && b.y == -2 && b.z == 4 && b.w == 0.5f &&
         by_half.__x == two.__x && by_bfloat16.__x == two.__x && by_double.__x == two.__x && four_half.__x == four.__x &&
         four_bfloat16.__x == four.__x && four_double.__x == four.__x && (four.__x & 0xffff) == two.__x;
}
__host__ __device__ bool all_packed() {
  return packed<__hip_fp8x2_e4m3, __hip_fp8x4_e4m3>() && packed<__hip_fp8x2_e5m2, __hip_fp8x4_e5m2>() &&
         packed<__hip_fp8x2_e4m3_fnuz, __hip_fp8x4_e4m3_fnuz>() && packed<__hip_fp8x2_e5m2_fnuz, __hip_fp8x4_e5m2_fnuz>();
}
__global__ void packed_on_device(bool *out) { *out = all_packed(); }

int main() {
  Array<Input> inputs(256);
  Array<Result> results(256);
  for (unsigned type = 0; type < 4; ++type) {
    for (unsigned i = 0; i < 256; ++i)
      inputs[i] = input_of(formats[type], i);
    evaluate_all<<<4, 64>>>(type, inputs.get(), results.get());
    wait();
    int wrong_host = 0, wrong_device = 0;
    for (unsigned i = 0; i < 256; ++i) {
      Result host;
      evaluate(type, i, inputs[i], host);
      if (!right(formats[type], i, inputs[i], host) && wrong_host++ < 5)
        std::printf("type %u: %02x is wrong on the host\n", type, i);
      wrong_device += !right(formats[type], i, inputs[i], results[i]);
    }
    CHECK(wrong_host == 0);
    CHECK(wrong_device == 0);
  }
  CHECK(all_packed());
  Array<bool> good(1);
  packed_on_device<<<1, 1>>>(good.get());
  wait();
  CHECK(good[0]);
  return result();
}
