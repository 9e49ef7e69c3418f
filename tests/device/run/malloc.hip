// malloc, free, new and delete in kernels: that allocations do not overlap, that memory comes back, that exhaustion gives null.
#include "device_test.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

using namespace device_test;

constexpr size_t heap_bytes = 1 << 20;

// Each thread fills what it gets, waits for all others of its block, and looks whether it is still there.
__global__ void fill_and_check(int *errors, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    const unsigned ints = 1 + (thread * 7 + round * 13) % 24;
    int *memory = static_cast<int *>(malloc(ints * sizeof(int)));
    if (memory) {
      if (reinterpret_cast<uintptr_t>(memory) % 16 != 0)
        atomicAdd(errors, 1);
      for (unsigned i = 0; i < ints; ++i)
        memory[i] = thread;
    }
    __syncthreads();
    if (!memory)
      atomicAdd(errors + 1, 1);
    else
      for (unsigned i = 0; i < ints; ++i)
        if (memory[i] != thread)
          atomicAdd(errors, 1);
    free(memory);
  }
}

__global__ void allocate(void **pointers, size_t bytes) {
  pointers[blockIdx.x * blockDim.x + threadIdx.x] = malloc(bytes);
}
__global__ void write(int **pointers, size_t ints) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (size_t i = 0; pointers[thread] && i < ints; ++i)
    pointers[thread][i] = thread;
}
__global__ void check_and_free(int **pointers, size_t ints, int *errors) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (size_t i = 0; pointers[thread] && i < ints; ++i)
    if (pointers[thread][i] != thread)
      atomicAdd(errors, 1);
  free(pointers[thread]);
}

struct Shape {
  __device__ explicit Shape(int sides) : sides(sides) {}
  virtual __device__ int area() const { return sides; }
  virtual __device__ ~Shape() {}
  int sides;
};
struct Square : Shape {
  __device__ Square() : Shape(4) {}
  __device__ int area() const override { return sides * 100; }
  __device__ ~Square() override { sides = 0; }
};
struct alignas(256) Wide {
  int value = 7;
};
__global__ void objects(int *out) {
  const int i = threadIdx.x;
  Shape *shape = i % 2 ? new Square : new Shape(i);
  out[i] = shape->area();
  delete shape;
  int *many = new int[i + 1]{};
  out[i] += many[i];
  many[i] = 3;
  delete[] many;
  Wide *wide = new Wide;
  out[i] += wide->value + (reinterpret_cast<uintptr_t>(wide) % 256 == 0 ? 0 : 1000000);
  delete wide;
  alignas(int) char place[sizeof(int)];
  out[i] += *new (place) int(i);
  int *quiet = new (std::nothrow) int(1);
  out[i] += quiet ? *quiet : 1000000;
  delete quiet;
  out[i] += new (std::nothrow) char[heap_bytes * 2] ? 1000000 : 0;
  free(nullptr);
  delete static_cast<int *>(nullptr);
  out[i] += std::malloc(size_t(-1)) || malloc(heap_bytes * 2) ? 1000000 : 0;
}
__global__ void twice(int *out) {
  void *first = malloc(32);
  free(first);
  free(first);       // does no harm
  free(out);         // is not of the heap
  void *a = malloc(32), *b = malloc(32);
  out[0] = a && b && a != b;
  free(a);
  free(b);
}

// Everything that there is for blocks of one size, and that they do not overlap.
size_t exhaust(size_t bytes, int *errors) {
  constexpr int blocks = 64, threads = 256;
  Array<void *> pointers(blocks * threads);
  allocate<<<blocks, threads>>>(pointers.get(), bytes);
  auto **ints = reinterpret_cast<int **>(pointers.get());
  write<<<blocks, threads>>>(ints, bytes / 4);
  wait();
  const size_t count = size_t(std::count_if(pointers.get(), pointers.get() + pointers.size(), [](void *p) { return p; }));
  check_and_free<<<blocks, threads>>>(ints, bytes / 4, errors);
  wait();
  return count;
}

int main() {
  size_t limit = 0;
  CALL(hipDeviceGetLimit(&limit, hipLimitMallocHeapSize));
  CHECK(limit >= 8 << 20);
  CALL(hipDeviceSetLimit(hipLimitMallocHeapSize, heap_bytes));
  CALL(hipDeviceGetLimit(&limit, hipLimitMallocHeapSize));
  CHECK(limit == heap_bytes);

  Array<int> errors(2);
  size_t before = 0, after = 0, total = 0;
  CALL(hipMemGetInfo(&before, &total));
  fill_and_check<<<16, 64>>>(errors.get(), 8);
  wait();
  CALL(hipMemGetInfo(&after, &total));
  CHECK(unchecked() || before - after == heap_bytes);
  CHECK(errors[0] == 0);
  CHECK(errors[1] == 0);
  // It is in use now.
  CHECK(unchecked() || hipDeviceSetLimit(hipLimitMallocHeapSize, heap_bytes * 2) == hipErrorInvalidValue);
  (void)hipGetLastError();

  // Three quarters at least of what there is can be had, whatever the size, and again and again.
  for (size_t bytes : {64, 128, 1000, 4096, 8192, 20000, 100000, 300000}) {
    const size_t count = exhaust(bytes, errors.get());
    CHECK(count <= heap_bytes / bytes);
    CHECK(count >= std::min<size_t>(64 * 256, heap_bytes / bytes * 3 / 4));
  }
  CHECK(errors[0] == 0);
  CHECK(exhaust(heap_bytes, errors.get()) == 1);

  Array<int> out(64);
  objects<<<1, 64>>>(out.get());
  wait();
  for (int i = 0; i < 64; ++i)
    CHECK(out[i] == (i % 2 ? 400 : i) + 7 + i + 1);
  twice<<<1, 1>>>(out.get());
  wait();
  CHECK(out[0] == 1);
  return result();
}
