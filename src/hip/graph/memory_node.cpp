// HIP API reference: Graph management, nodes that allocate and free memory, and what graphs use of a device.
#include "../../runtime/memory/virtual_memory.h"
#include "nodes.h"

#include <span>

using namespace chip;
using chip::hip::add_node;
using chip::hip::allocation_work;
using chip::hip::entry;
using chip::hip::get_from_node;
using chip::hip::required;

namespace {

hipError_t add_free_node(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                         size_t dependency_count, void *address) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &found) { return free_work(found, address); });
}

} // namespace

NodeWork chip::hip::allocation_work(hipMemAllocNodeParams &parameters) {
  if (parameters.poolProps.allocType != hipMemAllocationTypePinned)
    throw Error(hipErrorInvalidValue, "`allocType` is not hipMemAllocationTypePinned");
  if (parameters.poolProps.handleTypes != hipMemHandleTypeNone)
    throw Error(hipErrorInvalidValue,
                "`handleTypes` is not hipMemHandleTypeNone: memory of graphs stays in the process");
  Device &device = device_at(parameters.poolProps.location);
  if (parameters.bytesize == 0)
    throw Error(hipErrorInvalidValue, "`bytesize` is 0");
  const size_t count = parameters.accessDescCount;
  if (count > size_t(Platform::get().device_count()) || (count != 0 && !parameters.accessDescs))
    throw Error(hipErrorInvalidValue,
                "`accessDescs` is null, or `accessDescCount` is above the number of devices");
  MemoryDetails details;
  for (const hipMemAccessDesc &access : std::span(parameters.accessDescs, count)) {
    device_at(access.location);
    if (access.flags != hipMemAccessFlagsProtRead && access.flags != hipMemAccessFlagsProtReadWrite)
      throw Error(hipErrorInvalidValue, "`flags` of an element of `accessDescs` is not valid");
    details.descriptors.push_back(access);
  }
  details.memory = GraphMemory::allocate(device, parameters.bytesize);
  parameters.dptr = details.memory->address();
  details.parameters = parameters;
  return {.type = hipGraphNodeTypeMemAlloc, .device = &device, .details = std::move(details)};
}

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *node, hipGraph_t graph,
                                   const hipGraphNode_t *dependencies, size_t dependency_count,
                                   hipMemAllocNodeParams *params) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return allocation_work(required(params)); });
}

hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams *params) {
  return get_from_node(node, hipGraphNodeTypeMemAlloc, params, [](const GraphNode &found) {
    const MemoryDetails &details = *found.work->find<MemoryDetails>();
    hipMemAllocNodeParams parameters = details.parameters;
    parameters.accessDescs = details.descriptors.empty() ? nullptr : details.descriptors.data();
    return parameters;
  });
}

hipError_t hipGraphAddMemFreeNode(hipGraphNode_t *node, hipGraph_t graph,
                                  const hipGraphNode_t *dependencies, size_t dependency_count,
                                  void *address) {
  return add_free_node(node, graph, dependencies, dependency_count, address);
}
hipError_t hipDrvGraphAddMemFreeNode(hipGraphNode_t *node, hipGraph_t graph,
                                     const hipGraphNode_t *dependencies, size_t dependency_count,
                                     hipDeviceptr_t address) {
  return add_free_node(node, graph, dependencies, dependency_count, address);
}

hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void *address) {
  return get_from_node(
      node, hipGraphNodeTypeMemFree, static_cast<void **>(address),
      [](const GraphNode &found) { return found.work->find<MemoryDetails>()->memory->address(); });
}

hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute,
                                         void *value) {
  return entry([&] {
    const Device &found = Platform::get().device(device);
    required(static_cast<uint64_t *>(value)) = graph_memory_attribute(found, attribute);
  });
}

hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute,
                                         void *value) {
  return entry([&] {
    const Device &found = Platform::get().device(device);
    // Before `value` is read, which need not be the address of a number for an attribute that nobody can set.
    if (attribute != hipGraphMemAttrUsedMemHigh && attribute != hipGraphMemAttrReservedMemHigh)
      throw Error(hipErrorInvalidValue, "`attribute` is not one of the high-water marks");
    if (required(static_cast<const uint64_t *>(value)) != 0)
      throw Error(hipErrorInvalidValue, "`value` does not point to 0");
    reset_graph_memory_attribute(found, attribute);
  });
}

hipError_t hipDeviceGraphMemTrim(int device) {
  // Memory that no graph uses is not kept.
  return entry([&] { std::ignore = Platform::get().device(device); });
}
