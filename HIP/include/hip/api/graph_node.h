/// Nodes of graphs, except copies and fills. New nodes wait for `dependencies`.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/graph_types.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

// Nodes of any kind

/// Adds a node of the kind that `params.type` names. `params` is filled with zeros apart from the
/// type and the member for this kind. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`params` is null or not valid), hipErrorNotSupported
/// (nodes of this kind cannot be added in this way), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddNode(hipGraphNode_t *node, hipGraph_t graph,
                           const hipGraphNode_t *dependencies, size_t dependency_count,
                           hipGraphNodeParams *params);

/// Changes the parameters of a node, which keeps its kind. Executable graphs that were made before
/// do not change.
/// Errors: @set-errors, hipErrorNotSupported (nodes of this kind cannot change).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams *params);

/// Changes the parameters of a node in an executable graph. `node` is the node of the graph from
/// which `exec` was made. @later-launches
/// Errors: @exec-errors, hipErrorNotSupported (nodes of this kind cannot change).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                     hipGraphNodeParams *params);

/// Adds a node that does nothing. It joins many dependencies into one. @new-node
/// Errors: @add-errors, @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddEmptyNode(hipGraphNode_t *node, hipGraph_t graph,
                                const hipGraphNode_t *dependencies, size_t dependency_count);

// Kernels

/// Adds a node that launches a kernel. `params` has the kernel, the grid in blocks, the block in
/// threads, the dynamic shared memory of a block in bytes, and the arguments, which are copied
/// before the call returns. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`params` is null or not valid),
/// hipErrorInvalidDeviceFunction (the function is not a kernel), hipErrorInvalidConfiguration (a
/// block has more threads than the device allows), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddKernelNode(hipGraphNode_t *node, hipGraph_t graph,
                                 const hipGraphNode_t *dependencies, size_t dependency_count,
                                 const hipKernelNodeParams *params);

/// Stores the launch of a kernel node. The arguments that it refers to are valid until the node
/// changes or is removed.
/// Errors: @get-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams *params);

/// Changes the launch of a kernel node. Executable graphs that were made before do not change.
/// Errors: @set-errors, hipErrorInvalidDeviceFunction (the function is not a kernel),
/// hipErrorCooperativeLaunchTooLarge (the node is cooperative and not all blocks can run at once).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams *params);

/// Changes the launch of a kernel node in an executable graph. The kernel stays on its device.
/// @later-launches
/// Errors: @exec-errors, hipErrorInvalidDeviceFunction (the function is not a kernel),
/// hipErrorCooperativeLaunchTooLarge (the node is cooperative and not all blocks can run at once).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipKernelNodeParams *params);

/// Sets an attribute of the launch of a kernel node.
/// Errors: hipErrorInvalidValue (`node` is not a live kernel node, `attribute` is unknown, or
/// `value` is null or not valid).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t node, hipKernelNodeAttrID attribute,
                                          const hipKernelNodeAttrValue *value);

/// Stores an attribute of the launch of a kernel node.
/// Errors: hipErrorInvalidValue (`node` is not a live kernel node, `attribute` is unknown, or
/// `value` is null).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node, hipKernelNodeAttrID attribute,
                                          hipKernelNodeAttrValue *value);

/// Copies the attributes of the launch of kernel node `src` to kernel node `dst`.
/// Errors: hipErrorInvalidValue (`src` or `dst` is not a live kernel node), hipErrorInvalidContext
/// (the nodes are of different devices).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t src, hipGraphNode_t dst);

// Functions on the host

/// Adds a node that calls a function on a host thread. `params` has the function, which must not
/// call HIP, and its argument. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`params` or its function is null), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddHostNode(hipGraphNode_t *node, hipGraph_t graph,
                               const hipGraphNode_t *dependencies, size_t dependency_count,
                               const hipHostNodeParams *params);

/// Stores the function and the argument of a host node.
/// Errors: @get-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *params);

/// Changes the function and the argument of a host node. Executable graphs that were made before do
/// not change.
/// Errors: @set-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams *params);

/// Changes the function and the argument of a host node in an executable graph. @later-launches
/// Errors: @exec-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                         const hipHostNodeParams *params);

// Graphs in graphs

/// Adds a node that runs a copy of a graph, which may be `graph` itself as it is without the node:
/// later changes of `child` do not affect the node. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`child` is not a live graph), hipErrorNotSupported
/// (`child` allocates or frees memory), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *node, hipGraph_t graph,
                                     const hipGraphNode_t *dependencies, size_t dependency_count,
                                     hipGraph_t child);

/// Stores the graph of a child graph node. It belongs to the node, and changes of it change the
/// node.
/// Errors: hipErrorInvalidValue (`node` is not a live child graph node, or `graph` is null).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *graph);

/// Gives a child graph node in an executable graph the parameters of another graph of the same
/// shape. @later-launches
/// Errors: hipErrorInvalidValue (`exec` is not a live executable graph, `node` is not a child graph
/// node of the graph from which it was made, or `child` is not a live graph),
/// hipErrorGraphExecUpdateFailure (the shape of `child` is different).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                               hipGraph_t child);

// Events

/// Adds a node that records an event when the graph runs. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`event` is not a live event), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *node, hipGraph_t graph,
                                      const hipGraphNode_t *dependencies, size_t dependency_count,
                                      hipEvent_t event);

/// Stores the event of an event record node.
/// Errors: @get-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t *event);

/// Changes the event of an event record node. Executable graphs that were made before do not
/// change.
/// Errors: hipErrorInvalidValue (`node` is not a live event record node, or `event` is not a live
/// event).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event);

/// Changes the event of an event record node in an executable graph. @later-launches
/// Errors: @exec-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                               hipEvent_t event);

/// Adds a node that waits for an event when the graph runs. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`event` is not a live event), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t *node, hipGraph_t graph,
                                    const hipGraphNode_t *dependencies, size_t dependency_count,
                                    hipEvent_t event);

/// Stores the event of an event wait node.
/// Errors: @get-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t *event);

/// Changes the event of an event wait node. Executable graphs that were made before do not change.
/// Errors: hipErrorInvalidValue (`node` is not a live event wait node, or `event` is not a live
/// event).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event);

/// Changes the event of an event wait node in an executable graph. @later-launches
/// Errors: @exec-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                             hipEvent_t event);

// Memory

/// Adds a node that allocates memory. `params` has the properties of the pool, the size in bytes
/// and the devices that have access, and receives the address in `params.dptr`, which is the same
/// in all launches. The memory is valid after the node has run. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`params` is null or not valid), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *node, hipGraph_t graph,
                                   const hipGraphNode_t *dependencies, size_t dependency_count,
                                   hipMemAllocNodeParams *params);

/// Stores the allocation of a memory allocation node.
/// Errors: @get-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams *params);

/// Adds a node that frees memory of a memory allocation node. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`address` is not from a memory allocation node, or
/// another node of the graph frees it), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t *node, hipGraph_t graph,
                                  const hipGraphNode_t *dependencies, size_t dependency_count,
                                  void *address);

/// Stores the address that a memory free node frees. `address` points to a variable of type `void
/// *`.
/// Errors: @get-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void *address);

/// @like hipGraphAddMemFreeNode
hipError_t hipDrvGraphAddMemFreeNode(hipGraphNode_t *node, hipGraph_t graph,
                                     const hipGraphNode_t *dependencies, size_t dependency_count,
                                     hipDeviceptr_t address);

// Values in memory

/// Adds a node that waits for values in memory and writes values, as hipStreamBatchMemOp does.
/// `params` has the context and the array of operations, which is copied. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`params` is null or not valid), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddBatchMemOpNode(hipGraphNode_t *node, hipGraph_t graph,
                                     const hipGraphNode_t *dependencies, size_t dependency_count,
                                     const hipBatchMemOpNodeParams *params);

/// Stores the operations of a node of hipGraphAddBatchMemOpNode. The array is valid until the node
/// changes or is removed.
/// Errors: @get-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphBatchMemOpNodeGetParams(hipGraphNode_t node, hipBatchMemOpNodeParams *params);

/// Changes the operations of a node of hipGraphAddBatchMemOpNode. Executable graphs that were made
/// before do not change.
/// Errors: @set-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphBatchMemOpNodeSetParams(hipGraphNode_t node, hipBatchMemOpNodeParams *params);

/// Changes the operations of a node of hipGraphAddBatchMemOpNode in an executable graph.
/// @later-launches
/// Errors: @exec-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecBatchMemOpNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                               const hipBatchMemOpNodeParams *params);

// Semaphores of other APIs

/// Adds a node that signals semaphores of other APIs, as hipSignalExternalSemaphoresAsync does. As none
/// can be imported, `params` is never valid. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`params` is null or not valid).
/// Stream: @none. Capture: @allowed.
hipError_t
hipGraphAddExternalSemaphoresSignalNode(hipGraphNode_t *node, hipGraph_t graph,
                                        const hipGraphNode_t *dependencies, size_t dependency_count,
                                        const hipExternalSemaphoreSignalNodeParams *params);

/// Stores the semaphores that a node signals. The arrays are valid until the node changes or is
/// removed.
/// Errors: @get-errors.
/// Stream: @none. Capture: @allowed.
hipError_t
hipGraphExternalSemaphoresSignalNodeGetParams(hipGraphNode_t node,
                                              hipExternalSemaphoreSignalNodeParams *params);

/// Changes the semaphores that a node signals. Executable graphs that were made before do not
/// change.
/// Errors: @set-errors.
/// Stream: @none. Capture: @allowed.
hipError_t
hipGraphExternalSemaphoresSignalNodeSetParams(hipGraphNode_t node,
                                              const hipExternalSemaphoreSignalNodeParams *params);

/// Changes the semaphores that a node of an executable graph signals. @later-launches
/// Errors: @exec-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecExternalSemaphoresSignalNodeSetParams(
    hipGraphExec_t exec, hipGraphNode_t node, const hipExternalSemaphoreSignalNodeParams *params);

/// Adds a node that waits for semaphores of other APIs, as hipWaitExternalSemaphoresAsync does. As none
/// can be imported, `params` is never valid. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`params` is null or not valid).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddExternalSemaphoresWaitNode(hipGraphNode_t *node, hipGraph_t graph,
                                                 const hipGraphNode_t *dependencies,
                                                 size_t dependency_count,
                                                 const hipExternalSemaphoreWaitNodeParams *params);

/// Stores the semaphores for which a node waits. The arrays are valid until the node changes or is
/// removed.
/// Errors: @get-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExternalSemaphoresWaitNodeGetParams(hipGraphNode_t node,
                                                       hipExternalSemaphoreWaitNodeParams *params);

/// Changes the semaphores for which a node waits. Executable graphs that were made before do not
/// change.
/// Errors: @set-errors.
/// Stream: @none. Capture: @allowed.
hipError_t
hipGraphExternalSemaphoresWaitNodeSetParams(hipGraphNode_t node,
                                            const hipExternalSemaphoreWaitNodeParams *params);

/// Changes the semaphores for which a node of an executable graph waits. @later-launches
/// Errors: @exec-errors.
/// Stream: @none. Capture: @allowed.
hipError_t
hipGraphExecExternalSemaphoresWaitNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                const hipExternalSemaphoreWaitNodeParams *params);

HIP_API_END
