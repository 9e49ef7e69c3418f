// Kernels that need nothing, and one for each thing that a device may lack.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void plain(global uint *out, uint value) { out[get_global_id(0)] = value + get_global_id(0); }

// The first number is an address, to which the second goes.
kernel void follow(global ulong *from) { *(global ulong *)from[0] = from[1]; }

global uint counter = 7;
kernel void variable(global uint *out) { *out = ++counter; }

kernel void local_memory(global uint *out, local uint *scratch) {
  const uint item = get_local_id(0), last = get_local_size(0) - 1;
  scratch[item] = item;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = scratch[last - item];
}

kernel void doubles(global uint *out) { *out = (uint)(*out / 3.0 * 3e9); }

kernel void halves(global uint *out) { *out = (uint)((half)*out * (half)2); }

kernel void long_atomics(global ulong *out) {
  __opencl_atomic_fetch_add((global atomic_ulong *)out, 1ul << 40, memory_order_relaxed, memory_scope_device);
}

kernel void float_atomics(global float *out) {
  __opencl_atomic_fetch_add((global atomic_float *)out, 1.5f, memory_order_relaxed, memory_scope_device);
}

static __attribute__((noinline)) void increment(uint *value) { ++*value; }

kernel void generic_pointers(global uint *out) {
  uint own = *out;
  increment(&own);
  increment(out);
  *out += own;
}

kernel void sub_groups(global uint *out) { *out = sub_group_reduce_add(1u); }

struct Large {
  ulong numbers[16];
};

kernel void large_parameter(struct Large large, global ulong *out) {
  ulong sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += large.numbers[i];
  *out = sum;
}
