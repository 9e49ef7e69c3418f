kernel void reverse(global int *data) {
  local int tile[256];
  size_t i = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * n;
  tile[i] = data[base + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[base + i] = tile[n - 1 - i];
}

kernel void reduce(global const uint *in, global uint *out, local uint *scratch) {
  size_t i = get_local_id(0), n = get_local_size(0);
  scratch[i] = in[get_global_id(0)];
  for (size_t step = n / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < step)
      scratch[i] += scratch[i + step];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0)
    out[get_group_id(0)] = scratch[0];
}

// Half of the work-items leave before the barrier.
kernel void early_return(global int *data, int limit) {
  local int shared;
  int i = get_local_id(0);
  if (i == 0)
    shared = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= limit)
    return;
  atomic_fetch_add((volatile local atomic_int *)&shared, 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  data[i] = shared;
}

kernel void matmul(global const float *a, global const float *b, global float *c, uint n) {
  local float ta[8][8], tb[8][8];
  uint x = get_local_id(0), y = get_local_id(1);
  uint col = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (uint k = 0; k < n; k += 8) {
    ta[y][x] = a[row * n + k + x];
    tb[y][x] = b[(k + y) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < 8; ++j)
      sum += ta[y][j] * tb[j][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}

kernel void private_array(global int *out) {
  int mine[16];
  local int other[128];
  int i = get_local_id(0);
  for (int j = 0; j < 16; ++j)
    mine[j] = i * 100 + j;
  other[i] = mine[i & 15];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = other[(i + 1) % get_local_size(0)];
  for (int j = 0; j < 16; ++j)
    sum += mine[(j + i) & 15];
  out[get_global_id(0)] = sum;
}

// Lane i reads what lane i - 1 wrote in the round before.
kernel void ring(global int *out, int rounds) {
  local int slots[2][64];
  int i = get_local_id(0), n = get_local_size(0);
  slots[0][i] = i;
  for (int r = 0; r < rounds; ++r) {
    barrier(CLK_LOCAL_MEM_FENCE);
    slots[(r + 1) & 1][i] = slots[r & 1][(i + n - 1) % n] + 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = slots[rounds & 1][i];
}

kernel void barrier_3d(global int *out) {
  local int sum;
  if (get_local_linear_id() == 0)
    sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add((volatile local atomic_int *)&sum,
                   (int)(get_local_id(0) + 10 * get_local_id(1) + 100 * get_local_id(2)));
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_linear_id()] = sum;
}

// Each branch leaves another value behind; a loop carries one that all work-items share.
kernel void ways_out(global uint *out, global const uint *in, uint n) {
  uint i = get_local_id(0), kept = in[i], other = 1, total = 0;
  for (uint round = 0; round < n; ++round) {
    barrier(CLK_LOCAL_MEM_FENCE);
    total += in[round];
    other = kept * round + work_group_reduce_add(i);
  }
  out[i] = other + total;
}

kernel void two_locals(global int *out, local int *first, local int *second, int n) {
  local int fixed[32];
  int i = get_local_id(0);
  fixed[i] = 1;
  first[i] = 10;
  for (int j = 0; j < n; ++j)
    second[i * n + j] = 100;
  barrier(CLK_LOCAL_MEM_FENCE);
  int next = (i + 1) % get_local_size(0);
  out[i] = fixed[next] + first[next] + second[next * n + n - 1];
}

kernel void group_collectives(global int *out, global const int *in) {
  int i = get_global_id(0);
  int v = in[i];
  out[i * 8] = work_group_reduce_add(v);
  out[i * 8 + 1] = work_group_reduce_max(v);
  out[i * 8 + 2] = work_group_scan_inclusive_add(v);
  out[i * 8 + 3] = work_group_scan_exclusive_min(v);
  out[i * 8 + 4] = work_group_broadcast(v, 3);
  out[i * 8 + 5] = work_group_any(v > 90);
  out[i * 8 + 6] = work_group_all(v > 90);
  out[i * 8 + 7] = (int)work_group_reduce_add((float)v);
}

// Each work-item adds what its neighbour at half the distance had before, as long as its sub-group has such;
// at the end takes what the one before it has. Nothing but its declaration says that memory is shared.
#define LOCK_STEP(name, qualifiers, between)                                                                          \
  kernel void name(global int *out, global const int *in, int n) {                                                    \
    local qualifiers int memory[256];                                                                                 \
    int i = get_local_id(0), lane = i % 32;                                                                           \
    memory[i] = in[get_global_id(0)];                                                                                 \
    between;                                                                                                          \
    for (int distance = n; distance > 0; distance /= 2) {                                                             \
      if (lane < distance)                                                                                            \
        memory[i] += memory[i + distance];                                                                            \
      between;                                                                                                        \
    }                                                                                                                 \
    memory[i] = lane ? memory[i - 1] : memory[i];                                                                     \
    between;                                                                                                          \
    out[get_global_id(0)] = memory[i];                                                                                \
  }
LOCK_STEP(lock_step_volatile, volatile, (void)0)
LOCK_STEP(lock_step_fences, ,
          atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group))

// As transposing in tiles does; there is no barrier either.
kernel void lock_step_alone(global int *out, global const int *in) {
  local int memory[256];
  int i = get_local_id(0), group = i / 32 * 32;
  memory[i] = in[get_global_id(0)];
  out[get_global_id(0)] = memory[group + (i * 5 + 3) % 32];
}

// Work-items of which some do nothing between two barriers: each of the others counts what it did, by its place in the row.
#define SOME(name, type, condition)                                                                                   \
  kernel void name(global int *out, type limit) {                                                                     \
    local int before[128];                                                                                            \
    type t = (type)get_local_id(0);                                                                                   \
    before[t] = 1;                                                                                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                     \
    if (condition)                                                                                                    \
      atomic_add(&out[get_group_id(0) * 128 + get_local_id(0)], before[t]);                                           \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                     \
  }
SOME(some_below, int, t < limit)
SOME(some_up_to, int, t <= limit)
SOME(some_not_from, int, !(t >= limit))
SOME(some_below_unsigned, uint, t < limit)
SOME(some_up_to_unsigned, uint, t <= limit)
SOME(some_up_to_long, long, t <= limit)
SOME(some_below_byte, int, (char)t < (char)limit)
SOME(some_above, int, t > limit)
SOME(some_below_5, int, t < 5 || limit == 77)
SOME(only_below_5, int, t < 5)
SOME(only_below_100, int, t < 100)
SOME(only_first, int, t == 0)

// By the number in the work-group, whatever rows that has.
kernel void some_of_all(global int *out, int limit) {
  int t = get_local_linear_id();
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < limit)
    out[get_group_id(0) * 128 + t] += 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < 5)
    out[get_group_id(0) * 128 + t] += 10;
}

// The same with a number that all share added, which may wrap around.
#define SOME_SUMS(name, type, condition)                                                                              \
  kernel void name(global int *out, type limit, type base) {                                                          \
    type t = (type)get_local_id(0);                                                                                   \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                     \
    if (condition)                                                                                                    \
      atomic_add(&out[get_group_id(0) * 128 + get_local_id(0)], 1);                                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                     \
  }
SOME_SUMS(some_sums, int, (int)((uint)t + (uint)base) < limit)
SOME_SUMS(some_sums_up_to, int, (int)((uint)base + (uint)t) <= limit)
SOME_SUMS(some_sums_long, long, (long)((ulong)t + (ulong)base) < limit)
SOME_SUMS(some_sums_unsigned, uint, t + base < limit)

// In each turn some have another value from then on, and the others keep theirs.
kernel void some_go_on(global int *out, int turns) {
  int t = get_local_id(0), a = t, b = 1;
  for (int k = 0; k < turns; ++k) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t + 7 * k < 3 * turns)
      a += k * b;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < k)
      b += a;
  }
  out[get_global_id(0)] = a + 1000 * b;
}

// All do something, some of them more, and what follows takes it.
kernel void all_act(global int *out, int limit) {
  int t = get_local_id(0), a = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < limit)
    a = out[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[t] = a + 1;
}
