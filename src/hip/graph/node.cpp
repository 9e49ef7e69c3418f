// HIP API reference: Graph management, nodes of any kind, and those that neither launch kernels nor use memory.
#include "../../runtime/streams/event.h"
#include "../stream_work.h"
#include "nodes.h"

using namespace chip;
using chip::hip::add_node;
using chip::hip::allocation_work;
using chip::hip::batch_work;
using chip::hip::changed_work;
using chip::hip::copy_work;
using chip::hip::event_record_work;
using chip::hip::event_wait_work;
using chip::hip::fill_work;
using chip::hip::get_from_node;
using chip::hip::host_work;
using chip::hip::kernel_work;
using chip::hip::required;
using chip::hip::set_node;

namespace {

NodeWork child_work(hipGraph_t child) { return child_graph_work(*find_graph(child, "child")); }

/// The work that the parameters of a node of any kind describe. What only new nodes can have is made for `graph`.
NodeWork new_work(const Graph &graph, hipGraphNodeParams &parameters) {
  switch (parameters.type) {
  case hipGraphNodeTypeKernel:
    return kernel_work(parameters.kernel);
  case hipGraphNodeTypeMemcpy:
    return copy_work(parameters.memcpy.copyParams);
  case hipGraphNodeTypeMemset:
    return fill_work(parameters.memset);
  case hipGraphNodeTypeHost:
    return host_work(parameters.host);
  case hipGraphNodeTypeGraph:
    return child_work(parameters.graph.graph);
  case hipGraphNodeTypeEmpty:
    return {};
  case hipGraphNodeTypeWaitEvent:
    return event_wait_work(parameters.eventWait.event);
  case hipGraphNodeTypeEventRecord:
    return event_record_work(parameters.eventRecord.event);
  case hipGraphNodeTypeMemAlloc:
    return allocation_work(parameters.alloc);
  case hipGraphNodeTypeMemFree:
    return free_work(graph, parameters.free.dptr);
  case hipGraphNodeTypeExtSemaphoreSignal:
  case hipGraphNodeTypeExtSemaphoreWait:
  case hipGraphNodeTypeMemcpyFromSymbol:
  case hipGraphNodeTypeMemcpyToSymbol:
  case hipGraphNodeTypeBatchMemOp:
    throw Error(hipErrorNotSupported, "nodes of the kind `type` cannot be added in this way");
  case hipGraphNodeTypeCount:
    break;
  }
  throw Error(hipErrorInvalidValue, "`type` is not a hipGraphNodeType");
}

hipEvent_t event_of(const GraphNode &node) { return node.work->find<EventDetails>()->event; }

} // namespace

NodeWork chip::hip::batch_work(const hipBatchMemOpNodeParams &parameters) {
  if (parameters.flags != 0)
    throw Error(hipErrorInvalidValue, "`flags` is not 0");
  if (parameters.count == 0 || parameters.count > 256)
    throw Error(hipErrorInvalidValue, "`count` is not from 1 to 256");
  const std::span all(&required(parameters.paramArray), parameters.count);
  NodeWork work = collect_work(hipGraphNodeTypeBatchMemOp, Platform::current_device(),
                               [&](const StreamTarget &stream) {
                                 for (const hipStreamBatchMemOpParams &operation : all)
                                   chip::hip::run_memory_operation(stream, operation);
                               });
  work.details = BatchDetails{parameters.ctx, {all.begin(), all.end()}};
  return work;
}

NodeWork chip::hip::changed_work(const NodeWork &earlier, hipGraphNodeParams &parameters) {
  if (parameters.type != earlier.type)
    throw Error(hipErrorInvalidValue, "`type` is not the kind of the node");
  switch (parameters.type) {
  case hipGraphNodeTypeKernel:
    return kernel_work(parameters.kernel, &earlier);
  case hipGraphNodeTypeMemcpy:
    return copy_work(parameters.memcpy.copyParams);
  case hipGraphNodeTypeMemset:
    return fill_work(parameters.memset);
  case hipGraphNodeTypeHost:
    return host_work(parameters.host);
  case hipGraphNodeTypeWaitEvent:
    return event_wait_work(parameters.eventWait.event);
  case hipGraphNodeTypeEventRecord:
    return event_record_work(parameters.eventRecord.event);
  default:
    throw Error(hipErrorNotSupported, "nodes of this kind cannot change");
  }
}

NodeWork chip::hip::host_work(const hipHostNodeParams &parameters) {
  if (!parameters.fn)
    throw Error(hipErrorInvalidValue, "`fn` is null");
  NodeWork work = collect_work(
      hipGraphNodeTypeHost, Platform::current_device(), [&](const StreamTarget &stream) {
        append_host_function(stream, HostFunctionOf::program, parameters.fn, parameters.userData);
      });
  work.details = parameters;
  return work;
}

NodeWork chip::hip::event_record_work(hipEvent_t event) {
  Event &found = find_event(event, hipErrorInvalidValue);
  NodeWork work = collect_work(hipGraphNodeTypeEventRecord, *found.device,
                               [&](const StreamTarget &stream) { record(found, stream); });
  work.details = EventDetails{event};
  return work;
}

NodeWork chip::hip::event_wait_work(hipEvent_t event) {
  Event &found = find_event(event, hipErrorInvalidValue);
  NodeWork work = collect_work(hipGraphNodeTypeWaitEvent, Platform::current_device(),
                               [&](const StreamTarget &stream) { wait(stream, found); });
  work.details = EventDetails{event};
  return work;
}

// ---- Nodes of any kind

hipError_t hipGraphAddNode(hipGraphNode_t *node, hipGraph_t graph,
                           const hipGraphNode_t *dependencies, size_t dependency_count,
                           hipGraphNodeParams *params) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &found) { return new_work(found, required(params)); });
}

hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams *params) {
  return chip::hip::entry([&] {
    const auto found = find_node(node);
    found->work = std::make_shared<const NodeWork>(changed_work(*found->work, required(params)));
  });
}

hipError_t hipGraphAddEmptyNode(hipGraphNode_t *node, hipGraph_t graph,
                                const hipGraphNode_t *dependencies, size_t dependency_count) {
  return add_node(node, graph, dependencies, dependency_count,
                  [](const Graph &) { return NodeWork{}; });
}

// ---- Functions on the host

hipError_t hipGraphAddHostNode(hipGraphNode_t *node, hipGraph_t graph,
                               const hipGraphNode_t *dependencies, size_t dependency_count,
                               const hipHostNodeParams *params) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return host_work(required(params)); });
}

hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *params) {
  return get_from_node(node, hipGraphNodeTypeHost, params, [](const GraphNode &found) {
    return *found.work->find<hipHostNodeParams>();
  });
}

hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams *params) {
  return set_node(node, hipGraphNodeTypeHost,
                  [&](const NodeWork &) { return host_work(required(params)); });
}

// ---- Graphs in graphs

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *node, hipGraph_t graph,
                                     const hipGraphNode_t *dependencies, size_t dependency_count,
                                     hipGraph_t child) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return child_work(child); });
}

hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *graph) {
  return get_from_node(node, hipGraphNodeTypeGraph, graph,
                       [](const GraphNode &found) { return found.work->child.get(); });
}

// ---- Events

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *node, hipGraph_t graph,
                                      const hipGraphNode_t *dependencies, size_t dependency_count,
                                      hipEvent_t event) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return event_record_work(event); });
}

hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t *event) {
  return get_from_node(node, hipGraphNodeTypeEventRecord, event, event_of);
}

hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set_node(node, hipGraphNodeTypeEventRecord,
                  [&](const NodeWork &) { return event_record_work(event); });
}

hipError_t hipGraphAddEventWaitNode(hipGraphNode_t *node, hipGraph_t graph,
                                    const hipGraphNode_t *dependencies, size_t dependency_count,
                                    hipEvent_t event) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return event_wait_work(event); });
}

hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t *event) {
  return get_from_node(node, hipGraphNodeTypeWaitEvent, event, event_of);
}

hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set_node(node, hipGraphNodeTypeWaitEvent,
                  [&](const NodeWork &) { return event_wait_work(event); });
}

// ---- Values in memory

hipError_t hipGraphAddBatchMemOpNode(hipGraphNode_t *node, hipGraph_t graph,
                                     const hipGraphNode_t *dependencies, size_t dependency_count,
                                     const hipBatchMemOpNodeParams *params) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return batch_work(required(params)); });
}

hipError_t hipGraphBatchMemOpNodeGetParams(hipGraphNode_t node, hipBatchMemOpNodeParams *params) {
  return get_from_node(node, hipGraphNodeTypeBatchMemOp, params, [](GraphNode &found) {
    const BatchDetails &details = *found.work->find<BatchDetails>();
    return hipBatchMemOpNodeParams{
        .ctx = details.context,
        .count = unsigned(details.operations.size()),
        .paramArray = const_cast<hipStreamBatchMemOpParams *>(details.operations.data()),
        .flags = 0};
  });
}

hipError_t hipGraphBatchMemOpNodeSetParams(hipGraphNode_t node, hipBatchMemOpNodeParams *params) {
  return set_node(node, hipGraphNodeTypeBatchMemOp,
                  [&](const NodeWork &) { return batch_work(required(params)); });
}
