typedef struct {
  int a;
  float b[3];
  long c;
} Small;
typedef struct {
  int values[1000];
} Large;

global int counter = 5;
global int table[4] = {10, 20, 30, 40};
global int third = 30;
global int *global indirect = &third;
static global int hidden;
constant int fixed[4] = {1, 2, 3, 4};

// Indices of several widths, of which the narrow ones wrap.
kernel void masked_indices(global const uint *in, global uint *out) {
  uint i = get_local_id(0);
  out[i] = in[i & 255] + in[i & 3] * 1000;
}

kernel void by_value(global long *out, Small s, float4 v, char c) {
  size_t i = get_global_id(0);
  s.a += (int)i; // a copy of its own
  s.b[i % 3] = 100;
  out[i] = s.a + (long)(s.b[0] + s.b[1] + s.b[2]) + s.c + (long)v.w + c;
}

kernel void large_by_value(global int *out, Large l, int n) {
  int i = get_global_id(0);
  out[i] = l.values[(i * 7) % n] + l.values[n - 1];
}

kernel void globals(global int *out) {
  int i = get_global_id(0);
  atomic_fetch_add((volatile global atomic_int *)&counter, 1);
  if (i == 0) {
    out[0] = *indirect;
    out[1] = table[1] + fixed[3];
    hidden += 3;
    out[2] = hidden;
    *indirect = 77;
  }
}

kernel void globals_again(global int *out) {
  out[0] = counter;
  out[1] = third;
  out[2] = hidden;
}

kernel void generic_pointers(global int *g, int which) {
  local int l[2];
  int p[2] = {3, 4};
  if (get_local_id(0) == 0) {
    l[0] = 1;
    l[1] = 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int *any = which == 0 ? (int *)g : which == 1 ? (int *)l : (int *)p;
  g[2 + get_local_id(0)] = any[1] + any[0];
}

global int *__attribute__((overloadable)) __spirv_GenericCastToPtrExplicit_ToGlobal(int *, int);
local int *__attribute__((overloadable)) __spirv_GenericCastToPtrExplicit_ToLocal(int *, int);
private
int *__attribute__((overloadable)) __spirv_GenericCastToPtrExplicit_ToPrivate(int *, int);
kernel void pointer_kinds(global int *g) {
  local int l[1];
  int p[1];
  volatile int zero = 0;
  int *pointers[3] = {(int *)g, (int *)l, (int *)p};
  *pointers[zero + 1] = 1;
  *pointers[zero + 2] = 2;
  for (int i = 0; i < 3; ++i) {
    int *q = pointers[i + zero];
    g[i * 3] = __spirv_GenericCastToPtrExplicit_ToGlobal(q, 5) != 0;
    g[i * 3 + 1] = __spirv_GenericCastToPtrExplicit_ToLocal(q, 4) != 0;
    g[i * 3 + 2] = __spirv_GenericCastToPtrExplicit_ToPrivate(q, 7) != 0;
  }
  g[9] = p[0] + l[0];
}

// A private array that the compiler cannot put into registers, in a kernel without barriers.
kernel void private_scratch(global int *out, int n) {
  int i = get_global_id(0);
  int scratch[32];
  for (int j = 0; j < n; ++j)
    scratch[(j * 5 + i) & 31] = i + j;
  int sum = 0;
  for (int j = 0; j < n; ++j)
    sum += scratch[(j * 3 + i) & 31];
  out[i] = sum;
}

// The address of private memory goes through a pointer that could be global as well.
kernel void private_or_global(global int *in, global int *out) {
  int i = get_global_id(0);
  int mine[2] = {i, 2 * i};
  int *p = (in[i] & 1) ? (int *)in : mine;
  p[1] += 1;
  out[i] = p[1];
}

kernel void large_private(global int *out, int n) {
  int big[65536];
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j)
    big[(j * 17) & 65535] = j ^ i;
  int sum = 0;
  for (int j = 0; j < n; ++j)
    sum += big[(j * 17) & 65535];
  out[i] = sum;
}

kernel void divide(global const int *a, global const int *b, global int *out) {
  int i = get_global_id(0);
  out[i * 4] = a[i] / b[i];
  out[i * 4 + 1] = a[i] % b[i];
  out[i * 4 + 2] = (int)((uint)a[i] / (uint)b[i]);
  out[i * 4 + 3] = (int)((long)a[i] / (long)b[i]);
}

kernel void bad_write(global int *p, ulong offset) { p[offset + get_global_id(0)] = 1; }

kernel void bad_write_of_vector(global int4 *p, int value) { *p = value; }

kernel void bad_write_after_barrier(global int *p, ulong offset) {
  local int x;
  if (get_local_id(0) == 0)
    x = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 5)
    p[offset] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Only the last group writes where nothing is.
kernel void bad_last_group(global int *ok, ulong offset) {
  uint spin = 0;
  for (volatile int i = 0; i < 2000; ++i)
    ++spin;
  ok[get_global_id(0)] = spin;
  if (get_group_id(0) == get_num_groups(0) - 1)
    ok[offset] = 1;
}

kernel void vload_vstore(global float *f, global half *h, global int *out) {
  float3 v = vload3(1, f);
  vstore3(v * 2, 2, f);
  vstore_half(1.0009f, 0, h);
  vstore_half_rtp(1.0009f, 1, h);
  vstore_half_rtn(1.0009f, 2, h);
  vstore_half_rtz(-1.0009f, 3, h);
  out[0] = (int)(vload_half(0, h) * 1000000);
  float4 q = vload_half4(0, h);
  out[1] = (int)(q.y * 1000000);
  out[2] = (int)(q.z * 1000000);
  out[3] = (int)(q.w * 1000000);
}

// Places that lie side by side as long as no bit above those that count the lanes changes.
kernel void masked_loads(global const int *in, global int *out, uint mask, uint from) {
  const uint i = get_global_id(0);
  out[i] = in[(i + from) & mask];
}
kernel void masked_stores(global int *out, uint mask, uint from) {
  const uint i = get_global_id(0);
  if (((i + from) & ~mask) == 0)
    out[(i + from) & mask] = i + 1;
}
kernel void crossed(global const long *in, global long *out, int distance, int other) {
  const int i = get_global_id(0);
  out[i ^ distance] = in[i ^ other];
}
kernel void masked_negative(global const int *in, global int *out, int mask, int from, int center) {
  const int i = get_global_id(0);
  out[i] = in[center + ((i + from) & mask)];
}
kernel void clamped(global const int *in, global int *out, int from, int last, int count) {
  const int i = get_global_id(0);
  if (i < count)
    out[i] = in[clamp(i + from, 0, last)] + 2 * in[(i + count) % (last + 1)];
}

// Work-items that each have a structure of four, and access one part of it whose number only execution knows.
kernel void read_own_part(global int *all, int part) {
  const int i = get_global_id(0);
  global int *own = all + 4 * i;
  own[0] = i;
  own[1] = i + 100;
  const int found = own[part];
  own[2] = found + 1;
  own[3] = found + 2;
}
kernel void write_own_part(global int *all, int part) {
  const int i = get_global_id(0);
  global int *own = all + 4 * i;
  const int first = own[0];
  own[part] = 7 * i;
  own[3] = first + own[1] + own[2];
}
// In place where both are the same.
kernel void rotate(global const int *in, global int *out) {
  const int i = get_global_id(0);
  out[2 * i] = 3 * in[2 * i] - in[2 * i + 1];
  out[2 * i + 1] = in[2 * i] + 3 * in[2 * i + 1];
}
kernel void swap_own_part(global int *out, int part) {
  const int i = get_global_id(0);
  int own[4];
  for (int k = 0; k < 4; ++k)
    own[k] = i + 100 * k;
  const int first = own[0];
  own[0] = own[part];
  own[part] = first;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; ++k)
    out[4 * i + k] = own[k];
}
// Parts of a variable that overlap.
kernel void overlapping_parts(global int *out) {
  const int i = get_global_id(0);
  union { uint whole[2]; ushort part[4]; } own;
  own.part[0] = (ushort)i;
  own.part[1] = 1;
  const uint before = own.whole[0];
  own.part[2] = 2;
  own.part[3] = (ushort)(i + 3);
  own.part[1] = (ushort)(before >> 16) + own.part[2];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * i] = (int)own.whole[0];
  out[2 * i + 1] = (int)own.whole[1];
}
