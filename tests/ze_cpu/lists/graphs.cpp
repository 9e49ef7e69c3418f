// Recording what is appended to immediate lists, and replaying it.
#include "../support.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace {

constexpr ze_group_count_t one_group{1, 1, 1};
using GraphOwner = Owner<ze_graph_handle_t, zeGraphDestroyExt>;
using Executable = Owner<ze_executable_graph_handle_t, zeExecutableGraphDestroyExt>;

class Capturing : public Driver {
public:
  Module module = test_module();
  Kernel kernel_ = kernel(module, "increment");
  List list = immediate();
  int *value = shared<int>(4);

  void increment(ze_command_list_handle_t on, int *target, ze_event_handle_t signal = nullptr,
                 ze_event_handle_t wait = nullptr) {
    REQUIRE_ZE(zeKernelSetArgumentValue(kernel_, 0, sizeof target, &target));
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(on, kernel_, &one_group, signal, wait ? 1 : 0,
                                               wait ? &wait : nullptr));
  }
  void begin() { REQUIRE_ZE(zeCommandListBeginGraphCaptureExt(list, nullptr)); }
  GraphOwner end() {
    GraphOwner graph;
    REQUIRE_ZE(zeCommandListEndGraphCaptureExt(list, nullptr, graph.out()));
    return graph;
  }
  Executable instantiate(ze_graph_handle_t graph) {
    Executable executable;
    REQUIRE_ZE(zeGraphInstantiateExt(graph, nullptr, executable.out()));
    return executable;
  }
  void run(ze_executable_graph_handle_t graph, int times = 1) {
    for (int i = 0; i < times; ++i)
      REQUIRE_ZE(zeCommandListAppendGraphExt(list, graph, nullptr, nullptr, 0, nullptr));
    REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  }
};

} // namespace

TEST_CASE_METHOD(Capturing, "ze_cpu: what is captured does not run before it is replayed") {
  begin();
  CHECK(zeCommandListIsGraphCaptureEnabledExt(list) == ZE_RESULT_QUERY_TRUE);
  increment(list, value);
  int seven = 7;
  REQUIRE_ZE(zeCommandListAppendMemoryFill(list, value + 1, &seven, sizeof seven, sizeof seven,
                                           nullptr, 0, nullptr));
  CHECK(zeCommandListHostSynchronize(list, 0) == ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED);
  GraphOwner graph = end();
  CHECK(zeCommandListIsGraphCaptureEnabledExt(list) == ZE_RESULT_QUERY_FALSE);
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*value == 0);
  const Executable executable = instantiate(graph);
  run(executable, 5);
  CHECK(*value == 5);
  CHECK(value[1] == 7);
  increment(list, value); // the list is its own again
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*value == 6);
}

TEST_CASE_METHOD(Capturing, "ze_cpu: lists that wait for captured events are captured with it") {
  List child = immediate();
  for (const bool counting : {false, true}) {
    const PooledEvent pooled_fork = pooled_event(), pooled_join = pooled_event();
    const Event counted_fork = counter_event(), counted_join = counter_event();
    const ze_event_handle_t fork = counting ? counted_fork : pooled_fork.event;
    const ze_event_handle_t join = counting ? counted_join : pooled_join.event;
    value[0] = value[1] = value[2] = 0;
    begin();
    increment(list, value, fork);
    increment(child, value + 1, join, fork);
    CHECK(zeCommandListIsGraphCaptureEnabledExt(child) == ZE_RESULT_QUERY_TRUE);
    CHECK(zeEventQueryStatus(join) == ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED);
    increment(list, value + 2, nullptr, join);
    GraphOwner graph = end();
    CHECK(zeCommandListIsGraphCaptureEnabledExt(child) == ZE_RESULT_QUERY_FALSE);
    const Executable executable = instantiate(graph);
    run(executable, 3);
    for (int i = 0; i < 3; ++i)
      CHECK(value[i] == 3);
  }
}

TEST_CASE_METHOD(Capturing, "ze_cpu: a branch that nobody waits for makes the graph invalid") {
  List child = immediate();
  const Event fork = counter_event(), join = counter_event();
  begin();
  increment(list, value, fork);
  increment(child, value + 1, join, fork);
  increment(list, value, nullptr, join);
  increment(child, value + 1); // more work
  ze_graph_handle_t none = nullptr;
  CHECK(zeCommandListEndGraphCaptureExt(list, nullptr, &none) ==
        ZE_RESULT_ERROR_GRAPH_UNJOINED_FORKS);
  CHECK(none == nullptr);
  increment(child, value + 1); // executed: the capture is over
  REQUIRE_ZE(zeCommandListHostSynchronize(child, long_ns));
  CHECK(value[0] == 0);
  CHECK(value[1] == 1);
}

TEST_CASE_METHOD(Capturing, "ze_cpu: two captures are not merged", "[front]") {
  List other = immediate();
  const Event event = counter_event();
  begin();
  increment(list, value, event);
  REQUIRE_ZE(zeCommandListBeginGraphCaptureExt(other, nullptr));
  ze_event_handle_t wait = event;
  CHECK(zeCommandListAppendWaitOnEvents(other, 1, &wait) ==
        ZE_RESULT_ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT);
  List recorded = regular();
  CHECK(zeCommandListAppendWaitOnEvents(recorded, 1, &wait) ==
        ZE_RESULT_ERROR_GRAPH_INTERNAL_EVENT);
  GraphOwner first = end(), second;
  REQUIRE_ZE(zeCommandListEndGraphCaptureExt(other, nullptr, second.out()));
  CHECK(zeGraphIsEmptyExt(first) == ZE_RESULT_QUERY_FALSE);
  CHECK(zeGraphIsEmptyExt(second) == ZE_RESULT_QUERY_TRUE);
  CHECK(zeCommandListAppendWaitOnEvents(other, 1, &wait) == ZE_RESULT_SUCCESS); // no more
}

TEST_CASE_METHOD(Capturing, "ze_cpu: only external counter-based events tell of a replay") {
  const Event internal = counter_event();
  const Event external = counter_event(ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE |
                                       ZE_EVENT_COUNTER_BASED_FLAG_GRAPH_EXTERNAL);
  begin();
  increment(list, value, internal);
  increment(list, value, external);
  GraphOwner graph = end();
  const Executable executable = instantiate(graph);
  const PooledEvent gate = pooled_event();
  ze_event_handle_t closed = gate;
  REQUIRE_ZE(zeCommandListAppendGraphExt(list, executable, nullptr, nullptr, 1, &closed));
  CHECK(zeEventQueryStatus(internal) == ZE_RESULT_SUCCESS); // never signalled
  CHECK(zeEventQueryStatus(external) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeEventHostSynchronize(external, long_ns));
  CHECK(*value == 2);
}

TEST_CASE_METHOD(Capturing, "ze_cpu: one graph at a time runs in lists that run side by side") {
  begin();
  for (int i = 0; i < 100; ++i)
    increment(list, value);
  GraphOwner graph = end();
  const Executable executable = instantiate(graph);
  List other = immediate();
  const PooledEvent done = pooled_event();
  for (int i = 0; i < 50; ++i) // increments are lost if they run at the same time
    for (const List *each_list : {&list, &other}) {
      const ze_command_list_handle_t each = *each_list;
      REQUIRE_ZE(zeCommandListAppendGraphExt(
          each, executable, nullptr, i == 49 && each == other ? done.event : nullptr, 0, nullptr));
    }
  REQUIRE_ZE(zeEventHostSynchronize(done, long_ns));
  CHECK(*value == 10000);
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
}

TEST_CASE_METHOD(Capturing, "ze_cpu: graphs and regular lists become part of a graph") {
  begin();
  increment(list, value);
  GraphOwner inner = end();
  const Executable inner_executable = instantiate(inner);
  List recorded = regular();
  increment(recorded, value + 1);
  REQUIRE_ZE(zeCommandListClose(recorded));

  GraphOwner outer;
  REQUIRE_ZE(zeGraphCreateExt(context, nullptr, outer.out()));
  REQUIRE_ZE(zeCommandListBeginCaptureIntoGraphExt(list, outer, nullptr));
  ze_graph_handle_t current = nullptr;
  REQUIRE_ZE(zeCommandListGetGraphExt(list, &current));
  CHECK(current == outer);
  increment(list, value + 2);
  for (int i = 0; i < 2; ++i)
    REQUIRE_ZE(zeCommandListAppendGraphExt(list, inner_executable, nullptr, nullptr, 0, nullptr));
  ze_command_list_handle_t handle = recorded;
  REQUIRE_ZE(zeCommandListImmediateAppendCommandListsExp(list, 1, &handle, nullptr, 0, nullptr));
  ze_graph_handle_t same = nullptr;
  REQUIRE_ZE(zeCommandListEndGraphCaptureExt(list, nullptr, &same));
  CHECK(same == outer);
  ze_command_list_handle_t primary = nullptr;
  REQUIRE_ZE(zeGraphGetPrimaryCommandListExt(outer, &primary));
  CHECK(primary == list);
  const Executable executable = instantiate(outer);
  ze_graph_handle_t source = nullptr;
  REQUIRE_ZE(zeExecutableGraphGetSourceGraphExt(executable, &source));
  CHECK(source == outer);
  run(executable, 10);
  CHECK(value[0] == 20);
  CHECK(value[1] == 10);
  CHECK(value[2] == 10);
}

TEST_CASE_METHOD(Capturing, "ze_cpu: captures begin and end where they may", "[front]") {
  ze_graph_handle_t graph = nullptr;
  CHECK(zeCommandListEndGraphCaptureExt(list, nullptr, &graph) ==
        ZE_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING);
  CHECK(zeCommandListGetGraphExt(list, &graph) == ZE_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING);
  List recorded = regular();
  CHECK(zeCommandListBeginGraphCaptureExt(recorded, nullptr) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  List synchronous = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  CHECK(zeCommandListBeginGraphCaptureExt(synchronous, nullptr) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  begin();
  CHECK(zeCommandListBeginGraphCaptureExt(list, nullptr) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  REQUIRE_ZE(zeCommandListGetGraphExt(list, &graph));
  ze_executable_graph_handle_t too_early = nullptr;
  CHECK(zeGraphInstantiateExt(graph, nullptr, &too_early) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  GraphOwner ended = end();
  CHECK(ended == graph);
}

TEST_CASE_METHOD(Capturing,
                 "ze_cpu: a graph's destruction is told, and its contents are written out",
                 "[front]") {
  begin();
  increment(list, value);
  GraphOwner graph = end();
  const auto path = std::filesystem::temp_directory_path() /
                    ("ze_cpu_graph_" + std::to_string(getpid()) + ".dot");
  REQUIRE_ZE(zeGraphDumpContentsExt(graph, path.c_str(), nullptr));
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(text.starts_with("digraph"));
  CHECK(text.find("increment (1, 1, 1) x (1, 1, 1)") != text.npos);
  std::filesystem::remove(path);
  CHECK(zeGraphDumpContentsExt(graph, "/no/such/folder/file", nullptr) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  int told = 0;
  for (int i = 0; i < 2; ++i)
    REQUIRE_ZE(zeGraphSetDestructionCallbackExt(
        graph, [](void *data) { ++*static_cast<int *>(data); }, &told, nullptr));
  CHECK(told == 0);
  graph.reset();
  CHECK(told == 2);
}
