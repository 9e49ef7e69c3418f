// What the entry points of graphs share: adding and changing nodes, and the work that parameters of HIP describe.
#pragma once

#include "../../runtime/graphs/graph.h"
#include "../entry.h"

namespace chip::hip {

/// Adds the node whose work `make_work(graph)` returns.
template <class MakeWork>
hipError_t add_node(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                    size_t count, const MakeWork &make_work,
                    const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    required(node);
    const auto found = find_graph(graph);
    if (count != 0 && !dependencies)
      throw Error(hipErrorInvalidValue, "`dependencies` is null, but `dependency_count` is not 0");
    if (const std::lock_guard lock(found->mutex); count > found->nodes().size())
      throw Error(hipErrorInvalidValue, "`dependency_count` is more than the graph has nodes");
    *node = &found->add(make_work(*found), {dependencies, count});
  });
}

/// Gives a node of the kind the work that `make_work(work)` makes of what it has.
template <class MakeWork>
hipError_t set_node(hipGraphNode_t node, hipGraphNodeType type, const MakeWork &make_work,
                    const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    const auto found = find_node(node, type);
    found->work = std::make_shared<const NodeWork>(make_work(*found->work));
  });
}

/// Stores what `look(node)` returns for a node of the kind.
template <class Value, class Look>
hipError_t get_from_node(hipGraphNode_t node, hipGraphNodeType type, Value *value, const Look &look,
                         const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    required(value);
    *value = look(*find_node(node, type));
  });
}

/// The work of nodes. Each throws what its entry points document for parameters that are not valid. The work that a kernel node
/// has had hands its attributes on.
NodeWork kernel_work(const hipKernelNodeParams &parameters, const NodeWork *earlier = nullptr);
NodeWork copy_work(const hipMemcpy3DParms &copy);
NodeWork copy_work(const HIP_MEMCPY3D &copy);
/// The device of the context copies.
NodeWork copy_work(const HIP_MEMCPY3D &copy, hipCtx_t ctx);
NodeWork copy_work(void *dst, const void *src, size_t count, hipMemcpyKind kind);
/// The same for a node that is there, which has something to do.
NodeWork changed_copy_work(void *dst, const void *src, size_t count, hipMemcpyKind kind);
NodeWork copy_work_from_symbol(void *dst, const void *symbol, size_t count, size_t offset,
                               hipMemcpyKind kind);
NodeWork copy_work_to_symbol(const void *symbol, const void *src, size_t count, size_t offset,
                             hipMemcpyKind kind);
NodeWork fill_work(const hipMemsetParams &fill);
/// The device of the memory fills, as with all fills.
NodeWork fill_work(const HIP_MEMSET_NODE_PARAMS &fill, hipCtx_t ctx);
NodeWork host_work(const hipHostNodeParams &parameters);
NodeWork event_record_work(hipEvent_t event);
NodeWork event_wait_work(hipEvent_t event);
NodeWork batch_work(const hipBatchMemOpNodeParams &parameters);
/// Stores the address in the parameters.
NodeWork allocation_work(hipMemAllocNodeParams &parameters);
/// Of a node of any kind that can change, for a node that has had other work. Throws hipErrorNotSupported for one that cannot.
NodeWork changed_work(const NodeWork &earlier, hipGraphNodeParams &parameters);

} // namespace chip::hip
