// HIP API reference: Graph management, changes of nodes in graphs that can be launched.
#include "../../runtime/graphs/executable.h"
#include "nodes.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

/// Gives the copy of a node of the kind in an executable graph the work that `make_work(work)` makes of what it has.
template <class MakeWork>
hipError_t set_executable_node(hipGraphExec_t exec, hipGraphNode_t node, hipGraphNodeType type,
                               const MakeWork &make_work,
                               const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    GraphExec &found = find_executable(exec);
    found.update(*find_node(node, type), make_work);
  });
}

/// Throws hipErrorInvalidValue if the copy leads elsewhere than that of `earlier`, whatever else is wrong with it.
void check_route(const NodeWork &earlier, hipMemcpy3DParms copy) {
  if (const auto *now = earlier.find<hipMemcpy3DParms>())
    copy.kind = now->kind;
  NodeWork next{.type = hipGraphNodeTypeMemcpy};
  next.set_copy(copy);
  if (const auto obstacle = obstacle_to(earlier, next))
    throw Error(hipErrorInvalidValue, obstacle->message);
}

} // namespace

hipError_t hipGraphExecNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                     hipGraphNodeParams *params) {
  return entry([&] {
    GraphExec &found = find_executable(exec);
    found.update(*find_node(node), [&](const NodeWork &earlier) {
      return chip::hip::changed_work(earlier, required(params));
    });
  });
}

hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipKernelNodeParams *params) {
  return set_executable_node(exec, node, hipGraphNodeTypeKernel, [&](const NodeWork &earlier) {
    return chip::hip::kernel_work(required(params), &earlier);
  });
}

hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           hipMemcpy3DParms *params) {
  return set_executable_node(exec, node, hipGraphNodeTypeMemcpy, [&](const NodeWork &earlier) {
    check_route(earlier, required(params));
    return chip::hip::copy_work(*params);
  });
}

hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void *dst,
                                             const void *src, size_t count, hipMemcpyKind kind) {
  return set_executable_node(exec, node, hipGraphNodeTypeMemcpy, [&](const NodeWork &) {
    return chip::hip::changed_copy_work(dst, src, count, kind);
  });
}

hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t exec, hipGraphNode_t node,
                                                     void *dst, const void *symbol, size_t count,
                                                     size_t offset, hipMemcpyKind kind) {
  return set_executable_node(exec, node, hipGraphNodeTypeMemcpy, [&](const NodeWork &) {
    return chip::hip::copy_work_from_symbol(dst, symbol, count, offset, kind);
  });
}

hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t exec, hipGraphNode_t node,
                                                   const void *symbol, const void *src,
                                                   size_t count, size_t offset,
                                                   hipMemcpyKind kind) {
  return set_executable_node(exec, node, hipGraphNodeTypeMemcpy, [&](const NodeWork &) {
    return chip::hip::copy_work_to_symbol(symbol, src, count, offset, kind);
  });
}

hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipMemsetParams *params) {
  return set_executable_node(exec, node, hipGraphNodeTypeMemset, [&](const NodeWork &) {
    return chip::hip::fill_work(required(params));
  });
}

hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const HIP_MEMCPY3D *copy, hipCtx_t ctx) {
  return set_executable_node(exec, node, hipGraphNodeTypeMemcpy, [&](const NodeWork &) {
    return chip::hip::copy_work(required(copy), ctx);
  });
}

hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const HIP_MEMSET_NODE_PARAMS *params, hipCtx_t ctx) {
  return set_executable_node(exec, node, hipGraphNodeTypeMemset, [&](const NodeWork &) {
    return chip::hip::fill_work(required(params), ctx);
  });
}

hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                         const hipHostNodeParams *params) {
  return set_executable_node(exec, node, hipGraphNodeTypeHost, [&](const NodeWork &) {
    return chip::hip::host_work(required(params));
  });
}

hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                               hipGraph_t child) {
  return entry([&] {
    GraphExec &found = find_executable(exec);
    const auto original = find_node(node, hipGraphNodeTypeGraph);
    if (const auto obstacle = found.update_child(*original, *find_graph(child, "child")))
      throw Error(hipErrorGraphExecUpdateFailure, obstacle->message);
  });
}

hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                               hipEvent_t event) {
  return set_executable_node(exec, node, hipGraphNodeTypeEventRecord,
                             [&](const NodeWork &) { return chip::hip::event_record_work(event); });
}

hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                             hipEvent_t event) {
  return set_executable_node(exec, node, hipGraphNodeTypeWaitEvent,
                             [&](const NodeWork &) { return chip::hip::event_wait_work(event); });
}

hipError_t hipGraphExecBatchMemOpNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                               const hipBatchMemOpNodeParams *params) {
  return set_executable_node(exec, node, hipGraphNodeTypeBatchMemOp, [&](const NodeWork &) {
    return chip::hip::batch_work(required(params));
  });
}
