// The model: which operation comes before which, by HIP's documented rules alone. It knows nothing of the scheduler.
//
//  - A stream runs its work in the order in which the calls were made, where the host ordered the calls.
//  - The null stream and each blocking stream (a thread's own default stream is one) run one after the other; hipEventRecord
//    is work like any other, and so is hipStreamWaitEvent on the null stream. On other streams it comes after the null stream
//    only together with the work behind it.
//  - hipStreamWaitEvent orders after the event's last record before the call, and not after later ones.
//  - A synchronising call returns after what it names: a stream, for the null stream all blocking ones too, an event, all work
//    (hipDeviceSynchronize, hipFree), the copy itself (hipMemcpy, and to pageable memory).
//  - hipStreamWaitValue orders after the hipStreamWriteValue that it waits for.
//  - Destroying a stream, an event or a graph changes no order.
//  - What is asked of a captured stream comes after what was asked of it before; a wait for an event that was recorded in the
//    capture adds what came before the record, and makes a stream part of the capture. Nothing else orders the nodes of a graph.
//  - A launch of a graph is work of its stream, and comes after the launch of the same executable graph before. Changes of an
//    executable graph are for later launches.
#pragma once

#include "program.h"

#include <array>
#include <vector>

namespace model {

/// What HIP promises about one operation.
struct Promise {
  Ops before;   // work that is done when this starts to run on the device
  Ops after;    // work that has not started when this ends
  Ops called;   // operations whose calls have returned when this one's call is made
  Ops complete; // work that is done when the call returns; for a query, when it returns hipSuccess
  bool must_succeed = false; // a query, or elapsed, that can answer nothing but hipSuccess
  int first_record = -1;     // of elapsed: the records it compares, -1 for none
  int second_record = -1;
};

/// Takes a program one operation at a time.
class Order {
public:
  Order() { values_.fill(-1); }

  /// Whether the host may make this call now: its objects exist, and calls that the model could not tell the order of
  /// (two records of one event, say) are ordered by the host.
  bool accepts(const Op &op) const;
  void append(const Op &op);

  /// What is alive, for a generator to choose from: numbers of created streams, events, memory.
  const std::vector<int> &streams() const { return alive_streams_; }
  const std::vector<int> &events() const { return alive_events_; }
  const std::vector<int> &memory() const { return alive_memory_; }           // of hipMalloc
  const std::vector<int> &pool_memory() const { return alive_pool_memory_; } // of hipMallocAsync
  /// Operations that write values, by value; -1 for those not yet written.
  const std::array<int, max_values> &values() const { return values_; }
  /// Graphs that can be launched, by number.
  const std::vector<int> &graphs() const { return alive_graphs_; }
  int nodes(int graph) const { return int(graphs_[size_t(graph)].nodes.size()); }
  /// Graphs that streams are being captured into, and these streams, the one in which the capture began first.
  const std::vector<int> &captures() const { return open_captures_; }
  const std::vector<int> &captured_streams(int graph) const {
    return graphs_[size_t(graph)].streams;
  }
  /// Whether the captured stream has work that the capture's first stream does not wait for.
  bool is_joined(int stream) const;
  bool has_timing(int event) const { return events_[size_t(event)].timing; }
  const std::vector<Op> &ops() const { return ops_; }

  /// The promises, complete once the whole program has been appended.
  std::vector<Promise> finish() &&;

private:
  struct Thread {
    Ops called;   // calls that have returned
    Ops complete; // work known to be done
  };
  struct Object {
    bool alive = false;
    int written = -1; // the last create or record
    Ops used;         // all operations that named it
    // Streams
    StreamKind kind{};
    // Streams and events: the graph into which the stream is captured, or the event was last recorded, and the work there that
    // comes before.
    int graph = -1;
    Ops captured;
    // Events
    int record = -1;
    bool timing = false;
    // Memory
    bool of_pool = false;
    // Graphs
    struct Node {
      int op; // that was captured
      bool enabled = true;
      int first = -1; // run since the parameters were set
      int last = -1;  // of these runs
    };
    std::vector<Node> nodes{};
    std::vector<int> streams{};
    bool blocking = false; // one of these is ordered with the null stream
    Ops last_launch;       // its runs
  };

  StreamKind stream_kind(int stream) const;
  bool is_ordered(int stream, int other) const;
  Ops work_of_stream(int stream, const Ops &calls) const;
  Ops with_all_before(const Ops &work) const;
  Ops work_before(const Op &op) const;
  bool readable(const std::vector<Object> &objects, int number, const Ops &called) const;
  bool writable(const std::vector<Object> &objects, int number, const Ops &called) const;
  static Object &object(std::vector<Object> &objects, int number);
  static void remove(std::vector<int> &from, int number);

  // Graphs.
  int captured_into(int stream) const;
  bool is_allowed_beside_captures(const Op &op) const;
  bool accepts_captured(const Op &op) const;
  bool may_capture(const Op &op) const;
  bool may_end_capture(const Op &op) const;
  bool accepts_graph(const Op &op) const;
  void capture(const Op &op, int index);
  void join(int stream, int graph, int index);
  void end_capture(int graph, int index);
  void change_graph(const Op &op, int index);
  void launch(const Op &op, int launch);
  void run(Object::Node &node, Op run, Promise promise);

  std::vector<Op> ops_;
  std::vector<Promise> promises_;
  std::array<Thread, max_threads> threads_;
  std::vector<Object> streams_, events_, memory_, graphs_;
  std::array<int, max_values> values_;
  std::vector<int> alive_streams_, alive_events_, alive_memory_, alive_pool_memory_, alive_graphs_,
      open_captures_;
  Ops wide_;    // calls that are not allowed while any stream is captured,
  Ops of_null_; // or one that is ordered with the null stream
};

/// The promises of a whole program; empty if some operation is not acceptable where it stands.
std::vector<Promise> promises_of(const Program &program);

} // namespace model
