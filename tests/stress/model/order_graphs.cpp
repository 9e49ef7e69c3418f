// Captures and graphs: what becomes a node of which graph, and what its runs come after.
#include "order.h"

#include <algorithm>

namespace model {
namespace {

bool can_be_captured(const Op &op) {
  switch (op.kind) {
  case OpKind::kernel:
  case OpKind::spilled_kernel:
  case OpKind::repeated_kernel:
  case OpKind::host_function:
  case OpKind::record:
  case OpKind::wait:
    return true;
  case OpKind::set: // from memory that lives on
    return op.how == How::fill_bytes || op.how == How::fill_words || op.how == How::from_pinned ||
           op.how == How::from_device;
  case OpKind::snapshot:
    return op.how == How::to_device || op.how == How::to_pinned;
  default:
    return false;
  }
}

bool can_be_disabled(OpKind kind) { return kind != OpKind::host_function; }

} // namespace

/// -1 if it is not captured.
int Order::captured_into(int stream) const {
  return stream >= 0 && size_t(stream) < streams_.size() ? streams_[size_t(stream)].graph : -1;
}

// ---- What may be called

/// Calls whose order the host does not tell are never such that one is not allowed while another's capture goes on.
bool Order::is_allowed_beside_captures(const Op &op) const {
  const Ops &called = threads_[op.thread].called;
  if (op.stream >= 0 && size_t(op.stream) < streams_.size())
    if (const int written = streams_[size_t(op.stream)].written;
        written >= 0 && !called[size_t(written)])
      return false;
  return std::ranges::all_of(graphs_, [&](const Object &graph) {
    const bool forbids =
        !graph.streams.empty() && (is_wide(op) || (op.stream == null_stream && graph.blocking));
    return !forbids || (graph.graph < 0 && called[size_t(graph.written)]);
  });
}

bool Order::may_capture(const Op &op) const {
  const Ops &called = threads_[op.thread].called;
  const bool blocking = stream_kind(op.stream) != StreamKind::non_blocking;
  if (op.stream == null_stream || captured_into(op.stream) >= 0 || !covers(called, wide_) ||
      (blocking && !covers(called, of_null_)))
    return false;
  if (op.stream >= first_created_stream && !covers(called, streams_[size_t(op.stream)].used))
    return false;
  return op.kind == OpKind::begin_capture ||
         graphs_[size_t(events_[size_t(op.event)].graph)].graph >= 0;
}

/// On a stream that is captured.
bool Order::accepts_captured(const Op &op) const {
  const Ops &called = threads_[op.thread].called;
  const Object &stream = streams_[size_t(op.stream)];
  if (!can_be_captured(op) || !covers(called, stream.used))
    return false;
  if (op.kind == OpKind::record)
    return writable(events_, op.event, called);
  return op.kind != OpKind::wait ||
         (readable(events_, op.event, called) && events_[size_t(op.event)].graph == stream.graph);
}

bool Order::is_joined(int stream) const {
  const Object &graph = graphs_[size_t(captured_into(stream))];
  return covers(streams_[size_t(graph.streams.front())].captured,
                streams_[size_t(stream)].captured);
}

bool Order::may_end_capture(const Op &op) const {
  const Ops &called = threads_[op.thread].called;
  if (captured_into(op.stream) != op.graph)
    return false;
  const Object &graph = graphs_[size_t(op.graph)];
  return op.stream == graph.streams.front() && std::ranges::all_of(graph.streams, [&](int stream) {
           return is_joined(stream) && covers(called, streams_[size_t(stream)].used);
         });
}

bool Order::accepts_graph(const Op &op) const {
  const Ops &called = threads_[op.thread].called;
  if (op.kind == OpKind::begin_capture)
    return op.stream >= first_created_stream && may_capture(op);
  if (op.kind == OpKind::end_capture)
    return may_end_capture(op);
  if (op.kind == OpKind::clone_graph)
    return readable(graphs_, op.other, called);
  if (!writable(graphs_, op.graph, called))
    return false;
  const auto &nodes = graphs_[size_t(op.graph)].nodes;
  if (op.kind == OpKind::launch_graph)
    return captured_into(op.stream) < 0 && ops_.size() + nodes.size() < size_t(max_ops);
  if (op.node < 0)
    return true;
  return size_t(op.node) < nodes.size() &&
         (op.kind != OpKind::enable_node ||
          can_be_disabled(ops_[size_t(nodes[size_t(op.node)].op)].kind));
}

// ---- What it does

void Order::join(int stream, int graph, int index) {
  Object &joined = object(streams_, stream);
  joined.graph = graph;
  joined.written = index;
  joined.captured = {};
  joined.used.set(size_t(index));
  graphs_[size_t(graph)].streams.push_back(stream);
  graphs_[size_t(graph)].blocking |= stream_kind(stream) != StreamKind::non_blocking;
}

void Order::capture(const Op &op, int index) {
  if (captured_into(op.stream) < 0)
    join(op.stream, op.graph, index);
  Object &stream = streams_[size_t(op.stream)];
  stream.used.set(size_t(index));
  promises_[size_t(index)].before = stream.captured;
  if (op.kind == OpKind::record) {
    Object &event = events_[size_t(op.event)];
    event.graph = op.graph;
    event.captured = stream.captured;
  } else if (op.kind == OpKind::wait) {
    stream.captured |= events_[size_t(op.event)].captured;
  } else {
    stream.captured.set(size_t(index));
    graphs_[size_t(op.graph)].nodes.push_back({.op = index});
  }
}

void Order::end_capture(int number, int index) {
  Object &graph = graphs_[size_t(number)];
  for (const int stream : graph.streams) {
    Object &left = streams_[size_t(stream)];
    left.graph = -1;
    left.written = index;
    left.used.set(size_t(index));
  }
  graph.graph = -1;
  graph.alive = true;
  remove(open_captures_, number);
  alive_graphs_.push_back(number);
}

void Order::change_graph(const Op &op, int index) {
  Object &graph = object(graphs_, op.graph);
  graph.used.set(size_t(index));
  const auto forget_runs = [](Object::Node &node) { node.first = node.last = -1; };
  switch (op.kind) {
  case OpKind::begin_capture:
    graph.written = index;
    graph.graph = op.graph;
    open_captures_.push_back(op.graph);
    return join(op.stream, op.graph, index);
  case OpKind::end_capture:
    graph.written = index;
    return end_capture(op.graph, index);
  case OpKind::clone_graph:
    for (const Object::Node &node : object(graphs_, op.other).nodes)
      graphs_[size_t(op.graph)].nodes.push_back({.op = node.op});
    graphs_[size_t(op.graph)].written = index;
    graphs_[size_t(op.graph)].alive = true;
    graphs_[size_t(op.other)].used.set(size_t(index));
    return alive_graphs_.push_back(op.graph);
  case OpKind::launch_graph:
    return launch(op, index);
  case OpKind::set_node:
    return forget_runs(graph.nodes[size_t(op.node)]);
  case OpKind::update_graph:
    std::ranges::for_each(graph.nodes, forget_runs);
    return;
  case OpKind::enable_node:
    graph.nodes[size_t(op.node)].enabled = op.flag;
    return;
  default: // destroyed
    graph.alive = false;
    remove(alive_graphs_, op.graph);
  }
}

/// The launch itself comes last: it is what later work and the next launch come after, even if there are no nodes.
void Order::launch(const Op &op, int launch) {
  Object &graph = graphs_[size_t(op.graph)];
  const Ops before = promises_[size_t(launch)].before | with_all_before(graph.last_launch);
  Promise promise;
  promise.called = threads_[op.thread].called;
  std::array<int, max_ops> run_of{};
  Ops runs;
  for (Object::Node &node : graph.nodes) {
    const size_t index = ops_.size();
    promise.before = before;
    for_each(promises_[size_t(node.op)].before,
             [&](int earlier) { promise.before.set(size_t(run_of[size_t(earlier)])); });
    this->run(node, op, promise);
    run_of[size_t(node.op)] = int(index);
    runs.set(index);
  }
  promises_[size_t(launch)].before = before | runs;
  graph.last_launch = runs;
  graph.last_launch.set(size_t(launch));
  threads_[op.thread].called |= runs;
}

void Order::run(Object::Node &node, Op run, Promise promise) {
  const auto index = int16_t(ops_.size());
  const Op &captured = ops_[size_t(node.op)];
  run.node = int16_t(node.op);
  run.how = captured.how;
  run.amount = captured.amount;
  run.kind = OpKind::skipped;
  if (node.enabled) {
    run.first = node.first < 0 ? index : int16_t(node.first);
    if (node.first < 0 || captured.kind != OpKind::set)
      run.kind = captured.kind;
    if (node.first >= 0 && captured.kind == OpKind::snapshot)
      ops_[size_t(node.last)].kind = OpKind::skipped;
    node.first = run.first;
    node.last = index;
  }
  ops_.push_back(run);
  promises_.push_back(promise);
}

} // namespace model
