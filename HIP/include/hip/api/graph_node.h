/// Nodes of graphs, except copies and fills. New nodes wait for `dependencies`.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/graph_types.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

// Of any kind

/// A node of the kind that `params` says.
hipError_t hipGraphAddNode(hipGraphNode_t *node, hipGraph_t graph,
                           const hipGraphNode_t *dependencies, size_t dependency_count,
                           hipGraphNodeParams *params);

/// Changes a node; it keeps its kind.
hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams *params);

/// Changes a node of an executable graph, for the launches to come.
hipError_t hipGraphExecNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                     hipGraphNodeParams *params);

/// A node that does nothing but wait.
hipError_t hipGraphAddEmptyNode(hipGraphNode_t *node, hipGraph_t graph,
                                const hipGraphNode_t *dependencies, size_t dependency_count);

// Kernels

/// A kernel launch.
hipError_t hipGraphAddKernelNode(hipGraphNode_t *node, hipGraph_t graph,
                                 const hipGraphNode_t *dependencies, size_t dependency_count,
                                 const hipKernelNodeParams *params);

/// The launch; its arguments live as long as the node.
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams *params);

/// Changes the launch.
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams *params);

/// Changes the launch in an executable graph.
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipKernelNodeParams *params);

/// Sets an attribute of the launch.
hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t node, hipKernelNodeAttrID attribute,
                                          const hipKernelNodeAttrValue *value);

/// An attribute of the launch.
hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node, hipKernelNodeAttrID attribute,
                                          hipKernelNodeAttrValue *value);

/// Gives a node the attributes of another.
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t src, hipGraphNode_t dst);

// Functions on the host

/// A call on the host.
hipError_t hipGraphAddHostNode(hipGraphNode_t *node, hipGraph_t graph,
                               const hipGraphNode_t *dependencies, size_t dependency_count,
                               const hipHostNodeParams *params);

/// The call.
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *params);

/// Changes the call.
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams *params);

/// Changes the call in an executable graph.
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                         const hipHostNodeParams *params);

// Graphs in graphs

/// A copy of another graph as one node.
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *node, hipGraph_t graph,
                                     const hipGraphNode_t *dependencies, size_t dependency_count,
                                     hipGraph_t child);

/// The graph in a node.
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *graph);

/// Changes the graph in a node of an executable graph; it keeps its shape.
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                               hipGraph_t child);

// Events

/// Records an event.
hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *node, hipGraph_t graph,
                                      const hipGraphNode_t *dependencies, size_t dependency_count,
                                      hipEvent_t event);

/// The event that is recorded.
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t *event);

/// Changes the event that is recorded.
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event);

/// Changes the event that an executable graph records.
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                               hipEvent_t event);

/// Waits for an event.
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t *node, hipGraph_t graph,
                                    const hipGraphNode_t *dependencies, size_t dependency_count,
                                    hipEvent_t event);

/// The event that is waited for.
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t *event);

/// Changes the event that is waited for.
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event);

/// Changes the event that an executable graph waits for.
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                             hipEvent_t event);

// Memory

/// Allocates; the address is known at once and stays the same in all launches.
hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *node, hipGraph_t graph,
                                   const hipGraphNode_t *dependencies, size_t dependency_count,
                                   hipMemAllocNodeParams *params);

/// The allocation.
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams *params);

/// Frees what a node allocated.
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t *node, hipGraph_t graph,
                                  const hipGraphNode_t *dependencies, size_t dependency_count,
                                  void *address);

/// The address that is freed, stored through `address`.
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void *address);

/// hipGraphAddMemFreeNode for driver code.
hipError_t hipDrvGraphAddMemFreeNode(hipGraphNode_t *node, hipGraph_t graph,
                                     const hipGraphNode_t *dependencies, size_t dependency_count,
                                     hipDeviceptr_t address);

// Values in memory

/// Waits for and writes values, as hipStreamBatchMemOp does.
hipError_t hipGraphAddBatchMemOpNode(hipGraphNode_t *node, hipGraph_t graph,
                                     const hipGraphNode_t *dependencies, size_t dependency_count,
                                     const hipBatchMemOpNodeParams *params);

/// The operations.
hipError_t hipGraphBatchMemOpNodeGetParams(hipGraphNode_t node, hipBatchMemOpNodeParams *params);

/// Changes the operations.
hipError_t hipGraphBatchMemOpNodeSetParams(hipGraphNode_t node, hipBatchMemOpNodeParams *params);

/// Changes the operations in an executable graph.
hipError_t hipGraphExecBatchMemOpNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                               const hipBatchMemOpNodeParams *params);

// Semaphores of other APIs

/// Signals semaphores.
hipError_t
hipGraphAddExternalSemaphoresSignalNode(hipGraphNode_t *node, hipGraph_t graph,
                                        const hipGraphNode_t *dependencies, size_t dependency_count,
                                        const hipExternalSemaphoreSignalNodeParams *params);

/// The semaphores that are signalled.
hipError_t
hipGraphExternalSemaphoresSignalNodeGetParams(hipGraphNode_t node,
                                              hipExternalSemaphoreSignalNodeParams *params);

/// Changes the semaphores that are signalled.
hipError_t
hipGraphExternalSemaphoresSignalNodeSetParams(hipGraphNode_t node,
                                              const hipExternalSemaphoreSignalNodeParams *params);

/// Changes the semaphores that an executable graph signals.
hipError_t hipGraphExecExternalSemaphoresSignalNodeSetParams(
    hipGraphExec_t exec, hipGraphNode_t node, const hipExternalSemaphoreSignalNodeParams *params);

/// Waits for semaphores.
hipError_t hipGraphAddExternalSemaphoresWaitNode(hipGraphNode_t *node, hipGraph_t graph,
                                                 const hipGraphNode_t *dependencies,
                                                 size_t dependency_count,
                                                 const hipExternalSemaphoreWaitNodeParams *params);

/// The semaphores that are waited for.
hipError_t hipGraphExternalSemaphoresWaitNodeGetParams(hipGraphNode_t node,
                                                       hipExternalSemaphoreWaitNodeParams *params);

/// Changes the semaphores that are waited for.
hipError_t
hipGraphExternalSemaphoresWaitNodeSetParams(hipGraphNode_t node,
                                            const hipExternalSemaphoreWaitNodeParams *params);

/// Changes the semaphores that an executable graph waits for.
hipError_t
hipGraphExecExternalSemaphoresWaitNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                const hipExternalSemaphoreWaitNodeParams *params);

HIP_API_END
