// Kernels that write whole lines of memory once, and kernels that do not.

kernel void add(global const float *a, global const float *b, global float *out) {
  const size_t i = get_global_id(0);
  out[i] = a[i] + b[i];
}

kernel void cosines(global const float *in, global float *out) {
  const size_t i = get_global_id(0);
  out[i] = cos(in[i]);
}

kernel void widen(global const uchar *in, global ulong *out) {
  const size_t i = get_global_id(0);
  out[i] = in[i];
}

kernel void narrow(global const uint *in, global uchar *out) {
  const size_t i = get_global_id(0);
  out[i] = in[i];
}

kernel void split(global const int *in, global int *sum, global int *difference) {
  const size_t i = get_global_id(0);
  sum[i] = in[i] + 7;
  difference[i] = in[i] - 7;
}

kernel void rows(global const int *in, global int *out) {
  const size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[i] = 3 * in[i] + (int)get_global_id(1);
}

kernel void guarded(global const float *a, global float *out, int count) {
  const int i = get_global_id(0);
  if (i < count)
    out[i] = -a[i];
}

// One array whole, and one to its end.
kernel void partly_guarded(global const int *in, global int *out, global int *part, int count) {
  const int i = get_global_id(0);
  out[i] = i;
  if (i < count)
    part[i] = in[i] - i;
}

kernel void signal_too(global const int *in, global int *out, global atomic_int *done) {
  const size_t i = get_global_id(0);
  out[i] = in[i];
  atomic_fetch_add(done, 1);
}

kernel void in_place(global int *out) {
  const size_t i = get_global_id(0);
  out[i] = out[i] + 1;
}

kernel void every_second(global const int *in, global int *out) {
  const size_t i = get_global_id(0);
  out[2 * i] = in[i];
}

kernel void backwards(global const int *in, global int *out) {
  const size_t i = get_global_id(0);
  out[get_global_size(0) - 1 - i] = in[i];
}

kernel void again_and_again(global const int *in, global int *out, int times) {
  const size_t i = get_global_id(0);
  for (int t = 0; t < times; ++t)
    ((volatile global int *)out)[i] = in[i] + t;
}

kernel void some(global const int *in, global int *out) {
  const size_t i = get_global_id(0);
  if (in[i] & 1)
    out[i] = in[i];
}

kernel void five(global const int *in, global int *a, global int *b, global int *c, global int *d,
                 global int *e) {
  const size_t i = get_global_id(0);
  a[i] = in[i] + 1;
  b[i] = in[i] + 2;
  c[i] = in[i] + 3;
  d[i] = in[i] + 4;
  e[i] = in[i] + 5;
}

kernel void by_local(global const int *in, global int *out, local int *between) {
  const size_t i = get_local_id(0);
  between[i] = in[get_global_id(0)];
  if (in[0] == -1)
    out[get_global_id(0)] = between[i];
}

// Elements that lie apart.
kernel void look_up(global const int *places, global const float *table, global float *out) {
  const size_t i = get_global_id(0);
  out[i] = table[places[i]];
}
