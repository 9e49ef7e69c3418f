// Kernels for ZE_CPU_CHECK: ways to touch memory, right and wrong ones.

kernel void read_at(global const int *memory, long index, global int *out) {
  if (get_global_id(0) == get_global_size(0) - 1)
    *out = memory[index];
}

kernel void write_at(global int *memory, long index) {
  if (get_global_id(0) == get_global_size(0) - 1)
    memory[index] = 5;
}

kernel void add_at(global int *memory, long index) {
  atomic_fetch_add((volatile global atomic_int *)(memory + index), 1);
}

kernel void write_after_barrier(global int *memory, long index) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 3)
    memory[index] = 5;
}

kernel void write_local(local int *scratch, long index, global int *out) {
  scratch[get_local_id(0)] = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    scratch[index] = 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(0)] = scratch[get_local_id(0)];
}

constant int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
global int counters[4];

struct Weights {
  int values[6];
};

// Everything that a kernel may touch.
kernel void all_kinds(global int *out, global int *counter_copy, struct Weights weights, int turn) {
  local int shared[64];
  int mine[8];
  const int lane = get_local_id(0);
  for (int i = 0; i < 8; ++i)
    mine[i] = squares[(i + turn) & 7] + weights.values[(i * turn) % 6];
  shared[lane] = mine[(lane + turn) & 7];
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add((volatile global atomic_int *)&counters[lane & 3], 1);
  *(counter_copy + (lane & 3)) = squares[turn & 7];
  out[get_global_id(0)] = shared[(lane + 1) & 63] + mine[lane & 7];
}

kernel void read_counters(global int *out, global const int *counters_by_address) {
  out[get_global_id(0)] = counters[get_global_id(0)] - counters_by_address[get_global_id(0)];
}
