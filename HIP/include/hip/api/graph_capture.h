/// Stream capture: graphs that are recorded from calls on streams.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/graph_types.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

/// Begins a capture: from now on, calls on the stream become nodes of a new graph and nothing runs.
/// The null stream cannot capture. `mode` says which other calls are forbidden meanwhile, and to
/// whom.
/// Errors: hipErrorStreamCaptureUnsupported (`stream` is null or hipStreamLegacy),
/// hipErrorInvalidValue (`mode` is unknown), hipErrorIllegalState (the stream captures already),
/// hipErrorContextIsDestroyed (`stream` is not a live stream).
/// Stream: Earlier work of `stream` is not part of the capture. The host does not wait. Capture:
/// Begins it; not allowed on a stream that captures already.
hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);

/// Begins a capture into an existing graph: from now on, calls on the stream become nodes of
/// `graph` and nothing runs. The first nodes wait for the `dependency_count` nodes of
/// `dependencies`; `edge_data` is null or describes these edges. The null stream cannot capture.
/// `mode` says which other calls are forbidden meanwhile, and to whom.
/// Errors: hipErrorStreamCaptureUnsupported (`stream` is null or hipStreamLegacy),
/// hipErrorInvalidValue (`graph` is not a live graph, a dependency is not one of its nodes, or
/// `mode` is unknown), hipErrorIllegalState (the stream captures already),
/// hipErrorContextIsDestroyed (`stream` is not a live stream).
/// Stream: Earlier work of `stream` is not part of the capture. The host does not wait. Capture:
/// Begins it; not allowed on a stream that captures already.
hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                        const hipGraphNode_t *dependencies,
                                        const hipGraphEdgeData *edge_data, size_t dependency_count,
                                        hipStreamCaptureMode mode);

/// Ends a capture and stores its graph, which the program destroys with hipGraphDestroy. If the
/// capture became invalid, `*graph` is null and the reason is returned. Streams that joined the
/// capture must have been joined back to `stream` by events.
/// Errors: hipErrorInvalidValue (`graph` is null), hipErrorIllegalState (the stream does not
/// capture), hipErrorStreamCaptureUnmatched (the capture began in another stream),
/// hipErrorStreamCaptureWrongThread (the capture began in another thread and its mode is not
/// hipStreamCaptureModeRelaxed), hipErrorStreamCaptureUnjoined (a stream that joined the capture
/// was not joined back), hipErrorStreamCaptureInvalidated (an earlier call made the capture
/// invalid, or its graph was destroyed), hipErrorContextIsDestroyed (`stream` is not a live stream).
/// Stream: @none. Capture: Ends it.
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph);

/// Stores whether a stream captures, and whether its capture has become invalid.
/// Errors: hipErrorInvalidValue (`status` is null), hipErrorStreamCaptureImplicit (`stream` is the
/// null stream while a stream that is ordered with it captures), hipErrorContextIsDestroyed
/// (`stream` is not a live stream).
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status);

/// Stores whether a stream captures, and a number that no other capture of the process has. `id`
/// may be null.
/// Errors: hipErrorInvalidValue (`status` is null), hipErrorStreamCaptureImplicit (`stream` is the
/// null stream while a stream that is ordered with it captures), hipErrorContextIsDestroyed
/// (`stream` is not a live stream).
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status,
                                   unsigned long long *id);

/// Stores whether a stream captures, a number that no other capture of the process has, the graph
/// so far, and the nodes for which the next node will wait. The array `*dependencies` is valid
/// until the next call on the stream. All pointers but `status` may be null.
/// Errors: hipErrorInvalidValue (`status` is null), hipErrorStreamCaptureImplicit (`stream` is the
/// null stream while a stream that is ordered with it captures), hipErrorContextIsDestroyed
/// (`stream` is not a live stream).
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *status,
                                      unsigned long long *id __dparm(0),
                                      hipGraph_t *graph __dparm(0),
                                      const hipGraphNode_t **dependencies __dparm(0),
                                      size_t *dependency_count __dparm(0));

/// Changes the nodes for which the next node of a capturing stream will wait. `dependencies` has
/// `dependency_count` nodes of its graph. `flags` is hipStreamAddCaptureDependencies to add them,
/// or hipStreamSetCaptureDependencies to replace those there are.
/// Errors: hipErrorInvalidValue (`dependencies` is null although the count is not 0, holds a node
/// of another graph, or `flags` is unknown), hipErrorIllegalState (the stream does not capture),
/// hipErrorStreamCaptureInvalidated (an earlier call made the capture invalid),
/// hipErrorContextIsDestroyed (`stream` is not a live stream).
/// Stream: @none. Capture: Only for a capturing stream.
hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *dependencies,
                                              size_t dependency_count,
                                              unsigned int flags __dparm(0));

/// Sets the capture mode of the calling thread, and stores the mode that it had. Captures that began
/// in hipStreamCaptureModeRelaxed forbid no unsafe calls. With hipStreamCaptureModeGlobal, which a
/// thread has at first, all others do that it began itself, and those of other threads that began in
/// hipStreamCaptureModeGlobal; with hipStreamCaptureModeThreadLocal only those that it began itself;
/// with hipStreamCaptureModeRelaxed none.
/// Errors: hipErrorInvalidValue (`mode` is null, or points to an unknown mode).
/// Stream: @none. Capture: @allowed.
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode);

HIP_API_END
