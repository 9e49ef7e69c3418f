/// Graphs recorded from calls on streams.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/graph_types.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

/// From here on the stream's calls become nodes of a graph and run nothing. The null stream cannot
/// capture.
hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);

/// hipStreamBeginCapture into a graph that exists; the first nodes wait for `dependencies`.
hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                        const hipGraphNode_t *dependencies,
                                        const hipGraphEdgeData *edge_data, size_t dependency_count,
                                        hipStreamCaptureMode mode);

/// Ends a capture and returns its graph, or null and the reason if the capture was broken.
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph);

/// Whether the stream captures.
hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status);

/// Whether the stream captures, and a number that no other capture has.
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status,
                                   unsigned long long *id);

/// The same, with the graph so far and the nodes that the next one waits for.
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *status,
                                      unsigned long long *id __dparm(0),
                                      hipGraph_t *graph __dparm(0),
                                      const hipGraphNode_t **dependencies __dparm(0),
                                      size_t *dependency_count __dparm(0));

/// Changes the nodes that the next one waits for; `flags` is a
/// hipStreamUpdateCaptureDependenciesFlags.
hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *dependencies,
                                              size_t dependency_count,
                                              unsigned int flags __dparm(0));

/// Sets which calls this thread may make while a stream captures; returns what was set before.
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode);

HIP_API_END
