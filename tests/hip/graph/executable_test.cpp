// Graphs that run: what is refused, the order of nodes and launches, and how long things live.
#include "counted.h"
#include "executable.h"

#include <chrono>
#include <cstring>
#include <random>
#include <string>
#include <thread>

using namespace fixture;

namespace {

/// Says when it began and ended, in a count that all share.
struct Clocked {
  std::atomic<unsigned> *clock = nullptr;
  unsigned begin = 0, end = 0;
  static void run(void *data) {
    auto &self = *static_cast<Clocked *>(data);
    self.begin = ++*self.clock;
    self.end = ++*self.clock;
  }
};

/// Waits until as many as `all` are inside at the same time.
struct Meeting {
  unsigned all;
  std::atomic<unsigned> arrived{0};
  static void come(void *data) {
    auto &self = *static_cast<Meeting *>(data);
    ++self.arrived;
    while (self.arrived < self.all)
      std::this_thread::yield();
  }
};

struct Alone {
  std::atomic<unsigned> inside{0}, most{0}, runs{0};
  static void come(void *data) {
    auto &self = *static_cast<Alone *>(data);
    const unsigned now = ++self.inside;
    if (now > self.most)
      self.most = now;
    // Time for another launch to come, if it may.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++self.runs;
    --self.inside;
  }
};

hipGraphNode_t add_allocation(hipGraph_t graph, size_t bytes, void **address) {
  hipMemAllocNodeParams params = allocation_of(bytes);
  hipGraphNode_t node = nullptr;
  REQUIRE_HIP(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  *address = params.dptr;
  return node;
}

hipGraphNode_t add_free(hipGraph_t graph, void *address, const Nodes &dependencies) {
  hipGraphNode_t node = nullptr;
  REQUIRE_HIP(
      hipGraphAddMemFreeNode(&node, graph, dependencies.data(), dependencies.size(), address));
  return node;
}

} // namespace

TEST_CASE("hip graph exec: a graph with a cycle is refused, with a node of the cycle and a text") {
  const Graph graph, child;
  const hipGraphNode_t before = add_empty(graph);
  hipGraphNode_t first = nullptr, second = nullptr;
  SECTION("in the graph") {
    first = add_empty(graph, {before});
    second = add_empty(graph, {first});
    REQUIRE_HIP(hipGraphAddDependencies(graph, &second, &first, 1));
    add_empty(graph, {second});
  }
  SECTION("in a graph in it") {
    const hipGraphNode_t node = add_child(graph, child, {before});
    hipGraph_t inner = nullptr;
    REQUIRE_HIP(hipGraphChildGraphNodeGetGraph(node, &inner));
    first = add_empty(inner);
    second = add_empty(inner, {first});
    REQUIRE_HIP(hipGraphAddDependencies(inner, &second, &first, 1));
  }
  hipGraphExec_t exec = nullptr;
  hipGraphNode_t fault = nullptr;
  char log[9] = "xxxxxxxx";
  CHECK(hipGraphInstantiate(&exec, graph, &fault, log, sizeof log) == hipErrorInvalidValue);
  CHECK((fault == first || fault == second));
  CHECK(std::string(log) == "`graph`,");
  CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipGraphInstantiateWithFlags(&exec, graph, 0) == hipErrorInvalidValue);
  hipGraphInstantiateParams params{};
  CHECK(hipGraphInstantiateWithParams(&exec, graph, &params) == hipErrorInvalidValue);
  CHECK(params.result_out == hipGraphInstantiateInvalidStructure);
  CHECK(params.errNode_out == fault);
  CHECK(exec == nullptr);
}

TEST_CASE("hip graph exec: arguments that are not valid are refused") {
  const Graph graph;
  hipGraphExec_t exec = nullptr;
  hipGraphInstantiateParams params{};
  CHECK(hipGraphInstantiate(nullptr, graph, nullptr, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipGraphInstantiate(&exec, nullptr, nullptr, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipGraphInstantiateWithFlags(nullptr, graph, 0) == hipErrorInvalidValue);
  CHECK(hipGraphInstantiateWithFlags(&exec, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipGraphInstantiateWithFlags(&exec, graph, 16) == hipErrorInvalidValue);
  CHECK(hipGraphInstantiateWithFlags(&exec, graph, hipGraphInstantiateFlagUpload) ==
        hipErrorInvalidValue);
  CHECK(hipGraphInstantiateWithFlags(&exec, graph, hipGraphInstantiateFlagDeviceLaunch) ==
        hipErrorNotSupported);
  CHECK(hipGraphInstantiateWithParams(nullptr, graph, &params) == hipErrorInvalidValue);
  CHECK(hipGraphInstantiateWithParams(&exec, nullptr, &params) == hipErrorInvalidValue);
  CHECK(hipGraphInstantiateWithParams(&exec, graph, nullptr) == hipErrorInvalidValue);
  params.flags = 16;
  CHECK(hipGraphInstantiateWithParams(&exec, graph, &params) == hipErrorInvalidValue);
  CHECK(params.result_out == hipGraphInstantiateError);
  params.flags = hipGraphInstantiateFlagDeviceLaunch;
  CHECK(hipGraphInstantiateWithParams(&exec, graph, &params) == hipErrorNotSupported);
  CHECK(params.result_out == hipGraphInstantiateNodeOperationNotSupported);
  CHECK(exec == nullptr);

  const Streams streams(1);
  params.flags = hipGraphInstantiateFlagUpload | hipGraphInstantiateFlagUseNodePriority;
  params.uploadStream = streams[0];
  REQUIRE_HIP(hipGraphInstantiateWithParams(&exec, graph, &params));
  CHECK(params.result_out == hipGraphInstantiateSuccess);
  unsigned long long flags = 0;
  REQUIRE_HIP(hipGraphExecGetFlags(exec, &flags));
  CHECK(flags == params.flags);
  CHECK(hipGraphExecGetFlags(exec, nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipGraphUpload(exec, streams[0]));
  REQUIRE_HIP(hipGraphExecDestroy(exec));
  CHECK(hipGraphExecDestroy(exec) == hipErrorInvalidValue);
  CHECK(hipGraphExecDestroy(nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphLaunch(exec, streams[0]) == hipErrorInvalidValue);
  CHECK(hipGraphLaunch(nullptr, streams[0]) == hipErrorInvalidValue);
  CHECK(hipGraphUpload(exec, streams[0]) == hipErrorInvalidValue);
  CHECK(hipGraphExecGetFlags(exec, &flags) == hipErrorInvalidValue);
}

TEST_CASE("hip graph exec: nodes run after those that they wait for, in each launch", "[results]") {
  std::mt19937 random(7);
  for (unsigned turn = 0; turn < 20; ++turn) {
    const size_t count = 5 + random() % 40;
    std::vector<Clocked> work(count);
    std::atomic<unsigned> clock{0};
    std::vector<std::pair<size_t, size_t>> edges;
    // A part of the nodes is in a graph in the graph, which comes after all before it and before all behind it.
    const size_t first_inner = random() % count, inner_count = random() % (count - first_inner);
    const Graph graph, child;
    Nodes nodes(count);
    hipGraphNode_t child_node = nullptr;
    for (size_t i = 0; i < count; ++i) {
      work[i].clock = &clock;
      const bool is_inner = i >= first_inner && i < first_inner + inner_count;
      Nodes dependencies;
      for (size_t from = is_inner ? first_inner : 0; from < i; ++from)
        if (random() % count < 3 &&
            (is_inner || from < first_inner || from >= first_inner + inner_count)) {
          dependencies.push_back(nodes[from]);
          edges.emplace_back(from, i);
        }
      if (i >= first_inner + inner_count && child_node && random() % 3 == 0) {
        dependencies.push_back(child_node);
        for (size_t from = first_inner; from < first_inner + inner_count; ++from)
          edges.emplace_back(from, i);
      }
      if (random() % 4 == 0 && !is_inner)
        dependencies = {add_empty(graph, dependencies)};
      nodes[i] = add_host(is_inner ? child : graph, Clocked::run, &work[i], dependencies);
      if (inner_count != 0 && i + 1 == first_inner + inner_count) {
        const Nodes all(nodes.begin(), nodes.begin() + ptrdiff_t(first_inner));
        child_node = add_child(graph, child, all);
        for (size_t from = 0; from < first_inner; ++from)
          for (size_t to = first_inner; to <= i; ++to)
            edges.emplace_back(from, to);
      }
    }
    const Executable exec(graph);
    const Streams streams(2);
    unsigned before = 0;
    for (unsigned launch = 0; launch < 4; ++launch) {
      exec.run(streams[launch % 2]);
      CHECK(clock == before + 2 * count);
      for (const auto &[from, to] : edges)
        REQUIRE(work[from].end < work[to].begin);
      for (const Clocked &each : work)
        REQUIRE(each.begin > before);
      before = clock;
    }
  }
}

TEST_CASE("hip graph exec: branches that do not depend on each other run at the same time",
          "[results]") {
  Meeting first{3}, second{2};
  const Graph graph, child;
  const hipGraphNode_t root = add_empty(graph);
  add_host(child, Meeting::come, &second);
  const hipGraphNode_t branches[] = {add_host(graph, Meeting::come, &first, {root}),
                                     add_host(graph, Meeting::come, &first, {root}),
                                     add_host(graph, Meeting::come, &first)};
  const hipGraphNode_t join = add_empty(graph, {branches[0], branches[1], branches[2]});
  add_child(graph, child, {join});
  add_host(graph, Meeting::come, &second, {join});
  const Executable exec(graph);
  for (unsigned turn = 0; turn < 3; ++turn) {
    first.arrived = second.arrived = 0;
    exec.run();
    CHECK(first.arrived == 3);
    CHECK(second.arrived == 2);
  }
}

TEST_CASE("hip graph exec: more branches than there are queues for", "[results]") {
  HostMemory<long long> memory(100);
  const Graph graph;
  Nodes all;
  for (int i = 0; i < 100; ++i)
    all.push_back(
        add_digit(graph, &memory[size_t(i)], 5, {add_digit(graph, &memory[size_t(i)], 3)}));
  add_digit(graph, &memory[0], 7, all);
  const Executable exec(graph);
  exec.run();
  CHECK(memory[0] == 357);
  for (size_t i = 1; i < 100; ++i)
    CHECK(memory[i] == 35);
}

TEST_CASE("hip graph exec: a launch has its place in its stream", "[results]") {
  HostMemory<long long> memory(1);
  const Graph straight, wide;
  add_digit(straight, memory.get(), 2, {add_digit(straight, memory.get(), 1)});
  // The kernels are in other queues than the stream's for sure: the first branch takes that.
  const hipGraphNode_t root = add_empty(wide);
  HostMemory<long long> other(3);
  const Nodes sides = {add_digit(wide, &other[0], 1, {root}),
                       add_digit(wide, &other[1], 1, {root})};
  const hipGraphNode_t first = add_digit(wide, memory.get(), 1);
  add_digit(wide, memory.get(), 2, {first});
  const Streams streams(1);
  const Streams free_streams(1, hipStreamNonBlocking);
  for (const hipStream_t stream : {hipStream_t(nullptr), streams[0], free_streams[0]})
    for (const hipGraph_t graph : {hipGraph_t(straight), hipGraph_t(wide)}) {
      INFO((stream ? "stream" : "null stream") << (graph == wide ? ", branches" : ", in line"));
      const Executable exec(graph);
      Gate gate;
      *memory.get() = 0;
      REQUIRE_HIP(hipLaunchHostFunc(stream, Gate::pass, &gate));
      REQUIRE_HIP(launch(function("append_digit"), stream, 1, memory.get(), 8));
      REQUIRE_HIP(hipGraphLaunch(exec, stream));
      REQUIRE_HIP(launch(function("append_digit"), stream, 1, memory.get(), 9));
      REQUIRE_HIP(hipGraphLaunch(exec, stream));
      gate.open();
      REQUIRE_HIP(hipStreamSynchronize(stream));
      CHECK(*memory.get() == 812912);
    }
}

TEST_CASE("hip graph exec: branches in the null stream come after blocking streams, which come "
          "after them",
          "[results]") {
  HostMemory<long long> memory(2);
  const Graph graph;
  const hipGraphNode_t root = add_empty(graph);
  const Nodes both = {add_digit(graph, &memory[0], 2, {root}),
                      add_digit(graph, &memory[1], 2, {root})};
  const Executable exec(graph);
  const Streams streams(2);
  for (unsigned turn = 0; turn < 10; ++turn) {
    memory[0] = memory[1] = 0;
    Gate gate;
    REQUIRE_HIP(hipLaunchHostFunc(streams[0], Gate::pass, &gate));
    for (int i = 0; i < 2; ++i)
      REQUIRE_HIP(launch(function("append_digit"), streams[0], 1, &memory[size_t(i)], 1));
    REQUIRE_HIP(hipGraphLaunch(exec, nullptr));
    for (int i = 0; i < 2; ++i)
      REQUIRE_HIP(launch(function("append_digit"), streams[1], 1, &memory[size_t(i)], 3));
    gate.open();
    REQUIRE_HIP(hipDeviceSynchronize());
    CHECK(memory[0] == 123);
    CHECK(memory[1] == 123);
  }
}

TEST_CASE("hip graph exec: launches run one after the other, in whatever streams", "[results]") {
  Alone alone;
  const Graph graph;
  add_host(graph, Alone::come, &alone, {add_host(graph, Alone::come, &alone)});
  const Executable exec(graph);
  const Streams streams(3, hipStreamNonBlocking);
  for (unsigned i = 0; i < 30; ++i)
    REQUIRE_HIP(hipGraphLaunch(exec, streams[i % 3]));
  REQUIRE_HIP(hipDeviceSynchronize());
  CHECK(alone.most == 1);
  CHECK(alone.runs == 60);
}

TEST_CASE(
    "hip graph exec: an event that was recorded behind a launch stays there when others follow",
    "[results]") {
  HostMemory<long long> memory(1);
  const Graph graph;
  add_digit(graph, memory.get(), 2, {add_digit(graph, memory.get(), 1)});
  const Executable exec(graph);
  const Streams streams(1);
  const Event event;
  Gate gate;
  REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipLaunchHostFunc(streams[0], Gate::pass, &gate));
  REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
  gate.await_arrival();
  CHECK(hipEventQuery(event) == hipSuccess);
  gate.open();
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(memory[0] == 1212);
}

TEST_CASE("hip graph exec: after a launch that fails half-way, its stream goes on behind what was "
          "submitted",
          "[results][calls]") {
  HostMemory<long long> memory(2);
  HostMemory<unsigned char> bytes(8);
  const Streams streams(1);
  for (unsigned turn = 0; turn < 10; ++turn) {
    memory[0] = memory[1] = 0;
    Gate gate;
    const Graph graph;
    add_fill(graph, bytes.get(), 8, turn + 1);
    add_digit(graph, &memory[0], 1, {add_host(graph, Gate::pass, &gate)});
    add_digit(graph, &memory[1], 3); // alone, so that it is not recorded
    const Executable exec(graph);
    REQUIRE_HIP(hipGraphUpload(exec, streams[0])); // which records
    {
      constexpr uint32_t out_of_host_memory = 0x70000002;
      const counted::Failing failing("zeCommandListAppendLaunchKernel", out_of_host_memory);
      const counted::Failing too("zeCommandListAppendLaunchKernelWithArguments",
                                 out_of_host_memory);
      CHECK(hipGraphLaunch(exec, streams[0]) == hipErrorOutOfMemory);
    }
    REQUIRE_HIP(launch(function("append_digit"), streams[0], 1, &memory[0], 9));
    gate.open();
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
    CHECK(bytes[0] == turn + 1);
    CHECK(memory[0] == 19);
    CHECK(memory[1] == 0);
    exec.run(streams[0]);
    CHECK(memory[0] == 191);
    CHECK(memory[1] == 3);
  }
}

TEST_CASE("hip graph exec: what a launch uses lives until it has completed", "[results]") {
  HostMemory<unsigned char> result(64);
  Gate gate;
  const Streams streams(1);
  {
    const Graph graph;
    void *memory = nullptr;
    const hipGraphNode_t allocation = add_allocation(graph, 64, &memory);
    const hipGraphNode_t stop = add_host(graph, Gate::pass, &gate, {allocation});
    const hipGraphNode_t filled = add_fill(graph, memory, 64, 0x5a, {stop});
    const hipGraphNode_t copied = add_copy(graph, result.get(), memory, 64, {filled});
    const hipGraphNode_t beside =
        add_fill(graph, static_cast<char *>(memory) + 32, 32, 0x5b, {filled});
    REQUIRE_HIP(hipGraphAddDependencies(graph, &beside, &copied, 1));
    add_free(graph, memory, {copied});
    const Executable exec(graph);
    REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
    gate.await_arrival();
  }
  // Others come and go meanwhile.
  const Graph other;
  add_empty(other);
  for (unsigned i = 0; i < 100; ++i)
    const Executable exec(other);
  gate.open();
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(result[0] == 0x5a);
  CHECK(result[63] == 0x5b);
}

TEST_CASE("hip graph exec: memory that a launch leaves allocated is freed before the next",
          "[results]") {
  HostMemory<unsigned char> result(64);
  const Graph graph, freeing;
  void *memory = nullptr;
  const hipGraphNode_t allocation = add_allocation(graph, 64, &memory);
  const hipGraphNode_t filled = add_fill(graph, memory, 64, 0x77, {allocation});
  const uint64_t bytes_before = memory_attribute(hipGraphMemAttrUsedMemCurrent);
  const auto used = [&] { return memory_attribute(hipGraphMemAttrUsedMemCurrent) - bytes_before; };
  SECTION("by nobody: the next is refused") {
    const Executable exec(graph);
    CHECK(used() == 0);
    exec.run();
    CHECK(used() == 64);
    CHECK(hipGraphLaunch(exec, nullptr) == hipErrorInvalidValue);
    REQUIRE_HIP(hipMemcpy(result.get(), memory, 64, hipMemcpyDefault));
    CHECK(result[63] == 0x77);
    SECTION("by the program") {
      REQUIRE_HIP(hipFree(memory));
      CHECK(hipFree(memory) == hipErrorInvalidValue);
    }
    SECTION("by the program, in a stream") {
      REQUIRE_HIP(hipFreeAsync(memory, nullptr));
      CHECK(hipFreeAsync(memory, nullptr) == hipErrorInvalidValue);
    }
    SECTION("by another graph") {
      add_free(freeing, memory, {});
      Executable(freeing).run();
    }
    CHECK(used() == 0);
    exec.run();
    CHECK(used() == 64);
    REQUIRE_HIP(hipFree(memory));
  }
  SECTION("by the launch itself, if it is to") {
    const Executable exec(graph, hipGraphInstantiateFlagAutoFreeOnLaunch);
    exec.run();
    exec.run();
    CHECK(used() == 64);
    REQUIRE_HIP(hipFree(memory));
  }
  SECTION("by the graph") {
    add_free(graph, memory, {filled});
    const Executable exec(graph);
    exec.run();
    CHECK(used() == 0);
    exec.run();
    CHECK(memory_attribute(hipGraphMemAttrUsedMemHigh) >= 64);
  }
  CHECK(used() == 0);
}

TEST_CASE("hip graph exec: memory that was not freed outlives the graphs", "[results]") {
  HostMemory<unsigned char> result(64);
  void *memory = nullptr;
  {
    const Graph graph;
    const hipGraphNode_t allocation = add_allocation(graph, 64, &memory);
    add_fill(graph, memory, 64, 0x77, {allocation});
    Executable(graph).run();
  }
  REQUIRE_HIP(hipMemcpy(result.get(), memory, 64, hipMemcpyDefault));
  CHECK(result[63] == 0x77);
  REQUIRE_HIP(hipFree(memory));
  CHECK(hipFree(memory) == hipErrorInvalidValue);
}

TEST_CASE("hip graph exec: a graph that allocates memory has one executable graph at a time") {
  const Graph graph, holder, child;
  void *memory = nullptr;
  add_allocation(graph, 64, &memory);
  hipGraphExec_t second = nullptr;
  {
    const Executable exec(graph);
    CHECK(hipGraphInstantiate(&second, graph, nullptr, nullptr, 0) == hipErrorNotSupported);
  }
  REQUIRE_HIP(hipGraphInstantiate(&second, graph, nullptr, nullptr, 0));
  REQUIRE_HIP(hipGraphExecDestroy(second));
  // In a graph in a graph, it cannot be.
  const hipGraphNode_t node = add_child(holder, child);
  hipGraph_t inner = nullptr;
  REQUIRE_HIP(hipGraphChildGraphNodeGetGraph(node, &inner));
  add_allocation(inner, 64, &memory);
  hipGraphInstantiateParams params{};
  CHECK(hipGraphInstantiateWithParams(&second, holder, &params) == hipErrorNotSupported);
  CHECK(params.result_out == hipGraphInstantiateNodeOperationNotSupported);
  CHECK(params.errNode_out == node);
}

TEST_CASE("hip graph exec: changes of a graph do not affect what was made of it", "[results]") {
  HostMemory<long long> memory(1);
  hipGraph_t graph = nullptr;
  REQUIRE_HIP(hipGraphCreate(&graph, 0));
  const hipGraphNode_t node = add_digit(graph, memory.get(), 1);
  const Executable exec(graph);
  const Digit two(memory.get(), 2);
  REQUIRE_HIP(hipGraphKernelNodeSetParams(node, &two.params));
  add_digit(graph, memory.get(), 3, {node});
  exec.run();
  CHECK(*memory.get() == 1);
  const Executable changed(graph);
  REQUIRE_HIP(hipGraphDestroy(graph));
  changed.run();
  CHECK(*memory.get() == 123);
}

TEST_CASE("hip graph exec: nodes of events record them and wait for them", "[results]") {
  const Streams streams(2, hipStreamNonBlocking);
  HostMemory<long long> memory(1);
  const Event before, after;
  const Graph graph;
  hipGraphNode_t wait = nullptr, record = nullptr;
  REQUIRE_HIP(hipGraphAddEventWaitNode(&wait, graph, nullptr, 0, before));
  const hipGraphNode_t digit = add_digit(graph, memory.get(), 2, {wait});
  REQUIRE_HIP(hipGraphAddEventRecordNode(&record, graph, &digit, 1, after));
  const Executable exec(graph);
  Gate gate;
  REQUIRE_HIP(hipLaunchHostFunc(streams[0], Gate::pass, &gate));
  REQUIRE_HIP(launch(function("append_digit"), streams[0], 1, memory.get(), 1));
  REQUIRE_HIP(hipEventRecord(before, streams[0]));
  REQUIRE_HIP(hipGraphLaunch(exec, streams[1]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], after, 0));
  REQUIRE_HIP(launch(function("append_digit"), streams[0], 1, memory.get(), 3));
  CHECK(hipEventQuery(after) == hipErrorNotReady);
  gate.open();
  REQUIRE_HIP(hipEventSynchronize(after));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(*memory.get() == 123);
}

TEST_CASE("hip graph exec: a launch in a stream that is captured becomes a node, with the graph as "
          "it is then",
          "[results]") {
  HostMemory<long long> memory(1);
  const Graph graph, child;
  const hipGraphNode_t first = add_digit(child, memory.get(), 1);
  add_digit(child, memory.get(), 2, {first});
  add_digit(graph, memory.get(), 3, {add_child(graph, child)});
  const Executable exec(graph);
  const Streams streams(1);
  hipGraph_t captured = nullptr;
  hipGraphNode_t nodes[2] = {};
  size_t count = 2;
  hipGraph_t own_child = nullptr;
  hipGraphNode_t own[2] = {};
  REQUIRE_HIP(hipGraphGetRootNodes(graph, own, &count));
  REQUIRE_HIP(hipGraphChildGraphNodeGetGraph(own[0], &own_child));
  count = 2;
  REQUIRE_HIP(hipGraphGetNodes(own_child, own, &count));
  REQUIRE_HIP(hipGraphNodeSetEnabled(exec, own[0], 0));
  REQUIRE_HIP(hipStreamBeginCapture(streams[0], hipStreamCaptureModeGlobal));
  REQUIRE_HIP(hipGraphLaunch(exec, streams[0]));
  REQUIRE_HIP(launch(function("append_digit"), streams[0], 1, memory.get(), 4));
  REQUIRE_HIP(hipStreamEndCapture(streams[0], &captured));
  CHECK(*memory.get() == 0);
  REQUIRE_HIP(hipGraphNodeSetEnabled(exec, own[0], 1));
  count = 2;
  REQUIRE_HIP(hipGraphGetNodes(captured, nodes, &count));
  CHECK(count == 2);
  CHECK(type_of(nodes[0]) == hipGraphNodeTypeGraph);
  CHECK(type_of(nodes[1]) == hipGraphNodeTypeKernel);
  Executable(captured).run(streams[0]);
  CHECK(*memory.get() == 234);
  exec.run(streams[0]);
  CHECK(*memory.get() == 234123);
  REQUIRE_HIP(hipGraphDestroy(captured));
}

TEST_CASE("hip graph exec: threads launch, change and destroy executable graphs", "[results]") {
  HostMemory<long long> memory(4);
  const Graph graph;
  const hipGraphNode_t node = add_digit(graph, &memory[0], 1);
  const hipGraphNode_t root = add_empty(graph);
  for (size_t i = 1; i < 4; ++i)
    add_digit(graph, &memory[i], 0, {root});
  hipGraphExec_t exec = nullptr;
  REQUIRE_HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  // Made here, since assertions are for one thread.
  const Digit others[] = {{&memory[0], 0}, {&memory[0], 1}, {&memory[0], 2}, {&memory[0], 3}};
  std::atomic<unsigned> launched{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      hipStream_t stream = nullptr;
      (void)hipStreamCreate(&stream);
      for (unsigned i = 0; i < 50; ++i) {
        launched += hipGraphLaunch(exec, stream) == hipSuccess;
        (void)hipGraphExecKernelNodeSetParams(exec, node, &others[t].params);
        if (t == 0 && i == 40)
          (void)hipGraphExecDestroy(exec);
      }
      (void)hipStreamSynchronize(stream);
      (void)hipStreamDestroy(stream);
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(launched >= 41);
  REQUIRE_HIP(hipDeviceSynchronize());
}
