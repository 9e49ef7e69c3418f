// How an executable graph runs: which of its nodes follow each other in one queue, and which wait for nodes of other queues.
#pragma once

#include "graph.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace chip {

/// A place for nodes that run one after the other: a queue of the device, once the graph is launched. Nodes that do not depend on
/// each other are in different lanes, as long as there are not too many.
struct Lane {
  Device *device;
  std::optional<int> priority; // as of a stream; none: that of the launch's stream
};

/// Nodes of one lane, in order, of which only the first waits for other lanes, and others wait only for the last.
struct Segment {
  uint32_t lane = 0;
  std::vector<uint32_t> nodes{}; // by index in Plan::nodes
  std::vector<uint32_t> waits{}; // for these segments, all of other lanes
  bool waits_for_start =
      false; // for what was in the launch's stream before, unless it is in that itself
  bool others_wait = false; // segments of other lanes
};

struct Plan {
  static constexpr size_t most_lanes = 16;

  std::vector<GraphNode *>
      nodes{};               // of the graph and those in it, each after those that it waits for
  std::vector<Lane> lanes{}; // the first is the launch's stream, if it is of that device
  std::vector<Segment> segments{}; // each after those that it waits for
  std::optional<uint32_t>
      end{}; // the segment with which all have come to their end, of the first lane
};

/// What make_plan() throws for a graph that has a cycle, or has one in it.
struct CyclicGraph : Error {
  CyclicGraph() : Error(hipErrorInvalidValue, "`graph`, or one in it, has a cycle") {}
};

/// With `uses_priorities`, kernels with different priorities are in different lanes.
Plan make_plan(const Graph &graph, bool uses_priorities);

} // namespace chip
