/// Graphs: work that is described once and launched many times.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/graph_types.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

// Graphs and their structure

/// An empty graph. `flags` is 0.
hipError_t hipGraphCreate(hipGraph_t *graph, unsigned int flags);

/// Ends a graph with its nodes.
hipError_t hipGraphDestroy(hipGraph_t graph);

/// A copy of a graph.
hipError_t hipGraphClone(hipGraph_t *clone, hipGraph_t original);

/// The node of a copy that stands for a node of the original.
hipError_t hipGraphNodeFindInClone(hipGraphNode_t *node, hipGraphNode_t original, hipGraph_t clone);

/// Adds edges: each node of `to` waits for the node of `from` at the same place.
hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                   const hipGraphNode_t *to, size_t dependency_count);

/// Removes edges.
hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                      const hipGraphNode_t *to, size_t dependency_count);

/// The nodes of a graph; with null, only their number.
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *node_count);

/// The nodes that wait for no other; with null, only their number.
hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *node_count);

/// The edges of a graph; with null twice, only their number.
hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t *from, hipGraphNode_t *to,
                            size_t *edge_count);

/// The nodes that a node waits for; with null, only their number.
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *dependencies,
                                       size_t *dependency_count);

/// The nodes that wait for a node; with null, only their number.
hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *nodes,
                                         size_t *node_count);

/// The kind of a node.
hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *type);

/// Removes a node and its edges.
hipError_t hipGraphDestroyNode(hipGraphNode_t node);

/// Writes a graph to a file in the DOT language, with hipGraphDebugDotFlags*.
hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char *path, unsigned int flags);

// Executable graphs

/// Makes a graph executable. On an error `error_node` is the node at fault and `log` a text of at
/// most `log_size` bytes.
hipError_t hipGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph, hipGraphNode_t *error_node,
                               char *log, size_t log_size);

/// hipGraphInstantiate with hipGraphInstantiateFlag*.
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph,
                                        unsigned long long flags);

/// hipGraphInstantiate with all that can be asked for.
hipError_t hipGraphInstantiateWithParams(hipGraphExec_t *exec, hipGraph_t graph,
                                         hipGraphInstantiateParams *params);

/// Ends an executable graph; a launch that runs goes on to its end.
hipError_t hipGraphExecDestroy(hipGraphExec_t exec);

/// The flags of the instantiation.
hipError_t hipGraphExecGetFlags(hipGraphExec_t exec, unsigned long long *flags);

/// Prepares the first launch, in stream order.
hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream);

/// Runs the graph as one piece of work of the stream. Launches of one executable graph run after
/// each other.
hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream);

/// Gives an executable graph the parameters of another graph of the same shape.
/// hipErrorGraphExecUpdateFailure if the shape differs.
hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t *error_node,
                              hipGraphExecUpdateResult *result);

/// Switches a node of an executable graph on or off; off, it does nothing.
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned int enabled);

/// Whether a node of an executable graph is on.
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned int *enabled);

// Memory of graphs

/// Bytes that the graphs of a device use.
hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute,
                                         void *value);

/// Sets a highest value back to 0.
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute,
                                         void *value);

/// Gives memory that no graph uses back to the system.
hipError_t hipDeviceGraphMemTrim(int device);

// Objects that live as long as a graph

/// Counts references to `object`; `destroy` is called when none is left.
hipError_t hipUserObjectCreate(hipUserObject_t *object, void *data, hipHostFn_t destroy,
                               unsigned int references, unsigned int flags);

/// Adds references of the caller.
hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count __dparm(1));

/// Takes references of the caller away.
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count __dparm(1));

/// Adds references of a graph; `flags` is hipGraphUserObjectMove or 0.
hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object,
                                    unsigned int count __dparm(1), unsigned int flags __dparm(0));

/// Takes references of a graph away.
hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object,
                                     unsigned int count __dparm(1));

HIP_API_END
