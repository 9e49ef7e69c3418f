// Loops that all work-items go through side by side, without synchronisation.

kernel void nbody(global const float4 *bodies, global float4 *out, int n) {
  const int self = get_global_id(0);
  const float4 me = bodies[self];
  float ax = 0, ay = 0, az = 0;
  for (int i = 0; i < n; ++i) {
    const float4 other = bodies[i];
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
    const float pull = other.w * inverse * inverse * inverse;
    ax += pull * dx;
    ay += pull * dy;
    az += pull * dz;
  }
  out[self] = (float4)(ax, ay, az, 0);
}

kernel void product(global const float *a, global const float *b, global float *c, int n) {
  const int column = get_global_id(0), row = get_global_id(1);
  if (row >= n || column >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// Two loops, one in the other, and a loop after them.
kernel void filter(global const float *in, global const float *weights, global float *out,
                   int width, int reach) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0, largest = 0;
  for (int j = 0; j <= 2 * reach; ++j)
    for (int i = 0; i <= 2 * reach; ++i) {
      const float value = in[(y + j) * width + x + i];
      if (value > 0)
        sum += value * weights[j * (2 * reach + 1) + i];
      largest = fmax(largest, value);
    }
  for (int j = 0; j <= 2 * reach; ++j)
    sum -= in[(y + j) * width + x] * (largest + j);
  out[y * get_global_size(0) + x] = sum;
}

// Each work-item reads a row of its own.
kernel void rows(global const float *in, global float *out, int n) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[row * n + i];
  out[row] = sum;
}

// From the end, with numbers of two sizes.
kernel void rows_backwards(global const double *a, global const float *b, global double *out,
                           int n) {
  const int row = get_global_id(0);
  double sum = 0;
  for (int i = n - 1; i >= 0; --i)
    sum += a[row * n + i] * b[row * n + i];
  out[row] = sum;
}

// How often they go round is their own business.
kernel void triangle(global const float *in, global float *out) {
  const int self = get_global_id(0);
  float sum = 0;
  for (int i = 0; i <= self; ++i)
    sum += in[i];
  out[self] = sum;
}

// Counts in an order that does not matter.
kernel void rank(global const int *in, global int *out, int n) {
  const int self = get_global_id(0);
  const int mine = in[self];
  int smaller = 0;
  for (int i = 0; i < n; ++i)
    smaller += in[i] < mine;
  out[self] = smaller;
}

// Each begins at its own number, and all go on by the same steps.
kernel void strided(global const float *in, global float *out, int n) {
  for (int i = get_global_id(0); i < n; i += (int)get_global_size(0))
    out[i] = in[i] * 2 + i;
}

kernel void strided_sums(global const float *in, global float *out, ulong n) {
  float sum = 0, largest = -1000;
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
    sum += in[i] * in[i];
    largest = fmax(largest, in[i]);
  }
  out[get_global_id(0)] = sum - largest;
}

kernel void strided_rows(global const float *in, global float *out, int width) {
  const int row = get_global_id(1);
  float sum = 0;
  for (int i = get_local_id(0); i <= width - 1; i += (int)get_local_size(0)) {
    sum += in[row * width + i];
    out[row * width + i] = sum + in[row * width + i];
  }
}

// The first turn is taken wherever it begins.
kernel void strided_at_least_once(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  do {
    out[i] = in[i] * 2 + i;
    i += (int)get_global_size(0);
  } while (i < n);
}

// Where it stopped, too.
kernel void strided_end(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (; i < n; i += (int)get_global_size(0))
    sum += in[i] * in[i];
  out[get_global_id(0)] = sum + i;
}

// From anywhere to anywhere by any steps.
kernel void strided_from(global const uint *in, global uint *out, uint base, uint n, uint step) {
  uint sum = 0;
  for (uint i = base + (uint)get_global_id(0); i < n; i += step) {
    sum = sum * 31 + in[i % 64];
    sum ^= i;
  }
  out[get_global_id(0)] = sum;
}

// The same in kernels that synchronise.
kernel void strided_block(global const float *in, global float *out, int n) {
  local float sums[64];
  const int t = get_local_id(0) + get_local_id(1) * get_local_size(0), group = get_group_id(0);
  const int size = get_local_size(0) * get_local_size(1);
  float sum = 0;
  for (int i = t; i < n; i += size)
    sum += in[group * n + i];
  sums[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < size; d *= 2) {
    const float other = t + d < size ? sums[t + d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[t] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = t; i < n; i += size)
    out[group * n + i] = in[group * n + i] * sums[0];
}

kernel void strided_block_from(global const uint *in, global uint *out, uint base, uint n, uint step) {
  local uint sums[64];
  const uint t = get_local_id(0);
  uint sum = 0;
  for (uint i = base + t; i < n; i += step) {
    sum = sum * 31 + in[i % 64];
    sum ^= i;
  }
  sums[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[t] = sums[t ^ 1];
}

kernel void strided_block_signed(global const uint *in, global uint *out, int base, int n, int step) {
  local uint sums[64];
  const int t = get_local_id(0);
  uint sum = 0;
  for (int i = base + t; i < n; i = (int)((uint)i + (uint)step)) {
    sum = sum * 31 + in[i & 63];
    sum ^= i;
  }
  sums[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[t] = sums[t ^ 1];
}

// Sums that each work-item has an array for, over tiles that all share. The compiler of OpenCL is to leave the loops.
kernel void private_sums(global const float *in, global float *out, int n) {
  local float tile[16];
  const int t = get_local_id(0), self = get_global_id(0);
  float own[16], sums[2][8];
#pragma unroll 1
  for (int i = 0; i < 16; ++i) {
    own[i] = in[self * 16 + i];
    sums[i / 8][i % 8] = 0;
  }
  for (int j = 0; j < n; ++j) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < 16; i += get_local_size(0))
      tile[i] = in[j * 16 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < n; ++k) {
      float score = 0;
#pragma unroll 1
      for (int i = 0; i < 16; ++i)
        score += own[i] * tile[(i + k) & 15];
#pragma unroll 1
      for (int a = 0; a < 2; ++a)
#pragma unroll 1
        for (int b = 0; b < 8; ++b)
          sums[a][b] = sums[a][b] * 0.5f + score * tile[a * 8 + b];
    }
  }
#pragma unroll 1
  for (int a = 0; a < 2; ++a)
#pragma unroll 1
    for (int b = 0; b < 8; ++b)
      out[self * 16 + a * 8 + b] = sums[a][b] / 3;
}

// What runs as one row of all work-groups: with bounds in both dimensions, and work-items that look at their neighbours.
kernel void differences(global const float *in, global float *out, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= n)
    return;
  const int at = y * n + x;
  out[at] = in[x < n - 1 ? at + 1 : at] - in[x > 0 ? at - 1 : at];
}

// Whatever size the work-groups have.
kernel void numbers_by_8(global int *out) {
  const int x = get_group_id(0) * 8 + get_local_id(0);
  out[x] = x;
}

// Numbers that lie side by side are counted in a few places of each work-item's own.
kernel void private_bins(global const uchar *in, global int *out, int items, int turns) {
  const int i = get_global_id(0);
  int bins[16];
  for (int k = 0; k < 16; ++k)
    bins[k] = i;
  for (int k = 0; k < turns; ++k)
    ++bins[in[k * items + i] & 15];
  for (int k = 0; k < 16; ++k)
    out[k * items + i] = bins[k];
}

// Counts in memory of the work-group, and how many came before in memory of all.
kernel void histogram(global const uint *in, global int *out, volatile global atomic_int *all) {
  local atomic_int bins[256];
  const int t = get_local_id(0), size = get_local_size(0);
  for (int i = t; i < 256; i += size)
    atomic_init(&bins[i], 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = t; i < 4096; i += size)
    atomic_fetch_add_explicit(&bins[in[get_group_id(0) * 4096 + i] >> 8 & 255], 1, memory_order_relaxed, memory_scope_work_group);
  for (int i = t; i < 1024; i += 64)
    atomic_fetch_add_explicit(&all[in[get_group_id(0) * 4096 + i] & 3], 1, memory_order_relaxed, memory_scope_device);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = t; i < 256; i += size)
    out[get_group_id(0) * 256 + i] = atomic_load_explicit(&bins[i], memory_order_relaxed, memory_scope_work_group);
}

// The lanes of a sub-group go through a row together, whose number they have in common where work-groups begin at a multiple of 32.
kernel void strided_lanes(global const float *in, global float *out, int columns) {
  const int i = (int)(get_group_id(0) * get_local_size(0) + get_local_id(0)), row = i / 32, lane = (int)(get_local_id(0) % 32);
  float sum = 0;
  for (int k = lane; k < columns; k += 32)
    sum += in[row * columns + k];
  out[i] = sub_group_shuffle_xor(sum, 1);
}
