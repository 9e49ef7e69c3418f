// Devices of two drivers of which only one may reach the other's memory: copies between them, captured from streams of either.
#include <hip/hip_runtime.h>

#include <cstdio>

static int failures = 0;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("line %d: FAILED: %s\n", __LINE__, #condition);                                  \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)

constexpr int count = 1000;

__global__ void add(int *numbers, int number) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    numbers[i] += number;
}

static void add_to(int *numbers, int number, hipStream_t stream) {
  add<<<(count + 63) / 64, 64, 0, stream>>>(numbers, number);
  CHECK(hipGetLastError() == hipSuccess);
}

/// A kernel on one device, a copy to the other's memory, and a kernel there, if the stream is of that device, or else before.
static void check(int from_device, int to_device, int stream_device, bool is_peer) {
  int *from = nullptr, *to = nullptr, seen[count];
  CHECK(hipSetDevice(to_device) == hipSuccess);
  CHECK(hipMalloc(&to, sizeof seen) == hipSuccess);
  CHECK(hipSetDevice(from_device) == hipSuccess);
  CHECK(hipMalloc(&from, sizeof seen) == hipSuccess);
  CHECK(hipMemset(from, 0, sizeof seen) == hipSuccess);
  hipStream_t stream;
  CHECK(hipSetDevice(stream_device) == hipSuccess);
  CHECK(hipStreamCreate(&stream) == hipSuccess);
  hipGraph_t graph = nullptr;
  hipGraphExec_t executable = nullptr;
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal) == hipSuccess);
  if (stream_device == from_device)
    add_to(from, 3, stream);
  CHECK((is_peer ? hipMemcpyPeerAsync(to, to_device, from, from_device, sizeof seen, stream)
                 : hipMemcpyAsync(to, from, sizeof seen, hipMemcpyDeviceToDevice, stream)) ==
        hipSuccess);
  if (stream_device == to_device)
    add_to(to, 4, stream);
  CHECK(hipStreamEndCapture(stream, &graph) == hipSuccess);
  CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0) == hipSuccess);
  for (int i = 0; i < 10; ++i)
    CHECK(hipGraphLaunch(executable, stream) == hipSuccess);
  CHECK(hipMemcpyAsync(seen, to, sizeof seen, hipMemcpyDeviceToHost, stream) == hipSuccess);
  CHECK(hipStreamSynchronize(stream) == hipSuccess);
  CHECK(seen[0] == (stream_device == from_device ? 30 : 4));
  CHECK(seen[count - 1] == seen[0]);
  CHECK(hipGraphExecDestroy(executable) == hipSuccess);
  CHECK(hipGraphDestroy(graph) == hipSuccess);
  CHECK(hipStreamDestroy(stream) == hipSuccess);
  CHECK(hipFree(from) == hipSuccess);
  CHECK(hipFree(to) == hipSuccess);
}

int main() {
  int devices = 0;
  CHECK(hipGetDeviceCount(&devices) == hipSuccess);
  CHECK(devices >= 2);
  if (failures == 0)
    for (const int from : {0, devices - 1})
      for (const int of_stream : {0, devices - 1})
        for (const bool is_peer : {false, true})
          check(from, devices - 1 - from, of_stream, is_peer);
  std::puts(failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
