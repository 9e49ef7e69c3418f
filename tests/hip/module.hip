// Device code for the tests of modules and symbols.
#include <hip/hip_runtime.h>

extern "C" {
__device__ int counter = 40;
__constant__ float factors[4] = {1, 2, 3, 4};

__global__ void count(int *out) { *out = atomicAdd(&counter, 1) + 1; }
__managed__ int shared_counter = 5;
__global__ void count_shared() { ++shared_counter; }
__global__ void scale(float *p) { p[threadIdx.x] *= factors[threadIdx.x]; }

struct Mixed {
  char c;
  double d;
  short s;
};
__global__ void mixed(char a, long long b, Mixed m, float *out) {
  out[0] = a;
  out[1] = float(b);
  out[2] = m.c;
  out[3] = float(m.d);
  out[4] = m.s;
}
__global__ void nothing() {}
__global__ void rotate(int *p) { // with 12,288 bytes of shared memory of its own
  __shared__ int buffer[3072];
  buffer[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = buffer[(threadIdx.x + 1) % blockDim.x];
}
__global__ __launch_bounds__(64) void bounded() {}
__global__ void wait_for_flag(volatile int *flag) {
  while (*flag == 0) {
  }
}
}

texture<float, hipTextureType2D, hipReadModeElementType> reference;
extern "C" __global__ void read_reference(float *out) {
  out[0] = tex2D(reference, 1.5f, 2.5f);
  out[1] = tex2D(reference, -3.0f, 0.25f);
}

__global__ void of_cpp(int *) {} // has a mangled name
