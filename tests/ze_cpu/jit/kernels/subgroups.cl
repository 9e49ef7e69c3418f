#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void identity(global uint *out) {
  uint at = get_global_id(0) * 5;
  out[at] = get_sub_group_local_id();
  out[at + 1] = get_sub_group_id();
  out[at + 2] = get_sub_group_size();
  out[at + 3] = get_num_sub_groups();
  out[at + 4] = get_max_sub_group_size();
}

void __attribute__((overloadable, convergent)) __spirv_ControlBarrier(int, int, int);

#define SHUFFLES(T)                                                                                \
  kernel void shuffles_##T(global T *out, global const T *in, uint n) {                            \
    uint i = get_global_id(0), lane = get_sub_group_local_id();                                    \
    T v = in[i];                                                                                   \
    out[i * 6] = sub_group_shuffle(v, (lane * 7 + n) & 31);                                        \
    out[i * 6 + 1] = sub_group_shuffle_xor(v, n);                                                  \
    out[i * 6 + 2] = sub_group_shuffle_up(v, n);                                                   \
    out[i * 6 + 3] = sub_group_shuffle_down(v, n);                                                 \
    out[i * 6 + 4] = sub_group_broadcast(v, 5);                                                    \
    out[i * 6 + 5] = sub_group_broadcast_first(v);                                                 \
  }
SHUFFLES(char)
SHUFFLES(ushort)
SHUFFLES(int)
SHUFFLES(long)
SHUFFLES(float)
SHUFFLES(double)

// The even lanes read from all, in the numbers of lanes and by distances.
kernel void shuffles_of_some(global uint *out, uint n) {
  uint lane = get_sub_group_local_id(), i = get_global_id(0);
  out[i * 4] = out[i * 4 + 1] = out[i * 4 + 2] = out[i * 4 + 3] = 77;
  if (lane % 2 == 0) {
    out[i * 4] = sub_group_shuffle(lane + 1, (lane * 7 + n) & 31);
    out[i * 4 + 1] = sub_group_shuffle_xor(lane + 1, n);
    out[i * 4 + 2] = sub_group_shuffle(lane + 1, 5);
    out[i * 4 + 3] = sub_group_shuffle(lane + 1, 4);
  }
}

kernel void shuffle_beyond(global uint *out) {
  uint lane = get_sub_group_local_id(), i = get_global_id(0);
  out[i] = sub_group_shuffle(lane + 1, (lane + 8) & 31);
}

kernel void shuffle_vector(global float4 *out, global const float4 *in) {
  uint i = get_global_id(0);
  out[i] = sub_group_non_uniform_broadcast(in[i], 9);
}

kernel void rotate_lanes(global int *out) {
  int lane = get_sub_group_local_id();
  out[lane * 2] = sub_group_rotate(lane, 3);
  out[lane * 2 + 1] = sub_group_clustered_rotate(lane, 3, 8);
}

kernel void votes(global uint *out, uint threshold) {
  uint i = get_global_id(0), lane = get_sub_group_local_id();
  uint at = i * 12;
  uint4 b = sub_group_ballot(lane > threshold);
  out[at] = b.x;
  out[at + 1] = sub_group_any(lane > threshold);
  out[at + 2] = sub_group_all(lane > threshold);
  out[at + 3] = sub_group_elect();
  out[at + 4] = sub_group_non_uniform_all_equal(lane > 40);
  out[at + 5] = sub_group_non_uniform_all_equal(lane);
  out[at + 6] = sub_group_inverse_ballot(b);
  out[at + 7] = sub_group_ballot_bit_extract(b, 31);
  out[at + 8] = sub_group_ballot_bit_count(b);
  out[at + 9] = sub_group_ballot_inclusive_scan(b);
  out[at + 10] = sub_group_ballot_find_lsb(b);
  out[at + 11] = sub_group_ballot_find_msb(b);
}

kernel void masks(global uint *out) {
  uint lane = get_sub_group_local_id();
  out[lane * 5] = get_sub_group_eq_mask().x;
  out[lane * 5 + 1] = get_sub_group_gt_mask().x;
  out[lane * 5 + 2] = get_sub_group_ge_mask().x;
  out[lane * 5 + 3] = get_sub_group_lt_mask().x;
  out[lane * 5 + 4] = get_sub_group_le_mask().x;
}

// Thirteen lanes of 32 take part; the others do something else.
kernel void divergent(global uint *out) {
  uint lane = get_sub_group_local_id();
  if (lane < 13) {
    out[lane] = sub_group_ballot(1).x;
    out[32 + lane] = sub_group_non_uniform_reduce_add(lane);
  } else {
    out[lane] = sub_group_ballot(lane & 1).x;
    out[32 + lane] = sub_group_elect();
  }
  out[64 + lane] = sub_group_ballot(1).x;
}

// Lanes leave the loop one after the other.
kernel void divergent_loop(global uint *out) {
  uint lane = get_sub_group_local_id();
  uint seen = 0;
  for (uint i = 0; i <= lane; ++i)
    seen += popcount(sub_group_ballot(1).x);
  out[lane] = seen;
}

// Lanes leave the inner loop at different times and come to the next round's ballot together.
kernel void uneven_inner_loop(global uint *out, uint rounds) {
  uint lane = get_sub_group_local_id();
  for (uint i = 0; i < rounds; ++i) {
    out[i * 32 + lane] = sub_group_ballot(1).x;
    uint n = 0;
    do {
      out[(rounds + n) * 32 + lane] = sub_group_ballot(1).x;
    } while (n++ < (lane & 3));
  }
}

// Lanes that skip the inner operation must not run ahead to the next iteration's outer one.
kernel void skipped_in_loop(global uint *out, uint rounds) {
  uint lane = get_sub_group_local_id();
  uint outer = 0, inner = 0;
  for (uint i = 0; i < rounds; ++i) {
    outer += popcount(sub_group_ballot(1).x);
    if ((lane + i) % 3 == 0)
      inner += popcount(sub_group_ballot(1).x);
  }
  out[lane * 2] = outer;
  out[lane * 2 + 1] = inner;
}

// The break is at another place in the body than the operation.
kernel void early_exit_then_together(global uint *out) {
  uint lane = get_sub_group_local_id();
  uint i = 0;
  for (;;) {
    if (i == lane % 4)
      break;
    __spirv_ControlBarrier(3, 3, 0x108);
    ++i;
  }
  out[lane] = sub_group_ballot(1).x;
}

#define ARITHMETIC(T)                                                                              \
  kernel void arithmetic_##T(global T *out, global const T *in) {                                  \
    uint i = get_global_id(0);                                                                     \
    T v = in[i];                                                                                   \
    global T *o = out + i * 9;                                                                     \
    o[0] = sub_group_reduce_add(v);                                                                \
    o[1] = sub_group_reduce_min(v);                                                                \
    o[2] = sub_group_reduce_max(v);                                                                \
    o[3] = sub_group_scan_inclusive_add(v);                                                        \
    o[4] = sub_group_scan_inclusive_max(v);                                                        \
    o[5] = sub_group_scan_exclusive_add(v);                                                        \
    o[6] = sub_group_scan_exclusive_min(v);                                                        \
    o[7] = sub_group_scan_exclusive_max(v);                                                        \
    o[8] = sub_group_non_uniform_reduce_mul(v);                                                    \
  }
ARITHMETIC(char)
ARITHMETIC(short)
ARITHMETIC(ushort)
ARITHMETIC(int)
ARITHMETIC(uint)
ARITHMETIC(long)
ARITHMETIC(ulong)
ARITHMETIC(float)
ARITHMETIC(double)
ARITHMETIC(half)

kernel void logic(global uint *out, global const uint *in) {
  uint i = get_global_id(0);
  uint v = in[i];
  out[i * 6] = sub_group_non_uniform_reduce_and(v);
  out[i * 6 + 1] = sub_group_non_uniform_reduce_or(v);
  out[i * 6 + 2] = sub_group_non_uniform_reduce_xor(v);
  out[i * 6 + 3] = sub_group_non_uniform_reduce_logical_xor((int)(v & 1));
  out[i * 6 + 4] = sub_group_clustered_reduce_add(v, 4);
  out[i * 6 + 5] = sub_group_clustered_reduce_max(v, 8);
}

__attribute__((intel_reqd_sub_group_size(8))) kernel void narrow(global uint *out) {
  uint i = get_global_id(0);
  out[i * 3] = sub_group_ballot(1).x;
  out[i * 3 + 1] = get_sub_group_id();
  out[i * 3 + 2] = sub_group_shuffle_xor(i, 7);
}

// Sub-groups run on while others wait for the group.
kernel void mixed(global uint *out) {
  local uint totals[8];
  uint i = get_local_id(0);
  uint sum = sub_group_reduce_add(i);
  if (get_sub_group_local_id() == 0)
    totals[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint all = 0;
  for (uint s = 0; s < get_num_sub_groups(); ++s)
    all += totals[s];
  out[get_global_id(0)] = all + sub_group_broadcast(sum, 0);
}

// The sub-group's number in the parts between its operations, alone and in what is made of it.
kernel void numbered(global uint *out, global const uint *in, uint turns) {
  const uint number = get_sub_group_id(), item = get_local_linear_id();
  uint v = item, sum = 0;
  for (uint turn = 0; turn < turns; ++turn) {
    v = sub_group_shuffle_xor(v, 1);
    sum += number * 3 + in[number];
  }
  const uint next = sub_group_shuffle_xor(v, 2);
  out[item * 3] = sum;
  out[item * 3 + 1] = next;
  out[item * 3 + 2] = number;
}

#define STEP(i) v += sub_group_shuffle_xor(v, (v + i) & 31);
#define TEN(i) STEP(i) STEP(i + 1) STEP(i + 2) STEP(i + 3) STEP(i + 4) STEP(i + 5) STEP(i + 6) STEP(i + 7) STEP(i + 8) STEP(i + 9)
// The identity of the full width does not fit into the width that the values had.
kernel void narrow_scan(global long *out, global const int *in) {
  uint i = get_global_id(0);
  out[i] = sub_group_non_uniform_scan_exclusive_and((ulong)(uint)in[i]);
}

kernel void chain_1(global uint *data) {
  uint v = data[get_global_id(0)];
  STEP(0)
  data[get_global_id(0)] = v;
}
kernel void chain_10(global uint *data) {
  uint v = data[get_global_id(0)];
  TEN(0)
  data[get_global_id(0)] = v;
}
kernel void chain_100(global uint *data) {
  uint v = data[get_global_id(0)];
  TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50) TEN(60) TEN(70) TEN(80) TEN(90)
  data[get_global_id(0)] = v;
}

// Indices of 32 bits that may wrap around inside of a work-group, and what sub-groups make of the numbers of their work-items.
#define INDICES(name, between)                                                                                        \
  kernel void name(global long *out, int base) {                                                                      \
    const uint t = get_local_id(0);                                                                                   \
    const int n = sub_group_shuffle_xor((int)t, 1);                                                                   \
    between;                                                                                                          \
    global long *of = out + get_global_id(0) * 9;                                                                     \
    of[0] = (int)((uint)base + 3 * t);                                                                                \
    of[1] = (ulong)((uint)base + (uint)get_group_id(0) * 16 + t);                                                     \
    of[2] = (t & 31) + 1000 * (t >> 5);                                                                               \
    of[3] = (t & 63) + 1000 * (t & ~31u);                                                                             \
    of[4] = (t & 15) + 1000 * (t & 100);                                                                              \
    of[5] = sub_group_shuffle_xor(n, 2);                                                                              \
    const int i = (int)((uint)base * 32 + t), id = (int)(get_group_id(0) * get_local_size(0) + t);                    \
    of[6] = i / 32 + 1000000000000 * (i % 64);                                                                        \
    of[7] = (uint)i / 96 + 1000000000000 * ((uint)i % 96);                                                            \
    of[8] = id / 64 + 1000 * (id % 32);                                                                               \
  }
INDICES(indices, (void)0)
INDICES(indices_beside_barriers, barrier(CLK_LOCAL_MEM_FENCE))

// Work-items that go on behind a barrier, whole sub-groups of them or not, to where they meet.
#define WAYS(name, condition)                                                                                         \
  kernel void name(global int *out, int n) {                                                                          \
    local int shared[256];                                                                                            \
    const int t = get_local_id(0);                                                                                    \
    shared[t] = t;                                                                                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                     \
    int v = -1;                                                                                                       \
    if (condition) {                                                                                                  \
      v = sub_group_non_uniform_reduce_add(t % 4 && 255 - t < get_local_size(0) ? shared[255 - t] : 0);                                              \
      v += sub_group_non_uniform_reduce_add(1);                                                                       \
    }                                                                                                                 \
    out[t] = v;                                                                                                       \
  }
WAYS(ways_64, t < 64)
WAYS(ways_from_96, t > 95)
WAYS(ways_40, t < 40)
WAYS(ways_not_negative, t >= 0)
WAYS(ways_of_one, t / 32 == n)
WAYS(ways_of_two, t >> 5 == n || (t & 128) != 0)
WAYS(ways_of_some, t / 16 == n)

// What only the first lanes of sub-groups exchange, with memory between that only those may touch.
#define FIRST_LANES(name, condition)                                                                                  \
  kernel void name(global int *out, global const int *in, global const int *of_some, int rounds) {                    \
    const int t = get_local_id(0);                                                                                    \
    const int i = get_local_linear_id();                                                                              \
    int v = in[i], seen = 0;                                                                                          \
    for (int round = 0; round <= rounds + (t & 1); ++round) {                                                         \
      if (condition) {                                                                                                \
        int x = of_some[t % 32 * 4096] + v;                                                                           \
        x += sub_group_shuffle_down(x, 4);                                                                            \
        seen ^= sub_group_ballot(x & 1).x;                                                                            \
        x += sub_group_shuffle_xor(x, 2) + sub_group_shuffle_down((int)get_local_linear_id(), 1);                     \
        seen += sub_group_non_uniform_any(x & 4) + sub_group_ballot(1).x;                                             \
        v += x + of_some[t % 32 * 4096 + 1] + sub_group_shuffle(x, 1);                                                \
        out[2 * i] = x;                                                                                               \
      } else                                                                                                          \
        v += sub_group_shuffle_up(v, 1);                                                                              \
    }                                                                                                                 \
    out[2 * i + 1] = v ^ seen;                                                                                        \
  }
FIRST_LANES(first_8, t < 8)
FIRST_LANES(first_40, t < 40)
FIRST_LANES(first_8_of_each, (t & 31) < 8)
FIRST_LANES(first_as_many, t < (int)(get_local_size(0) / 32 + rounds))

// Many operations on both sides of a barrier: there is small code for work-groups that are not made up of whole sub-groups.
#define SCAN(k) v = 3 * v + sub_group_scan_inclusive_add(v ^ k);
#define SCANS(k) SCAN(k) SCAN(k + 1) SCAN(k + 2) SCAN(k + 3) SCAN(k + 4) SCAN(k + 5) SCAN(k + 6)
kernel void long_sections(global uint *out, global const uint *in) {
  const uint t = get_local_linear_id();
  uint v = in[t];
  SCANS(0)
  SCANS(7)
  barrier(CLK_GLOBAL_MEM_FENCE);
  SCANS(14)
  SCANS(21)
  out[t] = v;
}

// Asks for dimension 1 only, as kernels do whose work-groups are columns.
kernel void columns(global ulong *out, uint ways, local uint *shared) {
  const uint lane = get_sub_group_id() * 32 + get_sub_group_local_id();
  const uint y = get_local_id(1);
  shared[lane] = y;
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong v = sub_group_scan_inclusive_add(y + 1);
  if (y % 4 < ways)
    v += sub_group_broadcast(y, 0) * 1000;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_group_id(0) * get_local_size(0) * get_local_size(1) + lane] =
      v + shared[lane ^ 1] * 1000000ul + get_global_id(1) * 10000000000ul;
}

kernel void columns_plain(global ulong *out) {
  const ulong n = get_local_size(1);
  out[get_group_id(0) * n + get_local_id(1)] = get_local_id(1) * 100 + n;
}

// Asks for dimension 0 only beside dimension 1.
kernel void columns_of_any_width(global uint *out, global const uint *in) {
  const uint y = get_local_id(1);
  out[y * get_local_size(0) + get_local_id(0)] = in[y] + (get_local_id(0) == 0);
}

kernel void tile(global uint *out) {
  const ulong x = get_group_id(0) * get_local_size(0) + get_local_id(0), y = get_local_id(1);
  out[y * get_local_size(0) * get_num_groups(0) + x] = y * 100 + x + (y == 3);
}

kernel void linear(global uint *out) {
  const uint t = get_local_id(1) * get_local_size(0) + get_local_id(0);
  out[t] = t;
}
