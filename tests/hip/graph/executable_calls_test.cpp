// What launches of graphs cost, as exact numbers of driver calls.
#include "counted.h"
#include "executable.h"

#include <string_view>

using namespace fixture;
using counted::Calls;

namespace {

bool is_simulated() { return std::getenv("ProductFamilyOverride"); }

/// Digits in a row.
struct Row {
  const Graph graph;
  HostMemory<long long> memory{1};
  Nodes nodes;
  explicit Row(int count) {
    for (int i = 0; i < count; ++i)
      nodes.push_back(
          add_digit(graph, memory.get(), i % 10, i == 0 ? Nodes() : Nodes{nodes.back()}));
  }
};

Calls launch_calls(hipGraphExec_t exec, hipStream_t stream) {
  Calls calls = counted::calls_of([&] { REQUIRE_HIP(hipGraphLaunch(exec, stream)); });
  return calls;
}

uint64_t recorded_launches(const Calls &calls) {
  uint64_t count = 0;
  for (const auto &[name, made] : calls)
    if (name.starts_with("zeCommandListAppendLaunchKernel"))
      count += made;
  return count;
}

const Calls one_list{{"zeCommandListImmediateAppendCommandListsExp", 1}};

} // namespace

TEST_CASE("hip graph exec: a straight graph of any length is launched as one list", "[calls]") {
  const Streams streams(2);
  for (const int length : {2, 100}) {
    const Row row(length);
    const Executable exec(row.graph);
    REQUIRE_HIP(hipGraphUpload(exec, streams[0]));
    for (unsigned i = 0; i < 3; ++i)
      exec.run(streams[0]);
    CHECK(launch_calls(exec, streams[0]) == one_list);
    CHECK(launch_calls(exec, streams[0]) == one_list);
    // In another stream, it waits for the launch before.
    CHECK(launch_calls(exec, streams[1]).at("zeCommandListImmediateAppendCommandListsExp") == 1);
    REQUIRE_HIP(hipDeviceSynchronize());
  }
}

TEST_CASE(
    "hip graph exec: the end of a launch is signalled once, when something follows that is not "
    "the next launch",
    "[calls]") {
  const Streams streams(1);
  const Row row(2);
  const Executable exec(row.graph);
  const DeviceMemory memory(4);
  const auto signals_of_fill = [&] {
    const auto fill = [&] { REQUIRE_HIP(hipMemsetAsync(memory, 0, 4, streams[0])); };
    return counted::calls_of(fill)["zeCommandListAppendSignalEvent"];
  };
  for (unsigned i = 0; i < 3; ++i) { // events are made
    REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
    signals_of_fill();
  }
  for (unsigned i = 0; i < 2; ++i) {
    CHECK(launch_calls(exec, streams[0]) == one_list);
    CHECK(launch_calls(exec, streams[0]) == one_list);
    CHECK(signals_of_fill() == 1);
    CHECK(signals_of_fill() == 0);
  }
  exec.run(streams[0]);
  CHECK(signals_of_fill() == 0); // the host knows that the launch has completed
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip graph exec: a launch waits for the one before in another stream, and not for what "
          "follows that there",
          "[results]") {
  HostMemory<long long> memory(1);
  const Graph graph;
  add_digit(graph, memory.get(), 2, {add_digit(graph, memory.get(), 1)});
  const Executable exec(graph);
  const Streams streams(2, hipStreamNonBlocking);
  Gate first, second;
  REQUIRE_HIP(hipLaunchHostFunc(streams[0], Gate::pass, &first));
  REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
  REQUIRE_HIP(hipLaunchHostFunc(streams[0], Gate::pass, &second));
  REQUIRE_HIP(hipGraphLaunch(exec, streams[1]));
  CHECK(hipStreamQuery(streams[1]) == hipErrorNotReady);
  first.open();
  REQUIRE_HIP(hipStreamSynchronize(streams[1]));
  CHECK(memory[0] == 1212);
  second.open();
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip graph exec: an upload records, and a launch does so only after changes", "[calls]") {
  const Streams streams(1);
  const Row row(10);
  const Executable exec(row.graph);
  const Calls uploaded = counted::calls_of([&] { REQUIRE_HIP(hipGraphUpload(exec, streams[0])); });
  CHECK(uploaded.at("zeCommandListCreate") == 1);
  CHECK(uploaded.at("zeCommandListClose") == 1);
  CHECK(recorded_launches(uploaded) == 10);
  CHECK(counted::calls_of([&] { REQUIRE_HIP(hipGraphUpload(exec, streams[0])); }) == Calls());
  CHECK(recorded_launches(launch_calls(exec, streams[0])) == 0);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  const Digit changed(row.memory.get(), 7);
  const Calls update = counted::calls_of([&] {
    REQUIRE_HIP(hipGraphExecKernelNodeSetParams(exec, row.nodes[3], &changed.params));
    REQUIRE_HIP(hipGraphExecKernelNodeSetParams(exec, row.nodes[5], &changed.params));
  });
  CHECK(update == Calls());
  CHECK(recorded_launches(launch_calls(exec, streams[0])) == 10);
  CHECK(recorded_launches(launch_calls(exec, streams[0])) == 0);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  // What does not change costs nothing.
  hipGraphNode_t fault = nullptr;
  hipGraphExecUpdateResult result{};
  set_digit(exec, row.nodes[3], row.memory.get(), 3);
  set_digit(exec, row.nodes[5], row.memory.get(), 5);
  CHECK(recorded_launches(launch_calls(exec, streams[0])) == 10);
  REQUIRE_HIP(hipGraphExecUpdate(exec, row.graph, &fault, &result));
  REQUIRE_HIP(hipGraphNodeSetEnabled(exec, row.nodes[0], 1));
  CHECK(recorded_launches(launch_calls(exec, streams[0])) == 0);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
}

TEST_CASE("hip graph exec: a single node is submitted without a list of its own", "[calls]") {
  const Row row(1);
  const Executable exec(row.graph);
  for (unsigned i = 0; i < 3; ++i)
    exec.run();
  CHECK(launch_calls(exec, nullptr) ==
        Calls{{"zeCommandListAppendLaunchKernel", 1}, {"zeCommandListAppendSignalEvent", 1}});
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip graph exec: branches cost a list each, which carry the signals and the waits",
          "[calls]") {
  HostMemory<long long> memory(2);
  const Graph graph;
  const hipGraphNode_t root = add_digit(graph, &memory[0], 1);
  const hipGraphNode_t start = add_digit(graph, &memory[0], 2, {root});
  const hipGraphNode_t left = add_digit(graph, &memory[0], 3, {start});
  const hipGraphNode_t left_end = add_digit(graph, &memory[0], 4, {left, start});
  const hipGraphNode_t right = add_digit(graph, &memory[1], 3, {start, root});
  const hipGraphNode_t right_end = add_digit(graph, &memory[1], 4, {right, start, root});
  add_digit(graph, &memory[0], 5, {add_digit(graph, &memory[0], 5, {left_end, right_end, root})});
  const Executable exec(graph);
  const Streams streams(1);
  for (unsigned i = 0; i < 3; ++i)
    exec.run(streams[0]);
  const Gate gate;
  const Calls calls = launch_calls(exec, streams[0]);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  // The beginning, the two branches and the end.
  CHECK(calls == Calls{{"zeCommandListImmediateAppendCommandListsExp", 4}});
}

TEST_CASE("hip graph exec: a graph that was destroyed while it ran leaves nothing behind",
          "[calls]") {
  const Streams streams(1);
  const Row row(10);
  const auto destroyed_lists = [&] { return counted::all_calls()["zeCommandListDestroy"]; };
  const uint64_t before = destroyed_lists();
  {
    const Executable exec(row.graph);
    REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  }
  CHECK(destroyed_lists() == before + 1);
  if (is_simulated())
    return; // its work is done at once
  Gate gate;
  {
    const Executable exec(row.graph);
    REQUIRE_HIP(hipLaunchHostFunc(streams[0], Gate::pass, &gate));
    REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
  }
  CHECK(destroyed_lists() == before + 1);
  gate.open();
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  const Executable other(row.graph);
  CHECK(destroyed_lists() == before + 2);
}

TEST_CASE("hip graph exec: what was recorded before a change lives until its last launch has "
          "completed",
          "[results][calls]") {
  const Streams streams(1);
  const Row row(10);
  const Executable exec(row.graph);
  REQUIRE_HIP(hipGraphUpload(exec, streams[0]));
  const uint64_t before = counted::all_calls()["zeCommandListDestroy"];
  Gate gate;
  REQUIRE_HIP(hipLaunchHostFunc(streams[0], Gate::pass, &gate));
  for (int i = 0; i < 5; ++i) {
    REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
    set_digit(exec, row.nodes[3], row.memory.get(), i);
  }
  CHECK(counted::all_calls()["zeCommandListDestroy"] == before);
  gate.open();
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  const Executable other(row.graph);
  CHECK(counted::all_calls()["zeCommandListDestroy"] == before + 4);
}

TEST_CASE("hip graph exec: destroying many that are in use asks the driver once a queue, and ever "
          "more rarely",
          "[results][calls]") {
  constexpr int few = 10, many = 400;
  const Streams streams(1);
  const Row row(1);
  Gate gate;
  REQUIRE_HIP(hipLaunchHostFunc(streams[0], Gate::pass, &gate));
  const auto queries_of = [&](int count) {
    const Calls calls = counted::calls_of([&] {
      for (int i = 0; i < count; ++i) {
        const Executable exec(row.graph);
        REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
      }
    });
    const auto queries = calls.find("zeEventQueryStatus");
    return queries == calls.end() ? 0 : queries->second;
  };
  CHECK(queries_of(few) <= 4 * few);
  CHECK(queries_of(many) <= 200);
  gate.open();
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip graph exec: a node that changes again and again is left out of what is recorded",
          "[calls]") {
  const Streams streams(1);
  const Row row(100);
  const Executable exec(row.graph);
  const auto change_and_launch = [&](int node, int i) {
    return counted::calls_of([&] {
      set_digit(exec, row.nodes[size_t(node)], row.memory.get(), i % 10);
      REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
    });
  };
  REQUIRE_HIP(hipGraphUpload(exec, streams[0]));
  CHECK(recorded_launches(change_and_launch(50, 1)) == 100); // the first change may be the only one
  CHECK(recorded_launches(change_and_launch(50, 2)) == 100);
  for (int i = 3; i < 9; ++i) {
    const Calls calls = change_and_launch(50, i);
    CHECK(recorded_launches(calls) == 1);
    CHECK(calls.at("zeCommandListImmediateAppendCommandListsExp") == 2); // before and after it
    CHECK_FALSE(calls.contains("zeCommandListCreate"));
  }
  // Without changes it is recorded again, with the others.
  for (int i = 0; i < 62; ++i)
    REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
  CHECK(recorded_launches(launch_calls(exec, streams[0])) == 100);
  CHECK(launch_calls(exec, streams[0]) == one_list);
  // Where many change, all are recorded.
  const auto change_all = [&](int i) {
    for (int node = 1; node < 20; ++node)
      set_digit(exec, row.nodes[size_t(node)], row.memory.get(), i);
  };
  for (int i = 0; i < 3; ++i) {
    change_all(i);
    REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
  }
  CHECK(launch_calls(exec, streams[0]) == one_list);
  REQUIRE_HIP(hipDeviceSynchronize());
}
