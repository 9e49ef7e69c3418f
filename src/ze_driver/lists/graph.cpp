#include "graph.h"

#include "../api/entry_points.h"

#include <algorithm>
#include <format>
#include <fstream>
#include <utility>

namespace ze_driver {
namespace {

/// The list, if it is one that can be captured.
std::expected<ImmediateList *, ze_result_t> capturable(ze_command_list_handle_t list) {
  if (!list)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CommandList &self = object<CommandList>(list);
  if (!self.is_immediate() || static_cast<ImmediateList &>(self).synchronous)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return static_cast<ImmediateList *>(&self);
}

ze_result_t begin(ze_command_list_handle_t handle, Graph &graph) {
  const auto list = capturable(handle);
  if (!list)
    return list.error();
  std::lock_guard lock(graph.mutex);
  if ((*list)->graph || graph.capturing || graph.recording->count != 0)
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  graph.primary = *list;
  graph.capturing = true;
  graph.enter(**list);
  return ZE_RESULT_SUCCESS;
}

const char *name_of(Opcode opcode) {
  switch (opcode) {
  case Opcode::barrier:
    return "barrier";
  case Opcode::copy:
  case Opcode::copy_region:
    return "copy";
  case Opcode::fill:
    return "fill";
  case Opcode::reset_event:
    return "event reset";
  case Opcode::write_timestamp:
  case Opcode::write_host_timestamp:
  case Opcode::query_timestamps:
    return "timestamps";
  case Opcode::host_function:
    return "host function";
  default:
    return "command";
  }
}

std::string label_of(Command &command) {
  if (command.opcode != Opcode::launch && command.opcode != Opcode::launch_indirect)
    return name_of(command.opcode);
  const auto &launch = command.payload<LaunchCommand>();
  return command.opcode == Opcode::launch
             ? std::format("{} ({}, {}, {}) x ({}, {}, {})", launch.kernel->name, launch.groups[0],
                           launch.groups[1], launch.groups[2], launch.group_size[0],
                           launch.group_size[1], launch.group_size[2])
             : launch.kernel->name + " (indirect)";
}

/// What the waits of an append to a list of the capture join.
void note_joins(Graph &graph, const Synchronization &events) {
  for (uint32_t i = 0; i < events.wait_count; ++i) {
    const Event::Capture from = object<Event>(events.waits[i]).capture();
    for (Graph::Branch &branch : graph.branches)
      if (from.graph == &graph && branch.list == from.list && from.command >= branch.last_work)
        branch.joined = true;
  }
}

/// A new command of the capture; the graph is locked.
Command &record_captured(ImmediateList &list, Graph &graph, Opcode opcode,
                         const Synchronization &events, size_t payload_bytes) {
  Recording &recording = *graph.recording;
  graph.marked.reserve(graph.marked.size() + 1);
  note_joins(graph, events);
  Command &command = record(recording, opcode, events, payload_bytes);
  const auto branch = std::ranges::find(graph.branches, &list, &Graph::Branch::list);
  if (opcode != Opcode::barrier) {
    branch->last_work = recording.count;
    branch->joined = false;
  }
  if (events.signal) {
    Event &signal = object<Event>(events.signal);
    signal.set_capture({&graph, &list, recording.count});
    graph.marked.push_back(Ref<Event>::share(&signal));
    if (signal.is_counter_based())
      recording.signals.back().is_internal =
          !(signal.options().counter_based_flags & ZE_EVENT_COUNTER_BASED_FLAG_GRAPH_EXTERNAL);
  }
  return command;
}

} // namespace

/// The graph is locked.
void Graph::enter(ImmediateList &list) {
  branches.push_back({&list});
  list.graph = this;
  list.recorder = recording.get();
}

/// The graph is locked.
void Graph::leave_all() noexcept {
  capturing = false;
  for (const Branch &branch : branches) {
    branch.list->graph = nullptr;
    branch.list->recorder = nullptr;
  }
  branches.clear();
  for (const Ref<Event> &event : marked)
    event->set_capture({});
  marked.clear();
}

ze_result_t check_capture(ImmediateList &list, const Synchronization &events) {
  for (uint32_t i = 0; i < events.wait_count; ++i) {
    Graph *graph = object<Event>(events.waits[i]).capture().graph;
    if (!graph || list.graph == graph)
      continue;
    if (list.graph)
      return ZE_RESULT_ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT;
    if (list.synchronous)
      return ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED;
    std::lock_guard lock(graph->mutex);
    graph->enter(list);
  }
  return ZE_RESULT_SUCCESS;
}

Command &capture(ImmediateList &list, Opcode opcode, const Synchronization &events,
                 size_t payload_bytes) {
  std::lock_guard lock(list.graph->mutex);
  return record_captured(list, *list.graph, opcode, events, payload_bytes);
}

ze_result_t capture_recordings(ImmediateList &list, std::span<Recording *const> recordings,
                               const Synchronization &events) {
  Graph &graph = *list.graph;
  std::lock_guard lock(graph.mutex);
  record_captured(list, graph, Opcode::barrier, {nullptr, events.wait_count, events.waits}, 0);
  for (const Recording *recording : recordings)
    graph.recording->append(*recording);
  const auto branch = std::ranges::find(graph.branches, &list, &Graph::Branch::list);
  branch->last_work = graph.recording->count;
  branch->joined = false;
  record_captured(list, graph, Opcode::barrier, {events.signal, 0, nullptr}, 0);
  return ZE_RESULT_SUCCESS;
}

void abandon_capture(ImmediateList &list) noexcept {
  Graph &graph = *list.graph;
  std::lock_guard lock(graph.mutex);
  graph.invalid = true;
  if (&list == graph.primary)
    graph.leave_all();
  else
    std::erase_if(graph.branches, [&](const auto &branch) { return branch.list == &list; });
}

ze_result_t zeGraphCreateExt(ze_context_handle_t context, const void *next,
                             ze_graph_handle_t *graph) {
  return entry(required(context, graph), [&]() -> ze_result_t {
    if (next)
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    *graph = handle_of(*new Graph);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeGraphDestroyExt(ze_graph_handle_t graph) {
  return entry(required(graph), [&]() -> ze_result_t {
    Graph &self = object<Graph>(graph);
    {
      std::lock_guard lock(self.mutex);
      self.leave_all();
    }
    const std::vector<Graph::Callback> callbacks = std::move(self.callbacks);
    delete &self;
    for (const auto &[function, data] : callbacks)
      function(data);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandListBeginGraphCaptureExt(ze_command_list_handle_t list, const void *next) {
  return entry([&]() -> ze_result_t {
    if (list && next)
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    auto graph = std::make_unique<Graph>();
    graph->made_by_capture = true;
    const ze_result_t result = begin(list, *graph);
    if (result == ZE_RESULT_SUCCESS)
      graph.release(); // the list leads to it
    return result;
  });
}

ze_result_t zeCommandListBeginCaptureIntoGraphExt(ze_command_list_handle_t list,
                                                  ze_graph_handle_t graph, const void *next) {
  return entry(required(list, graph), [&]() -> ze_result_t {
    return next ? ZE_RESULT_ERROR_UNSUPPORTED_FEATURE : begin(list, object<Graph>(graph));
  });
}

ze_result_t zeCommandListIsGraphCaptureEnabledExt(ze_command_list_handle_t list) {
  return entry(required(list), [&]() -> ze_result_t {
    const CommandList &self = object<CommandList>(list);
    return self.is_immediate() && static_cast<const ImmediateList &>(self).graph
               ? ZE_RESULT_QUERY_TRUE
               : ZE_RESULT_QUERY_FALSE;
  });
}

ze_result_t zeCommandListEndGraphCaptureExt(ze_command_list_handle_t list, const void *next,
                                            ze_graph_handle_t *handle) {
  return entry(required(list, handle), [&]() -> ze_result_t {
    if (next)
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    *handle = nullptr;
    const auto self = capturable(list);
    if (!self || !(*self)->graph)
      return ZE_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING;
    Graph &graph = *(*self)->graph;
    bool unjoined = false;
    {
      std::lock_guard lock(graph.mutex);
      if (graph.primary != *self)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT; // only the list that began
      unjoined = !std::all_of(graph.branches.begin() + 1, graph.branches.end(),
                              [](const Graph::Branch &branch) { return branch.joined; });
      graph.invalid = graph.invalid || unjoined;
      graph.leave_all();
    }
    if (graph.invalid && graph.made_by_capture)
      delete &graph;
    else
      *handle = handle_of(graph);
    return unjoined        ? ZE_RESULT_ERROR_GRAPH_UNJOINED_FORKS
           : graph.invalid ? ZE_RESULT_ERROR_GRAPH_CAPTURE_INVALIDATED
                           : ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandListGetGraphExt(ze_command_list_handle_t list, ze_graph_handle_t *handle) {
  return entry(required(list, handle), [&]() -> ze_result_t {
    *handle = nullptr;
    CommandList &self = object<CommandList>(list);
    Graph *graph = self.is_immediate() ? static_cast<ImmediateList &>(self).graph : nullptr;
    if (!graph)
      return ZE_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING;
    *handle = handle_of(*graph);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeGraphGetPrimaryCommandListExt(ze_graph_handle_t graph,
                                            ze_command_list_handle_t *list) {
  return get_from<Graph>(graph, list,
                         [](const Graph &self) -> std::optional<ze_command_list_handle_t> {
                           if (!self.primary)
                             return std::nullopt;
                           return handle_of<CommandList>(*self.primary);
                         });
}

ze_result_t zeGraphSetDestructionCallbackExt(ze_graph_handle_t graph,
                                             zex_mem_graph_free_callback_fn_t function, void *data,
                                             const void *next) {
  return entry(required(graph, function), [&]() -> ze_result_t {
    if (next)
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    Graph &self = object<Graph>(graph);
    std::lock_guard lock(self.mutex);
    self.callbacks.push_back({function, data});
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeGraphInstantiateExt(ze_graph_handle_t graph, const void *next,
                                  ze_executable_graph_handle_t *executable) {
  return entry(required(graph, executable), [&]() -> ze_result_t {
    if (next)
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    Graph &self = object<Graph>(graph);
    std::lock_guard lock(self.mutex);
    if (self.invalid)
      return ZE_RESULT_ERROR_INVALID_GRAPH;
    if (self.capturing)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    auto created = std::make_unique<ExecutableGraph>();
    created->source = &self;
    created->recording = self.recording;
    *executable = handle_of(*created.release());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeExecutableGraphDestroyExt(ze_executable_graph_handle_t graph) {
  return entry(required(graph), [&]() -> ze_result_t {
    delete &object<ExecutableGraph>(graph);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeExecutableGraphGetSourceGraphExt(ze_executable_graph_handle_t graph,
                                               ze_graph_handle_t *source) {
  return get_from<ExecutableGraph>(
      graph, source, [](const ExecutableGraph &self) { return handle_of(*self.source); });
}

ze_result_t zeCommandListAppendGraphExt(ze_command_list_handle_t list,
                                        ze_executable_graph_handle_t graph, const void *next,
                                        ze_event_handle_t signal, uint32_t wait_count,
                                        ze_event_handle_t *waits) {
  return entry(required(list, graph), [&]() -> ze_result_t {
    if (next)
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    CommandList &self = object<CommandList>(list);
    if (!self.is_immediate())
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    const Synchronization events{signal, wait_count, waits};
    if (const ze_result_t error = check_append(self, events); error != ZE_RESULT_SUCCESS)
      return error;
    auto &immediate = static_cast<ImmediateList &>(self);
    ExecutableGraph &executable = object<ExecutableGraph>(graph);
    Recording *recording = executable.recording.get();
    if (immediate.graph)
      return capture_recordings(immediate, {&recording, 1}, events);

    QueueBackend &queue = *immediate.queue;
    WaitPoints points(wait_count + 1);
    for (uint32_t i = 0; i < wait_count; ++i)
      add_wait(points, queue, object<Event>(waits[i]));
    uint64_t target = 0;
    {
      std::lock_guard lock(executable.mutex);
      // One execution at a time.
      if (executable.last.counter.get() != &queue.done() &&
          (!executable.last.is_reached() || executable.last.is_lost()))
        points.add(executable.last);
      target =
          submit_recording(queue, *recording, points, signal ? &object<Event>(signal) : nullptr);
      executable.last = {Ref<Counter>::share(&queue.done()), target};
    }
    return finish_submission(queue, target, immediate.synchronous);
  });
}

ze_result_t zeGraphIsEmptyExt(ze_graph_handle_t graph) {
  return entry(required(graph), [&]() -> ze_result_t {
    Graph &self = object<Graph>(graph);
    std::lock_guard lock(self.mutex);
    return self.invalid                 ? ZE_RESULT_ERROR_INVALID_GRAPH
           : self.recording->count == 0 ? ZE_RESULT_QUERY_TRUE
                                        : ZE_RESULT_QUERY_FALSE;
  });
}

ze_result_t zeGraphDumpContentsExt(ze_graph_handle_t graph, const char *path, const void *next) {
  return entry(required(graph, path), [&]() -> ze_result_t {
    const auto *mode = find_extension<ze_record_replay_graph_ext_dump_desc_t>(
        next, ZE_STRUCTURE_TYPE_RECORD_REPLAY_GRAPH_EXT_DUMP_DESC);
    const bool is_simple = mode && mode->mode == ZE_RECORD_REPLAY_GRAPH_EXT_DUMP_MODE_SIMPLE;
    Graph &self = object<Graph>(graph);
    std::lock_guard lock(self.mutex);
    std::ofstream file(path);
    file << "digraph {\n";
    if (self.recording->count != 0) {
      auto cursor = self.recording->commands.front();
      for (uint64_t i = 0; i < self.recording->count; ++i) {
        Command &command = cursor.command();
        cursor.advance();
        std::string label = label_of(command);
        if (!is_simple && command.opcode == Opcode::launch) {
          const auto &launch = command.payload<LaunchCommand>();
          const auto *bytes = reinterpret_cast<const std::byte *>(&command);
          label += "\\narguments:";
          for (uint32_t at = launch.arguments_offset; at < command.bytes; ++at)
            label += std::format(" {:02x}", std::to_integer<unsigned>(bytes[at]));
        }
        file << std::format("  c{} [label=\"{}\"];\n", i, label);
        if (i != 0)
          file << std::format("  c{} -> c{};\n", i - 1, i);
      }
    }
    file << "}\n";
    file.close();
    return file ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

} // namespace ze_driver
