// Graphs with work of two drivers, which are two copies of the CPU driver in one process.
#include "side.h"

#include <cstdlib>
#include <cstring>
#include <utility>

using namespace fixture;

namespace {

/// The graph that `ask` has a stream capture. What it left of the capture is `status`.
hipGraph_t capture(hipStream_t stream, hipStreamCaptureStatus &status, auto &&ask) {
  REQUIRE_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  ask();
  REQUIRE_HIP(hipStreamIsCapturing(stream, &status));
  hipGraph_t graph = nullptr;
  const hipError_t ended = hipStreamEndCapture(stream, &graph);
  REQUIRE(ended ==
          (status == hipStreamCaptureStatusActive ? hipSuccess : hipErrorStreamCaptureInvalidated));
  return graph;
}

void launch_twice(hipGraph_t graph, hipStream_t stream) {
  hipGraphExec_t executable = nullptr;
  REQUIRE_HIP(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 2; ++i)
    REQUIRE_HIP(hipGraphLaunch(executable, stream));
  REQUIRE_HIP(hipStreamSynchronize(stream));
  REQUIRE_HIP(hipGraphExecDestroy(executable));
  REQUIRE_HIP(hipGraphDestroy(graph));
}

} // namespace

TEST_CASE(
    "drivers: what a stream captures of another driver's memory is in its place in the graph") {
  Side a(0), b(1);
  for (const auto &[own, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    own->select();
    HostMemory<int> host(Side::count);
    for (size_t i = 0; i < Side::count; ++i)
      host[i] = int(i);
    const hipStream_t stream = own->streams[0];
    hipStreamCaptureStatus status{};
    launch_twice(capture(stream, status,
                         [&] {
                           // The kernel writes what the copy takes, which the fill then takes away in part.
                           REQUIRE_HIP(launch(own->add, stream, 1, host.get(), 100));
                           REQUIRE_HIP(hipMemcpyAsync(other->data, host.get(), Side::bytes,
                                                      hipMemcpyDefault, stream));
                           REQUIRE_HIP(hipMemcpy2DAsync(other->data + 16, 64, host.get(), 128, 8, 4,
                                                        hipMemcpyDefault, stream));
                           REQUIRE_HIP(hipMemsetD32Async(other->data + 8, 7, 2, stream));
                           REQUIRE_HIP(hipMemcpyAsync(host.get() + 1, other->data + 8, sizeof(int),
                                                      hipMemcpyDefault, stream));
                         }),
                 stream);
    REQUIRE(status == hipStreamCaptureStatusActive);
    const auto values = other->values();
    REQUIRE(values[0] == 200);
    REQUIRE(values[1] == 7); // of the first launch
    REQUIRE(values[2] == 2);
    REQUIRE(values[8] == 7);
    REQUIRE(values[10] == 10);
    REQUIRE(values[32] == 32); // the box's second row, of which this is the first one of the copy's
    REQUIRE(values[33] == 33);
    REQUIRE(host[1] == 7);
  }
}

TEST_CASE("drivers: a captured copy from driver to driver is in the graph, or ends the capture") {
  Side a(0), b(1);
  const char *without = std::getenv("CHIP_WITHOUT");
  const bool is_staged = without && std::strstr(without, "host_memory");
  const auto values = numbers(3);
  REQUIRE_HIP(hipMemcpy(a.data, values.data(), Side::bytes, hipMemcpyDefault));
  for (const Side *current : {&a, &b}) {
    current->select();
    const hipStream_t stream = current->streams[0];
    REQUIRE_HIP(hipMemset(b.data, 0, Side::bytes));
    const hipError_t expected = is_staged ? hipErrorStreamCaptureUnsupported : hipSuccess;
    hipStreamCaptureStatus status{};
    for (const bool is_peer : {false, true}) {
      const hipGraph_t graph = capture(stream, status, [&] {
        REQUIRE((is_peer ? hipMemcpyPeerAsync(b.data, 1, a.data, 0, Side::bytes, stream)
                         : hipMemcpyAsync(b.data, a.data, Side::bytes, hipMemcpyDefault, stream)) ==
                expected);
      });
      REQUIRE(status ==
              (is_staged ? hipStreamCaptureStatusInvalidated : hipStreamCaptureStatusActive));
      if (graph)
        launch_twice(graph, stream);
    }
    REQUIRE((b.values() == values) == !is_staged);
  }
}

TEST_CASE("drivers: nodes copy and fill memory of another driver than the current device's") {
  Side a(0), b(1);
  HostMemory<int> host(Side::count);
  for (const auto &[own, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    own->select();
    host[0] = 5 + own->device;
    hipGraph_t graph = nullptr;
    hipGraphNode_t copy = nullptr, fill = nullptr;
    REQUIRE_HIP(hipGraphCreate(&graph, 0));
    REQUIRE_HIP(hipGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, other->data, host.get(),
                                        Side::bytes, hipMemcpyDefault));
    hipMemsetParams params{};
    params.dst = other->data + 1;
    params.elementSize = sizeof(int);
    params.width = 1;
    params.height = 1;
    params.value = 9;
    REQUIRE_HIP(hipGraphAddMemsetNode(&fill, graph, &copy, 1, &params));
    launch_twice(graph, own->streams[0]);
    REQUIRE(other->values()[0] == 5 + own->device);
    REQUIRE(other->values()[1] == 9);
  }
}

TEST_CASE("drivers: the operations of a node are all done by one driver") {
  Side a(0), b(1);
  const auto node_that_writes = [&](std::vector<int *> addresses, hipGraph_t graph) {
    std::vector<hipStreamBatchMemOpParams> operations(addresses.size());
    for (size_t i = 0; i < addresses.size(); ++i) {
      operations[i].writeValue.operation = hipStreamMemOpWriteValue32;
      operations[i].writeValue.address = addresses[i];
      operations[i].writeValue.value = 6;
    }
    hipBatchMemOpNodeParams params{};
    params.count = unsigned(operations.size());
    params.paramArray = operations.data();
    hipGraphNode_t node = nullptr;
    return hipGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params);
  };
  a.select();
  hipGraph_t graph = nullptr;
  REQUIRE_HIP(hipGraphCreate(&graph, 0));
  REQUIRE(node_that_writes({a.data, b.data}, graph) == hipErrorNotSupported);
  REQUIRE_HIP(node_that_writes({b.data, b.data + 1}, graph));
  launch_twice(graph, a.streams[0]);
  REQUIRE(b.values()[1] == 6);
}

TEST_CASE("drivers: a copy to an array does not become one to another driver's") {
  Side a(0), b(1);
  hipArray_t arrays[2] = {};
  const hipChannelFormatDesc element =
      hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindSigned);
  for (const Side *side : {&b, &a}) {
    side->select();
    REQUIRE_HIP(hipMallocArray(&arrays[side->device], &element, 16, 4, hipArrayDefault));
  }
  HostMemory<int> host(64);
  hipMemcpy3DParms copy{};
  copy.srcPtr = make_hipPitchedPtr(host.get(), 64, 16, 4);
  copy.dstArray = arrays[0];
  copy.extent = make_hipExtent(16, 4, 1);
  copy.kind = hipMemcpyHostToDevice;
  hipGraph_t graph = nullptr;
  hipGraphNode_t node = nullptr;
  hipGraphExec_t executable = nullptr;
  REQUIRE_HIP(hipGraphCreate(&graph, 0));
  REQUIRE_HIP(hipGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy));
  REQUIRE_HIP(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  REQUIRE_HIP(hipGraphExecMemcpyNodeSetParams(executable, node, &copy));
  copy.dstArray = arrays[1];
  REQUIRE(hipGraphExecMemcpyNodeSetParams(executable, node, &copy) == hipErrorInvalidValue);
  REQUIRE_HIP(hipGraphExecDestroy(executable));
  REQUIRE_HIP(hipGraphDestroy(graph));
  for (const hipArray_t array : arrays)
    REQUIRE_HIP(hipFreeArray(array));
}

namespace {

/// Whether the graph, launched in a stream of `a`, needs `b`, which is lost: nothing is to be had of either afterwards.
bool is_lost_with(const Side &b, hipGraph_t graph, const Side &a) {
  hipGraphExec_t executable = nullptr;
  REQUIRE_HIP(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  REQUIRE_HIP(launch(b.add, b.streams[0], 1, reinterpret_cast<int *>(64), 1));
  REQUIRE(hipStreamSynchronize(b.streams[0]) == hipErrorLaunchFailure);
  const hipError_t launched = hipGraphLaunch(executable, a.streams[0]);
  return (launched == hipSuccess ? hipStreamSynchronize(a.streams[0]) : launched) ==
         hipErrorLaunchFailure;
}

} // namespace

TEST_CASE("drivers: what is captured of another driver's memory is done by that driver") {
  Side &a = kept<Side>(0), &b = kept<Side>(1);
  a.select();
  hipStreamCaptureStatus status{};
  hipGraph_t graph = capture(a.streams[0], status, [&] {
    REQUIRE_HIP(hipMemsetAsync(b.data, 1, Side::bytes, a.streams[0]));
  });
  REQUIRE(is_lost_with(b, graph, a));
}

TEST_CASE("drivers: a copy node is done by a driver that reaches both sides") {
  Side &a = kept<Side>(0), &b = kept<Side>(1);
  const char *without = std::getenv("CHIP_WITHOUT");
  const bool is_staged = without && std::strstr(without, "host_memory");
  a.select();
  HostMemory<int> &host = kept<HostMemory<int>>(Side::count);
  hipGraph_t graph = nullptr;
  hipGraphNode_t node = nullptr;
  REQUIRE_HIP(hipGraphCreate(&graph, 0));
  REQUIRE_HIP(hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, b.data, host.get(), Side::bytes,
                                      hipMemcpyDefault));
  REQUIRE(is_lost_with(b, graph, a) == is_staged);
}
