// Intel's driver with a simulated GPU, which takes all calls and executes nothing, beside the CPU driver.
#include "../counted.h"
#include "../fixture.h"

#include <cstdlib>
#include <cstring>
#include <string>

using namespace fixture;
using namespace counted;

namespace {

constexpr size_t bytes = 1 << 20;

/// The simulated GPU's number, as CHIP_DEVICE puts it, and the CPU's.
int gpu() { return std::string(std::getenv("CHIP_DEVICE")).starts_with("gpu") ? 0 : 1; }
int cpu() { return 1 - gpu(); }

/// A device's memory and a stream.
struct Side {
  explicit Side(int device) {
    REQUIRE_HIP(hipSetDevice(device));
    REQUIRE_HIP(hipMalloc(&data, bytes));
    REQUIRE_HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  }
  ~Side() {
    (void)hipStreamDestroy(stream);
    (void)hipFree(data);
  }
  Side(const Side &) = delete;
  void *data = nullptr;
  hipStream_t stream = nullptr;
};

bool is_gpu(int device) {
  hipDeviceProp_t properties;
  REQUIRE_HIP(hipGetDeviceProperties(&properties, device));
  return std::strstr(properties.name, "Intel(R) Graphics") != nullptr;
}

} // namespace

TEST_CASE("gpu and cpu: the devices come in the order of CHIP_DEVICE") {
  int count = 0;
  REQUIRE_HIP(hipGetDeviceCount(&count));
  REQUIRE(count == 2);
  REQUIRE(is_gpu(gpu()));
  REQUIRE(!is_gpu(cpu()));
}

TEST_CASE("gpu and cpu: the same kernel is built for both, and the CPU executes it") {
  for (const int device : {gpu(), cpu()}) {
    REQUIRE_HIP(hipSetDevice(device));
    hipModule_t module = nullptr;
    hipFunction_t add = nullptr;
    REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
    REQUIRE_HIP(hipModuleGetFunction(&add, module, "add"));
    HostMemory<int> value(1);
    REQUIRE_HIP(launch(add, nullptr, 1, value.get(), 42));
    REQUIRE_HIP(hipDeviceSynchronize());
    REQUIRE(value[0] == (device == cpu() ? 42 : 0));
    REQUIRE_HIP(hipModuleUnload(module));
  }
}

TEST_CASE("gpu and cpu: the GPU's driver copies between them, whichever stream it is", "[calls]") {
  Side on_gpu(gpu()), on_cpu(cpu());
  for (const Side *own : {&on_gpu, &on_cpu})
    for (const bool to_cpu : {true, false}) {
      void *to = to_cpu ? on_cpu.data : on_gpu.data, *from = to_cpu ? on_gpu.data : on_cpu.data;
      Calls calls = calls_of([&] {
        REQUIRE_HIP(hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, own->stream));
        REQUIRE_HIP(hipStreamSynchronize(own->stream));
      });
      REQUIRE(calls["zeCommandListAppendMemoryCopy"] == 1);
      // By a queue of the GPU, in the place of the CPU's stream, which waits for it.
      REQUIRE(calls["zeCommandListAppendEventReset"] == (own == &on_gpu ? 0 : 1));
    }
}

TEST_CASE("gpu and cpu: a GPU's memory is filled in a stream of the CPU", "[calls]") {
  Side on_gpu(gpu()), on_cpu(cpu());
  Calls calls = calls_of([&] {
    REQUIRE_HIP(hipMemsetAsync(on_gpu.data, 1, bytes, on_cpu.stream));
    REQUIRE_HIP(hipMemset2DAsync(on_gpu.data, 1024, 1, 512, 16, on_cpu.stream));
    REQUIRE_HIP(hipStreamSynchronize(on_cpu.stream));
  });
  REQUIRE(calls["zeCommandListAppendMemoryFill"] >= 2);
}

TEST_CASE("gpu and cpu: each waits for the other") {
  Side on_gpu(gpu()), on_cpu(cpu());
  for (const Side *first : {&on_gpu, &on_cpu}) {
    const Side &second = first == &on_gpu ? on_cpu : on_gpu;
    REQUIRE_HIP(hipSetDevice(first == &on_gpu ? gpu() : cpu()));
    Event event;
    for (int i = 0; i < 20; ++i) {
      REQUIRE_HIP(hipMemsetAsync(first->data, 1, bytes, first->stream));
      REQUIRE_HIP(hipEventRecord(event, first->stream));
      REQUIRE_HIP(hipStreamWaitEvent(second.stream, event, 0));
      REQUIRE_HIP(hipMemsetAsync(second.data, 2, bytes, second.stream));
    }
    REQUIRE_HIP(hipStreamSynchronize(second.stream));
    REQUIRE_HIP(hipStreamSynchronize(first->stream));
  }
}

TEST_CASE("gpu and cpu: they are no peers, and hipMemcpyPeer copies all the same") {
  Side on_gpu(gpu()), on_cpu(cpu());
  for (const int device : {0, 1}) {
    int can_access = -1;
    REQUIRE_HIP(hipDeviceCanAccessPeer(&can_access, device, 1 - device));
    REQUIRE(can_access == 0);
    REQUIRE_HIP(hipSetDevice(device));
    REQUIRE(hipDeviceEnablePeerAccess(1 - device, 0) == hipErrorPeerAccessUnsupported);
  }
  REQUIRE_HIP(hipMemcpyPeer(on_cpu.data, cpu(), on_gpu.data, gpu(), bytes));
  REQUIRE_HIP(hipMemcpyPeer(on_gpu.data, gpu(), on_cpu.data, cpu(), bytes));
}

TEST_CASE("gpu and cpu: managed memory stays where both reach it", "[calls]") {
  Side on_gpu(gpu()), on_cpu(cpu());
  REQUIRE_HIP(hipSetDevice(gpu()));
  void *managed = nullptr;
  Calls calls = calls_of([&] { REQUIRE_HIP(hipMallocManaged(&managed, bytes)); });
  REQUIRE(calls["zeMemAllocHost"] == 1);
  REQUIRE(calls["zeMemAllocShared"] == 0);
  for (Side *side : {&on_gpu, &on_cpu}) {
    const int device = side == &on_gpu ? gpu() : cpu();
    calls =
        calls_of([&] { REQUIRE_HIP(hipMemPrefetchAsync(managed, bytes, device, side->stream)); });
    REQUIRE(calls["zeCommandListAppendMemoryPrefetch"] == 0);
  }
  REQUIRE_HIP(hipFree(managed));
}
