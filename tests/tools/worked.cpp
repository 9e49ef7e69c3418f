// A program that submits work in ways that differ in where its bytes, its kernel and its stream stand among the parameters. Prints
// what a tool is to be told of each piece of work: kind, bytes, correlation, whether the times are plausible, name.
#include <hip/hip_ext.h>
#include <hip/hip_runtime_api.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

bool good = true;

/// A piece of work that a call submits.
void expect(int kind, size_t bytes, hipError_t result, const char *name = "-") {
  good &= result == hipSuccess;
  if (result != hipSuccess)
    std::fprintf(stderr, "work of kind %d and %zu bytes: %s\n", kind, bytes,
                 hipGetErrorName(result));
  std::printf("%d %zu 77 1 %s\n", kind, bytes, name);
}

/// What has to go well beside it.
void do_with(hipError_t result) {
  good &= result == hipSuccess;
  if (result != hipSuccess)
    std::fprintf(stderr, "a call besides: %s\n", hipGetErrorName(result));
}

enum { kernel, copy, fill, host_function, graph_launch, other };

} // namespace

int main(int count, char **) {
  std::vector<char> host(64 * 1024);
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  void *memory = nullptr, *far = nullptr, *managed = nullptr;
  do_with(hipModuleLoad(&module, TEST_KERNELS));
  do_with(hipModuleGetFunction(&function, module, "nothing"));
  do_with(hipMalloc(&memory, host.size()));
  do_with(hipMallocManaged(&managed, 4096));

  hipMemcpy3DParms box{};
  box.srcPtr = make_hipPitchedPtr(host.data(), 64, 64, 4);
  box.dstPtr = make_hipPitchedPtr(memory, 64, 64, 4);
  box.extent = make_hipExtent(64, 4, 2);
  box.kind = hipMemcpyHostToDevice;
  expect(copy, 512, hipMemcpy3D(&box));
  // The width is one of elements where an array takes part.
  hipArray_t array = nullptr;
  const hipChannelFormatDesc format{32, 0, 0, 0, hipChannelFormatKindFloat};
  do_with(hipMallocArray(&array, &format, 64, 4));
  hipMemcpy3DParms to_array{};
  to_array.srcPtr = make_hipPitchedPtr(host.data(), 256, 64, 4);
  to_array.dstArray = array;
  to_array.extent = make_hipExtent(64, 4, 1);
  to_array.kind = hipMemcpyHostToDevice;
  expect(copy, 1024, hipMemcpy3DAsync(&to_array, nullptr));
  hip_Memcpy2D rows{};
  rows.srcMemoryType = rows.dstMemoryType = hipMemoryTypeDevice;
  rows.srcDevice = memory;
  rows.dstDevice = static_cast<char *>(memory) + 1024;
  rows.srcPitch = rows.dstPitch = 32;
  rows.WidthInBytes = 16;
  rows.Height = 3;
  expect(copy, 48, hipMemcpyParam2D(&rows));
  expect(copy, 128, hipMemcpy2DToArray(array, 0, 0, host.data(), 64, 32, 4, hipMemcpyHostToDevice));
  expect(copy, 64, hipMemcpyHtoD(memory, host.data(), 64));
  expect(copy, 80, hipMemcpyDtoDAsync(memory, static_cast<char *>(memory) + 1024, 80, nullptr));
  expect(fill, 20, hipMemsetD16(memory, 1, 10));
  expect(fill, 96, hipMemset2D(memory, 64, 0, 32, 3));
  expect(fill, 512,
         hipMemset3D(make_hipPitchedPtr(memory, 64, 64, 4), 0, make_hipExtent(64, 4, 2)));
  expect(other, 0, hipMemPrefetchAsync(managed, 4096, 0, nullptr));
  expect(kernel, 0,
         hipModuleLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr),
         "nothing");
  HIP_LAUNCH_CONFIG config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  expect(kernel, 0, hipDrvLaunchKernelEx(&config, function, nullptr, nullptr), "nothing");

  // What is captured has not run, and nobody asks meanwhile whether it has: that would end the capture.
  hipStream_t stream = nullptr;
  hipGraph_t graph = nullptr;
  hipGraphExec_t executable = nullptr;
  size_t nodes = 0;
  do_with(hipStreamCreate(&stream));
  do_with(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  do_with(hipMemset2DAsync(memory, 64, 0, 32, 3, stream));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  do_with(hipStreamEndCapture(stream, &graph));
  do_with(hipGraphGetNodes(graph, nullptr, &nodes));
  good &= nodes == 1;
  do_with(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  expect(graph_launch, 0, hipGraphLaunch(executable, stream));
  do_with(hipStreamSynchronize(stream));

  // Streams of a device that is not the current one.
  do_with(hipSetDevice(1));
  do_with(hipStreamCreate(&stream));
  do_with(hipMalloc(&far, 4096));
  do_with(hipSetDevice(0));
  expect(fill, 4096, hipMemsetAsync(far, 0, 4096, stream));
  expect(copy, 160, hipMemcpyPeerAsync(memory, 0, far, 1, 160, stream));
  do_with(hipStreamSynchronize(stream));
  int current = -1;
  do_with(hipGetDevice(&current));
  good &= current == 0;
  do_with(hipDeviceSynchronize());

  // What is neither a kernel nor a copy.
  expect(host_function, 0,
         hipStreamAddCallback(nullptr, [](hipStream_t, hipError_t, void *) {}, nullptr, 0));
  expect(other, 0, hipStreamWriteValue32(nullptr, memory, 5, 0));
  expect(other, 0, hipStreamWaitValue32(nullptr, memory, 5, hipStreamWaitValueEq, 0xffffffff));
  expect(other, 0, hipStreamWriteValue64(nullptr, memory, 6, 0));
  expect(other, 0, hipStreamWaitValue64(nullptr, memory, 6, hipStreamWaitValueEq, ~uint64_t(0)));

  if (count > 1) { // Work is under way as the program ends.
    std::fflush(stdout);
    std::quick_exit(good ? 0 : 1);
  }
  return good ? 0 : 1;
}
