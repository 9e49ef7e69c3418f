// The most dynamic shared memory that a kernel may have, beside what it declares and as its arrays are aligned: what the
// attributes say can be launched, and all refuse one byte more.
#include "../device_test.h"

using namespace device_test;

using Kernel = void (*)(int *, int);

extern __shared__ char plain[];
alignas(128) extern __shared__ char wide[];
alignas(256) extern __shared__ char wider[];
alignas(4096) extern __shared__ char widest[];

/// Writes all of both parts, and counts bytes that are not what was written.
template <int declared> __device__ void use(char *dynamic, int bytes, int *wrong) {
  __shared__ char before[declared == 0 ? 1 : declared];
  for (int i = int(threadIdx.x); i < bytes; i += int(blockDim.x))
    dynamic[i] = char(i % 101);
  if constexpr (declared != 0)
    for (int i = int(threadIdx.x); i < declared; i += int(blockDim.x))
      before[i] = 111;
  __syncthreads();
  int bad = 0;
  for (int i = int(threadIdx.x); i < bytes; i += int(blockDim.x))
    bad += dynamic[i] != char(i % 101);
  if constexpr (declared != 0)
    for (int i = int(threadIdx.x); i < declared; i += int(blockDim.x))
      bad += before[i] != 111;
  atomicAdd(wrong, bad);
}

template <int declared> __global__ void on_plain(int *wrong, int bytes) {
  use<declared>(plain, bytes, wrong);
}
template <int declared> __global__ void on_wide(int *wrong, int bytes) {
  use<declared>(wide, bytes, wrong);
}
template <int declared> __global__ void on_wider(int *wrong, int bytes) {
  use<declared>(wider, bytes, wrong);
}
template <int declared> __global__ void on_widest(int *wrong, int bytes) {
  use<declared>(widest, bytes, wrong);
}

constexpr int threads = 64;

int blocks_with(Kernel kernel, int bytes) {
  int blocks = -1;
  CALL(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, size_t(bytes)));
  return blocks;
}

// Refusals are checked where nothing executes, too.
void require(bool good, int alignment, int most) {
  ++checks;
  if (good)
    return;
  ++failures;
  std::printf("aligned to %d, at most %d bytes: FAILED\n", alignment, most);
}

void test(Kernel kernel, int alignment, int *wrong) {
  hipFuncAttributes attributes{};
  CALL(hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(kernel)));
  const int most = attributes.maxDynamicSharedSizeBytes;
  constexpr auto limit = hipFuncAttributeMaxDynamicSharedMemorySize;
  require(attributes.sharedSizeBytes >= size_t(alignment > 128 ? alignment - 128 : 0), alignment,
          most);
  require(blocks_with(kernel, most) > 0, alignment, most);
  CALL(hipFuncSetAttribute(reinterpret_cast<const void *>(kernel), limit, most));
  kernel<<<1, threads, size_t(most)>>>(wrong, most);
  wait();
  kernel<<<1, threads>>>(wrong, 0);
  wait();
  for (const int more : {1, 16, 1024, 1 << 20}) {
    require(blocks_with(kernel, most + more) == 0, alignment, most);
    require(hipFuncSetAttribute(reinterpret_cast<const void *>(kernel), limit, most + more) ==
                hipErrorInvalidValue,
            alignment, most);
    kernel<<<1, threads, size_t(most + more)>>>(wrong, 0);
    require(hipGetLastError() == hipErrorInvalidValue, alignment, most);
  }
}

template <int declared> void test_beside(int *wrong) {
  test(on_plain<declared>, 1, wrong);
  test(on_wide<declared>, 128, wrong);
  test(on_wider<declared>, 256, wrong);
  test(on_widest<declared>, 4096, wrong);
}

int main() {
  Array<int> wrong(1);
  test_beside<0>(wrong.get());
  test_beside<3>(wrong.get());
  test_beside<144>(wrong.get());
  test_beside<1024>(wrong.get());
  test_beside<5000>(wrong.get());
  CHECK(wrong[0] == 0);
  return result();
}
