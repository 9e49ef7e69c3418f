// Lanes of a sub-group that exchange values through work-group memory with no barrier in between, and kernels that look
// as if they did. All have a barrier somewhere.
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#define GROUP 256

struct Small {
  float a;
  int b, c;
};
struct Large {
  double a;
  int b[8];
};

// ---- exchanges

// The last sub-group's steps of a reduction.
#define REDUCE(name, T, qualifier)                                                                                     \
  kernel void name(global T *out, global const T *in) {                                                               \
    local qualifier T s[GROUP];                                                                                       \
    const int t = get_local_id(0);                                                                                    \
    s[t] = in[get_global_id(0)];                                                                                      \
    SYNC();                                                                                                           \
    for (int width = get_local_size(0) / 2; width > 32; width /= 2) {                                                    \
      if (t < width)                                                                                                   \
        s[t] += s[t + width];                                                                                          \
      SYNC();                                                                                                         \
    }                                                                                                                 \
    if (t < 32) {                                                                                                     \
      s[t] += s[t + 32];                                                                                              \
      s[t] += s[t + 16];                                                                                              \
      s[t] += s[t + 8];                                                                                               \
      s[t] += s[t + 4];                                                                                               \
      s[t] += s[t + 2];                                                                                               \
      s[t] += s[t + 1];                                                                                               \
    }                                                                                                                 \
    if (t == 0)                                                                                                       \
      out[get_group_id(0)] = s[0];                                                                                    \
  }
REDUCE(reduce_float, float, )
REDUCE(reduce_int, int, )
REDUCE(reduce_double, double, )
REDUCE(reduce_volatile_float, float, volatile)
REDUCE(reduce_volatile_int, int, volatile)

// Of structures, through pointers and a function that joins two.
void join_small(local struct Small *to, const local struct Small *from) {
  to->a += from->a;
  to->b = max(to->b, from->b);
  to->c += from->c;
}
kernel void reduce_small(global struct Small *out, global const struct Small *in) {
  local struct Small s[GROUP];
  const int t = get_local_id(0), lane = t % 32;
  local struct Small *mine = s + t;
  *mine = in[get_global_id(0)];
  SYNC();
  for (int d = 1; d < 32; d *= 2)
    if ((lane & (2 * d - 1)) == 0)
      join_small(mine, mine + d);
  if (lane == 0)
    out[get_global_id(0) / 32] = *mine;
}

kernel void reduce_large(global struct Large *out, global const struct Large *in) {
  local struct Large s[64];
  const int t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  SYNC();
  if (t < 32)
    for (int d = 16; d > 0; d /= 2)
      if (t < d) {
        s[t].a += s[t + d].a;
        for (int i = 0; i < 8; ++i)
          s[t].b[i] += s[t + d].b[i];
      }
  SYNC();
  if (t == 0)
    out[get_group_id(0)] = s[0];
}

// In dynamic memory, by generic pointers, with what lies between given by the host.
kernel void reduce_generic(global int *out, global const int *in, local int *memory, int stride) {
  const int t = get_local_id(0), lane = t & 31;
  int *mine = (int *)memory + t * stride;
  for (int k = 0; k < stride; ++k)
    mine[k] = in[get_global_id(0) * stride + k];
  SYNC();
  for (int d = 16; d > 0; d >>= 1)
    if (lane < d)
      for (int k = 0; k < stride; ++k)
        mine[k] += mine[d * stride + k];
  if (lane == 0)
    for (int k = 0; k < stride; ++k)
      out[get_global_id(0) / 32 * stride + k] = mine[k];
}

kernel void scan(global int *out, global const int *in) {
  local int s[GROUP];
  const int t = get_local_id(0), lane = t & 31;
  s[t] = in[get_global_id(0)];
  for (int d = 1; d < 32; d *= 2)
    if (lane >= d)
      s[t] += s[t - d];
  SYNC();
  out[get_global_id(0)] = s[t];
}

// With room in front, so that no lane needs to ask. That the places overlap only the host knows.
kernel void scan_padded(global float *out, global const float *in, int width) {
  local float s[GROUP / 32][64];
  const int t = get_local_id(0), lane = t & 31;
  local float *row = s[t / 32], *mine = row + lane + width;
  float sum = in[get_global_id(0)];
  row[lane] = 0;
  *mine = sum;
  *mine = sum = sum + row[lane + 31];
  *mine = sum = sum + row[lane + 30];
  *mine = sum = sum + row[lane + 28];
  *mine = sum = sum + row[lane + 24];
  *mine = sum = sum + row[lane + 16];
  SYNC();
  out[get_global_id(0)] = sum;
}

kernel void sort(global int *out, global const int *in) {
  local int s[GROUP];
  const int t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  for (int k = 2; k <= 32; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      const int p = t ^ j, a = s[t], b = s[p];
      const bool up = (t & k & 31) == 0;
      s[t] = (t < p) == up ? min(a, b) : max(a, b);
    }
  SYNC();
  out[get_global_id(0)] = s[t];
}

// In place, as often as each sub-group wants, and not all do.
kernel void stencil(global int *out, global const int *in) {
  local int s[GROUP];
  const int t = get_local_id(0), lane = t & 31, warp = t >> 5, n = get_local_size(0);
  s[t] = in[get_global_id(0)];
  SYNC();
  if (warp & 1 || n <= 64)
    for (int round = 0; round < 3 + warp; ++round) {
      const int left = lane > 0 ? s[t - 1] : 0, right = lane < 31 && t + 1 < n ? s[t + 1] : 0;
      s[t] = left + 2 * s[t] - right;
    }
  SYNC();
  out[get_global_id(0)] = s[t];
}

kernel void shift(global int *out, global const int *in) {
  local int s[GROUP + 1];
  const int t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  SYNC();
  if ((t & 31) < 31)
    s[t] = s[t + 1];
  SYNC();
  out[get_global_id(0)] = s[t];
}

kernel void shift_large(global struct Large *out, global const struct Large *in) {
  local struct Large s[65];
  const int t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  SYNC();
  if ((t & 31) < 31)
    s[t] = s[t + 1];
  SYNC();
  out[get_global_id(0)] = s[t];
}

// `next` is 0; else the compiler would give the lane that stores its own value, and load before that for the others.
kernel void broadcast(global int *out, global const int *in, int from, int next) {
  local int s[GROUP / 32 + 1];
  const int t = get_local_id(0), lane = t & 31, warp = t >> 5;
  SYNC();
  if (lane == from)
    s[warp] = in[get_global_id(0)];
  out[get_global_id(0)] = s[warp + next];
}

// All lanes read a counter, and then one, or all alike, move it on.
kernel void count(global int *out, int rounds) {
  local int one[GROUP / 32], all[GROUP / 32];
  const int t = get_local_id(0), lane = t & 31, warp = t >> 5;
  if (t < GROUP / 32)
    one[t] = all[t] = 0;
  int seen = 0;
  for (int i = 0; i < rounds; ++i) {
    SYNC();
    const int a = one[warp], b = all[warp];
    if (lane == 0)
      one[warp] = a + 1;
    all[warp] = b + 1;
    seen += a * 1000 + b;
  }
  out[get_global_id(0)] = seen;
}

// Of the lanes that want the same place, one gets it. Both keys are the same.
kernel void winner(global int *out, global const int *in, global const int *again) {
  local int s[GROUP / 32][32];
  const int t = get_local_id(0);
  SYNC();
  s[t >> 5][in[get_global_id(0)] & 31] = t;
  out[get_global_id(0)] = s[t >> 5][again[get_global_id(0)] & 31] == t;
}

kernel void atomics(global int *out, global const int *in) {
  local int s[GROUP / 32];
  const int t = get_local_id(0), lane = t & 31, warp = t >> 5;
  SYNC();
  if (lane == 31)
    s[warp] = 5;
  atomic_fetch_add((volatile local atomic_int *)&s[warp], in[get_global_id(0)]);
  out[get_global_id(0)] = s[warp];
}

uint __attribute__((overloadable)) __spirv_AtomicIAdd(local uint *, int, int, uint);

// An update stays one, whatever else is in step.
kernel void atomics_and_fences(global int *out, global const int *in) {
  local int bins[8], s[GROUP];
  const int t = get_local_id(0);
  if (t < 8)
    bins[t] = 0;
  SYNC();
  s[t] = in[get_global_id(0)];
  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
  __spirv_AtomicIAdd((local uint *)&bins[s[t ^ 1] & 7], 2, 0, 1);
  SYNC();
  if (t < 8)
    out[8 * get_group_id(0) + t] = bins[t];
}

// What HIP's __syncwarp is, behind a condition that some fours of lanes meet, in and around a loop.
#define SYNC_WARP()                                                                                                    \
  do {                                                                                                                 \
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_sub_group);                         \
    sub_group_ballot(1);                                                                                               \
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_sub_group);                         \
  } while (0)
kernel void fours(global int *out, global const int *in, int rounds) {
  local int s[GROUP];
  const int t = get_local_id(0), i = get_global_id(0);
  int value = in[i];
  SYNC();
  for (int round = 0; round < rounds; ++round)
    if (in[i & ~3] >> round & 1) {
      s[t] = value;
      SYNC_WARP();
      value = s[t ^ 1] + 3;
      SYNC_WARP();
      s[t] = value;
      SYNC_WARP();
      value += s[t ^ 2];
      SYNC_WARP();
    }
  out[i] = value;
}

// Stores of different lanes to the same place, in the order of the source.
kernel void overwrite(global int *out, global const int *in) {
  local int s[GROUP + 1];
  const int t = get_local_id(0);
  SYNC();
  s[t] = -1;
  s[t + 1 - 32 * ((t & 31) == 31)] = in[get_global_id(0)];
  out[get_global_id(0)] = s[t];
}

// ---- none: a barrier is in between, or lanes keep to themselves

kernel void own_slot(global float *out, global const float *in, int rounds) {
  local float s[GROUP];
  const int t = get_local_id(0);
  s[t] = in[t];
  SYNC();
  out[get_global_id(0)] = s[GROUP - 1 - t];
  SYNC();
  for (int i = 0; i < rounds; ++i)
    s[t] = s[t] * in[i] + 1;
  s[t] += 1;
  SYNC();
  out[get_global_id(0)] += s[GROUP - 1 - t];
}

kernel void own_slot_2d(global float *out, global const float *in, int rounds) {
  local float s[16][17];
  const int x = get_local_id(0), y = get_local_id(1);
  s[y][x] = in[get_global_linear_id()];
  for (int i = 0; i < rounds; ++i)
    s[y][x] = s[y][x] * in[i] + 1;
  SYNC();
  out[get_global_linear_id()] = s[x][y];
}

kernel void own_strided(global float *out, global const float *in, local float *s, int n) {
  const int t = get_local_id(0), size = get_local_size(0);
  for (int i = t; i < n; i += size)
    s[i] = in[i];
  for (int i = t; i < n; i += size)
    s[i] = s[i] * s[i] + 1;
  SYNC();
  for (int i = t; i < n; i += size)
    out[n - 1 - i] = s[i];
}

kernel void own_bins(global uint *out, global const uchar *in, int n) {
  local uint bins[16 * 64];
  const int t = get_local_id(0);
  for (int i = 0; i < 16; ++i)
    bins[i * 64 + t] = 0;
  for (int i = t; i < n; i += 64)
    bins[(in[i] & 15) * 64 + t]++;
  SYNC();
  if (t < 16) {
    uint sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += bins[t * 64 + i];
    out[t] = sum;
  }
}

kernel void histogram(global uint *out, global const uchar *in, int n) {
  local atomic_uint bins[256];
  const int t = get_local_id(0);
  atomic_init(&bins[t], 0);
  SYNC();
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_fetch_add_explicit(&bins[in[i]], 1, memory_order_relaxed, memory_scope_work_group);
  SYNC();
  out[t] = atomic_load_explicit(&bins[t], memory_order_relaxed, memory_scope_work_group);
}

kernel void tiles(global const float *a, global const float *b, global float *c, int n) {
  local float ta[16][16], tb[16][16];
  const int x = get_local_id(0), y = get_local_id(1);
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    ta[y][x] = a[get_global_id(1) * n + k + x];
    tb[y][x] = b[(k + y) * n + get_global_id(0)];
    SYNC();
    for (int i = 0; i < 16; ++i)
      sum += ta[y][i] * tb[i][x];
    SYNC();
  }
  c[get_global_id(1) * n + get_global_id(0)] = sum;
}

kernel void transpose(global const float *in, global float *out, int n) {
  local float tile[32][33];
  const int x = get_local_id(0), y = get_local_id(1), column = get_group_id(0) * 32, row = get_group_id(1) * 32;
  for (int i = 0; i < 32; i += 8)
    tile[y + i][x] = in[(row + y + i) * n + column + x];
  SYNC();
  for (int i = 0; i < 32; i += 8)
    out[(column + y + i) * n + row + x] = tile[x][y + i];
}

kernel void tree(global float *out, global const float *in) {
  local float s[GROUP];
  const uint t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  SYNC();
  for (uint width = get_local_size(0) / 2; width > 0; width >>= 1) {
    if (t < width)
      s[t] += s[t + width];
    SYNC();
  }
  if (t == 0)
    out[get_group_id(0)] = s[0];
}

kernel void tree_of_maxima(global int *out, global int *where, global const int *in, local int *s, local int *at) {
  const int t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  at[t] = t;
  for (int width = get_local_size(0) >> 1; width > 0; width >>= 1) {
    SYNC();
    if (t < width && s[t + width] > s[t]) {
      s[t] = s[t + width];
      at[t] = at[t + width];
    }
  }
  SYNC();
  if (t == 0) {
    out[get_group_id(0)] = s[0];
    where[get_group_id(0)] = at[0];
  }
}

kernel void tree_unrolled(global float *out, global const float *in) {
  local float s[GROUP];
  const int t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  SYNC();
  if (t < 128)
    s[t] += s[t + 128];
  SYNC();
  if (t < 64)
    s[t] += s[t + 64];
  SYNC();
  if (t < 32)
    s[t] += s[t + 32];
  SYNC();
  if (t < 8)
    s[t] += s[t + 8] + s[t + 16] + s[t + 24];
  SYNC();
  if (t == 0)
    out[get_group_id(0)] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
}

kernel void tree_strided(global float *out, global const float *in) {
  local float s[GROUP];
  const int t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  for (int d = 1; d < (int)get_local_size(0); d *= 2) {
    SYNC();
    const int i = 2 * d * t;
    if (i < (int)get_local_size(0))
      s[i] += s[i + d];
  }
  SYNC();
  if (t == 0)
    out[get_group_id(0)] = s[0];
}

kernel void scan_tree(global int *out, global const int *in, local int *s) {
  const int t = get_local_id(0), n = 2 * get_local_size(0);
  int d = 1;
  s[2 * t] = in[2 * t];
  s[2 * t + 1] = in[2 * t + 1];
  for (int active = n >> 1; active > 0; active >>= 1) {
    SYNC();
    if (t < active) {
      const int a = d * (2 * t + 1) - 1, b = d * (2 * t + 2) - 1;
      s[b] += s[a];
    }
    d *= 2;
  }
  SYNC();
  if (t == 0)
    s[n - 1] = 0;
  for (int active = 1; active < n; active *= 2) {
    d >>= 1;
    SYNC();
    if (t < active) {
      const int a = d * (2 * t + 1) - 1, b = d * (2 * t + 2) - 1;
      const int left = s[a];
      s[a] = s[b];
      s[b] += left;
    }
  }
  SYNC();
  out[2 * t] = s[2 * t];
  out[2 * t + 1] = s[2 * t + 1];
}

kernel void scan_in_steps(global int *out, global const int *in) {
  local int s[GROUP];
  const int t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  SYNC();
  for (int d = 1; d < (int)get_local_size(0); d *= 2) {
    int before = 0;
    if (t >= d)
      before = s[t - d];
    SYNC();
    s[t] += before;
    SYNC();
  }
  out[get_global_id(0)] = s[t];
}

kernel void sort_with_barriers(global int *data) {
  local int s[GROUP];
  const uint t = get_local_id(0), n = get_local_size(0);
  s[t] = data[t];
  SYNC();
  for (uint k = 2; k <= n; k *= 2)
    for (uint j = k / 2; j > 0; j /= 2) {
      const uint p = t ^ j;
      if (p > t) {
        const int a = s[t], b = s[p];
        if ((a > b) == ((t & k) == 0)) {
          s[t] = b;
          s[p] = a;
        }
      }
      SYNC();
    }
  data[t] = s[t];
}

kernel void first_alone(global int *out, global const int *in) {
  local int s[GROUP], total[2];
  const int t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  SYNC();
  if (t == 0) {
    for (int i = 1; i < (int)get_local_size(0); ++i)
      s[i] += s[i - 1];
    total[0] = s[get_local_size(0) - 1];
    total[1] = total[0] + s[0];
  }
  SYNC();
  out[get_global_id(0)] = s[t] + total[1];
}

kernel void halo(global float *out, global const float *in, int n) {
  local float s[GROUP + 2];
  const int t = get_local_id(0), i = get_global_id(0);
  s[t + 1] = in[i];
  if (t == 0)
    s[0] = i > 0 ? in[i - 1] : 0;
  if (t == (int)get_local_size(0) - 1)
    s[t + 2] = i + 1 < n ? in[i + 1] : 0;
  SYNC();
  out[i] = s[t] + 2 * s[t + 1] + s[t + 2];
}

// In each round two of three work-items take what their neighbours had before the round.
kernel void some_take(global int *out, global const int *in, int rounds) {
  local int s[GROUP];
  const int t = get_local_id(0), next = t / 32 * 32 + (t + 1) % 32;
  s[t] = in[get_global_id(0)];
  SYNC();
  for (int k = 0; k < rounds; ++k)
    if ((t + k) % 3 != 0)
      s[t] -= s[next];
  out[get_global_id(0)] = s[t];
}
