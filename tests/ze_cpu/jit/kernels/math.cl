#define FUNCTIONS(T)                                                                               \
  kernel void unary_##T(global const T *in, global T *out, uint n) {                               \
    uint i = get_global_id(0);                                                                     \
    T x = in[i];                                                                                   \
    out[0 * n + i] = exp(x);                                                                       \
    out[1 * n + i] = exp2(x);                                                                      \
    out[2 * n + i] = exp10(x);                                                                     \
    out[3 * n + i] = expm1(x);                                                                     \
    out[4 * n + i] = log(x);                                                                       \
    out[5 * n + i] = log2(x);                                                                      \
    out[6 * n + i] = log10(x);                                                                     \
    out[7 * n + i] = log1p(x);                                                                     \
    out[8 * n + i] = sin(x);                                                                       \
    out[9 * n + i] = cos(x);                                                                       \
    out[10 * n + i] = tan(x);                                                                      \
    out[11 * n + i] = asin(x);                                                                     \
    out[12 * n + i] = acos(x);                                                                     \
    out[13 * n + i] = atan(x);                                                                     \
    out[14 * n + i] = sinh(x);                                                                     \
    out[15 * n + i] = cosh(x);                                                                     \
    out[16 * n + i] = tanh(x);                                                                     \
    out[17 * n + i] = asinh(x);                                                                    \
    out[18 * n + i] = acosh(x);                                                                    \
    out[19 * n + i] = atanh(x);                                                                    \
    out[20 * n + i] = cbrt(x);                                                                     \
    out[21 * n + i] = sqrt(x);                                                                     \
    out[22 * n + i] = rsqrt(x);                                                                    \
    out[23 * n + i] = erf(x);                                                                      \
    out[24 * n + i] = erfc(x);                                                                     \
    out[25 * n + i] = tgamma(x);                                                                   \
    out[26 * n + i] = sinpi(x);                                                                    \
    out[27 * n + i] = cospi(x);                                                                    \
    out[28 * n + i] = tanpi(x);                                                                    \
    out[29 * n + i] = asinpi(x);                                                                   \
    out[30 * n + i] = acospi(x);                                                                   \
    out[31 * n + i] = atanpi(x);                                                                   \
    out[32 * n + i] = ceil(x);                                                                     \
    out[33 * n + i] = floor(x);                                                                    \
    out[34 * n + i] = trunc(x);                                                                    \
    out[35 * n + i] = round(x);                                                                    \
    out[36 * n + i] = rint(x);                                                                     \
    out[37 * n + i] = fabs(x);                                                                     \
    out[38 * n + i] = sign(x);                                                                     \
    out[39 * n + i] = logb(x);                                                                     \
  }                                                                                                \
  kernel void binary_##T(global const T *a, global const T *b, global T *out, uint n) {            \
    uint i = get_global_id(0);                                                                     \
    T x = a[i], y = b[i];                                                                          \
    out[0 * n + i] = pow(x, y);                                                                    \
    out[1 * n + i] = powr(x, y);                                                                   \
    out[2 * n + i] = atan2(x, y);                                                                  \
    out[3 * n + i] = atan2pi(x, y);                                                                \
    out[4 * n + i] = fmod(x, y);                                                                   \
    out[5 * n + i] = remainder(x, y);                                                              \
    out[6 * n + i] = hypot(x, y);                                                                  \
    out[7 * n + i] = fdim(x, y);                                                                   \
    out[8 * n + i] = fmax(x, y);                                                                   \
    out[9 * n + i] = fmin(x, y);                                                                   \
    out[10 * n + i] = maxmag(x, y);                                                                \
    out[11 * n + i] = minmag(x, y);                                                                \
    out[12 * n + i] = nextafter(x, y);                                                             \
    out[13 * n + i] = copysign(x, y);                                                              \
    out[14 * n + i] = pown(x, (int)(i % 21) - 10);                                                 \
    out[15 * n + i] = rootn(x, (int)(i % 15) - 7);                                                 \
    out[16 * n + i] = ldexp(x, (int)(i % 41) - 20);                                                \
    out[17 * n + i] = x / y;                                                                       \
  }
FUNCTIONS(float)
FUNCTIONS(double)

kernel void with_pointers(global const float *in, global float *out, global int *ints) {
  uint i = get_global_id(0);
  float x = in[i], whole, cosine, part;
  int exponent, quotient, sign;
  global float *o = out + i * 8;
  o[0] = fract(x, &whole);
  o[1] = whole;
  o[2] = sincos(x, &cosine);
  o[3] = cosine;
  o[4] = modf(x, &part);
  o[5] = part;
  o[6] = frexp(x, &exponent);
  o[7] = remquo(x, 0.7f, &quotient);
  ints[i * 3] = exponent;
  ints[i * 3 + 1] = quotient & 7;
  ints[i * 3 + 2] = ilogb(x);
}

kernel void vectors(global const float4 *in, global float4 *out, global float *scalars) {
  uint i = get_global_id(0);
  float4 v = in[i], c;
  out[i * 5] = exp(v);
  out[i * 5 + 1] = pow(v, (float4)(2, 3, 0.5f, 1));
  out[i * 5 + 2] = sincos(v, &c) + c;
  out[i * 5 + 3] = normalize(v);
  out[i * 5 + 4] = mix(v, v.wzyx, 0.25f);
  scalars[i * 4] = dot(v, v);
  scalars[i * 4 + 1] = length(v);
  scalars[i * 4 + 2] = distance(v, v.yzwx);
  scalars[i * 4 + 3] = cross(v, v.yzwx).z;
}

kernel void common(global const float *in, global float *out) {
  uint i = get_global_id(0);
  float x = in[i];
  global float *o = out + i * 7;
  o[0] = clamp(x, -0.5f, 0.5f);
  o[1] = degrees(x);
  o[2] = radians(x);
  o[3] = step(0.25f, x);
  o[4] = smoothstep(-1.0f, 1.0f, x);
  o[5] = native_sin(x) + half_cos(x) + native_divide(x, 3.0f) + native_rsqrt(fabs(x) + 1);
  o[6] = mad(x, 2.0f, 1.0f) + fma(x, x, x);
}

kernel void classify(global const float *in, global int *out) {
  uint i = get_global_id(0);
  float x = in[i];
  out[i] = isnan(x) | isinf(x) << 1 | isfinite(x) << 2 | isnormal(x) << 3 | (signbit(x) != 0) << 4 |
           islessgreater(x, 1.0f) << 5 | isordered(x, 1.0f) << 6 | isunordered(x, 1.0f) << 7;
}

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_precision(global const half *in, global half *out) {
  uint i = get_global_id(0);
  half x = in[i];
  out[i * 4] = exp(x);
  out[i * 4 + 1] = sqrt(x);
  out[i * 4 + 2] = x * x + x;
  out[i * 4 + 3] = fmax(x, (half)1);
}
