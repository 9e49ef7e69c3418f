// A small HIP program as data: what each host thread calls, in an order that the generator chose and the model understands.
#pragma once

#include "../../support/random.h"
#include "board.h"

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

namespace model {

constexpr int max_ops = board_rows; // with all runs of graphs
constexpr int max_threads = 3;
constexpr int max_values = 8;

/// A set of operations, by index in the program.
using Ops = std::bitset<max_ops>;

inline bool covers(const Ops &all, const Ops &some) { return (some & ~all).none(); }

template <class Visit> void for_each(const Ops &ops, Visit &&visit) {
  for (size_t i = ops._Find_first(); i < ops.size(); i = ops._Find_next(i))
    visit(int(i));
}

enum class OpKind : uint8_t {
  // Work on a stream that marks itself done, looks at the marks of all others, or both.
  kernel,
  spilled_kernel,  // its arguments are too large to pass by value
  repeated_kernel, // the same arguments each time; counts itself
  host_function,
  callback,
  set,           // a copy or a fill writes the mark
  snapshot,      // a copy reads all marks
  pool_allocate, // hipMallocAsync, and a copy to the memory
  pool_free,     // a copy from the memory to the mark, and hipFreeAsync
  // Points in streams.
  record,
  wait,
  write_value, // hipStreamWriteValue32, each value once
  wait_value,  // hipStreamWaitValue32
  skipped,     // of a graph: a node that is disabled, or whose run leaves nothing that tells of it
  // Graphs. What is asked of a stream that is captured is work that runs as often as its graph is launched.
  begin_capture,
  end_capture, // and hipGraphInstantiate
  launch_graph,
  set_node,     // hipGraphExec...NodeSetParams of one node
  update_graph, // the same of all: hipGraphExecUpdate
  enable_node,  // hipGraphNodeSetEnabled
  clone_graph,  // hipGraphClone, and hipGraphInstantiate
  destroy_graph,
  // The host asks or waits.
  event_query,
  event_synchronize,
  elapsed,
  stream_query,
  stream_synchronize,
  device_synchronize,
  // Objects come and go.
  stream_create,
  stream_destroy,
  event_create,
  event_destroy,
  allocate,
  free,
  // Between host threads.
  hand_over, // what `thread` has done so far comes before what `other` does next
  pause,
};

enum class StreamKind : uint8_t { null, per_thread, blocking, non_blocking };

/// How a mark is written or read; the synchronous ones are on the null stream.
enum class How : uint8_t {
  none,
  fill_bytes,      // hipMemsetAsync
  fill_words,      // hipMemsetD32Async
  fill_null,       // hipMemset
  write_value,     // hipStreamWriteValue32
  from_pageable,   // hipMemcpyAsync; the source changes as soon as it has returned
  from_pinned,     // hipMemcpyAsync
  from_device,     // hipMemcpyAsync
  from_host_wait,  // hipMemcpy
  through_memory,  // two copies, the first to memory of hipMalloc
  through_staging, // two copies, the first of many pageable bytes
  to_device,       // hipMemcpyAsync
  to_pinned,       // hipMemcpyAsync
  to_pageable,     // hipMemcpyAsync, which waits
  to_host_wait,    // hipMemcpy
  to_host_stream,  // hipMemcpyWithStream
};

struct Op {
  OpKind kind{};
  How how = How::none;
  uint8_t thread = 0;
  StreamKind stream_kind = StreamKind::null; // of stream_create
  bool flag = false; // handle 0 goes by hipStreamLegacy; an event has timing; a node is enabled
  int8_t priority = 0;
  int16_t stream = -1;
  int16_t event = -1;
  int16_t other = -1; // the second event, the thread handed over to, or the graph to clone
  int16_t memory = -1;
  int16_t value = -1;
  int16_t graph = -1;  // that it is captured into, works on or is a run of
  int16_t node = -1;   // which of the graph's; of a run: the operation that was captured
  int16_t first = -1;  // of a run: the first one since the node's parameters were set
  uint32_t amount = 0; // rounds of a kernel, microseconds, or bytes
};

/// Streams by number: the null stream, each thread's own, then those that stream_create makes.
constexpr int null_stream = 0;
constexpr int per_thread_stream(int thread) { return 1 + thread; }
constexpr int first_created_stream = 1 + max_threads;
constexpr bool is_per_thread(int stream) {
  return stream > null_stream && stream < first_created_stream;
}

struct Program {
  uint64_t seed = 0;
  int threads = 1;
  /// An order in which they may run one after the other. Each launch of a graph is followed by its runs, which nobody calls.
  std::vector<Op> ops;
};

bool is_captured(const Op &op);      // becomes a node of a graph, or an edge
bool is_run(const Op &op);           // of a node, in one launch of its graph
bool marks_itself(const Op &op);     // has a mark that it sets when it has run
bool looks_at_marks(const Op &op);   // tells which marks it saw when it ran
bool runs_on_device(const Op &op);   // has a place in a stream
bool waits_for_itself(const Op &op); // the call returns after the work is done
bool is_wide(const Op &op);          // not allowed while any stream is captured

/// One line for each operation, like the HIP calls it stands for.
std::string to_string(const Op &op, int index);
std::string to_string(const Program &program);

using Random = test::Random<int>;

} // namespace model
