// HIP API reference: Graph management, graphs that can be launched.
#include "../../runtime/graphs/executable.h"
#include "nodes.h"

#include <cstring>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

constexpr unsigned long long stored_flags =
    hipGraphInstantiateFlagAutoFreeOnLaunch | hipGraphInstantiateFlagUseNodePriority;

/// Throws hipErrorInvalidValue for unknown flags, hipErrorNotSupported for graphs that kernels launch.
void check_flags(unsigned long long flags, unsigned long long known) {
  if (flags & hipGraphInstantiateFlagDeviceLaunch)
    throw InstantiationError(hipErrorNotSupported,
                             "kernels cannot launch graphs (hipGraphInstantiateFlagDeviceLaunch)",
                             hipGraphInstantiateNodeOperationNotSupported, nullptr);
  if (flags & ~known)
    throw InstantiationError(hipErrorInvalidValue, "the flags have bits that are not valid here",
                             hipGraphInstantiateError, nullptr);
}

hipGraphNode_t handle_of(const GraphNode *node) { return const_cast<hipGraphNode_t>(node); }

void store_text(const char *text, char *log, size_t bytes) {
  if (!log || bytes == 0)
    return;
  const size_t length = std::min(std::strlen(text), bytes - 1);
  std::memcpy(log, text, length);
  log[length] = '\0';
}

hipError_t launch(hipGraphExec_t exec, hipStream_t stream, bool per_thread,
                  const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    GraphExec &found = find_executable(exec);
    const StreamTarget target = resolve(stream, per_thread);
    if (target.capture)
      target.capture->add_node(target, found.as_node());
    else
      found.launch(target);
  });
}

} // namespace

hipError_t hipGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph, hipGraphNode_t *error_node,
                               char *log, size_t log_size) {
  return entry([&] {
    required(exec);
    const auto found = find_graph(graph);
    if (error_node)
      *error_node = nullptr;
    store_text("", log, log_size);
    try {
      *exec = &make_executable(*found, 0);
    } catch (const InstantiationError &error) {
      if (error_node)
        *error_node = handle_of(error.node());
      store_text(error.what(), log, log_size);
      throw;
    }
  });
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph,
                                        unsigned long long flags) {
  return entry([&] {
    required(exec);
    const auto found = find_graph(graph);
    check_flags(flags, stored_flags);
    *exec = &make_executable(*found, flags);
  });
}

hipError_t hipGraphInstantiateWithParams(hipGraphExec_t *exec, hipGraph_t graph,
                                         hipGraphInstantiateParams *params) {
  return entry([&] {
    required(exec);
    const auto found = find_graph(graph);
    required(params).errNode_out = nullptr;
    params->result_out = hipGraphInstantiateError;
    try {
      check_flags(params->flags, stored_flags | hipGraphInstantiateFlagUpload);
      const bool uploads = (params->flags & hipGraphInstantiateFlagUpload) != 0;
      const StreamTarget stream = resolve(uploads ? params->uploadStream : nullptr);
      GraphExec &made = make_executable(*found, params->flags);
      if (uploads)
        made.prepare(stream);
      *exec = &made;
    } catch (const InstantiationError &error) {
      params->errNode_out = handle_of(error.node());
      params->result_out = error.result();
      throw;
    }
    params->result_out = hipGraphInstantiateSuccess;
  });
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  return entry([&] { destroy_executable(exec); });
}

hipError_t hipGraphExecGetFlags(hipGraphExec_t exec, unsigned long long *flags) {
  return entry([&] {
    GraphExec &found = find_executable(exec);
    required(flags) = found.flags();
  });
}

hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream) {
  return entry([&] {
    const StreamTarget target = resolve(stream);
    check_not_captured(target);
    find_executable(exec).prepare(target);
  });
}

hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
  return launch(exec, stream, false);
}
hipError_t hipGraphLaunch_spt(hipGraphExec_t exec, hipStream_t stream) {
  return launch(exec, stream, true);
}

hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t *error_node,
                              hipGraphExecUpdateResult *result) {
  return entry([&] {
    GraphExec &found = find_executable(exec);
    const auto other = find_graph(graph);
    required(error_node) = nullptr;
    required(result) = hipGraphExecUpdateSuccess;
    if (const auto obstacle = found.update(*other)) {
      *error_node = obstacle->node;
      *result = obstacle->result;
      throw Error(hipErrorGraphExecUpdateFailure, obstacle->message);
    }
  });
}

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned int enabled) {
  return entry([&] {
    GraphExec &found = find_executable(exec);
    found.set_enabled(*find_node(node), enabled != 0);
  });
}

hipError_t hipGraphNodeGetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned int *enabled) {
  return entry([&] {
    GraphExec &found = find_executable(exec);
    required(enabled) = found.is_enabled(*find_node(node));
  });
}
