#define INTEGERS(T, U, W)                                                                          \
  kernel void integers_##T(global const T *a, global const T *b, global T *out) {                  \
    uint i = get_global_id(0);                                                                     \
    T x = a[i], y = b[i];                                                                          \
    global T *o = out + i * 20;                                                                    \
    o[0] = (T)abs(x);                                                                              \
    o[1] = (T)abs_diff(x, y);                                                                      \
    o[2] = add_sat(x, y);                                                                          \
    o[3] = sub_sat(x, y);                                                                          \
    o[4] = hadd(x, y);                                                                             \
    o[5] = rhadd(x, y);                                                                            \
    o[6] = clz(x);                                                                                 \
    o[7] = ctz(x);                                                                                 \
    o[8] = popcount(x);                                                                            \
    o[9] = rotate(x, y);                                                                           \
    o[10] = mul_hi(x, y);                                                                          \
    o[11] = mad_sat(x, y, x);                                                                      \
    o[12] = min(x, y);                                                                             \
    o[13] = max(x, y);                                                                             \
    o[14] = clamp(x, (T)3, (T)90);                                                                 \
    o[15] = mad_hi(x, y, x);                                                                       \
    o[16] = bitselect(x, y, (T)0x55);                                                              \
    o[17] = select(x, y, (U)(i & 1));                                                              \
    o[18] = x / y;                                                                                 \
    o[19] = x % y;                                                                                 \
  }
INTEGERS(char, uchar, short)
INTEGERS(uchar, uchar, short)
INTEGERS(short, ushort, int)
INTEGERS(ushort, ushort, int)
INTEGERS(int, uint, long)
INTEGERS(uint, uint, long)
INTEGERS(long, ulong, long)
INTEGERS(ulong, ulong, long)

kernel void small(global const int *a, global const int *b, global int *out) {
  uint i = get_global_id(0);
  out[i * 4] = mul24(a[i], b[i]);
  out[i * 4 + 1] = (int)mul24((uint)a[i], (uint)b[i]);
  out[i * 4 + 2] = mad24(a[i], b[i], 7);
  out[i * 4 + 3] = upsample((short)a[i], (ushort)b[i]);
}

kernel void vector_integers(global const int4 *a, global int4 *out) {
  uint i = get_global_id(0);
  int4 v = a[i];
  out[i * 5] = popcount(v);
  out[i * 5 + 1] = select(v, -v, v > 0);
  out[i * 5 + 2] = shuffle(v, (uint4)(3, 2, 1, i & 3));
  out[i * 5 + 3] = shuffle2(v, -v, (uint4)(0, 4, i & 7, 7));
  out[i * 5 + 4] = clamp(v, -5, v.yxwz);
}

kernel void conversions(global const float *f, global const long *l, global int *out,
                        global float *floats) {
  uint i = get_global_id(0);
  float x = f[i];
  global int *o = out + i * 16;
  o[0] = convert_int_rte(x);
  o[1] = convert_int_rtz(x);
  o[2] = convert_int_rtp(x);
  o[3] = convert_int_rtn(x);
  o[4] = convert_char_sat(x);
  o[5] = convert_uchar_sat_rte(x);
  o[6] = convert_short_sat((ulong)l[i]);
  o[7] = convert_ushort_sat(l[i]);
  o[8] = convert_uchar_sat((char)l[i]);
  o[9] = convert_char_sat((uchar)l[i]);
  o[10] = (int)convert_uint_sat(x);
  int4 q = convert_int4_rtn((float4)(x, -x, x + 0.5f, 0));
  o[11] = q.y;
  floats[i * 6] = convert_float_rtz(l[i]);
  floats[i * 6 + 1] = convert_float_rtp(l[i]);
  floats[i * 6 + 2] = convert_float_rtn(l[i]);
  floats[i * 6 + 3] = convert_float_rte(l[i]);
  floats[i * 6 + 4] = convert_float_rtz((double)l[i] / 3);
  floats[i * 6 + 5] = convert_float_rtp((double)l[i] / 3);
}

// By a number that all share.
kernel void divide_by(global const int *in, global int *out, int divisor) {
  const int i = get_global_id(0), n = get_global_size(0);
  const uint from = in[i], by = divisor;
  out[i] = in[i] / divisor;
  out[n + i] = in[i] % divisor;
  out[2 * n + i] = from / by;
  out[3 * n + i] = from % by;
}

// What all divide, where only some come.
kernel void divide_where_needed(global const uint *table, global const uint *in, global uint *out,
                                uint a, uint b) {
  uint i = get_global_id(0);
  uint result = 0;
  if (in[i] < 13)
    result = table[a / b];
  out[i] = result;
}

// Who comes says that the divisor is not 0.
kernel void remainder_where_needed(global const uint *table, global const uint *in,
                                   global uint *out, uint a, uint b) {
  uint i = get_global_id(0);
  uint result = 0;
  if (in[i] < b)
    result = table[a % b];
  out[i] = result;
}
