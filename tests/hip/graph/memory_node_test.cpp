// Nodes of graphs that copy, fill and allocate: their parameters come back as they were given, and what is not valid is refused.
#include "nodes.h"

#include <hip/api/registration.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <vector>

using namespace fixture;

TEST_CASE("hip graph node: copies come back, in either form") {
  const DeviceMemory memory(4096);
  const Graph graph;
  hipGraphNode_t node = nullptr;
  hipMemcpy3DParms copy = box_copy(memory, memory.at(2048)), found{};
  REQUIRE_HIP(hipGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy));
  CHECK(type_of(node) == hipGraphNodeTypeMemcpy);
  REQUIRE_HIP(hipGraphMemcpyNodeGetParams(node, &found));
  CHECK(std::memcmp(&found.dstPtr, &copy.dstPtr, sizeof copy.dstPtr) == 0);
  CHECK((found.dstPos.x == 8 && found.dstPos.y == 1 && found.extent.depth == 2));
  HIP_MEMCPY3D driver{};
  REQUIRE_HIP(hipDrvGraphMemcpyNodeGetParams(node, &driver));
  CHECK(driver.dstMemoryType == hipMemoryTypeDevice);
  CHECK(driver.dstDevice == memory);
  CHECK((driver.dstXInBytes == 8 && driver.dstY == 1 && driver.dstPitch == 64));
  CHECK((driver.WidthInBytes == 16 && driver.Height == 2 && driver.Depth == 2));
  driver.WidthInBytes = 8;
  REQUIRE_HIP(hipDrvGraphMemcpyNodeSetParams(node, &driver));
  REQUIRE_HIP(hipGraphMemcpyNodeGetParams(node, &found));
  CHECK(found.extent.width == 8);
  CHECK(found.srcPtr.ptr == memory.at(2048));
  CHECK(found.srcPtr.pitch == 32);
  // Positions and widths of arrays count elements.
  const hipChannelFormatDesc floats = {32, 0, 0, 0, hipChannelFormatKindFloat};
  hipArray_t array = nullptr;
  REQUIRE_HIP(hipMallocArray(&array, &floats, 16, 8));
  copy = {};
  copy.srcArray = array;
  copy.srcPos = {2, 1, 0};
  copy.dstPtr = {memory, 64, 64, 4};
  copy.extent = {4, 3, 1};
  copy.kind = hipMemcpyDefault;
  REQUIRE_HIP(hipGraphMemcpyNodeSetParams(node, &copy));
  REQUIRE_HIP(hipDrvGraphMemcpyNodeGetParams(node, &driver));
  CHECK(driver.srcMemoryType == hipMemoryTypeArray);
  CHECK((driver.srcArray == array && driver.srcXInBytes == 8 && driver.WidthInBytes == 16));
  REQUIRE_HIP(hipDrvGraphMemcpyNodeSetParams(node, &driver));
  REQUIRE_HIP(hipGraphMemcpyNodeGetParams(node, &found));
  CHECK((found.srcArray == array && found.srcPos.x == 2 && found.extent.width == 4));
  REQUIRE_HIP(hipFreeArray(array));
  // Runs of bytes.
  REQUIRE_HIP(
      hipGraphMemcpyNodeSetParams1D(node, memory, memory.at(64), 48, hipMemcpyDeviceToDevice));
  REQUIRE_HIP(hipGraphMemcpyNodeGetParams(node, &found));
  CHECK((found.dstPtr.ptr == memory && found.srcPtr.ptr == memory.at(64)));
  CHECK((found.extent.width == 48 && found.extent.height == 1 && found.extent.depth == 1));
  CHECK(found.kind == hipMemcpyDeviceToDevice);
}

TEST_CASE("hip graph node: copies are refused where they are not valid") {
  const DeviceMemory memory(4096), small(16);
  const Graph graph;
  hipGraphNode_t node = nullptr;
  const hipMemcpy3DParms good = box_copy(memory, memory.at(2048));
  REQUIRE_HIP(hipGraphAddMemcpyNode(&node, graph, nullptr, 0, &good));
  const auto with = [&](hipError_t expected, const std::function<void(hipMemcpy3DParms &)> &bad) {
    hipMemcpy3DParms copy = good;
    bad(copy);
    hipGraphNode_t other = nullptr;
    CHECK(hipGraphAddMemcpyNode(&other, graph, nullptr, 0, &copy) == expected);
    CHECK(hipGraphMemcpyNodeSetParams(node, &copy) == expected);
  };
  with(hipErrorInvalidValue, [](auto &c) { c.dstPtr.ptr = nullptr; });
  with(hipErrorInvalidValue, [](auto &c) { c.srcPtr.ptr = nullptr; });
  with(hipErrorInvalidPitchValue, [](auto &c) { c.dstPtr.pitch = 15; });
  with(hipErrorInvalidPitchValue, [](auto &c) { c.srcPtr.pitch = 15; });
  with(hipErrorInvalidValue, [](auto &c) { c.dstPtr.pitch = size_t(1) << 40; });
  with(hipErrorInvalidValue, [](auto &c) { c.dstPos.x = 49; });
  with(hipErrorInvalidValue, [](auto &c) { c.srcPos.y = 3; });
  with(hipErrorInvalidValue, [](auto &c) { c.srcPos.z = 100; });
  with(hipErrorInvalidValue, [](auto &c) { c.srcArray = reinterpret_cast<hipArray_t>(&c); });
  with(hipErrorInvalidMemcpyDirection, [](auto &c) { c.kind = hipMemcpyKind(-1); });
  CHECK(hipGraphMemcpyNodeSetParams(node, nullptr) == hipErrorInvalidValue);
  CHECK(hipDrvGraphMemcpyNodeSetParams(node, nullptr) == hipErrorInvalidValue);
  hipGraphNode_t other = nullptr;
  CHECK(hipGraphAddMemcpyNode(&other, graph, nullptr, 0, nullptr) == hipErrorInvalidValue);
  const auto line = [&](hipError_t expected, void *dst, const void *src, size_t count,
                        hipMemcpyKind kind) {
    CHECK(hipGraphAddMemcpyNode1D(&other, graph, nullptr, 0, dst, src, count, kind) == expected);
    CHECK(hipGraphMemcpyNodeSetParams1D(node, dst, src, count, kind) == expected);
  };
  line(hipErrorInvalidValue, nullptr, memory, 4, hipMemcpyDefault);
  line(hipErrorInvalidValue, memory, nullptr, 4, hipMemcpyDefault);
  line(hipErrorInvalidValue, small, memory, 17, hipMemcpyDefault);
  line(hipErrorInvalidValue, memory, small, 17, hipMemcpyDefault);
  line(hipErrorInvalidMemcpyDirection, memory, small, 4, hipMemcpyKind(-1));
  // Only a new node may have nothing to do.
  CHECK(hipGraphAddMemcpyNode1D(&other, graph, nullptr, 0, memory, small, 0, hipMemcpyDefault) ==
        hipSuccess);
  CHECK(hipGraphMemcpyNodeSetParams1D(node, memory, small, 0, hipMemcpyDefault) ==
        hipErrorInvalidValue);
  CHECK(hipGraphMemcpyNodeSetParams1D(node, memory, memory, 4, hipMemcpyDefault) ==
        hipErrorInvalidValue);
  const hipGraphNode_t empty = add_empty(graph);
  hipMemcpy3DParms found{};
  HIP_MEMCPY3D driver{};
  CHECK(hipGraphMemcpyNodeGetParams(empty, &found) == hipErrorInvalidValue);
  CHECK(hipGraphMemcpyNodeGetParams(node, nullptr) == hipErrorInvalidValue);
  CHECK(hipDrvGraphMemcpyNodeGetParams(empty, &driver) == hipErrorInvalidValue);
  CHECK(hipDrvGraphMemcpyNodeGetParams(node, nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphMemcpyNodeSetParams(empty, &good) == hipErrorInvalidValue);
}

TEST_CASE("hip graph node: copies reach variables of the program's device code") {
  std::ifstream file(TEST_KERNELS, std::ios::binary);
  const std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
  static hipFatBinaryWrapper wrapper{}; // as clang's start-up code does it
  wrapper.magic = HIP_FAT_BINARY_MAGIC;
  wrapper.version = 1;
  wrapper.binary = image.data();
  static char host_variable;
  const void *const variable = &host_variable; // void, or a template would take the address of it
  char name[] = "factors";
  void **bundle = __hipRegisterFatBinary(&wrapper);
  __hipRegisterVar(bundle, &host_variable, name, name, 0, 16, 1, 0);
  void *address = nullptr;
  REQUIRE_HIP(hipGetSymbolAddress(&address, variable));
  float own[4] = {};
  {
    const Graph graph;
    hipGraphNode_t to = nullptr, from = nullptr;
    hipMemcpy3DParms found{};
    REQUIRE_HIP(hipGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, variable, own, 8, 4,
                                              hipMemcpyHostToDevice));
    CHECK(type_of(to) == hipGraphNodeTypeMemcpy);
    REQUIRE_HIP(hipGraphMemcpyNodeGetParams(to, &found));
    CHECK(found.dstPtr.ptr == static_cast<char *>(address) + 4);
    CHECK((found.srcPtr.ptr == own && found.extent.width == 8));
    REQUIRE_HIP(hipGraphAddMemcpyNodeFromSymbol(&from, graph, nullptr, 0, own, variable, 16, 0,
                                                hipMemcpyDeviceToHost));
    REQUIRE_HIP(hipGraphMemcpyNodeGetParams(from, &found));
    CHECK((found.srcPtr.ptr == address && found.dstPtr.ptr == own && found.extent.width == 16));
    REQUIRE_HIP(hipGraphMemcpyNodeSetParamsFromSymbol(to, own, variable, 4, 8, hipMemcpyDefault));
    REQUIRE_HIP(hipGraphMemcpyNodeSetParamsToSymbol(from, variable, own, 4, 8, hipMemcpyDefault));
    REQUIRE_HIP(hipGraphMemcpyNodeGetParams(to, &found));
    CHECK(found.srcPtr.ptr == static_cast<char *>(address) + 8);
    hipGraphNode_t node = nullptr;
    const auto check = [&](hipError_t expected, void *memory, const void *symbol, size_t count,
                           size_t offset, hipMemcpyKind kind_to, hipMemcpyKind kind_from) {
      CHECK(hipGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, symbol, memory, count, offset,
                                          kind_to) == expected);
      CHECK(hipGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, memory, symbol, count, offset,
                                            kind_from) == expected);
      CHECK(hipGraphMemcpyNodeSetParamsToSymbol(to, symbol, memory, count, offset, kind_to) ==
            expected);
      CHECK(hipGraphMemcpyNodeSetParamsFromSymbol(to, memory, symbol, count, offset, kind_from) ==
            expected);
    };
    const auto any = hipMemcpyDefault;
    check(hipErrorInvalidValue, nullptr, variable, 4, 0, any, any);
    check(hipErrorInvalidSymbol, own, nullptr, 4, 0, any, any);
    check(hipErrorInvalidSymbol, own, own, 4, 0, any, any);
    check(hipErrorInvalidValue, own, variable, 17, 0, any, any);
    check(hipErrorInvalidValue, own, variable, 16, 1, any, any);
    check(hipErrorInvalidValue, own, variable, 0, 0, any, any);
    const auto inside = hipMemcpyDeviceToDevice; // which memory of the host is not
    check(hipErrorInvalidValue, own, variable, 4, 0, inside, inside);
    check(hipErrorInvalidValue, &host_variable, variable, 1, 0, inside, inside);
    check(hipSuccess, static_cast<char *>(address) + 8, variable, 4, 0, inside, inside);
    check(hipSuccess, DeviceMemory(4), variable, 4, 0, inside, inside);
    check(hipErrorInvalidMemcpyDirection, own, variable, 4, 0, hipMemcpyDeviceToHost,
          hipMemcpyHostToDevice);
  }
  __hipUnregisterFatBinary(bundle);
}

TEST_CASE("hip graph node: fills come back, or are refused") {
  const DeviceMemory memory(64);
  const Graph graph;
  hipGraphNode_t node = nullptr;
  const hipMemsetParams good = fill_of(memory);
  REQUIRE_HIP(hipGraphAddMemsetNode(&node, graph, nullptr, 0, &good));
  CHECK(type_of(node) == hipGraphNodeTypeMemset);
  hipMemsetParams found{};
  REQUIRE_HIP(hipGraphMemsetNodeGetParams(node, &found));
  CHECK((found.dst == good.dst && found.elementSize == 2 && found.width == 4));
  CHECK((found.height == 3 && found.pitch == 16 && found.value == 0x1234));
  const auto with = [&](hipError_t expected, const std::function<void(hipMemsetParams &)> &change) {
    hipMemsetParams fill = good;
    change(fill);
    hipGraphNode_t other = nullptr;
    CHECK(hipGraphAddMemsetNode(&other, graph, nullptr, 0, &fill) == expected);
    CHECK(hipGraphMemsetNodeSetParams(node, &fill) == expected);
  };
  with(hipErrorInvalidValue, [](auto &f) { f.dst = nullptr; });
  with(hipErrorInvalidValue, [](auto &f) { f.dst = &f; });
  for (const unsigned size : {0, 3, 5, 8})
    with(hipErrorInvalidValue, [&](auto &f) { f.elementSize = size; });
  with(hipErrorInvalidValue, [](auto &f) { f.height = 0; });
  with(hipErrorInvalidValue, [](auto &f) { f.height = 5; });
  with(hipErrorInvalidValue, [](auto &f) { f.pitch = 7; });
  with(hipErrorInvalidValue, [](auto &f) { f.pitch = 15; });
  with(hipErrorInvalidValue, [](auto &f) { f.width = SIZE_MAX; });
  with(hipErrorInvalidValue, [](auto &f) { f.dst = static_cast<char *>(f.dst) + 1; });
  with(hipErrorInvalidValue, [](auto &f) { f.height = 1, f.width = 33; });
  with(hipSuccess, [](auto &f) { f.height = 1, f.width = 32, f.pitch = 0; });
  const hipGraphNode_t empty = add_empty(graph);
  hipGraphNode_t other = nullptr;
  CHECK(hipGraphAddMemsetNode(&other, graph, nullptr, 0, nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphMemsetNodeSetParams(node, nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphMemsetNodeSetParams(empty, &good) == hipErrorInvalidValue);
  CHECK(hipGraphMemsetNodeGetParams(empty, &found) == hipErrorInvalidValue);
  CHECK(hipGraphMemsetNodeGetParams(node, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("hip graph node: memory has its address when the node is added") {
  hipMemAllocNodeParams params = allocation_of(4096), found{};
  const hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  params.accessDescs = &access;
  params.accessDescCount = 1;
  hipGraphNode_t allocate = nullptr, release = nullptr, other = nullptr;
  const auto is_known = [](void *address) {
    hipPointerAttribute_t attributes{};
    REQUIRE_HIP(hipPointerGetAttributes(&attributes, address));
    return attributes.type == hipMemoryTypeDevice;
  };
  {
    const Graph freeing;
    {
      const Graph graph;
      REQUIRE_HIP(hipGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &params));
      CHECK(type_of(allocate) == hipGraphNodeTypeMemAlloc);
      REQUIRE(params.dptr != nullptr);
      CHECK(is_known(params.dptr));
      REQUIRE_HIP(hipGraphMemAllocNodeGetParams(allocate, &found));
      CHECK((found.dptr == params.dptr && found.bytesize == 4096));
      CHECK((found.accessDescCount == 1 && found.accessDescs != &access));
      // Other nodes can use it.
      REQUIRE_HIP(hipGraphAddMemcpyNode1D(&other, graph, &allocate, 1, params.dptr, &access, 8,
                                          hipMemcpyHostToDevice));
      CHECK(hipGraphAddMemcpyNode1D(&other, graph, &allocate, 1, params.dptr, params.dptr, 4097,
                                    hipMemcpyDefault) == hipErrorInvalidValue);
      CHECK(hipFree(params.dptr) == hipErrorInvalidValue);
      // It belongs to the graph.
      hipGraph_t clone = nullptr;
      CHECK(hipGraphClone(&clone, graph) == hipErrorNotSupported);
      CHECK(hipGraphAddChildGraphNode(&other, freeing, nullptr, 0, graph) == hipErrorNotSupported);
      CHECK(hipGraphDestroyNode(allocate) == hipErrorNotSupported);
      REQUIRE_HIP(hipGraphAddEmptyNode(&other, graph, &allocate, 1));
      CHECK(hipGraphRemoveDependencies(graph, &allocate, &other, 1) == hipErrorNotSupported);
      // Nodes that free it, once in each graph.
      REQUIRE_HIP(hipGraphAddMemFreeNode(&release, graph, &allocate, 1, params.dptr));
      CHECK(hipGraphAddMemFreeNode(&other, graph, &allocate, 1, params.dptr) ==
            hipErrorInvalidValue);
      CHECK(hipGraphDestroyNode(release) == hipErrorNotSupported);
      REQUIRE_HIP(hipDrvGraphAddMemFreeNode(&release, freeing, nullptr, 0, params.dptr));
      CHECK(type_of(release) == hipGraphNodeTypeMemFree);
    }
    CHECK(hipGraphMemAllocNodeGetParams(allocate, &found) == hipErrorInvalidValue);
    void *address = nullptr;
    REQUIRE_HIP(hipGraphMemFreeNodeGetParams(release, &address));
    CHECK(address == params.dptr);
    CHECK(hipGraphMemFreeNodeGetParams(release, nullptr) == hipErrorInvalidValue);
    CHECK(hipGraphMemAllocNodeGetParams(release, &found) == hipErrorInvalidValue);
    CHECK(is_known(params.dptr));
  }
  CHECK_FALSE(is_known(params.dptr));
  const Graph graph;
  CHECK(hipGraphAddMemFreeNode(&other, graph, nullptr, 0, params.dptr) == hipErrorInvalidValue);
  CHECK(hipGraphAddMemFreeNode(&other, graph, nullptr, 0, nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphAddMemFreeNode(&other, graph, nullptr, 0, &params) == hipErrorInvalidValue);
  const DeviceMemory memory(64);
  CHECK(hipGraphAddMemFreeNode(&other, graph, nullptr, 0, memory) == hipErrorInvalidValue);
  const auto with = [&](hipError_t expected,
                        const std::function<void(hipMemAllocNodeParams &)> &change) {
    hipMemAllocNodeParams bad = params;
    change(bad);
    CHECK(hipGraphAddMemAllocNode(&other, graph, nullptr, 0, &bad) == expected);
  };
  with(hipErrorInvalidValue, [](auto &p) { p.poolProps.allocType = hipMemAllocationTypeInvalid; });
  with(hipErrorInvalidValue,
       [](auto &p) { p.poolProps.location.type = hipMemLocationTypeInvalid; });
  with(hipErrorInvalidValue, [](auto &p) { p.poolProps.location.id = 1000; });
  with(hipErrorInvalidValue, [](auto &p) { p.poolProps.location.id = -1; });
  with(hipErrorInvalidValue,
       [](auto &p) { p.poolProps.handleTypes = hipMemHandleTypePosixFileDescriptor; });
  with(hipErrorInvalidValue, [](auto &p) { p.accessDescCount = 1000; });
  with(hipErrorInvalidValue, [](auto &p) { p.accessDescs = nullptr; });
  with(hipErrorInvalidValue, [](auto &p) { p.bytesize = 0; });
  with(hipErrorOutOfMemory, [](auto &p) { p.bytesize = SIZE_MAX; });
  CHECK(hipGraphAddMemAllocNode(&other, graph, nullptr, 0, nullptr) == hipErrorInvalidValue);
  CHECK(graph.size() == 0);
}

TEST_CASE("hip graph node: memory outlives a reset of its device") {
  hipMemAllocNodeParams params = allocation_of(4096);
  hipGraphNode_t node = nullptr;
  hipPointerAttribute_t attributes{};
  {
    const Graph graph;
    REQUIRE_HIP(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    REQUIRE_HIP(hipDeviceReset());
    REQUIRE_HIP(hipPointerGetAttributes(&attributes, params.dptr));
    CHECK(attributes.type == hipMemoryTypeDevice);
    REQUIRE_HIP(hipGraphAddMemFreeNode(&node, graph, &node, 1, params.dptr));
  }
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, params.dptr));
  CHECK(attributes.type != hipMemoryTypeDevice);
}

TEST_CASE("hip graph node: the memory of graphs is counted by launches") {
  uint64_t value = 7;
  const Graph graph;
  hipGraphNode_t node = nullptr;
  hipMemAllocNodeParams params = allocation_of(4096);
  REQUIRE_HIP(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  for (const auto attribute : {hipGraphMemAttrUsedMemCurrent, hipGraphMemAttrUsedMemHigh,
                               hipGraphMemAttrReservedMemCurrent, hipGraphMemAttrReservedMemHigh}) {
    REQUIRE_HIP(hipDeviceGetGraphMemAttribute(0, attribute, &value));
    CHECK(value == 0);
    CHECK(hipDeviceGetGraphMemAttribute(0, attribute, nullptr) == hipErrorInvalidValue);
    CHECK(hipDeviceGetGraphMemAttribute(1000, attribute, &value) == hipErrorInvalidDevice);
    CHECK(hipDeviceGetGraphMemAttribute(-1, attribute, &value) == hipErrorInvalidDevice);
    const bool is_high =
        attribute == hipGraphMemAttrUsedMemHigh || attribute == hipGraphMemAttrReservedMemHigh;
    CHECK(hipDeviceSetGraphMemAttribute(0, attribute, &value) ==
          (is_high ? hipSuccess : hipErrorInvalidValue));
    CHECK(hipDeviceSetGraphMemAttribute(0, attribute, nullptr) == hipErrorInvalidValue);
    CHECK(hipDeviceSetGraphMemAttribute(1000, attribute, &value) == hipErrorInvalidDevice);
    uint64_t one = 1;
    CHECK(hipDeviceSetGraphMemAttribute(0, attribute, &one) == hipErrorInvalidValue);
  }
  const auto unknown = hipGraphMemAttributeType(7);
  CHECK(hipDeviceGetGraphMemAttribute(0, unknown, &value) == hipErrorInvalidValue);
  CHECK(hipDeviceSetGraphMemAttribute(0, unknown, &value) == hipErrorInvalidValue);
  // For what nobody can set, `value` may be anything.
  void *const nowhere = reinterpret_cast<void *>(-1);
  CHECK(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, nowhere) ==
        hipErrorInvalidValue);
  CHECK(hipDeviceGraphMemTrim(0) == hipSuccess);
  CHECK(hipDeviceGraphMemTrim(1000) == hipErrorInvalidDevice);
}
