// The kernels of the kernel benchmark. The CPU driver gets them as SPIR-V, PoCL as this text. native.cpp has each as a loop.

kernel void vadd(global const float *a, global const float *b, global float *c) {
  const size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}

// With fewer work-items than elements.
kernel void vadd_strided(global const float *a, global const float *b, global float *c, int n) {
  for (int i = get_global_id(0); i < n; i += (int)get_global_size(0))
    c[i] = a[i] + b[i];
}

kernel void exp_add(global const float *a, global const float *b, global float *c) {
  const size_t i = get_global_id(0);
  c[i] = exp(a[i]) + b[i];
}

#define TILE 16

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul(global const float *a, global const float *b, global float *c, int n) {
  local float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int tile = 0; tile < n; tile += TILE) {
    tile_a[y][x] = a[row * n + tile + x];
    tile_b[y][x] = b[(tile + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

#define GROUP 256

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
local_reduction(global const float *in, global float *sums) {
  local float values[GROUP];
  const uint lane = get_local_id(0);
  values[lane] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint width = GROUP / 2; width != 0; width /= 2) {
    if (lane < width)
      values[lane] += values[lane + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0)
    sums[get_group_id(0)] = values[0];
}

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
transpose(global const float *in, global float *out, int n) {
  local float tile[TILE][TILE + 1];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
  tile[y][x] = in[(row + y) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(column + y) * n + row + x] = tile[x][y];
}

// The border keeps its values.
kernel void stencil(global const float *in, global float *out, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int at = y * n + x;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
    out[at] = in[at];
  else
    out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
}

// x, y, z and mass of each body; what comes out is its acceleration.
kernel void nbody(global const float4 *bodies, global float4 *accelerations, int n) {
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
  accelerations[self] = (float4)(ax, ay, az, 0);
}

kernel void histogram(global const uint *in, global atomic_uint *bins) {
  atomic_fetch_add_explicit(&bins[in[get_global_id(0)] & 255], 1, memory_order_relaxed,
                            memory_scope_device);
}

kernel void empty(void) {}

#ifdef cl_khr_subgroup_shuffle_relative
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1), intel_reqd_sub_group_size(32))) void
subgroup_reduction(global const float *in, global float *sums) {
  const size_t i = get_global_id(0);
  float value = in[i];
  for (uint distance = 16; distance != 0; distance /= 2)
    value += sub_group_shuffle_down(value, distance);
  if (get_sub_group_local_id() == 0)
    sums[i / 32] = value;
}
#endif
