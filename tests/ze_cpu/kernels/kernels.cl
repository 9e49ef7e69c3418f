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

// Counts in all of `values`, again and again and at least once, until the host says so. Then `rounds` says how often it was.
kernel void count_until_told(volatile global int *values, int count, volatile global int *flag, volatile global int *rounds) {
  int round = 0;
  do {
    for (int i = 0; i < count; ++i)
      values[i] += 1;
    *rounds = ++round;
  } while (*flag == 0);
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

// Each work-item: a division by zero, a sum that is rounded, a product that is a denormal, a denormal that is read, and
// what the compiler may compute itself.
kernel void arithmetic(global float *out, float one, float zero, float smallest, float denormal, int rounds) {
  float value = one;
  for (int i = 0; i < rounds; ++i)
    value = sqrt(value);
  global float *mine = out + 5 * get_global_id(0);
  mine[0] = value / zero;
  mine[1] = value + 0x1p-30f;
  mine[2] = value * smallest * 0.5f;
  mine[3] = value * denormal * 0x1p+40f;
  mine[4] = sin(0.1f) + 0x1p-30f;
}

// Where the last argument is, for the host to look at: the compiler trusts that it is aligned.
kernel void aligned_locals(global ulong *out, local char *first, local double16 *second) {
  second[get_local_id(0)] = (double16)(first[0] = get_local_id(0));
  out[2 * get_global_id(0)] = (ulong)second;
  out[2 * get_global_id(0) + 1] = second[get_local_id(0)].s7;
}
