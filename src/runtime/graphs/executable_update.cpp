// What of an executable graph can change: the parameters of its nodes, as long as the same devices and kinds of memory take part.
#include "executable.h"

#include <algorithm>
#include <ranges>

namespace chip {
namespace {

/// Nothing for a copy in the form of the driver functions.
std::optional<hipMemcpyKind> kind_of(const NodeWork &work) {
  const auto *copy = work.find<hipMemcpy3DParms>();
  return copy ? std::optional(copy->kind) : std::nullopt;
}

const char *copy_obstacle(const NodeWork &now, const NodeWork &next) {
  const auto from = kind_of(now), to = kind_of(next);
  if (from && to && from != to)
    return "the kind of the copy would change";
  if (now.route.from != next.route.from || now.route.to != next.route.to)
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
    if (node->work->type != next->work->type)
      return UpdateObstacle{hipGraphExecUpdateErrorNodeTypeChanged, next.get(),
                            "a node of `graph` is of another kind"};
  for (const auto &[node, next] : pairs)
    if (dependencies_of(*node) != dependencies_of(*next))
      return UpdateObstacle{hipGraphExecUpdateErrorTopologyChanged, next.get(),
                            "a node of `graph` has other dependencies"};
  for (const auto &[node, next] : pairs) {
    auto obstacle = node->work->child ? obstacle_to(*node->work->child, *next->work->child)
                                      : obstacle_to(*node->work, *next->work);
    if (!obstacle)
      continue;
    if (!obstacle->node)
      obstacle->node = next.get();
    return obstacle;
  }
  return std::nullopt;
}

} // namespace chip
