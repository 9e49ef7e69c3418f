/// Graphs: work that is described once and launched many times.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/graph_types.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

// Graphs and their structure

/// Creates an empty graph. `flags` is 0.
/// Errors: hipErrorInvalidValue (`graph` is null, or `flags` is not 0), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphCreate(hipGraph_t *graph, unsigned int flags);

/// Destroys a graph and its nodes. Executable graphs that were made from it stay valid.
/// Errors: hipErrorInvalidValue (`graph` is not a live graph, or is that of a child graph node).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphDestroy(hipGraph_t graph);

/// Creates a copy of a graph. Its child graphs are copied as well. A graph with memory allocation
/// or free nodes cannot be copied.
/// Errors: hipErrorInvalidValue (`clone` is null, or `original` is not a live graph),
/// hipErrorNotSupported (the graph allocates or frees memory), hipErrorOutOfMemory (there is not
/// enough memory).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphClone(hipGraph_t *clone, hipGraph_t original);

/// Stores the node of a copy that corresponds to a node of the original graph.
/// Errors: hipErrorInvalidValue (`node` is null, `original` is not a live node, `clone` is not a
/// copy of its graph, or the copy has no such node any more).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphNodeFindInClone(hipGraphNode_t *node, hipGraphNode_t original, hipGraph_t clone);

/// Adds `dependency_count` edges to a graph: element i of `to` waits for element i of `from`. On
/// failure, none is added. A graph with a cycle cannot be made executable.
/// Errors: hipErrorInvalidValue (`graph` is not a live graph, an array is null, or an edge exists
/// already, leads from a node to itself or has a node of another graph).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                   const hipGraphNode_t *to, size_t dependency_count);

/// Removes `dependency_count` edges from a graph: those from element i of `from` to element i of
/// `to`. On failure, none is removed.
/// Errors: hipErrorInvalidValue (`graph` is not a live graph, an array is null, or an edge does not
/// exist), hipErrorNotSupported (an edge is of a node that allocates or frees memory).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                      const hipGraphNode_t *to, size_t dependency_count);

/// Stores the nodes of a graph. @count-first
/// Errors: hipErrorInvalidValue (`graph` is not a live graph, or `node_count` is null).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *node_count);

/// Stores the nodes of a graph that wait for no other node. @count-first
/// Errors: hipErrorInvalidValue (`graph` is not a live graph, or `node_count` is null).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *node_count);

/// Stores the edges of a graph: element i of `to` waits for element i of `from`. @count-first
/// Errors: hipErrorInvalidValue (`graph` is not a live graph, `edge_count` is null, or only one of
/// `from` and `to` is null).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t *from, hipGraphNode_t *to,
                            size_t *edge_count);

/// Stores the nodes for which a node waits. @count-first
/// Errors: hipErrorInvalidValue (`node` is not a live node, or `dependency_count` is null).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *dependencies,
                                       size_t *dependency_count);

/// Stores the nodes that wait for a node. @count-first
/// Errors: hipErrorInvalidValue (`node` is not a live node, or `node_count` is null).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *nodes,
                                         size_t *node_count);

/// Stores the kind of a node.
/// Errors: hipErrorInvalidValue (`node` is not a live node, or `type` is null).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *type);

/// Removes a node and its edges from its graph. Memory allocation and free nodes cannot be removed.
/// Executable graphs do not change.
/// Errors: hipErrorInvalidValue (`node` is not a live node), hipErrorNotSupported (the node
/// allocates or frees memory), hipErrorIllegalState (streams are being captured into its graph).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphDestroyNode(hipGraphNode_t node);

/// Writes a description of a graph to a file, in the language DOT. `flags` combines
/// hipGraphDebugDotFlags* values, which choose what is written about the nodes. Kernels have the
/// names that the compiler gave them (mangled).
/// Errors: hipErrorInvalidValue (`graph` is not a live graph, or `path` is null),
/// hipErrorOperatingSystem (the file cannot be written).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char *path, unsigned int flags);

// Executable graphs

/// Makes an executable graph from a graph. Later changes of the graph do not affect it. On failure,
/// `error_node` may receive the node at fault and `log` a text of at most `log_size` bytes with a
/// final null byte; both may be null.
/// Errors: hipErrorInvalidValue (`exec` is null, or `graph` is not a live graph or has a cycle),
/// hipErrorNotSupported (a child graph allocates or frees memory, or the graph does and is in use
/// by an executable graph), hipErrorOutOfMemory (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph, hipGraphNode_t *error_node,
                               char *log, size_t log_size);

/// Makes an executable graph from a graph. Later changes of the graph do not affect it. `flags`
/// combines hipGraphInstantiateFlagAutoFreeOnLaunch and hipGraphInstantiateFlagUseNodePriority.
/// Errors: hipErrorInvalidValue (`exec` is null, `flags` has other bits, or `graph` is not a live
/// graph or has a cycle), hipErrorNotSupported (a child graph allocates or frees memory, the graph
/// does and is in use by an executable graph, or `flags` has hipGraphInstantiateFlagDeviceLaunch),
/// hipErrorOutOfMemory (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph,
                                        unsigned long long flags);

/// Makes an executable graph from a graph. Later changes of the graph do not affect it. `params`
/// has the flags of hipGraphInstantiateWithFlags or hipGraphInstantiateFlagUpload as well and the
/// stream for that, and receives the result and the node at fault.
/// Errors: hipErrorInvalidValue (`exec` or `params` is null, the flags have other bits, or `graph`
/// is not a live graph or has a cycle), hipErrorNotSupported (a child graph allocates or frees
/// memory, the graph does and is in use by an executable graph, or the flags have
/// hipGraphInstantiateFlagDeviceLaunch), hipErrorOutOfMemory (there is not enough memory),
/// hipErrorContextIsDestroyed (the upload stream in `params` is not a live stream).
/// Stream: With hipGraphInstantiateFlagUpload, the first launch is prepared in the upload stream.
/// The host does not wait. Capture: @allowed.
hipError_t hipGraphInstantiateWithParams(hipGraphExec_t *exec, hipGraph_t graph,
                                         hipGraphInstantiateParams *params);

/// Destroys an executable graph. A launch that has begun runs to its end. References to user objects
/// are released then, at the latest by the next call that tells the program that this launch has
/// completed (hipStreamSynchronize, hipEventQuery and so on).
/// Errors: hipErrorInvalidValue (`exec` is not a live executable graph).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecDestroy(hipGraphExec_t exec);

/// Stores the flags with which an executable graph was made.
/// Errors: hipErrorInvalidValue (`exec` is not a live executable graph, or `flags` is null).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecGetFlags(hipGraphExec_t exec, unsigned long long *flags);

/// Prepares the first launch of an executable graph in a stream, so that it begins sooner.
/// Errors: hipErrorInvalidValue (`exec` is not a live executable graph), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream);

/// Runs an executable graph as one piece of work of a stream. Launches of the same executable graph
/// run one after the other, also in different streams.
/// Errors: hipErrorInvalidValue (`exec` is not a live executable graph, or memory of the last
/// launch has not been freed), hipErrorNotSupported (`stream` captures, and the graph allocates or
/// frees memory), hipErrorOutOfMemory (there is not enough memory), @stream.
/// Stream: @queued. Capture: Captured as a child graph node.
hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream);

/// Gives an executable graph the parameters of another graph of the same shape, and references to
/// the user objects of that graph in the place of those that it had. On failure, `error_node`
/// receives the node at fault and `result` the reason, and the executable graph does not change.
/// Errors: hipErrorInvalidValue (`exec` is not a live executable graph, `graph` is not a live
/// graph, or `error_node` or `result` is null), hipErrorGraphExecUpdateFailure (the shape or a
/// parameter that cannot change is different).
/// Stream: Launches that have begun keep the old parameters. The host does not wait. Capture:
/// @allowed.
hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t *error_node,
                              hipGraphExecUpdateResult *result);

/// Enables or disables a kernel, copy or fill node of an executable graph. A disabled node does
/// nothing, and the nodes behind it run in the same order. `node` is the node of the graph from
/// which `exec` was made; `enabled` is 0 or 1.
/// Errors: hipErrorInvalidValue (`exec` is not a live executable graph, or `node` is not a kernel,
/// copy or fill node of its graph).
/// Stream: Launches that have begun are not affected. The host does not wait. Capture: @allowed.
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned int enabled);

/// Stores 1 if a kernel, copy or fill node of an executable graph is enabled, and 0 if not. `node`
/// is the node of the graph from which `exec` was made.
/// Errors: hipErrorInvalidValue (`exec` is not a live executable graph, `enabled` is null, or
/// `node` is not a kernel, copy or fill node of its graph).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned int *enabled);

// Memory of graphs

/// Stores how much memory the graphs of a device use. `value` points to a uint64_t, which receives
/// bytes.
/// Errors: hipErrorInvalidValue (`value` is null, or `attribute` is unknown), @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute,
                                         void *value);

/// Sets a high-water mark of the memory of graphs back to 0. `value` points to a uint64_t that is
/// 0; `attribute` is hipGraphMemAttrUsedMemHigh or hipGraphMemAttrReservedMemHigh.
/// Errors: hipErrorInvalidValue (`value` is null or points to another number, or `attribute` is
/// another one), @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute,
                                         void *value);

/// Returns memory of a device that no graph uses to the system.
/// Errors: @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGraphMemTrim(int device);

// Objects that live as long as a graph

/// Creates an object that counts references to `data`. `destroy` is called with `data` when no
/// reference is left; it must not call HIP. The caller gets `references` references. `flags` is
/// hipUserObjectNoDestructorSync.
/// Errors: hipErrorInvalidValue (`object` or `destroy` is null, `references` is 0 or more than
/// INT_MAX, or `flags` is another value), hipErrorOutOfMemory (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hipError_t hipUserObjectCreate(hipUserObject_t *object, void *data, hipHostFn_t destroy,
                               unsigned int references, unsigned int flags);

/// Adds `count` references of the caller to a user object.
/// Errors: hipErrorInvalidValue (`object` is not a live user object, or `count` is 0 or more than
/// INT_MAX).
/// Stream: @none. Capture: @allowed.
hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count __dparm(1));

/// Removes `count` references of the caller from a user object, or as many as there are. With the
/// last reference the object is destroyed; nothing is left to release then, and nothing happens.
/// Errors: hipErrorInvalidValue (`object` is null, or `count` is 0 or more than INT_MAX).
/// Stream: @none. Capture: @allowed.
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count __dparm(1));

/// Adds `count` references of a graph to a user object, which the graph releases when it is
/// destroyed. `flags` is 0, or hipGraphUserObjectMove to take the caller's references, as far as
/// there are, instead of new ones.
/// Errors: hipErrorInvalidValue (`graph` is not a live graph, `object` is not a live user object,
/// `count` is 0 or more than INT_MAX, or `flags` is unknown).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object,
                                    unsigned int count __dparm(1), unsigned int flags __dparm(0));

/// Removes `count` references of a graph from a user object. Nothing happens if the graph has not so
/// many.
/// Errors: hipErrorInvalidValue (`graph` is not a live graph, `object` is null, or `count` is 0 or
/// more than INT_MAX).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object,
                                     unsigned int count __dparm(1));

HIP_API_END
