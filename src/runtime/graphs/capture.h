// Stream capture: what is asked of streams becomes nodes of a graph, and nothing runs.
#pragma once

#include "graph.h"

namespace chip {

/// What is asked of the stream becomes nodes of a new graph. All throw hipErrorIllegalState for a stream that is captured already,
/// hipErrorInvalidValue for an unknown mode.
void begin_capture(Stream &stream, hipStreamCaptureMode mode);
/// The same for a graph that is there. The first nodes wait for `dependencies`. Throws hipErrorInvalidValue for what is not a node
/// of the graph.
void begin_capture(Stream &stream, hipStreamCaptureMode mode, std::shared_ptr<Graph> graph,
                   std::span<const hipGraphNode_t> dependencies);
/// The graph of a capture that ends. Throws what hipStreamEndCapture documents: hipErrorIllegalState,
/// hipErrorStreamCaptureUnmatched and hipErrorStreamCaptureWrongThread do not end the capture, all others do.
std::shared_ptr<Graph> end_capture(Stream &stream);

struct CaptureInfo {
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  uint64_t id = 0; // of the capture
  std::shared_ptr<Graph> graph{};
  std::span<const hipGraphNode_t> dependencies{}; // valid until the next call on the stream
};
/// All but `status` is there for an active capture only. Null is the null stream of the current device: throws
/// hipErrorStreamCaptureImplicit while a stream is captured that is ordered with it.
CaptureInfo capture_info(const Stream *stream);

/// Changes what the stream's next node waits for. `flags` is a hipStreamUpdateCaptureDependenciesFlags. Throws
/// hipErrorIllegalState for a stream that is not captured, hipErrorInvalidValue for unknown flags or what is not a node of the
/// graph, hipErrorStreamCaptureInvalidated.
void update_dependencies(Stream &stream, std::span<const hipGraphNode_t> dependencies,
                         unsigned flags);

/// Sets which captures forbid unsafe calls of the calling thread; returns the mode before. Throws hipErrorInvalidValue.
hipStreamCaptureMode exchange_capture_mode(hipStreamCaptureMode mode);

} // namespace chip
