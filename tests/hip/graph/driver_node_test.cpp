// Nodes of the driver interface: copies and fills of contexts.
#include "executable.h"

using namespace fixture;

namespace {

struct Bytes {
  HostMemory<unsigned char> memory{64};
  HIP_MEMCPY3D copy_from(void *device) const {
    HIP_MEMCPY3D copy = driver_copy_of(nullptr, device);
    copy.dstMemoryType = hipMemoryTypeHost;
    copy.dstHost = memory.get();
    return copy;
  }
};

} // namespace

TEST_CASE("hip driver node: a fill and a copy are done in order, and change", "[results]") {
  const Graph graph;
  const DeviceMemory device(64);
  const Bytes bytes;
  HIP_MEMSET_NODE_PARAMS fill = driver_fill_of(device);
  HIP_MEMCPY3D copy = bytes.copy_from(device);
  hipGraphNode_t filled = nullptr, copied = nullptr;
  REQUIRE_HIP(hipDrvGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill, context()));
  REQUIRE_HIP(hipDrvGraphAddMemcpyNode(&copied, graph, &filled, 1, &copy, context()));
  const Executable exec(graph);
  exec.run();
  CHECK(bytes.memory[0] == 7);
  CHECK(bytes.memory[15] == 7);
  CHECK(bytes.memory[16] == 0);

  fill.value = 9;
  copy.dstHost = &bytes.memory[32];
  REQUIRE_HIP(hipDrvGraphExecMemsetNodeSetParams(exec, filled, &fill, context()));
  REQUIRE_HIP(hipDrvGraphExecMemcpyNodeSetParams(exec, copied, &copy, context()));
  exec.run();
  CHECK(bytes.memory[0] == 7);
  CHECK(bytes.memory[32] == 9);
}

TEST_CASE("hip driver node: fills come back in the form of the other functions") {
  const Graph graph;
  const DeviceMemory device(64);
  const HIP_MEMSET_NODE_PARAMS fill = driver_fill_of(device);
  hipGraphNode_t node = nullptr;
  REQUIRE_HIP(hipDrvGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context()));
  hipMemsetParams found{};
  REQUIRE_HIP(hipGraphMemsetNodeGetParams(node, &found));
  CHECK(found.dst == fill.dst);
  CHECK(found.value == fill.value);
  CHECK(found.elementSize == fill.elementSize);
  CHECK(found.width == fill.width);
  CHECK(found.height == fill.height);
}

TEST_CASE("hip driver node: parameters and contexts that are not valid are refused") {
  const Graph graph;
  const DeviceMemory device(64);
  const Bytes bytes;
  const auto no_context = reinterpret_cast<hipCtx_t>(bytes.memory.get());
  const HIP_MEMSET_NODE_PARAMS fill = driver_fill_of(device);
  const HIP_MEMCPY3D copy = bytes.copy_from(device);
  hipGraphNode_t filled = nullptr, copied = nullptr, none = nullptr;
  REQUIRE_HIP(hipDrvGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill, context()));
  REQUIRE_HIP(hipDrvGraphAddMemcpyNode(&copied, graph, nullptr, 0, &copy, context()));
  const Executable exec(graph);

  const auto fails_with = [&](hipError_t error, const HIP_MEMSET_NODE_PARAMS *params,
                              hipCtx_t ctx) {
    CHECK(hipDrvGraphAddMemsetNode(&none, graph, nullptr, 0, params, ctx) == error);
    CHECK(hipDrvGraphExecMemsetNodeSetParams(exec, filled, params, ctx) == error);
  };
  HIP_MEMSET_NODE_PARAMS bad_fill = fill;
  bad_fill.elementSize = 3;
  fails_with(hipErrorInvalidValue, nullptr, context());
  fails_with(hipErrorInvalidValue, &bad_fill, context());
  fails_with(hipErrorInvalidValue, &fill, nullptr);
  fails_with(hipErrorInvalidContext, &fill, no_context);

  const auto copy_fails_with = [&](hipError_t error, const HIP_MEMCPY3D *params, hipCtx_t ctx) {
    CHECK(hipDrvGraphAddMemcpyNode(&none, graph, nullptr, 0, params, ctx) == error);
    CHECK(hipDrvGraphExecMemcpyNodeSetParams(exec, copied, params, ctx) == error);
  };
  HIP_MEMCPY3D bad_copy = copy;
  bad_copy.srcDevice = nullptr;
  copy_fails_with(hipErrorInvalidValue, nullptr, context());
  copy_fails_with(hipErrorInvalidValue, &bad_copy, context());
  copy_fails_with(hipErrorInvalidValue, &copy, nullptr);
  copy_fails_with(hipErrorInvalidContext, &copy, no_context);
  CHECK(none == nullptr);
  // Rows that are shorter than the copy have a code of their own where an existing node changes.
  const auto pitch_fails_with = [&](hipError_t error, size_t HIP_MEMCPY3D::*pitch, size_t bytes) {
    HIP_MEMCPY3D rows = copy;
    rows.*pitch = bytes;
    CHECK(hipDrvGraphMemcpyNodeSetParams(copied, &rows) == error);
  };
  pitch_fails_with(hipErrorInvalidPitchValue, &HIP_MEMCPY3D::srcPitch, copy.WidthInBytes - 1);
  pitch_fails_with(hipErrorInvalidPitchValue, &HIP_MEMCPY3D::dstPitch, copy.WidthInBytes - 1);
  pitch_fails_with(hipSuccess, &HIP_MEMCPY3D::dstPitch, copy.WidthInBytes);
  pitch_fails_with(hipSuccess, &HIP_MEMCPY3D::dstPitch, 0);

  CHECK(hipDrvGraphExecMemsetNodeSetParams(exec, copied, &fill, context()) == hipErrorInvalidValue);
  CHECK(hipDrvGraphExecMemcpyNodeSetParams(exec, filled, &copy, context()) == hipErrorInvalidValue);
  CHECK(hipDrvGraphExecMemcpyNodeSetParams(nullptr, copied, &copy, context()) ==
        hipErrorInvalidValue);
}
