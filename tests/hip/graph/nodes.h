// What the tests of graphs share: a graph that is destroyed, memory, and parameters of nodes that are valid.
#pragma once

#include "fixture.h"

namespace fixture {

class Graph {
public:
  Graph() { REQUIRE_HIP(hipGraphCreate(&graph_, 0)); }
  ~Graph() { (void)hipGraphDestroy(graph_); }
  Graph(const Graph &) = delete;
  operator hipGraph_t() const { return graph_; }
  size_t size() const {
    size_t count = 0;
    REQUIRE_HIP(hipGraphGetNodes(graph_, nullptr, &count));
    return count;
  }

private:
  hipGraph_t graph_ = nullptr;
};

class DeviceMemory {
public:
  explicit DeviceMemory(size_t bytes) { REQUIRE_HIP(hipMalloc(&data_, bytes)); }
  ~DeviceMemory() { (void)hipFree(data_); }
  DeviceMemory(const DeviceMemory &) = delete;
  operator void *() const { return data_; }
  std::byte *at(size_t offset) const { return static_cast<std::byte *>(data_) + offset; }

private:
  void *data_ = nullptr;
};

inline hipGraphNodeType type_of(hipGraphNode_t node) {
  hipGraphNodeType type = hipGraphNodeTypeCount;
  REQUIRE_HIP(hipGraphNodeGetType(node, &type));
  return type;
}

inline hipGraphNode_t add_empty(hipGraph_t graph,
                                const std::vector<hipGraphNode_t> &dependencies = {}) {
  hipGraphNode_t node = nullptr;
  REQUIRE_HIP(hipGraphAddEmptyNode(&node, graph, dependencies.data(), dependencies.size()));
  return node;
}

inline hipMemcpy3DParms box_copy(void *to, void *from) {
  hipMemcpy3DParms copy{};
  copy.dstPtr = {to, 64, 64, 4};
  copy.srcPtr = {from, 32, 32, 4};
  copy.dstPos = {8, 1, 0};
  copy.extent = {16, 2, 2};
  copy.kind = hipMemcpyDefault;
  return copy;
}

inline hipMemsetParams fill_of(void *memory) {
  hipMemsetParams fill{};
  fill.dst = memory;
  fill.elementSize = 2;
  fill.width = 4;
  fill.height = 3;
  fill.pitch = 16;
  fill.value = 0x1234;
  return fill;
}

/// The context of the current device.
inline hipCtx_t context() {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  hipCtx_t ctx = nullptr;
  REQUIRE_HIP(hipCtxGetCurrent(&ctx));
  return ctx;
#pragma GCC diagnostic pop
}

/// 16 bytes of device memory.
inline HIP_MEMCPY3D driver_copy_of(void *to, void *from) {
  HIP_MEMCPY3D copy{};
  copy.srcMemoryType = copy.dstMemoryType = hipMemoryTypeDevice;
  copy.srcDevice = from;
  copy.dstDevice = to;
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes = 16;
  copy.srcHeight = copy.dstHeight = copy.Height = copy.Depth = 1;
  return copy;
}

/// 16 bytes with the value 7.
inline HIP_MEMSET_NODE_PARAMS driver_fill_of(void *memory) {
  HIP_MEMSET_NODE_PARAMS fill{};
  fill.dst = memory;
  fill.value = 7;
  fill.elementSize = 1;
  fill.width = 16;
  fill.height = 1;
  return fill;
}

inline hipMemAllocNodeParams allocation_of(size_t bytes) {
  hipMemAllocNodeParams params{};
  params.poolProps.allocType = hipMemAllocationTypePinned;
  params.poolProps.location = {hipMemLocationTypeDevice, 0};
  params.bytesize = bytes;
  return params;
}

} // namespace fixture
