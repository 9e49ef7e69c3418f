// What of an executable graph can change: the parameters of its nodes, as long as the same devices and kinds of memory take part.
#include "../memory/memory.h"
#include "executable.h"

#include <algorithm>
#include <ranges>

namespace chip {
namespace {

/// Where one side of a copy is.
struct CopyPlace {
  bool is_array;
  const Device *device; // null: of the host
  bool operator==(const CopyPlace &) const = default;
};

CopyPlace place_of(hipArray_t array, const void *address) {
  if (array)
    return {true, nullptr};
  const auto allocation = find_allocation(address);
  return {false, allocation && !allocation->host_can_reach() ? allocation->device : nullptr};
}

struct CopyRoute {
  std::optional<hipMemcpyKind> kind; // none for a copy in the form of the driver functions
  CopyPlace from, to;
};

CopyRoute route_of(const hipMemcpy3DParms &copy) {
  return {copy.kind, place_of(copy.srcArray, copy.srcPtr.ptr),
          place_of(copy.dstArray, copy.dstPtr.ptr)};
}

CopyRoute route_of(const HIP_MEMCPY3D &copy) {
  const auto side = [](hipMemoryType type, hipArray_t array, const void *host, const void *device) {
    if (type == hipMemoryTypeArray)
      return place_of(array, nullptr);
    const bool is_host = type == hipMemoryTypeHost || type == hipMemoryTypeUnregistered;
    return place_of(nullptr, is_host ? host : device);
  };
  return {std::nullopt, side(copy.srcMemoryType, copy.srcArray, copy.srcHost, copy.srcDevice),
          side(copy.dstMemoryType, copy.dstArray, copy.dstHost, copy.dstDevice)};
}

CopyRoute route_of(const NodeWork &work) {
  if (const auto *copy = work.find<HIP_MEMCPY3D>())
    return route_of(*copy);
  return route_of(*work.find<hipMemcpy3DParms>());
}

const char *copy_obstacle(const NodeWork &now, const NodeWork &next) {
  const CopyRoute from = route_of(now), to = route_of(next);
  if (from.kind && to.kind && from.kind != to.kind)
    return "the kind of the copy would change";
  if (from.from != to.from || from.to != to.to)
    return "the kind of memory or the device of a side of the copy would change";
  return nullptr;
}

const char *fill_obstacle(const NodeWork &now, const NodeWork &next) {
  if (now.device != next.device)
    return "the device of the memory would change";
  if (now.operations == next.operations)
    return nullptr;
  if (now.find<hipMemsetParams>()->height != 1 || next.find<hipMemsetParams>()->height != 1)
    return "only a fill of one row can change";
  return nullptr;
}

std::optional<UpdateObstacle> parameters_changed(const char *message) {
  if (!message)
    return std::nullopt;
  return UpdateObstacle{hipGraphExecUpdateErrorParametersChanged, nullptr, message};
}

/// The places in their graph of what a node waits for, in order.
std::vector<size_t> dependencies_of(const GraphNode &node) {
  std::vector<size_t> all;
  for (const GraphNode *dependency : node.dependencies)
    all.push_back(dependency->index);
  std::ranges::sort(all);
  return all;
}

} // namespace

std::optional<UpdateObstacle> obstacle_to(const NodeWork &now, const NodeWork &next) {
  switch (now.type) {
  case hipGraphNodeTypeKernel:
    if (now.device != next.device)
      return UpdateObstacle{hipGraphExecUpdateErrorUnsupportedFunctionChange, nullptr,
                            "the device of the kernel would change"};
    return std::nullopt;
  case hipGraphNodeTypeMemcpy:
    return parameters_changed(copy_obstacle(now, next));
  case hipGraphNodeTypeMemset:
    return parameters_changed(fill_obstacle(now, next));
  case hipGraphNodeTypeMemAlloc:
  case hipGraphNodeTypeMemFree:
    if (now.find<MemoryDetails>()->memory == next.find<MemoryDetails>()->memory)
      return std::nullopt;
    return UpdateObstacle{hipGraphExecUpdateErrorNotSupported, nullptr,
                          "nodes that allocate and free memory cannot change"};
  default:
    if (now.device != next.device)
      return parameters_changed("the device of the node would change");
    return std::nullopt;
  }
}

std::optional<UpdateObstacle> obstacle_to(const Graph &own, const Graph &other) {
  if (own.nodes().size() != other.nodes().size())
    return UpdateObstacle{hipGraphExecUpdateErrorTopologyChanged, nullptr,
                          "`graph` has another number of nodes"};
  const auto pairs = std::views::zip(own.nodes(), other.nodes());
  for (const auto &[node, next] : pairs)
    if (node->work.type != next->work.type)
      return UpdateObstacle{hipGraphExecUpdateErrorNodeTypeChanged, next.get(),
                            "a node of `graph` is of another kind"};
  for (const auto &[node, next] : pairs)
    if (dependencies_of(*node) != dependencies_of(*next))
      return UpdateObstacle{hipGraphExecUpdateErrorTopologyChanged, next.get(),
                            "a node of `graph` has other dependencies"};
  for (const auto &[node, next] : pairs) {
    auto obstacle = node->work.child ? obstacle_to(*node->work.child, *next->work.child)
                                     : obstacle_to(node->work, next->work);
    if (!obstacle)
      continue;
    if (!obstacle->node)
      obstacle->node = next.get();
    return obstacle;
  }
  return std::nullopt;
}

} // namespace chip
