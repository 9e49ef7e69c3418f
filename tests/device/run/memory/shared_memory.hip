// __shared__ memory of both kinds and __syncthreads.
#include "../device_test.h"

using namespace device_test;

__global__ void reverse_static(int *p) {
  __shared__ int buffer[256];
  buffer[threadIdx.x] = p[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  p[blockIdx.x * 256 + threadIdx.x] = buffer[255 - threadIdx.x];
}

extern __shared__ char dynamic_bytes[];

__device__ int *dynamic_ints() { return reinterpret_cast<int *>(dynamic_bytes); }

__global__ void sum_dynamic(const int *p, int *sums) {
  int *buffer = dynamic_ints();
  buffer[threadIdx.x] = p[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      buffer[threadIdx.x] += buffer[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = buffer[0];
}

// Static and dynamic shared memory do not overlap.
__global__ void both(int *wrong) {
  __shared__ int fixed[64];
  extern __shared__ char other_name[];
  int *dynamic = reinterpret_cast<int *>(other_name);
  fixed[threadIdx.x] = int(threadIdx.x);
  dynamic[threadIdx.x] = 1000 + int(threadIdx.x);
  __syncthreads();
  unsigned next = (threadIdx.x + 1) % 64;
  if (fixed[next] != int(next) || dynamic[next] != 1000 + int(next))
    atomicAdd(wrong, 1);
}

// Threads that leave early do not take part in barriers that the others reach no more... all here reach both.
__global__ void loop_of_barriers(int *out, int rounds) {
  __shared__ int value;
  if (threadIdx.x == 0)
    value = 0;
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    if (threadIdx.x == unsigned(i) % blockDim.x)
      value += i;
    __syncthreads();
  }
  out[threadIdx.x] = value;
}

// The columns of two matrices summed, tile by tile of 16 rows: the first column of a tile is a block's index times 16, in
// 32 bits and, as an index of memory, in 64.
__global__ void sum_of_tiles(const int *a, int a_width, const int *b, int b_width, int height, int *out) {
  __shared__ int tile[16][16];
  const int x = int(threadIdx.x), y = int(threadIdx.y);
  const int first = 16 * int(blockIdx.y), last = first + (height - 1) * a_width;
  int sum = 0;
  for (int i = first, j = 16 * int(blockIdx.x); i <= last; i += 16 * a_width, j += 16 * b_width) {
    tile[y][x] = i / a_width + y < height ? a[i + a_width * y + x] + b[j + b_width * y + x] : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += tile[k][x];
    __syncthreads();
  }
  if (y == 0)
    out[16 * (blockIdx.y * gridDim.x + blockIdx.x) + threadIdx.x] = sum;
}

// Within a warp no barrier is needed where memory is volatile: the hardware goes in lock step.
__global__ void sum_of_warps(const int *p, int *sums) {
  __shared__ volatile int values[2][64];
  volatile int *mine = &values[threadIdx.x / 32][threadIdx.x % 32];
  mine[32] = 0;
  mine[0] = p[threadIdx.x];
  mine[0] += mine[16];
  mine[0] += mine[8];
  mine[0] += mine[4];
  mine[0] += mine[2];
  mine[0] += mine[1];
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = mine[0];
}

// More than any type asks for. The addresses are the host's to check: the compiler takes them for granted.
alignas(1024) extern __shared__ char aligned_dynamic[];
__global__ void addresses(uintptr_t *out, int *values) {
  __shared__ char odd;
  __shared__ alignas(256) char narrow[3];
  __shared__ alignas(4096) int wide;
  if (threadIdx.x == 0) {
    odd = char(blockIdx.x);
    narrow[1] = char(1 + blockIdx.x);
    wide = 1000 + int(blockIdx.x);
    aligned_dynamic[99] = char(2 + blockIdx.x);
    out[3 * blockIdx.x] = reinterpret_cast<uintptr_t>(narrow);
    out[3 * blockIdx.x + 1] = reinterpret_cast<uintptr_t>(&wide);
    out[3 * blockIdx.x + 2] = reinterpret_cast<uintptr_t>(aligned_dynamic);
  }
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1)
    values[blockIdx.x] = odd + narrow[1] + wide + aligned_dynamic[99];
}

// One name, and an alignment for each instance. The first is the least.
template <int alignment> __device__ char *aligned_for() {
  extern __shared__ __align__(alignment) char aligned_array[];
  return aligned_array;
}
template <int alignment> __global__ void address(uintptr_t *out) {
  __shared__ char odd;
  char *array = aligned_for<alignment>();
  odd = 1;
  array[threadIdx.x] = 2;
  __syncthreads();
  *out = reinterpret_cast<uintptr_t>(array) + static_cast<uintptr_t>(odd + array[threadIdx.x] - 3);
}
template <int alignment> bool is_aligned(uintptr_t *out) {
  address<alignment><<<1, 32, 64>>>(out);
  wait();
  return *out != 0 && *out % alignment == 0;
}

template <class T> __device__ T *shared_array() {
  extern __shared__ __align__(sizeof(T)) unsigned char array_of_any[];
  return reinterpret_cast<T *>(array_of_any);
}
extern __shared__ unsigned char under_its_own_name[];

// Whatever they are aligned to and called, they are the same memory.
__global__ void writes_and_reads(unsigned *out, int i) {
  unsigned char *bytes = shared_array<unsigned char>();
  shared_array<uint4>()[0] = uint4{1, 2, 3, 4};
  bytes[i] = 5;
  out[0] = shared_array<uint4>()[0].z;
  shared_array<unsigned>()[1] = 6;
  out[1] = bytes[4];
  under_its_own_name[4] = 7;
  out[2] = bytes[4];
}

int main() {
  Array<int> p(1024), sums(4), wrong(1), out(96);
  for (int i = 0; i < 1024; ++i)
    p[size_t(i)] = i;
  reverse_static<<<4, 256>>>(p.get());
  wait();
  bool reversed = true;
  for (int i = 0; i < 1024; ++i)
    reversed &= p[size_t(i)] == i / 256 * 256 + 255 - i % 256;
  CHECK(reversed);
  sum_dynamic<<<4, 256, 256 * sizeof(int)>>>(p.get(), sums.get());
  wait();
  CHECK(sums[0] == 255 * 128);
  CHECK(sums[3] == 255 * 128 + 768 * 256);
  both<<<8, 64, 64 * sizeof(int)>>>(wrong.get());
  wait();
  CHECK(wrong[0] == 0);
  loop_of_barriers<<<1, 96>>>(out.get(), 200);
  wait();
  bool same = true;
  for (size_t i = 0; i < 96; ++i)
    same &= out[i] == 199 * 100;
  CHECK(same);

  constexpr int height = 20;
  Array<int> a(height * 48), b(height * 32), columns(16 * 3 * 2);
  for (size_t i = 0; i < height * 48; ++i)
    a[i] = int(i * 7 % 101);
  for (size_t i = 0; i < height * 32; ++i)
    b[i] = int(i * 11 % 103);
  sum_of_tiles<<<dim3(2, 3), dim3(16, 16)>>>(a.get(), 48, b.get(), 32, height, columns.get());
  wait();
  bool summed = true;
  for (size_t column = 0; column < 96; ++column) {
    const size_t in_a = column / 32 * 16 + column % 16, in_b = column / 16 % 2 * 16 + column % 16;
    int sum = 0;
    for (size_t row = 0; row < height; ++row)
      sum += a[row * 48 + in_a] + b[row * 32 + in_b];
    summed &= columns[column] == sum;
  }
  CHECK(summed);

  for (int i = 0; i < 64; ++i)
    p[size_t(i)] = i * i;
  sum_of_warps<<<1, 64>>>(p.get(), sums.get());
  wait();
  CHECK(sums[0] == 31 * 32 * 63 / 6);
  CHECK(sums[1] == 63 * 64 * 127 / 6 - 31 * 32 * 63 / 6);

  Array<uintptr_t> places(3 * 16);
  Array<int> values(16);
  addresses<<<16, 64, 100>>>(places.get(), values.get());
  wait();
  for (size_t block = 0; block < 16; ++block) {
    CHECK(places[3 * block] % 256 == 0);
    CHECK(places[3 * block + 1] % 4096 == 0);
    CHECK(places[3 * block + 2] % 1024 == 0);
    CHECK(values[block] == 1003 + 4 * int(block));
  }

  CHECK(is_aligned<1>(places.get()));
  CHECK(is_aligned<16>(places.get()));
  CHECK(is_aligned<64>(places.get()));
  CHECK(is_aligned<512>(places.get()));
  CHECK(is_aligned<128>(places.get()));

  Array<unsigned> read(3);
  writes_and_reads<<<1, 1, 64>>>(read.get(), 8);
  wait();
  CHECK(read[0] == 5);
  CHECK(read[1] == 6);
  CHECK(read[2] == 7);
  return result();
}
