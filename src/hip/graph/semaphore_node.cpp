// HIP API reference: Graph management, nodes that signal and wait for semaphores of other interfaces. There are no such semaphores
// (interop/external_semaphore.cpp), and so no such nodes: what is left is to refuse what is not valid in the order of other nodes.
#include "../../runtime/graphs/executable.h"
#include "nodes.h"

using namespace chip;
using chip::hip::add_node;
using chip::hip::entry;
using chip::hip::get_from_node;
using chip::hip::required;
using chip::hip::set_node;

namespace {

constexpr auto signal_node = hipGraphNodeTypeExtSemaphoreSignal;
constexpr auto wait_node = hipGraphNodeTypeExtSemaphoreWait;

template <class Parameters> [[noreturn]] NodeWork semaphore_work(const Parameters *params) {
  required(params);
  throw Error(hipErrorInvalidValue,
              "`params` has no semaphores, or one that is not a live hipExternalSemaphore_t");
}

/// Of an executable graph, which has no such node.
template <class Parameters>
hipError_t set_in_executable(hipGraphExec_t exec, hipGraphNode_t node, hipGraphNodeType type,
                             const Parameters *params,
                             const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    GraphExec &found = find_executable(exec);
    found.update(*find_node(node, type), [&](const NodeWork &) { return semaphore_work(params); });
  });
}

template <class Parameters> Parameters no_parameters(const GraphNode &) { return {}; }

} // namespace

hipError_t
hipGraphAddExternalSemaphoresSignalNode(hipGraphNode_t *node, hipGraph_t graph,
                                        const hipGraphNode_t *dependencies, size_t dependency_count,
                                        const hipExternalSemaphoreSignalNodeParams *params) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return semaphore_work(params); });
}

hipError_t
hipGraphExternalSemaphoresSignalNodeGetParams(hipGraphNode_t node,
                                              hipExternalSemaphoreSignalNodeParams *params) {
  return get_from_node(node, signal_node, params,
                       no_parameters<hipExternalSemaphoreSignalNodeParams>);
}

hipError_t
hipGraphExternalSemaphoresSignalNodeSetParams(hipGraphNode_t node,
                                              const hipExternalSemaphoreSignalNodeParams *params) {
  return set_node(node, signal_node, [&](const NodeWork &) { return semaphore_work(params); });
}

hipError_t hipGraphExecExternalSemaphoresSignalNodeSetParams(
    hipGraphExec_t exec, hipGraphNode_t node, const hipExternalSemaphoreSignalNodeParams *params) {
  return set_in_executable(exec, node, signal_node, params);
}

hipError_t hipGraphAddExternalSemaphoresWaitNode(hipGraphNode_t *node, hipGraph_t graph,
                                                 const hipGraphNode_t *dependencies,
                                                 size_t dependency_count,
                                                 const hipExternalSemaphoreWaitNodeParams *params) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return semaphore_work(params); });
}

hipError_t hipGraphExternalSemaphoresWaitNodeGetParams(hipGraphNode_t node,
                                                       hipExternalSemaphoreWaitNodeParams *params) {
  return get_from_node(node, wait_node, params, no_parameters<hipExternalSemaphoreWaitNodeParams>);
}

hipError_t
hipGraphExternalSemaphoresWaitNodeSetParams(hipGraphNode_t node,
                                            const hipExternalSemaphoreWaitNodeParams *params) {
  return set_node(node, wait_node, [&](const NodeWork &) { return semaphore_work(params); });
}

hipError_t
hipGraphExecExternalSemaphoresWaitNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                const hipExternalSemaphoreWaitNodeParams *params) {
  return set_in_executable(exec, node, wait_node, params);
}
