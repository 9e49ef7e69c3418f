#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define G(T) volatile global atomic_##T *
#define SPIRV __attribute__((overloadable))

// (pointer, scope, semantics, value)
int SPIRV __spirv_AtomicSMin(global int *, int, int, int);
int SPIRV __spirv_AtomicSMax(global int *, int, int, int);
uint SPIRV __spirv_AtomicUMin(global uint *, int, int, uint);
uint SPIRV __spirv_AtomicUMax(global uint *, int, int, uint);
long SPIRV __spirv_AtomicSMin(global long *, int, int, long);
long SPIRV __spirv_AtomicSMax(global long *, int, int, long);
uint SPIRV __spirv_AtomicIAdd(local uint *, int, int, uint);
uint SPIRV __spirv_AtomicIAdd(global uint *, int, int, uint);
float SPIRV __spirv_AtomicFAddEXT(global float *, int, int, float);
double SPIRV __spirv_AtomicFAddEXT(global double *, int, int, double);
float SPIRV __spirv_AtomicFMinEXT(global float *, int, int, float);
float SPIRV __spirv_AtomicFMaxEXT(global float *, int, int, float);
float SPIRV __spirv_AtomicFAddEXT(local float *, int, int, float);
#define HALF_ATOMICS(space)                                                                        \
  half SPIRV __spirv_AtomicLoad(space half *, int, int);                                           \
  void SPIRV __spirv_AtomicStore(space half *, int, int, half);                                    \
  half SPIRV __spirv_AtomicExchange(space half *, int, int, half);                                 \
  half SPIRV __spirv_AtomicFAddEXT(space half *, int, int, half);                                  \
  half SPIRV __spirv_AtomicFMinEXT(space half *, int, int, half);                                  \
  half SPIRV __spirv_AtomicFMaxEXT(space half *, int, int, half);
HALF_ATOMICS(global)
HALF_ATOMICS(local)
HALF_ATOMICS(generic)

kernel void all_int(global int *cells, global int *before) {
  int i = get_global_id(0);
  G(int) c = (G(int))cells;
  before[i] = atomic_fetch_add(c, 2);
  atomic_fetch_sub(c + 1, 3);
  __spirv_AtomicSMin(cells + 2, 1, 0, i);
  __spirv_AtomicSMax(cells + 3, 1, 0, i);
  atomic_fetch_and(c + 4, ~(1 << (i & 7)));
  atomic_fetch_or(c + 5, 1 << (i & 15));
  atomic_fetch_xor(c + 6, i);
  __spirv_AtomicUMin((global uint *)cells + 7, 1, 0, (uint)(i + 5));
  __spirv_AtomicUMax((global uint *)cells + 8, 1, 0, (uint)(i - 5));
}

kernel void all_long(global long *cells) {
  long i = get_global_id(0);
  G(long) c = (G(long))cells;
  atomic_fetch_add(c, i << 33);
  atomic_fetch_sub(c + 1, i);
  __spirv_AtomicSMin(cells + 2, 1, 0, -i);
  __spirv_AtomicSMax(cells + 3, 1, 0, i << 40);
  atomic_fetch_or((G(ulong))(c + 4), 1ul << (i & 63));
  atomic_exchange(c + 5, i);
}

// Every work-item increments by compare and exchange.
kernel void compare_exchange(global int *cell, global int *rounds) {
  G(int) c = (G(int))cell;
  int expected = atomic_load_explicit(c, memory_order_relaxed, memory_scope_device);
  int tries = 1;
  while (!atomic_compare_exchange_strong_explicit(c, &expected, expected + 1, memory_order_acq_rel,
                                                  memory_order_acquire, memory_scope_device))
    ++tries;
  rounds[get_global_id(0)] = tries;
}

kernel void orders(global int *cells, global int *out) {
  int i = get_global_id(0);
  G(int) c = (G(int))cells;
  atomic_store_explicit(c + i, i, memory_order_release, memory_scope_device);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_all_svm_devices);
  out[i] = atomic_load_explicit(c + i, memory_order_acquire, memory_scope_work_group) +
           atomic_fetch_add_explicit(c + i, 1, memory_order_relaxed, memory_scope_work_item) +
           atomic_exchange_explicit(c + i, 7, memory_order_seq_cst, memory_scope_sub_group);
}

kernel void spin_lock(volatile global atomic_flag *lock, global int *sum) {
  bool done = false;
  while (!done) {
    if (!atomic_flag_test_and_set_explicit(lock, memory_order_acquire, memory_scope_device)) {
      *sum += 1;
      atomic_flag_clear_explicit(lock, memory_order_release, memory_scope_device);
      done = true;
    }
  }
}

kernel void floats(global float *cells, global double *wide) {
  float i = get_global_id(0);
  __spirv_AtomicFAddEXT(cells, 1, 0x8, 1.5f);
  __spirv_AtomicFMinEXT(cells + 1, 1, 0, -i);
  __spirv_AtomicFMaxEXT(cells + 2, 1, 0x10, i);
  __spirv_AtomicFAddEXT(wide, 0, 0, 0.25);
}

kernel void local_histogram(global const uint *in, global uint *out) {
  local uint bins[16];
  local float total;
  uint i = get_local_id(0);
  if (i < 16)
    bins[i] = 0;
  if (i == 0)
    total = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  __spirv_AtomicIAdd(&bins[in[get_global_id(0)] & 15], 2, 0, 1);
  __spirv_AtomicFAddEXT(&total, 2, 0, 1.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 16)
    __spirv_AtomicIAdd(&out[i], 1, 0, bins[i]);
  if (i == 16)
    __spirv_AtomicIAdd(&out[16], 1, 0, (uint)total);
}

// No barrier: still one group's updates of its own memory must not be taken apart by a vectoriser.
kernel void local_count_without_barrier(global uint *out, local uint *counter) {
  if (get_local_id(0) == 0)
    *counter = 0;
  __spirv_AtomicIAdd(counter, 2, 0, 1);
  if (get_local_id(0) == get_local_size(0) - 1)
    out[get_group_id(0)] = *counter;
}

// All update neighbours in the same words. The sums stay small, so that they are exact.
kernel void halves(global half *cells, global half *before) {
  const int i = get_global_id(0);
  const half once = (i & 63) == 0 ? 2 : 1;
  __spirv_AtomicFAddEXT(cells, 1, 0x8, once);
  __spirv_AtomicFAddEXT(cells + 1, 1, 0, -once);
  __spirv_AtomicFMinEXT(cells + 2, 1, 0, (half)-(i & 2047));
  __spirv_AtomicFMaxEXT(cells + 3, 1, 0x10, (half)(i & 2047));
  before[i] = __spirv_AtomicExchange(cells + 4, 1, 0, as_half((ushort)i));
  __spirv_AtomicFAddEXT((generic half *)cells, 1, 0x8, (half)-1);
  __spirv_AtomicFAddEXT((generic half *)cells + 1, 1, 0, (half)1);
  for (int k = 0; k < 16; ++k)
    __spirv_AtomicFAddEXT(cells + 5, 1, 0x10, (half)(k & 1 ? -0.25f : 0.25f));
}

kernel void halves_without_number(global half *cells) {
  __spirv_AtomicFMinEXT(cells, 1, 0, (half)3);
  __spirv_AtomicFMaxEXT(cells + 1, 1, 0, (half)3);
  __spirv_AtomicFMinEXT(cells + 2, 1, 0, as_half((ushort)0x7e00));
  __spirv_AtomicFMaxEXT(cells + 3, 1, 0, as_half((ushort)0x7e00));
  __spirv_AtomicFAddEXT(cells + 4, 1, 0, (half)3);
}

// What lies between is the neighbours' and changes at the same time.
kernel void half_orders(global half *cells, global half *out) {
  const int i = get_global_id(0);
  __spirv_AtomicStore(cells + i, 1, 0x4, (half)i);
  out[i] = __spirv_AtomicLoad(cells + i, 2, 0x2);
  __spirv_AtomicStore((generic half *)cells + i, 1, 0x10, as_half((ushort)(i + 1)));
  out[i] += as_ushort(__spirv_AtomicLoad((generic half *)cells + i, 1, 0x10));
}

kernel void local_halves(global half *out, global half *before) {
  local half cells[6];
  const int i = get_local_id(0);
  if (i < 6)
    __spirv_AtomicStore(cells + i, 2, 0, (half)0);
  barrier(CLK_LOCAL_MEM_FENCE);
  __spirv_AtomicFAddEXT(cells, 2, 0, (half)1);
  __spirv_AtomicFAddEXT((generic half *)cells + 1, 2, 0, (half)-0.5);
  __spirv_AtomicFMinEXT(cells + 2, 2, 0, (half)-i);
  __spirv_AtomicFMaxEXT(cells + 3, 2, 0, (half)i);
  before[get_global_id(0)] = __spirv_AtomicExchange(cells + 4, 2, 0, as_half((ushort)(i + 1)));
  __spirv_AtomicFAddEXT(cells + 5, 2, 0, (half)0.25);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 6)
    out[6 * get_group_id(0) + i] = __spirv_AtomicLoad(cells + i, 2, 0);
}
