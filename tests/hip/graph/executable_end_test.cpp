// What ends with the launches of executable graphs: references to user objects, and what a launch still used.
#include "executable.h"

#include <hip/hip_ext.h>

#include <functional>
#include <utility>

using namespace fixture;

namespace {

using Ends = std::atomic<int>;

/// A reference of the graph, and no other, to an object that counts its ends.
void add_object(hipGraph_t graph, Ends &ends) {
  hipUserObject_t object = nullptr;
  const auto count = [](void *counter) { ++*static_cast<Ends *>(counter); };
  REQUIRE_HIP(hipUserObjectCreate(&object, &ends, count, 1, hipUserObjectNoDestructorSync));
  REQUIRE_HIP(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
}

hipError_t until_complete(const std::function<hipError_t()> &query) {
  hipError_t result;
  while ((result = query()) == hipErrorNotReady)
    std::this_thread::yield();
  return result;
}

} // namespace

TEST_CASE(
    "hip graph exec end: the objects of a graph that was destroyed while it ran end with each "
    "kind of wait",
    "[results]") {
  const Streams streams(1);
  const Event event;
  const DeviceMemory memory(4);
  const std::vector<std::function<hipError_t()>> waits = {
      [&] { return hipStreamSynchronize(streams[0]); },
      [&] { return hipEventSynchronize(event); },
      [&] { return hipDeviceSynchronize(); },
      [&] { return until_complete([&] { return hipStreamQuery(streams[0]); }); },
      [&] { return until_complete([&] { return hipEventQuery(event); }); },
      [&] { return hipStreamSynchronize(nullptr); },
      [&] { return hipMemset(memory, 0, 4); }};
  for (const auto &wait : waits) {
    INFO(&wait - waits.data());
    Ends ends{0};
    Gate gate;
    {
      const Graph graph;
      add_host(graph, Gate::pass, &gate);
      add_object(graph, ends);
      {
        const Graph child;
        add_object(child, ends);
        add_child(graph, child);
      }
      const Executable exec(graph);
      REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
      REQUIRE_HIP(hipEventRecord(event, streams[0]));
    }
    CHECK(ends == 0);
    gate.open();
    REQUIRE_HIP(wait());
    CHECK(ends == 2);
  }
}

TEST_CASE("hip graph exec end: a wait for a stream frees no memory, which would be a wait for all",
          "[results]") {
  const Streams streams(2);
  Ends ends{0};
  Gate gate, other_gate;
  REQUIRE_HIP(hipLaunchHostFunc(streams[1], Gate::pass, &other_gate));
  {
    const Graph graph;
    hipMemAllocNodeParams params = allocation_of(64);
    hipGraphNode_t allocation = nullptr, free = nullptr;
    REQUIRE_HIP(hipGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &params));
    REQUIRE_HIP(hipGraphAddMemFreeNode(&free, graph, &allocation, 1, params.dptr));
    add_host(graph, Gate::pass, &gate, {free});
    add_object(graph, ends);
    const Executable exec(graph);
    REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
  }
  CHECK(ends == 0);
  gate.open();
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(ends == 1);
  CHECK(hipStreamQuery(streams[1]) == hipErrorNotReady);
  other_gate.open();
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip graph exec end: an update takes the objects of the other graph, and lets go of its "
          "own after the last launch",
          "[results]") {
  const Streams streams(1);
  Ends ends[2] = {}, child_ends[2] = {}, later_ends{0};
  Gate gate;
  {
    auto first = std::make_unique<Graph>(), second = std::make_unique<Graph>();
    hipGraphNode_t node = nullptr;
    for (const auto &[graph, i] : {std::pair(first.get(), 0), std::pair(second.get(), 1)}) {
      const Graph child;
      add_object(child, child_ends[i]);
      const hipGraphNode_t host = add_host(*graph, Gate::pass, &gate);
      const hipGraphNode_t child_node = add_child(*graph, child, {host});
      add_object(*graph, ends[i]);
      if (i == 0)
        node = child_node;
    }
    const Executable exec(*first);
    REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
    hipGraphNode_t at_fault = nullptr;
    hipGraphExecUpdateResult result{};
    REQUIRE_HIP(hipGraphExecUpdate(exec, *second, &at_fault, &result));
    second.reset();
    {
      const Graph later;
      add_object(later, later_ends);
      REQUIRE_HIP(hipGraphExecChildGraphNodeSetParams(exec, node, later));
    }
    first.reset();
    CHECK(ends[0] == 0);
    CHECK(child_ends[0] == 0);
    gate.open();
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
    CHECK(ends[0] == 1);
    CHECK(child_ends[0] == 1);
    CHECK(ends[1] == 0);
    CHECK(child_ends[1] == 1);
    CHECK(later_ends == 0);
    exec.run(streams[0]);
    CHECK(ends[1] == 0);
    CHECK(later_ends == 0);
  }
  CHECK(ends[1] == 1);
  CHECK(later_ends == 1);
}

TEST_CASE("hip graph exec: each launch records the events around a kernel that was captured",
          "[results]") {
  const Streams streams(2);
  HostMemory<long long> memory(1);
  const Event start(hipEventDefault), stop(hipEventDefault);
  const Digit digit(memory.get(), 7);
  hipGraph_t graph = nullptr;
  REQUIRE_HIP(hipStreamBeginCapture(streams[0], hipStreamCaptureModeGlobal));
  REQUIRE_HIP(hipExtModuleLaunchKernel(function("append_digit"), 1, 1, 1, 1, 1, 1, 0, streams[0],
                                       digit.params.kernelParams, nullptr, start, stop, 0));
  REQUIRE_HIP(hipStreamEndCapture(streams[0], &graph));
  {
    const Executable exec(graph);
    float milliseconds = -1;
    CHECK(hipEventElapsedTime(&milliseconds, start, stop) == hipErrorInvalidHandle);
    Gate gate;
    REQUIRE_HIP(hipLaunchHostFunc(streams[0], Gate::pass, &gate));
    REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
    CHECK(hipEventQuery(start) == hipErrorNotReady);
    CHECK(hipEventQuery(stop) == hipErrorNotReady);
    gate.open();
    REQUIRE_HIP(hipEventSynchronize(stop));
    CHECK(*memory.get() == 7);
    REQUIRE_HIP(hipEventElapsedTime(&milliseconds, start, stop));
    CHECK(milliseconds >= 0);
  }
  REQUIRE_HIP(hipGraphDestroy(graph));
}
