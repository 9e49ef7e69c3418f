// What implementations of OpenCL have got wrong, or lack and must say so: on the OpenCL device of the process.
#include <hip/hip_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

static int failures = 0;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("line %d: FAILED: %s\n", __LINE__, #condition);                                  \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)

constexpr int blocks = 8, threads = 64;

__device__ int *places[blocks];
__device__ int storage[blocks][threads];
__device__ int counter = 7;
__constant__ int table[4] = {1, 10, 100, 1000};

// All work-items of a block return, or none does.
__global__ void barrier_behind_return(int *out, int value) {
  const int item = threadIdx.x;
  if (item == 0)
    places[blockIdx.x] = storage[blockIdx.x];
  __syncthreads();
  int *const mine = places[blockIdx.x];
  if (mine == nullptr)
    return;
  mine[item] = value + item;
  __syncthreads();
  if (item == static_cast<int>(blockDim.x) - 1)
    for (unsigned i = 0; i < blockDim.x; ++i)
      out[blockIdx.x * blockDim.x + i] = mine[i];
}

struct Pair {
  int first, second;
};

// Each work-item has a struct of its own.
__global__ void write_parameter(Pair pair, int *out) {
  pair.first += threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += pair.first;
  out[threadIdx.x] = sum;
}

__global__ void use_variables(int *out) {
  atomicAdd(&counter, 1);
  out[threadIdx.x] = table[threadIdx.x % 4] + static_cast<int>(threadIdx.x) / warpSize;
}

// How often the clock was read goes to `reads`.
__global__ void wait_for(long long ticks, long long *reads) {
  const long long begin = wall_clock64();
  long long count = 1;
  while (wall_clock64() - begin < ticks)
    ++count;
  *reads = count;
}

// In a loop that each work-item leaves when it likes.
__global__ void exchange(int *out) {
  for (int i = threadIdx.x; i > 0; --i)
    out[threadIdx.x] = __shfl_down(out[threadIdx.x], 1);
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recurse(int *out) { *out = fibonacci(*out); }

// The compiler makes a function of its own for this.
__global__ void swap_bytes(unsigned long long *out) { *out = __builtin_bswap64(*out); }

__global__ void set(int *out, int value) { *out = value; }

__global__ void increment(int *out) { *out += 1; }

static void append_digit(void *number) {
  int &value = **static_cast<int **>(number);
  value = value * 10;
}

// Compiled code has the addresses of variables, and is kept for the next process.
static void check_addresses(const char *program, const void *own) {
  std::FILE *const other = popen((std::string(program) + " address").c_str(), "r");
  void *address = nullptr;
  CHECK(other && std::fscanf(other, "%p", &address) == 1 && pclose(other) == 0);
  CHECK(address == own);
}

int main(int argc, char **argv) {
  void *address = nullptr;
  CHECK(hipGetSymbolAddress(&address, HIP_SYMBOL(counter)) == hipSuccess);
  if (argc > 1 && std::strcmp(argv[1], "address") == 0) {
    std::printf("%p\n", address);
    return failures != 0;
  }
  check_addresses(argv[0], address);

  int *out = nullptr;
  CHECK(hipMallocManaged(&out, blocks * threads * sizeof(int)) == hipSuccess);
  const auto wait = [] { CHECK(hipDeviceSynchronize() == hipSuccess); };

  barrier_behind_return<<<blocks, threads>>>(out, 5);
  wait();
  bool right = true;
  for (int i = 0; i < blocks * threads; ++i)
    right &= out[i] == 5 + i % threads;
  CHECK(right);

  write_parameter<<<1, threads>>>({3, 0}, out);
  wait();
  right = true;
  for (int i = 0; i < threads; ++i)
    right &= out[i] == 4 * (3 + i);
  CHECK(right);

  *reinterpret_cast<unsigned long long *>(out) = 0x0102030405060708;
  swap_bytes<<<1, 1>>>(reinterpret_cast<unsigned long long *>(out));
  wait();
  CHECK(*reinterpret_cast<unsigned long long *>(out) == 0x0807060504030201);

  use_variables<<<1, threads>>>(out);
  wait();
  int seen = 0;
  CHECK(hipMemcpyFromSymbol(&seen, HIP_SYMBOL(counter), sizeof seen) == hipSuccess);
  CHECK(seen == 7 + threads);
  CHECK(out[1] == 10);
  CHECK(out[threads - 1] == 1000 + 1);

  int rate = 0; // ticks in a millisecond
  CHECK(hipDeviceGetAttribute(&rate, hipDeviceAttributeWallClockRate, 0) == hipSuccess);
  const auto before = std::chrono::steady_clock::now();
  long long *reads = nullptr;
  CHECK(hipMallocManaged(&reads, sizeof *reads) == hipSuccess);
  wait_for<<<1, 1>>>(50ll * rate, reads);
  wait();
  CHECK(*reads < 50ll * rate); // time passes by itself, and not by being asked for
  CHECK(std::chrono::steady_clock::now() - before >= std::chrono::milliseconds(49));

  // Kernels and functions of the program in the order of a stream, and across streams.
  hipStream_t streams[2];
  hipEvent_t event;
  for (hipStream_t &stream : streams)
    CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) == hipSuccess);
  CHECK(hipEventCreate(&event) == hipSuccess);
  // The second stream has nothing of its own to wait for.
  wait_for<<<1, 1, 0, streams[0]>>>(20ll * rate, reads);
  set<<<1, 1, 0, streams[0]>>>(out, 5);
  CHECK(hipEventRecord(event, streams[0]) == hipSuccess);
  CHECK(hipStreamWaitEvent(streams[1], event, 0) == hipSuccess);
  increment<<<1, 1, 0, streams[1]>>>(out);
  wait();
  CHECK(*out == 6);
  *out = 0;
  wait_for<<<1, 1, 0, streams[0]>>>(20ll * rate, reads);
  for (int i = 0; i < 4; ++i) {
    increment<<<1, 1, 0, streams[i % 2]>>>(out);
    CHECK(hipLaunchHostFunc(streams[i % 2], &append_digit, &out) == hipSuccess);
    CHECK(hipEventRecord(event, streams[i % 2]) == hipSuccess);
    CHECK(hipStreamWaitEvent(streams[(i + 1) % 2], event, 0) == hipSuccess);
  }
  wait();
  CHECK(*out == 11110);
  for (int i = 0; i < 100; ++i) {
    increment<<<1, 1, 0, streams[i % 2]>>>(out);
    CHECK(hipEventRecord(event, streams[i % 2]) == hipSuccess);
    CHECK(hipStreamWaitEvent(streams[(i + 1) % 2], event, 0) == hipSuccess);
  }
  wait();
  CHECK(*out == 11210);

  // What is lacking is said, and a kernel that needs it does not take the others with it.
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0) == hipSuccess);
  CHECK(properties.cooperativeLaunch == 0);
  exchange<<<1, 32>>>(out);
  const hipError_t exchanged = hipGetLastError();
  CHECK(exchanged ==
        (properties.arch.hasWarpShuffle ? hipSuccess : hipErrorSharedObjectInitFailed));
  recurse<<<1, 1>>>(out);
  CHECK(hipGetLastError() == hipErrorSharedObjectInitFailed);
  *out = 1;
  increment<<<1, 1>>>(out);
  wait();
  CHECK(properties.arch.hasWarpShuffle || *out == 2);

  std::puts(failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
