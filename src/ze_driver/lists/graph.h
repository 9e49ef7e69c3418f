// Record and replay: what is appended to immediate lists that are being captured
// (ZE_extension_record_replay_graph).
#pragma once

#include "append.h"

#include <mutex>

namespace ze_driver {

/// A recorded graph. Its commands are kept in the order in which they were appended, which every
/// order that the program asked for allows.
struct Graph : Handle {
  using HandleType = ze_graph_handle_t;

  /// A list that takes part in the capture.
  struct Branch {
    ImmediateList *list;
    uint64_t last_work = 0; // number of its last command that does something
    bool joined = false;    // something waits for that
  };

  std::mutex mutex; // lists may be appended to from several threads
  Ref<Recording> recording = Ref<Recording>::make();
  ImmediateList *primary = nullptr;
  bool made_by_capture = false;
  bool capturing = false;
  bool invalid = false;
  std::vector<Branch> branches;   // of the capture under way; the primary list is the first
  std::vector<Ref<Event>> marked; // events that name this graph
  struct Callback {
    zex_mem_graph_free_callback_fn_t function;
    void *data;
  };
  std::vector<Callback> callbacks;

  void enter(ImmediateList &list);
  void leave_all() noexcept;
};

/// A graph to be executed.
struct ExecutableGraph : Handle {
  using HandleType = ze_executable_graph_handle_t;

  Graph *source;
  Ref<Recording> recording;
  std::mutex mutex;
  Point last; // what the execution before leads to
};

/// What an append to an immediate list checks if captures have to do with it. A list that waits for
/// a captured event becomes part of the capture.
ze_result_t check_capture(ImmediateList &list, const Synchronization &events);
/// A new command of the graph that `list` is captured into.
Command &capture(ImmediateList &list, Opcode opcode, const Synchronization &events,
                 size_t payload_bytes);
/// Puts copies of recorded commands into that graph.
ze_result_t capture_recordings(ImmediateList &list, std::span<Recording *const> recordings,
                               const Synchronization &events);
/// A list that is being captured goes.
void abandon_capture(ImmediateList &list) noexcept;

} // namespace ze_driver
