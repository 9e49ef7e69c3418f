#include "program.h"

#include <format>

namespace model {

bool is_captured(const Op &op) {
  return op.kind <= OpKind::skipped && op.graph >= 0 && op.node < 0;
}

bool is_run(const Op &op) { return op.kind <= OpKind::skipped && op.node >= 0; }

bool marks_itself(const Op &op) {
  switch (op.kind) {
  case OpKind::kernel:
  case OpKind::spilled_kernel:
  case OpKind::host_function:
  case OpKind::callback:
  case OpKind::set:
  case OpKind::pool_free:
    return !is_captured(op);
  default:
    return false;
  }
}

bool looks_at_marks(const Op &op) {
  return (op.kind == OpKind::snapshot && !is_captured(op)) ||
         (marks_itself(op) && op.kind < OpKind::set);
}

bool runs_on_device(const Op &op) {
  return (op.kind <= OpKind::skipped && !is_captured(op)) || op.kind == OpKind::launch_graph;
}

bool waits_for_itself(const Op &op) {
  return op.how == How::from_host_wait || op.how == How::to_pageable ||
         op.how == How::to_host_wait || op.how == How::to_host_stream;
}

bool is_wide(const Op &op) {
  return op.kind == OpKind::device_synchronize || op.how == How::fill_null ||
         op.how == How::from_host_wait || op.how == How::to_host_wait;
}

namespace {

std::string stream_name(const Op &op) {
  if (op.stream == null_stream)
    return op.flag ? "hipStreamLegacy" : "0";
  if (op.stream < first_created_stream)
    return "hipStreamPerThread";
  return std::format("s{}", op.stream);
}

std::string set_call(const Op &op, int index, const std::string &stream) {
  switch (op.how) {
  case How::fill_bytes:
    return std::format("hipMemsetAsync(mark[{}], {})", index, stream);
  case How::fill_words:
    return std::format("hipMemsetD32Async(mark[{}], {})", index, stream);
  case How::fill_null:
    return std::format("hipMemset(mark[{}])", index);
  case How::write_value:
    return std::format("hipStreamWriteValue32({}, mark[{}])", stream, index);
  case How::from_pageable:
    return std::format("hipMemcpyAsync(mark[{}], pageable, {})", index, stream);
  case How::from_pinned:
    return std::format("hipMemcpyAsync(mark[{}], pinned, {})", index, stream);
  case How::from_device:
    return std::format("hipMemcpyAsync(mark[{}], device, {})", index, stream);
  case How::from_host_wait:
    return std::format("hipMemcpy(mark[{}], host)", index);
  case How::through_memory:
    return std::format("hipMemcpyAsync(m{0}, pageable, {2}); hipMemcpyAsync(mark[{1}], m{0}, {2})",
                       op.memory, index, stream);
  default:
    return std::format(
        "hipMemcpyAsync(big, pageable, {2} bytes, {1}); hipMemcpyAsync(mark[{0}], big, {1})", index,
        stream, op.amount);
  }
}

std::string snapshot_call(const Op &op, const std::string &stream) {
  switch (op.how) {
  case How::to_device:
    return std::format("hipMemcpyAsync(device, marks, {})", stream);
  case How::to_pinned:
    return std::format("hipMemcpyAsync(pinned, marks, {})", stream);
  case How::to_pageable:
    return std::format("hipMemcpyAsync(pageable, marks, {})", stream);
  case How::to_host_wait:
    return "hipMemcpy(host, marks)";
  default:
    return std::format("hipMemcpyWithStream(host, marks, {})", stream);
  }
}

std::string call(const Op &op, int index) {
  const std::string s = stream_name(op);
  switch (op.kind) {
  case OpKind::kernel:
    return std::format("kernel<<<{}>>>(mark[{}], rounds {})", s, index, op.amount);
  case OpKind::spilled_kernel:
    return std::format("spilled_kernel<<<{}>>>(mark[{}], {} bytes)", s, index, op.amount);
  case OpKind::repeated_kernel:
    return std::format("repeated_kernel<<<{}>>>()", s);
  case OpKind::host_function:
    return std::format("hipLaunchHostFunc({}, mark[{}], {} us)", s, index, op.amount);
  case OpKind::callback:
    return std::format("hipStreamAddCallback({}, mark[{}], {} us)", s, index, op.amount);
  case OpKind::set:
    return set_call(op, index, s);
  case OpKind::snapshot:
    return snapshot_call(op, s);
  case OpKind::pool_allocate:
    return std::format("hipMallocAsync(m{0}, {1}); hipMemcpyAsync(m{0}, pageable, {1})", op.memory,
                       s);
  case OpKind::pool_free:
    return std::format("hipMemcpyAsync(mark[{2}], m{0}, {1}); hipFreeAsync(m{0}, {1})", op.memory,
                       s, index);
  case OpKind::record:
    return std::format("hipEventRecord(e{}, {})", op.event, s);
  case OpKind::wait:
    return std::format("hipStreamWaitEvent({}, e{})", s, op.event);
  case OpKind::write_value:
    return std::format("hipStreamWriteValue32({}, v{}, 1)", s, op.value);
  case OpKind::wait_value:
    return std::format("hipStreamWaitValue32({}, v{}, 1)", s, op.value);
  case OpKind::skipped:
    return "nothing that can be seen";
  case OpKind::begin_capture:
    return std::format("hipStreamBeginCapture({}) of g{}", s, op.graph);
  case OpKind::end_capture:
    return std::format("hipStreamEndCapture({0}, g{1}); hipGraphInstantiate(g{1})", s, op.graph);
  case OpKind::launch_graph:
    return std::format("hipGraphLaunch(g{}, {})", op.graph, s);
  case OpKind::set_node:
    return std::format("hipGraphExecNodeSetParams(g{}, node {})", op.graph, op.node);
  case OpKind::update_graph:
    return std::format("hipGraphExecUpdate(g{0}, clone of g{0})", op.graph);
  case OpKind::enable_node:
    return std::format("hipGraphNodeSetEnabled(g{}, node {}, {})", op.graph, op.node, op.flag);
  case OpKind::clone_graph:
    return std::format("hipGraphClone(g{0}, g{1}); hipGraphInstantiate(g{0})", op.graph, op.other);
  case OpKind::destroy_graph:
    return std::format("hipGraphExecDestroy(g{0}); hipGraphDestroy(g{0})", op.graph);
  case OpKind::event_query:
    return std::format("hipEventQuery(e{})", op.event);
  case OpKind::event_synchronize:
    return std::format("hipEventSynchronize(e{})", op.event);
  case OpKind::elapsed:
    return std::format("hipEventElapsedTime(e{}, e{})", op.event, op.other);
  case OpKind::stream_query:
    return std::format("hipStreamQuery({})", s);
  case OpKind::stream_synchronize:
    return std::format("hipStreamSynchronize({})", s);
  case OpKind::device_synchronize:
    return "hipDeviceSynchronize()";
  case OpKind::stream_create:
    return std::format("{} = hipStreamCreateWithPriority({}, {})", s,
                       op.stream_kind == StreamKind::blocking ? "hipStreamDefault"
                                                              : "hipStreamNonBlocking",
                       op.priority);
  case OpKind::stream_destroy:
    return std::format("hipStreamDestroy({})", s);
  case OpKind::event_create:
    return std::format("e{} = hipEventCreateWithFlags({})", op.event,
                       op.flag ? "hipEventDefault" : "hipEventDisableTiming");
  case OpKind::event_destroy:
    return std::format("hipEventDestroy(e{})", op.event);
  case OpKind::allocate:
    return std::format("m{} = hipMalloc()", op.memory);
  case OpKind::free:
    return std::format("hipFree(m{})", op.memory);
  case OpKind::hand_over:
    return std::format("hand over to thread {}", op.other);
  case OpKind::pause:
    return std::format("sleep {} us", op.amount);
  }
  return "?";
}

} // namespace

std::string to_string(const Op &op, int index) {
  if (is_run(op))
    return std::format("{:3}    run of {} in g{}: {}", index, op.node, op.graph, call(op, index));
  return std::format("{:3}  thread {}: {}", index, op.thread, call(op, index));
}

std::string to_string(const Program &program) {
  std::string text;
  for (size_t i = 0; i < program.ops.size(); ++i)
    text += to_string(program.ops[i], int(i)) + '\n';
  return text;
}

} // namespace model
