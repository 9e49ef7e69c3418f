// Captures, and graphs that are made of them.
#include "runner_work.h"

#include <utility>

namespace model {

/// The row of the board for a node's parameters that are set by the operation: that of its first run from then on, or, if there is
/// none, that of the operation that was captured, which has no runs of its own.
int Runner::row_of(int node, int graph, int set_by) const {
  const auto &ops = program_->ops;
  for (size_t i = size_t(set_by) + 1; i < ops.size(); ++i)
    if (is_run(ops[i]) && ops[i].node == node && ops[i].graph == graph && ops[i].first >= 0)
      return ops[i].first;
  return node;
}

/// Each run hands the row of the first one on to the next.
void Runner::prepare_turns() {
  Board &board = shared_->board;
  const auto &ops = program_->ops;
  std::vector<size_t> last(ops.size()); // run, by the first one
  for (size_t i = 0; i < ops.size(); ++i) {
    board.turn[i] = board.after[i] = uint32_t(i);
    board.tokens[i] = token(int(i));
    last[i] = i;
    if (is_run(ops[i]) && ops[i].first >= 0)
      board.after[std::exchange(last[size_t(ops[i].first)], i)] = uint32_t(i);
    rows_[i] = is_captured(ops[i]) ? row_of(int(i), ops[i].graph, int(i)) : int(i);
  }
}

/// The node that the call has just added to the capture.
void Runner::remember_node(int index) {
  const Op &op = program_->ops[size_t(index)];
  if (op.kind == OpKind::record || op.kind == OpKind::wait)
    return;
  hipStreamCaptureStatus status{};
  const hipGraphNode_t *nodes = nullptr;
  size_t count = 0;
  if (expect(index,
             hipStreamGetCaptureInfo_v2(stream(op), &status, nullptr, nullptr, &nodes, &count)) &&
      status == hipStreamCaptureStatusActive && count == 1)
    graphs_[size_t(op.graph)].nodes[size_t(index)] = nodes[0];
  else
    violate(index, "is not the last node of its stream");
}

/// Of a graph, or of what is made of it.
hipError_t Runner::set_parameters(hipGraphExec_t exec, hipGraphNode_t node, const Op &op, int row) {
  switch (op.kind) {
  case OpKind::host_function: {
    const hipHostNodeParams params{host_function, &host_calls_[size_t(row)]};
    return exec ? hipGraphExecHostNodeSetParams(exec, node, &params)
                : hipGraphHostNodeSetParams(node, &params);
  }
  case OpKind::snapshot:
  case OpKind::set:
    break;
  default: {
    KernelCall call(*this, op, row);
    hipKernelNodeParams params{};
    params.func = call.function;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = call.arguments();
    return exec ? hipGraphExecKernelNodeSetParams(exec, node, &params)
                : hipGraphKernelNodeSetParams(node, &params);
  }
  }
  if (op.how == How::fill_bytes || op.how == How::fill_words) {
    hipMemsetParams params{};
    params.dst = shared_->board.marks + row;
    params.elementSize = op.how == How::fill_bytes ? 1 : sizeof(uint32_t);
    params.width = sizeof(uint32_t) / params.elementSize;
    params.height = 1;
    params.value = op.how == How::fill_bytes ? token(row) & 0xff : token(row);
    return exec ? hipGraphExecMemsetNodeSetParams(exec, node, &params)
                : hipGraphMemsetNodeSetParams(node, &params);
  }
  const auto [to, from, bytes, kind] = copy_of(op, row);
  return exec ? hipGraphExecMemcpyNodeSetParams1D(exec, node, to, from, bytes, kind)
              : hipGraphMemcpyNodeSetParams1D(node, to, from, bytes, kind);
}

/// A copy of the graph whose nodes are set for the runs that come after the operation, which are of the graph with the number.
Runner::Graph Runner::clone(int index, const Graph &graph, int number) {
  Graph copy;
  copy.nodes.resize(graph.nodes.size());
  expect(index, hipGraphClone(&copy.graph, graph.graph));
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i]) {
      expect(index, hipGraphNodeFindInClone(&copy.nodes[i], graph.nodes[i], copy.graph));
      expect(index, set_parameters(nullptr, copy.nodes[i], program_->ops[i],
                                   row_of(int(i), number, index)));
    }
  return copy;
}

void Runner::update(int index) {
  const Op &op = program_->ops[size_t(index)];
  const Graph &graph = graphs_[size_t(op.graph)];
  const Graph changed = clone(index, graph, op.graph);
  hipGraphNode_t node = nullptr;
  hipGraphExecUpdateResult result{};
  expect(index, hipGraphExecUpdate(graph.exec, changed.graph, &node, &result));
  expect(index, hipGraphDestroy(changed.graph));
}

void Runner::change_graph(int index) {
  const Op &op = program_->ops[size_t(index)];
  Graph &graph = graphs_[size_t(op.graph)];
  const size_t node = op.node < 0 ? 0 : graph.captured_as(op.node);
  hipError_t result = hipSuccess;
  switch (op.kind) {
  case OpKind::begin_capture:
    graph.captured_in = stream(op);
    result = hipStreamBeginCapture(graph.captured_in, hipStreamCaptureModeRelaxed);
    break;
  case OpKind::end_capture:
    result = hipStreamEndCapture(std::exchange(graph.captured_in, nullptr), &graph.graph);
    break;
  case OpKind::clone_graph:
    graph = clone(index, graphs_[size_t(op.other)], op.graph);
    break;
  case OpKind::launch_graph:
    result = hipGraphLaunch(graph.exec, stream(op));
    break;
  case OpKind::set_node:
    result = set_parameters(graph.exec, graph.nodes[node], program_->ops[node],
                            row_of(int(node), op.graph, index));
    break;
  case OpKind::update_graph:
    return update(index);
  case OpKind::enable_node:
    result = hipGraphNodeSetEnabled(graph.exec, graph.nodes[node], op.flag);
    break;
  default:
    return destroy(graph);
  }
  if (result == hipSuccess && (op.kind == OpKind::end_capture || op.kind == OpKind::clone_graph))
    result = hipGraphInstantiate(&graph.exec, graph.graph, nullptr, nullptr, 0);
  expect(index, result);
}

/// Also a capture that has not ended, as a program that is made smaller may leave one.
void Runner::destroy(Graph &graph) {
  if (graph.captured_in)
    (void)hipStreamEndCapture(graph.captured_in, &graph.graph);
  if (graph.exec)
    require(hipGraphExecDestroy(graph.exec), "hipGraphExecDestroy");
  if (graph.graph)
    require(hipGraphDestroy(graph.graph), "hipGraphDestroy");
  graph = {};
}

} // namespace model
