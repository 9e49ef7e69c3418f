// Nodes that captures make: they look like those that are added by hand.
#include "captures.h"

#include <hip/api/registration.h>
#include <hip/hip_ext.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <unistd.h>

using namespace fixture;

namespace {

/// The node of a call on a stream.
class CapturedNode {
public:
  explicit CapturedNode(const std::function<hipError_t(hipStream_t)> &call)
      : capture_(streams_[0]) {
    REQUIRE_HIP(call(streams_[0]));
    const auto nodes = nodes_of(capture_.end());
    REQUIRE(nodes.size() == 1);
    node_ = nodes[0];
  }
  operator hipGraphNode_t() const { return node_; }
  std::string picture() const {
    const std::string path = "capture_node_test." + std::to_string(getpid()) + ".dot";
    REQUIRE_HIP(
        hipGraphDebugDotPrint(capture_.graph(), path.c_str(), hipGraphDebugDotFlagsVerbose));
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::remove(path.c_str());
    return text;
  }

private:
  const Streams streams_{1};
  StreamCapture capture_;
  hipGraphNode_t node_ = nullptr;
};

bool holds(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("hip captured node: a launch, whose arguments are those of the call") {
  const DeviceMemory memory(64);
  const hipFunction_t kernel = function("count");
  int *out = static_cast<int *>(static_cast<void *>(memory));
  void *arguments[] = {&out};
  const CapturedNode node([&](hipStream_t stream) {
    const hipError_t result =
        hipModuleLaunchKernel(kernel, 2, 3, 4, 8, 2, 1, 16, stream, arguments, nullptr);
    out = nullptr;
    return result;
  });
  REQUIRE(type_of(node) == hipGraphNodeTypeKernel);
  hipKernelNodeParams params{};
  REQUIRE_HIP(hipGraphKernelNodeGetParams(node, &params));
  CHECK(params.func == kernel);
  CHECK(params.gridDim.z == 4);
  CHECK(params.blockDim.x == 8);
  CHECK(params.sharedMemBytes == 16);
  CHECK(*static_cast<void **>(params.kernelParams[0]) == memory);
  CHECK(holds(node.picture(), "grid (2, 3, 4)"));
  params.gridDim.x = 9;
  REQUIRE_HIP(hipGraphKernelNodeSetParams(node, &params));
  REQUIRE_HIP(hipGraphKernelNodeGetParams(node, &params));
  CHECK(params.gridDim.x == 9);
}

TEST_CASE("hip captured node: pictures have the mangled names of kernels, as tools look for them") {
  int *nothing = nullptr;
  void *arguments[] = {&nothing};
  const CapturedNode node([&](hipStream_t stream) {
    return hipModuleLaunchKernel(function("_Z6of_cppPi"), 1, 1, 1, 1, 1, 1, 0, stream, arguments,
                                 nullptr);
  });
  CHECK(holds(node.picture(), "\\n_Z6of_cppPi\\n"));
}

TEST_CASE("hip captured node: a launch of a kernel of the program is of its function of the host") {
  std::ifstream file(TEST_KERNELS, std::ios::binary);
  const std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
  static hipFatBinaryWrapper wrapper{}; // as clang's start-up code does it
  wrapper.magic = HIP_FAT_BINARY_MAGIC;
  wrapper.version = 1;
  wrapper.binary = image.data();
  static char host_function;
  const void *const kernel = &host_function; // void, or a template would take the address of it
  char name[] = "nothing";
  void **bundle = __hipRegisterFatBinary(&wrapper);
  (void)__hipRegisterFunction(bundle, kernel, name, name, 0, nullptr, nullptr, nullptr, nullptr,
                              nullptr);
  {
    const CapturedNode node([&](hipStream_t stream) {
      return hipLaunchKernel(kernel, dim3(1), dim3(1), nullptr, 0, stream);
    });
    hipKernelNodeParams params{};
    REQUIRE_HIP(hipGraphKernelNodeGetParams(node, &params));
    CHECK(params.func == kernel);
    REQUIRE_HIP(hipGraphKernelNodeSetParams(node, &params));
  }
  __hipUnregisterFatBinary(bundle);
}

TEST_CASE("hip captured node: a cooperative launch") {
  hipDeviceProp_t properties{};
  REQUIRE_HIP(hipGetDeviceProperties(&properties, 0));
  if (!properties.cooperativeLaunch)
    SKIP("the device has no cooperative launches");
  const CapturedNode node([](hipStream_t stream) {
    return hipModuleLaunchCooperativeKernel(function("nothing"), 1, 1, 1, 4, 1, 1, 0, stream,
                                            nullptr);
  });
  hipKernelNodeAttrValue value{};
  REQUIRE_HIP(hipGraphKernelNodeGetAttribute(node, hipLaunchAttributeCooperative, &value));
  CHECK(value.cooperative == 1);
}

TEST_CASE(
    "hip captured node: a cooperative launch that is too large is refused, and not captured") {
  hipDeviceProp_t properties{};
  REQUIRE_HIP(hipGetDeviceProperties(&properties, 0));
  if (!properties.cooperativeLaunch)
    SKIP("the device has no cooperative launches");
  const Streams streams(1);
  const auto launch_cooperative = [&](unsigned blocks) {
    return hipModuleLaunchCooperativeKernel(function("nothing"), blocks, 1, 1, 4, 1, 1, 0,
                                            streams[0], nullptr);
  };
  unsigned fits = 1, too_many = 1u << 24;
  REQUIRE(launch_cooperative(too_many) == hipErrorCooperativeLaunchTooLarge);
  while (too_many - fits > 1) {
    const unsigned middle = fits + (too_many - fits) / 2;
    (launch_cooperative(middle) == hipSuccess ? fits : too_many) = middle;
  }
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  StreamCapture capture(streams[0]);
  CHECK(launch_cooperative(too_many) == hipErrorCooperativeLaunchTooLarge);
  CHECK(launch_cooperative(fits) == hipSuccess);
  CHECK(nodes_of(capture.end()).size() == 1);
  // As nodes that were made in another way.
  const hipGraphNode_t node = nodes_of(capture.graph())[0];
  hipKernelNodeParams params{};
  REQUIRE_HIP(hipGraphKernelNodeGetParams(node, &params));
  params.func = reinterpret_cast<void *>(function("nothing"));
  params.gridDim.x = too_many;
  CHECK(hipGraphKernelNodeSetParams(node, &params) == hipErrorCooperativeLaunchTooLarge);
}

TEST_CASE("hip captured node: copies") {
  const DeviceMemory memory(4096);
  const HostMemory<char> host(4096);
  hipMemcpy3DParms params{};
  SECTION("in one dimension, also of memory of the program") {
    char ordinary[64] = {};
    for (void *source : {static_cast<void *>(host.get()), static_cast<void *>(ordinary)}) {
      const CapturedNode node([&](hipStream_t stream) {
        return hipMemcpyAsync(memory, source, 64, hipMemcpyHostToDevice, stream);
      });
      REQUIRE(type_of(node) == hipGraphNodeTypeMemcpy);
      REQUIRE_HIP(hipGraphMemcpyNodeGetParams(node, &params));
      CHECK(params.srcPtr.ptr == source);
      CHECK(params.dstPtr.ptr == memory);
      CHECK(params.extent.width == 64);
      CHECK(params.extent.height == 1);
      CHECK(params.extent.depth == 1);
      REQUIRE_HIP(hipGraphMemcpyNodeSetParams(node, &params));
      CHECK(holds(node.picture(), "HtoD, 64 bytes"));
    }
  }
  SECTION("in two and three dimensions") {
    const CapturedNode flat([&](hipStream_t stream) {
      return hipMemcpy2DAsync(host.get(), 32, memory, 64, 16, 4, hipMemcpyDefault, stream);
    });
    REQUIRE_HIP(hipGraphMemcpyNodeGetParams(flat, &params));
    CHECK(params.srcPtr.ptr == memory);
    CHECK(params.srcPtr.pitch == 64);
    CHECK(params.dstPtr.pitch == 32);
    CHECK(params.extent.height == 4);
    REQUIRE_HIP(hipGraphMemcpyNodeSetParams(flat, &params));
    CHECK(holds(flat.picture(), "DtoH, 16 x 4 x 1 bytes"));
    hipMemcpy3DParms box = box_copy(host.get(), memory);
    const CapturedNode deep([&](hipStream_t stream) { return hipMemcpy3DAsync(&box, stream); });
    REQUIRE_HIP(hipGraphMemcpyNodeGetParams(deep, &params));
    CHECK(params.dstPtr.ptr == host.get() + 64 + 8); // where the box begins
    CHECK(params.dstPtr.ysize == box.dstPtr.ysize);
    CHECK(params.extent.depth == 2);
    REQUIRE_HIP(hipGraphMemcpyNodeSetParams(deep, &params));
  }
}

TEST_CASE("hip captured node: a copy has the kind of its call") {
  const DeviceMemory memory(4096), other(4096);
  const HostMemory<char> host(4096);
  char ordinary[64] = {};
  hip_Memcpy2D rows{};
  rows.srcMemoryType = hipMemoryTypeDevice;
  rows.srcDevice = memory;
  rows.dstMemoryType = hipMemoryTypeHost;
  rows.dstHost = host.get();
  rows.srcPitch = rows.dstPitch = 64;
  rows.WidthInBytes = 16;
  rows.Height = 4;
  HIP_MEMCPY3D box{};
  box.srcMemoryType = hipMemoryTypeHost;
  box.srcHost = host.get();
  box.dstMemoryType = hipMemoryTypeDevice;
  box.dstDevice = memory;
  box.srcPitch = box.dstPitch = 64;
  box.srcHeight = box.dstHeight = 4;
  box.WidthInBytes = 16;
  box.Height = box.Depth = 2;
  hipMemcpy3DParms deep = box_copy(host.get(), memory);
  deep.kind = hipMemcpyDeviceToHost;
  const auto to = hipMemcpyHostToDevice, from = hipMemcpyDeviceToHost, on = hipMemcpyDeviceToDevice;
  const std::vector<std::pair<hipMemcpyKind, std::function<hipError_t(hipStream_t)>>> calls = {
      {to, [&](auto stream) { return hipMemcpyAsync(memory, host.get(), 64, to, stream); }},
      {to, [&](auto stream) { return hipMemcpyAsync(memory, ordinary, 64, to, stream); }},
      {from, [&](auto stream) { return hipMemcpyWithStream(ordinary, memory, 64, from, stream); }},
      {on, [&](auto stream) { return hipMemcpyAsync(other, memory, 64, on, stream); }},
      {hipMemcpyDefault,
       [&](auto stream) { return hipMemcpyAsync(other, memory, 64, hipMemcpyDefault, stream); }},
      {to, [&](auto stream) { return hipMemcpyHtoDAsync(memory, host.get(), 64, stream); }},
      {from, [&](auto stream) { return hipMemcpyDtoHAsync(host.get(), memory, 64, stream); }},
      {on, [&](auto stream) { return hipMemcpyDtoDAsync(other, memory, 64, stream); }},
      {on, [&](auto stream) { return hipMemcpyPeerAsync(other, 0, memory, 0, 64, stream); }},
      {from,
       [&](auto stream) {
         return hipMemcpy2DAsync(host.get(), 32, memory, 64, 16, 4, from, stream);
       }},
      {from, [&](auto stream) { return hipMemcpy3DAsync(&deep, stream); }},
      {from, [&](auto stream) { return hipMemcpyParam2DAsync(&rows, stream); }},
      {to, [&](auto stream) { return hipDrvMemcpy3DAsync(&box, stream); }}};
  for (const auto &[kind, call] : calls) {
    const CapturedNode node(call);
    INFO(&call - &calls[0].second);
    hipMemcpy3DParms params{};
    REQUIRE_HIP(hipGraphMemcpyNodeGetParams(node, &params));
    CHECK(params.kind == kind);
  }
}

TEST_CASE("hip captured node: fills") {
  const DeviceMemory memory(4096);
  hipMemsetParams params{};
  SECTION("in one dimension") {
    const CapturedNode node(
        [&](hipStream_t stream) { return hipMemsetD16Async(memory, 0x1234, 8, stream); });
    REQUIRE(type_of(node) == hipGraphNodeTypeMemset);
    REQUIRE_HIP(hipGraphMemsetNodeGetParams(node, &params));
    CHECK(params.elementSize == 2);
    CHECK(params.width == 8);
    CHECK(params.height == 1);
    CHECK(params.value == 0x1234);
    REQUIRE_HIP(hipGraphMemsetNodeSetParams(node, &params));
    CHECK(holds(node.picture(), "8 x 1 elements of 2 bytes"));
  }
  SECTION("in two dimensions") {
    const CapturedNode node(
        [&](hipStream_t stream) { return hipMemset2DAsync(memory, 64, 7, 16, 3, stream); });
    REQUIRE_HIP(hipGraphMemsetNodeGetParams(node, &params));
    CHECK(params.dst == memory);
    CHECK(params.pitch == 64);
    CHECK(params.width == 16);
    CHECK(params.height == 3);
    CHECK(params.value == 7);
  }
  SECTION("in three dimensions, as rows that follow each other, or those of the first slice") {
    for (const size_t rows_of_slice : {3, 4}) {
      const CapturedNode node([&](hipStream_t stream) {
        return hipMemset3DAsync({memory, 64, 64, rows_of_slice}, 7, {16, 3, 2}, stream);
      });
      REQUIRE_HIP(hipGraphMemsetNodeGetParams(node, &params));
      CHECK(params.height == (rows_of_slice == 3 ? 6 : 3));
    }
  }
}

TEST_CASE("hip captured node: a function of the host") {
  int data = 0;
  const CapturedNode node(
      [&](hipStream_t stream) { return hipLaunchHostFunc(stream, do_nothing, &data); });
  REQUIRE(type_of(node) == hipGraphNodeTypeHost);
  hipHostNodeParams params{};
  REQUIRE_HIP(hipGraphHostNodeGetParams(node, &params));
  CHECK(params.fn == do_nothing);
  CHECK(params.userData == &data);
}

TEST_CASE("hip captured node: events for streams outside of the graph") {
  const Event event;
  const Streams streams(1);
  CHECK(hipEventRecordWithFlags(event, streams[0], hipEventRecordExternal) == hipErrorInvalidValue);
  CHECK(hipStreamWaitEvent(streams[0], event, hipEventWaitExternal) == hipErrorInvalidValue);
  CHECK(hipEventRecordWithFlags(event, streams[0], 2) == hipErrorInvalidValue);
  CHECK(hipStreamWaitEvent(streams[0], event, 2) == hipErrorInvalidValue);
  hipEvent_t found = nullptr;
  const CapturedNode record([&](hipStream_t stream) {
    return hipEventRecordWithFlags(event, stream, hipEventRecordExternal);
  });
  REQUIRE(type_of(record) == hipGraphNodeTypeEventRecord);
  REQUIRE_HIP(hipGraphEventRecordNodeGetEvent(record, &found));
  CHECK(found == event);
  const CapturedNode wait(
      [&](hipStream_t stream) { return hipStreamWaitEvent(stream, event, hipEventWaitExternal); });
  REQUIRE(type_of(wait) == hipGraphNodeTypeWaitEvent);
  REQUIRE_HIP(hipGraphEventWaitNodeGetEvent(wait, &found));
  CHECK(found == event);
}

TEST_CASE("hip captured node: memory that is allocated and freed") {
  const Streams streams(1);
  void *memory = nullptr, *found = nullptr, *outside = nullptr;
  REQUIRE_HIP(hipMallocAsync(&outside, 64, streams[0]));
  StreamCapture capture(streams[0]);
  REQUIRE_HIP(hipMallocAsync(&memory, 4096, streams[0]));
  REQUIRE(memory != nullptr);
  REQUIRE_HIP(hipMemsetAsync(memory, 1, 4096, streams[0]));
  REQUIRE_HIP(hipFreeAsync(memory, streams[0]));
  CHECK(hipFreeAsync(memory, streams[0]) == hipErrorInvalidValue);
  CHECK(hipFreeAsync(outside, streams[0]) == hipErrorInvalidValue);
  const hipGraph_t graph = capture.end();
  const auto nodes = nodes_of(graph);
  REQUIRE(nodes.size() == 3);
  CHECK(edges_of(graph) == Edges{{0, 1}, {1, 2}});
  hipMemAllocNodeParams params{};
  REQUIRE_HIP(hipGraphMemAllocNodeGetParams(nodes[0], &params));
  CHECK(params.dptr == memory);
  CHECK(params.bytesize == 4096);
  CHECK(params.poolProps.location.type == hipMemLocationTypeDevice);
  REQUIRE_HIP(hipGraphMemFreeNodeGetParams(nodes[2], &found));
  CHECK(found == memory);
  REQUIRE_HIP(hipFreeAsync(outside, streams[0]));
}

TEST_CASE("hip captured node: events around a launch are nodes, and order it") {
  const Streams streams(2);
  const Event before, after;
  StreamCapture capture(streams[0]);
  REQUIRE_HIP(work(streams[0]));
  REQUIRE_HIP(hipExtModuleLaunchKernel(function("nothing"), 4, 1, 1, 4, 1, 1, 0, streams[0],
                                       nullptr, nullptr, before, after, 0));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], before, 0));
  REQUIRE_HIP(work(streams[1]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], after, 0));
  REQUIRE_HIP(work(streams[1]));
  connect(streams[1], streams[0], before);
  const hipGraph_t graph = capture.end();
  CHECK(edges_of(graph) == Edges{{0, 1}, {1, 2}, {2, 3}, {1, 4}, {3, 5}, {4, 5}});
  const auto nodes = nodes_of(graph);
  for (const auto &[node, event] : {std::pair(1, &before), std::pair(3, &after)}) {
    hipEvent_t found = nullptr;
    REQUIRE_HIP(hipGraphEventRecordNodeGetEvent(nodes[size_t(node)], &found));
    CHECK(found == *event);
  }
}
