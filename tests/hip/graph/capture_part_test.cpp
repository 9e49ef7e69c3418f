// Captures and the graphs that they fill: what a program is told of them, changes meanwhile, and destroys.
#include "captures.h"

#include <atomic>
#include <thread>

using namespace fixture;

namespace {

struct Info {
  explicit Info(hipStream_t stream) {
    REQUIRE_HIP(hipStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &dependencies, &count));
  }
  std::vector<hipGraphNode_t> nodes() const { return {dependencies, dependencies + count}; }

  hipStreamCaptureStatus status{};
  unsigned long long id = 0;
  hipGraph_t graph = nullptr;
  const hipGraphNode_t *dependencies = nullptr;
  size_t count = 77;
};

hipError_t update(hipStream_t stream, std::vector<hipGraphNode_t> nodes, unsigned flags) {
  return hipStreamUpdateCaptureDependencies(stream, nodes.data(), nodes.size(), flags);
}

} // namespace

TEST_CASE("hip capture: what streams are told of it") {
  const Streams streams(3);
  const Event event;
  StreamCapture capture(streams[0]), other(streams[2]);
  const Info before(streams[0]);
  CHECK(before.nodes().empty());
  REQUIRE_HIP(work(streams[0]));
  REQUIRE_HIP(work(streams[0]));
  connect(streams[0], streams[1], event);
  const Info info(streams[0]), forked(streams[1]), elsewhere(streams[2]);
  CHECK(info.status == hipStreamCaptureStatusActive);
  CHECK(info.id != 0);
  CHECK(info.id == before.id);
  CHECK(info.id == forked.id);
  CHECK(info.id != elsewhere.id);
  CHECK(info.nodes() == std::vector{nodes_of(info.graph).at(1)});
  CHECK(forked.nodes() == info.nodes());
  unsigned long long id = 0;
  hipStreamCaptureStatus status{};
  REQUIRE_HIP(hipStreamGetCaptureInfo(streams[1], &status, &id));
  CHECK(id == info.id);
  REQUIRE_HIP(hipStreamGetCaptureInfo(streams[1], &status, nullptr));
  REQUIRE_HIP(hipStreamGetCaptureInfo_v2(streams[1], &status, nullptr, nullptr, nullptr, nullptr));
  CHECK(hipStreamGetCaptureInfo(streams[1], nullptr, &id) == hipErrorInvalidValue);
  CHECK(hipStreamIsCapturing(streams[1], nullptr) == hipErrorInvalidValue);
  CHECK(capture.end() == info.graph);
  const Info after(streams[0]);
  CHECK(after.status == hipStreamCaptureStatusNone);
  CHECK(after.id == 0);
  CHECK(after.graph == nullptr);
  CHECK(after.count == 77);
}

TEST_CASE("hip capture: a program adds nodes, and changes what the next one waits for") {
  const Streams streams(2);
  const Event fork, join;
  StreamCapture capture(streams[0]);
  REQUIRE_HIP(work(streams[0])); // 0
  connect(streams[0], streams[1], fork);
  REQUIRE_HIP(work(streams[1])); // 1
  connect(streams[1], streams[0], join);
  const hipGraph_t graph = Info(streams[0]).graph;
  const hipGraphNode_t added = add_empty(graph, {nodes_of(graph)[0]}); // 2
  const Graph foreign;
  const hipGraphNode_t stranger = add_empty(foreign);
  const auto add = hipStreamAddCaptureDependencies, set = hipStreamSetCaptureDependencies;
  CHECK(update(streams[0], {added}, 2) == hipErrorInvalidValue);
  CHECK(update(streams[0], {stranger}, add) == hipErrorInvalidValue);
  CHECK(update(streams[0], {added, nullptr}, set) == hipErrorInvalidValue);
  CHECK(hipStreamUpdateCaptureDependencies(streams[0], nullptr, 1, add) == hipErrorInvalidValue);
  CHECK(update(nullptr, {added}, add) == hipErrorIllegalState);
  CHECK(Info(streams[0]).count == 2);
  SECTION("added") {
    REQUIRE_HIP(update(streams[0], {added, added}, add));
    CHECK(Info(streams[0]).count == 3);
    REQUIRE_HIP(update(streams[0], {}, add));
    REQUIRE_HIP(work(streams[0]));
    CHECK(edges_of(capture.end()) == Edges{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {2, 3}});
  }
  SECTION("in the place of the others, which nothing need wait for then") {
    REQUIRE_HIP(update(streams[0], {added}, set));
    CHECK(Info(streams[0]).nodes() == std::vector{added});
    REQUIRE_HIP(work(streams[0]));
    CHECK(edges_of(capture.end()) == Edges{{0, 1}, {0, 2}, {2, 3}});
  }
  SECTION("none") {
    REQUIRE_HIP(update(streams[0], {}, set));
    REQUIRE_HIP(work(streams[0]));
    CHECK(edges_of(capture.end()) == Edges{{0, 1}, {0, 2}});
  }
  CHECK(update(streams[0], {}, add) == hipErrorIllegalState);
}

TEST_CASE("hip capture: dependencies of an invalid one do not change") {
  const Streams streams(1);
  const StreamCapture capture(streams[0]);
  CHECK(hipStreamQuery(streams[0]) == hipErrorStreamCaptureUnsupported);
  CHECK(update(streams[0], {}, hipStreamAddCaptureDependencies) ==
        hipErrorStreamCaptureInvalidated);
}

TEST_CASE("hip capture: fills a graph that is there") {
  const Streams streams(2);
  const Event event;
  const Graph graph, foreign;
  const hipGraphNode_t first = add_empty(graph), second = add_empty(graph);
  const hipGraphNode_t before[] = {first, second}, strange[] = {first, add_empty(foreign)};
  const auto mode = hipStreamCaptureModeGlobal;
  const auto begin = [&](hipStream_t stream, hipGraph_t to, const hipGraphNode_t *nodes,
                         size_t count) {
    return hipStreamBeginCaptureToGraph(stream, to, nodes, nullptr, count, mode);
  };
  CHECK(begin(nullptr, graph, nullptr, 0) == hipErrorStreamCaptureUnsupported);
  CHECK(begin(streams[0], nullptr, nullptr, 0) == hipErrorInvalidValue);
  CHECK(begin(streams[0], graph, nullptr, 1) == hipErrorInvalidValue);
  CHECK(begin(streams[0], graph, strange, 2) == hipErrorInvalidValue);
  CHECK(hipStreamBeginCaptureToGraph(streams[0], graph, nullptr, nullptr, 0,
                                     hipStreamCaptureMode(7)) == hipErrorInvalidValue);
  CHECK_FALSE(is_active(streams[0]));
  hipGraph_t result = nullptr;
  REQUIRE_HIP(begin(streams[0], graph, before, 2));
  CHECK(begin(streams[0], graph, nullptr, 0) == hipErrorIllegalState);
  CHECK(Info(streams[0]).graph == graph);
  REQUIRE_HIP(work(streams[0])); // 3: 2 is added here
  connect(streams[0], streams[1], event);
  const hipGraphNode_t unused = add_empty(graph);
  CHECK(hipGraphDestroyNode(first) == hipErrorIllegalState);
  CHECK(hipGraphDestroyNode(unused) == hipErrorIllegalState);
  REQUIRE_HIP(hipStreamEndCapture(streams[0], &result));
  CHECK(result == graph);
  CHECK(edges_of(graph) == Edges{{0, 2}, {1, 2}});
  REQUIRE_HIP(hipGraphDestroyNode(unused));
  // One that fails leaves the program its graph.
  REQUIRE_HIP(begin(streams[0], graph, nullptr, 0));
  connect(streams[0], streams[1], event);
  REQUIRE_HIP(work(streams[1]));
  CHECK(hipStreamEndCapture(streams[0], &result) == hipErrorStreamCaptureUnjoined);
  CHECK(result == nullptr);
  CHECK(graph.size() == 4);
}

TEST_CASE("hip capture: a graph that is destroyed meanwhile makes it invalid") {
  const Streams streams(1);
  StreamCapture capture(streams[0]);
  const hipGraph_t graph = Info(streams[0]).graph;
  REQUIRE_HIP(hipGraphDestroy(graph));
  REQUIRE_HIP(hipLaunchHostFunc(streams[0], do_nothing, nullptr));
  CHECK(capture.try_to_end() == hipErrorStreamCaptureInvalidated);
  CHECK(capture.graph() == nullptr);
  size_t count = 0;
  CHECK(hipGraphGetNodes(graph, nullptr, &count) == hipErrorInvalidValue);
}

TEST_CASE("hip capture: one that fails leaves no graph") {
  const Streams streams(1);
  StreamCapture capture(streams[0]);
  const hipGraph_t graph = Info(streams[0]).graph;
  CHECK(hipStreamQuery(streams[0]) == hipErrorStreamCaptureUnsupported);
  CHECK(capture.try_to_end() == hipErrorStreamCaptureInvalidated);
  size_t count = 0;
  CHECK(hipGraphGetNodes(graph, nullptr, &count) == hipErrorInvalidValue);
}

TEST_CASE("hip capture: ends with the stream that it began in") {
  const Streams others(1);
  const Event event;
  hipStream_t origin = nullptr;
  REQUIRE_HIP(hipStreamCreate(&origin));
  REQUIRE_HIP(hipStreamBeginCapture(origin, hipStreamCaptureModeGlobal));
  connect(origin, others[0], event);
  const hipGraph_t graph = Info(origin).graph;
  REQUIRE_HIP(hipStreamDestroy(origin));
  hipGraph_t ended = nullptr;
  CHECK(hipStreamEndCapture(origin, &ended) == hipErrorContextIsDestroyed);
  CHECK_FALSE(is_active(others[0]));
  CHECK(hipEventQuery(event) == hipSuccess);
  size_t count = 0;
  CHECK(hipGraphGetNodes(graph, nullptr, &count) == hipErrorInvalidValue);
  REQUIRE_HIP(work(nullptr));
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip capture: what a stream did stays when the stream is destroyed") {
  const Streams streams(2);
  const Event fork, join, further;
  hipStream_t middle = nullptr;
  REQUIRE_HIP(hipStreamCreate(&middle));
  StreamCapture capture(streams[0]);
  REQUIRE_HIP(work(streams[0]));
  connect(streams[0], middle, fork);
  REQUIRE_HIP(work(middle));
  connect(middle, streams[1], further);
  SECTION("joined through another stream") {
    REQUIRE_HIP(hipStreamDestroy(middle));
    CHECK(is_active(streams[0]));
    CHECK(is_active(streams[1]));
    REQUIRE_HIP(work(streams[1]));
    connect(streams[1], streams[0], join);
    CHECK(edges_of(capture.end()) == Edges{{0, 1}, {1, 2}});
  }
  SECTION("not joined") {
    REQUIRE_HIP(hipStreamDestroy(middle));
    CHECK(capture.try_to_end() == hipErrorStreamCaptureUnjoined);
  }
  CHECK_FALSE(is_active(streams[1]));
}

TEST_CASE("hip capture: streams are used again, by one capture after the other and in several at "
          "once") {
  const Streams streams(3);
  const Event first, second, again;
  StreamCapture one(streams[0]), other(streams[1], hipStreamCaptureModeRelaxed);
  REQUIRE_HIP(work(streams[0]));
  REQUIRE_HIP(hipEventRecord(second, streams[1]));
  connect(streams[0], streams[2], first);
  REQUIRE_HIP(work(streams[2]));
  connect(streams[2], streams[0], again);
  CHECK(edges_of(one.end()) == Edges{{0, 1}});
  REQUIRE_HIP(hipStreamWaitEvent(streams[2], second, 0)); // which joins the other one now
  REQUIRE_HIP(work(streams[2]));
  connect(streams[2], streams[1], again);
  CHECK(nodes_of(other.end()).size() == 1);
}

TEST_CASE("hip capture: streams join it from several threads at once") {
  const hipFunction_t nothing = function("nothing"); // assertions are for one thread
  constexpr size_t count = 8;
  const Streams streams(count + 1);
  const Event fork;
  const std::vector<Event> joins(count);
  for (unsigned turn = 0; turn < 20; ++turn) {
    StreamCapture capture(streams[count], hipStreamCaptureModeRelaxed);
    REQUIRE_HIP(work(streams[count]));
    REQUIRE_HIP(hipEventRecord(fork, streams[count]));
    std::atomic<unsigned> failures{0};
    std::vector<std::thread> threads;
    for (size_t i = 0; i < count; ++i)
      threads.emplace_back([&, i] {
        failures += hipStreamWaitEvent(streams[i], fork, 0) != hipSuccess;
        for (unsigned n = 0; n < 10; ++n)
          failures += launch(nothing, streams[i], 1) != hipSuccess;
        failures += hipEventRecord(joins[i], streams[i]) != hipSuccess;
      });
    for (std::thread &thread : threads)
      thread.join();
    REQUIRE(failures == 0);
    for (const Event &join : joins)
      REQUIRE_HIP(hipStreamWaitEvent(streams[count], join, 0));
    CHECK(edges_of(capture.end()).size() == 10 * count);
  }
}

TEST_CASE("hip capture: a program looks at the graph and adds to it while other threads capture") {
  const hipFunction_t nothing = function("nothing"); // assertions are for one thread
  constexpr size_t count = 2;
  const Streams streams(count + 1);
  const Event fork;
  const std::vector<Event> joins(count);
  std::vector<hipGraphNode_t> nodes(2000), others(2000);
  for (unsigned turn = 0; turn < 20; ++turn) {
    StreamCapture capture(streams[count], hipStreamCaptureModeRelaxed);
    REQUIRE_HIP(work(streams[count]));
    REQUIRE_HIP(hipEventRecord(fork, streams[count]));
    const hipGraph_t graph = Info(streams[count]).graph;
    const hipGraphNode_t root = nodes_of(graph)[0];
    std::atomic<unsigned> failures{0};
    std::atomic<size_t> running{count};
    std::vector<std::thread> threads;
    for (size_t i = 0; i < count; ++i)
      threads.emplace_back([&, i] {
        failures += hipStreamWaitEvent(streams[i], fork, 0) != hipSuccess;
        for (unsigned n = 0; n < 200; ++n)
          failures += launch(nothing, streams[i], 1) != hipSuccess;
        failures += hipEventRecord(joins[i], streams[i]) != hipSuccess;
        --running;
      });
    size_t added = 0;
    const auto look = [&](const auto &call) {
      size_t found = nodes.size();
      failures += call(&found) != hipSuccess;
    };
    while (running != 0) {
      look([&](size_t *n) { return hipGraphGetNodes(graph, nodes.data(), n); });
      look([&](size_t *n) { return hipGraphGetRootNodes(graph, nodes.data(), n); });
      look([&](size_t *n) { return hipGraphGetEdges(graph, nodes.data(), others.data(), n); });
      look([&](size_t *n) { return hipGraphNodeGetDependentNodes(root, nodes.data(), n); });
      look([&](size_t *n) { return hipGraphNodeGetDependencies(root, nodes.data(), n); });
      hipGraph_t clone = nullptr;
      failures += hipGraphClone(&clone, graph) != hipSuccess;
      failures += hipGraphDestroy(clone) != hipSuccess;
      if (added < 100) {
        add_empty(graph, {root});
        ++added;
      }
    }
    for (std::thread &thread : threads)
      thread.join();
    REQUIRE(failures == 0);
    for (const Event &join : joins)
      REQUIRE_HIP(hipStreamWaitEvent(streams[count], join, 0));
    CHECK(edges_of(capture.end()).size() == 200 * count + added);
  }
}
