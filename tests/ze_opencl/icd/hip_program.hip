// What a HIP program sees of its devices: a line for each, and what comes of kernels with and without doubles, and of peers.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void plain(int *out, int value) { *out = value; }

__global__ void doubles(double *out, double value) { *out = value / 3; }

static int failures = 0;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("line %d: FAILED: %s\n", __LINE__, #condition);                                  \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)

static void try_device(int device) {
  CHECK(hipSetDevice(device) == hipSuccess);
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, device) == hipSuccess);
  int *out = nullptr, seen = 0;
  CHECK(hipMalloc(&out, sizeof(double)) == hipSuccess);
  doubles<<<1, 1>>>(reinterpret_cast<double *>(out), 6);
  const hipError_t with_doubles = hipGetLastError();
  plain<<<1, 1>>>(out, 5);
  CHECK(hipGetLastError() == hipSuccess);
  CHECK(hipMemcpy(&seen, out, sizeof seen, hipMemcpyDeviceToHost) == hipSuccess);
  CHECK(seen == 5);
  CHECK(hipFree(out) == hipSuccess);
  int *managed = nullptr;
  CHECK((hipMallocManaged(&managed, sizeof *managed) == hipSuccess) == (properties.managedMemory != 0));
  if (managed)
    CHECK(hipFree(managed) == hipSuccess);
  std::printf("device %d: %s; doubles: %s; managed: %d\n", device, properties.name,
              hipGetErrorName(with_doubles), properties.managedMemory);
}

/// Copies between devices and waits of one for another, whether they are peers or not.
static void try_pair(int first, int second) {
  int can_access = -1;
  CHECK(hipDeviceCanAccessPeer(&can_access, first, second) == hipSuccess);
  CHECK(hipSetDevice(first) == hipSuccess);
  const hipError_t enabled = hipDeviceEnablePeerAccess(second, 0);
  CHECK((enabled == hipSuccess) == (can_access == 1));
  (void)hipGetLastError();
  int *from = nullptr, *to = nullptr, seen = 0;
  hipStream_t one, other;
  hipEvent_t event;
  CHECK(hipStreamCreateWithFlags(&one, hipStreamNonBlocking) == hipSuccess);
  CHECK(hipMalloc(&from, sizeof *from) == hipSuccess);
  CHECK(hipEventCreate(&event) == hipSuccess);
  CHECK(hipSetDevice(second) == hipSuccess);
  CHECK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking) == hipSuccess);
  CHECK(hipMalloc(&to, sizeof *to) == hipSuccess);
  for (int i = 1; i <= 20; ++i) {
    CHECK(hipSetDevice(first) == hipSuccess);
    plain<<<1, 1, 0, one>>>(from, i);
    CHECK(hipGetLastError() == hipSuccess);
    CHECK(hipEventRecord(event, one) == hipSuccess);
    CHECK(hipSetDevice(second) == hipSuccess);
    CHECK(hipStreamWaitEvent(other, event, 0) == hipSuccess);
    CHECK(hipMemcpyPeerAsync(to, second, from, first, sizeof *to, other) == hipSuccess);
    CHECK(hipMemcpyAsync(&seen, to, sizeof seen, hipMemcpyDeviceToHost, other) == hipSuccess);
    CHECK(hipStreamSynchronize(other) == hipSuccess);
    CHECK(seen == i);
  }
  CHECK(hipFree(from) == hipSuccess);
  CHECK(hipFree(to) == hipSuccess);
  CHECK(hipEventDestroy(event) == hipSuccess);
  CHECK(hipStreamDestroy(one) == hipSuccess);
  CHECK(hipStreamDestroy(other) == hipSuccess);
  std::printf("peers %d %d: %d\n", first, second, can_access);
}

int main() {
  int count = 0;
  const hipError_t error = hipGetDeviceCount(&count);
  if (error != hipSuccess) {
    std::printf("no devices: %s\n", hipGetErrorName(error));
    return 2;
  }
  for (int device = 0; device < count; ++device)
    try_device(device);
  for (int first = 0; first < count; ++first)
    for (int second = 0; second < count; ++second)
      if (first != second)
        try_pair(first, second);
  std::puts(failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
