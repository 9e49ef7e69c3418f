// What the tests of stream capture share: a capture that is ended, and what its graph looks like.
#pragma once

#include "nodes.h"

#include <algorithm>
#include <set>
#include <utility>

namespace fixture {

inline hipStreamCaptureStatus status_of(hipStream_t stream) {
  hipStreamCaptureStatus status{};
  REQUIRE_HIP(hipStreamIsCapturing(stream, &status));
  return status;
}
inline bool is_active(hipStream_t stream) {
  return status_of(stream) == hipStreamCaptureStatusActive;
}
inline bool is_invalid(hipStream_t stream) {
  return status_of(stream) == hipStreamCaptureStatusInvalidated;
}

/// A capture that begins in a stream, and ends with this at the latest.
class StreamCapture {
public:
  explicit StreamCapture(hipStream_t stream, hipStreamCaptureMode mode = hipStreamCaptureModeGlobal)
      : stream_(stream) {
    REQUIRE_HIP(hipStreamBeginCapture(stream, mode));
  }
  ~StreamCapture() {
    if (!has_ended_)
      (void)hipStreamEndCapture(stream_, &graph_);
    if (graph_)
      (void)hipGraphDestroy(graph_);
  }
  StreamCapture(const StreamCapture &) = delete;

  hipError_t try_to_end() {
    has_ended_ = true;
    graph_ = reinterpret_cast<hipGraph_t>(this); // which is to be overwritten
    return hipStreamEndCapture(stream_, &graph_);
  }
  /// The graph lives as long as this.
  hipGraph_t end() {
    REQUIRE(try_to_end() == hipSuccess);
    return graph_;
  }
  hipGraph_t graph() const { return graph_; }

private:
  const hipStream_t stream_;
  hipGraph_t graph_ = nullptr;
  bool has_ended_ = false;
};

inline std::vector<hipGraphNode_t> nodes_of(hipGraph_t graph) {
  size_t count = 0;
  REQUIRE_HIP(hipGraphGetNodes(graph, nullptr, &count));
  std::vector<hipGraphNode_t> nodes(count);
  if (count != 0)
    REQUIRE_HIP(hipGraphGetNodes(graph, nodes.data(), &count));
  return nodes;
}

/// The edges by the numbers of their nodes, which are those of the calls.
inline std::set<std::pair<size_t, size_t>> edges_of(hipGraph_t graph) {
  const auto nodes = nodes_of(graph);
  size_t count = 0;
  REQUIRE_HIP(hipGraphGetEdges(graph, nullptr, nullptr, &count));
  std::vector<hipGraphNode_t> from(count), to(count);
  if (count != 0)
    REQUIRE_HIP(hipGraphGetEdges(graph, from.data(), to.data(), &count));
  const auto number = [&](hipGraphNode_t node) {
    return size_t(std::ranges::find(nodes, node) - nodes.begin());
  };
  std::set<std::pair<size_t, size_t>> edges;
  for (size_t i = 0; i < count; ++i)
    edges.emplace(number(from[i]), number(to[i]));
  return edges;
}
using Edges = std::set<std::pair<size_t, size_t>>;

inline void do_nothing(void *) {}

inline hipError_t work(hipStream_t stream) { return launch(function("nothing"), stream, 1); }

/// What comes later in `to` waits for what `from` has now.
inline void connect(hipStream_t from, hipStream_t to, hipEvent_t event) {
  REQUIRE_HIP(hipEventRecord(event, from));
  REQUIRE_HIP(hipStreamWaitEvent(to, event, 0));
}

} // namespace fixture
