// Kernels of the driver's tests: one for each kind of argument and each thing that a launch passes on.

kernel void empty(void) {}

kernel void scale(global float *data, float factor, uint count) {
  const size_t i = get_global_id(0);
  if (i < count)
    data[i] *= factor;
}

struct Pair {
  int small;
  long large;
};

kernel void add_pair(global long *out, struct Pair pair) { *out = pair.small + pair.large; }

kernel void group_sum(global const int *in, global int *out, local int *scratch) {
  const size_t lane = get_local_id(0);
  scratch[lane] = in[get_global_id(0)];
  for (size_t width = get_local_size(0) / 2; width != 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < width)
      scratch[lane] += scratch[lane + width];
  }
  if (lane == 0)
    out[get_group_id(0)] = scratch[0];
}

kernel void two_locals(global int *out, local int *first, local long *second) {
  const int lane = get_local_id(0);
  first[lane] = lane;
  second[lane] = 100 + lane;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int other = get_local_size(0) - 1 - lane;
  out[get_global_id(0)] = first[other] * 1000 + (int)second[other];
}

// Each work-item writes its coordinates at its linear index in the grid, global offset not counted.
kernel void coordinates(global uint *out) {
  const size_t nx = get_global_size(0), ny = get_global_size(1);
  const size_t x = get_global_id(0) - get_global_offset(0);
  const size_t y = get_global_id(1) - get_global_offset(1);
  const size_t z = get_global_id(2) - get_global_offset(2);
  global uint *at = out + 3 * (x + nx * (y + ny * z));
  at[0] = get_global_id(0);
  at[1] = get_global_id(1);
  at[2] = get_global_id(2);
}

kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed_group(global uint *out) {
  if (get_global_id(0) == 0 && get_global_id(1) == 0)
    *out = get_local_size(0) * 100 + get_local_size(1);
}

kernel __attribute__((intel_reqd_sub_group_size(16))) void sub_groups_of_16(global uint *out) {
  *out = get_max_sub_group_size();
}

kernel void increment(global int *value) { *value += 1; }

kernel void store(global int *target, int value) { *target = value; }

// For watching a list that is busy: ends when the host says so.
kernel void wait_for_flag(volatile global int *flag) {
  while (*flag == 0)
    ;
}

global int program_value = 7;

kernel void read_program_value(global int *out) { *out = program_value; }

void __attribute__((overloadable, convergent)) __spirv_ControlBarrier(int, int, int);

// Turns the values around, in place: all are read before any is written.
kernel void reverse_in_place(global int *values) {
  size_t i = get_global_id(0), n = get_global_size(0);
  int mirrored = values[n - 1 - i];
  __spirv_ControlBarrier(1, 1, 0x210); // device, device, sequentially consistent, global memory
  values[i] = mirrored;
}
