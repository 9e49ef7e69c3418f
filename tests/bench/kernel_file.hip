// What a kernel file of an application is like, for scripts/bench device: some kernels with shared memory, atomics,
// mathematics and a template, and their launches.
#include <hip/hip_runtime.h>

constexpr int block = 256;

__device__ float squash(float x) { return 1.0f / (1.0f + expf(-x)); }

__global__ void saxpy(int n, float a, const float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

__global__ void reduce(int n, const float *in, float *out) {
  __shared__ float partial[block];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += in[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int step = block / 2; step > 0; step /= 2) {
    if (threadIdx.x < step)
      partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(out, partial[0]);
}

template <int tile> __global__ void multiply(int n, const float *a, const float *b, float *c) {
  __shared__ float rows[tile][tile], columns[tile][tile + 1];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += tile) {
    rows[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    columns[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k)
      sum += rows[threadIdx.y][k] * columns[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void histogram(int n, const unsigned char *values, unsigned *bins) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&local[values[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void attract(int n, const float4 *bodies, float3 *forces) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 mine = bodies[i];
  float3 force = make_float3(0, 0, 0);
  for (int j = 0; j < n; ++j) {
    const float4 other = bodies[j];
    const float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
    const float strength = other.w * inverse * inverse * inverse;
    force.x += strength * dx;
    force.y += strength * dy;
    force.z += strength * dz;
  }
  forces[i] = force;
}

__global__ void activate(int n, float *values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = squash(values[i]) * tanhf(values[i]);
}

__global__ void scan_warp(const int *in, int *out) {
  int value = in[threadIdx.x];
  for (int step = 1; step < warpSize; step *= 2) {
    const int below = __shfl_up(value, step);
    if (threadIdx.x % warpSize >= step)
      value += below;
  }
  out[threadIdx.x] = value;
}

void run(int n, float *a, float *b, float *c, unsigned *bins, float4 *bodies, float3 *forces, hipStream_t stream) {
  saxpy<<<n / block, block, 0, stream>>>(n, 2, a, b);
  reduce<<<64, block, 0, stream>>>(n, a, c);
  multiply<16><<<dim3(n / 16, n / 16), dim3(16, 16), 0, stream>>>(n, a, b, c);
  histogram<<<64, block, 0, stream>>>(n, reinterpret_cast<unsigned char *>(a), bins);
  attract<<<n / block, block, 0, stream>>>(n, bodies, forces);
  activate<<<n / block, block, 0, stream>>>(n, a);
  scan_warp<<<1, 64, 0, stream>>>(reinterpret_cast<int *>(a), reinterpret_cast<int *>(b));
}
