// Captures of streams: what they become as graphs, how streams join and leave them, and what breaks them.
#include "captures.h"

#include <functional>
#include <thread>
#include <tuple>

using namespace fixture;

namespace {

/// What a call returns in another thread.
template <class Call> hipError_t elsewhere(const Call &call) {
  hipError_t result{};
  std::thread([&] { result = call(); }).join();
  return result;
}

} // namespace

TEST_CASE("hip capture: begins in streams that are not captured, and in no null stream") {
  const Streams streams(2);
  const auto global = hipStreamCaptureModeGlobal;
  CHECK(hipStreamBeginCapture(nullptr, global) == hipErrorStreamCaptureUnsupported);
  CHECK(hipStreamBeginCapture(hipStreamLegacy, global) == hipErrorStreamCaptureUnsupported);
  for (const int mode : {-1, 3})
    CHECK(hipStreamBeginCapture(streams[0], hipStreamCaptureMode(mode)) == hipErrorInvalidValue);
  CHECK_FALSE(is_active(streams[0]));
  {
    const StreamCapture capture(streams[0]);
    CHECK(hipStreamBeginCapture(streams[0], global) == hipErrorIllegalState);
    CHECK(is_active(streams[0]));
    CHECK_FALSE(is_active(streams[1]));
  }
  CHECK_FALSE(is_active(streams[0]));
  hipStream_t gone = nullptr;
  REQUIRE_HIP(hipStreamCreate(&gone));
  REQUIRE_HIP(hipStreamDestroy(gone));
  CHECK(hipStreamBeginCapture(gone, global) == hipErrorContextIsDestroyed);
  for (const hipStream_t own : {hipStreamPerThread, static_cast<hipStream_t>(nullptr)}) {
    hipGraph_t graph = nullptr;
    REQUIRE_HIP(hipStreamBeginCapture_spt(own, hipStreamCaptureModeGlobal));
    CHECK(is_active(hipStreamPerThread));
    REQUIRE_HIP(work(hipStreamPerThread));
    REQUIRE_HIP(hipStreamEndCapture_spt(own, &graph));
    CHECK(nodes_of(graph).size() == 1);
    REQUIRE_HIP(hipGraphDestroy(graph));
  }
}

TEST_CASE("hip capture: ends where it began, in its thread unless it is relaxed") {
  const Streams streams(2);
  const Event event;
  hipGraph_t graph = nullptr;
  CHECK(hipStreamEndCapture(nullptr, &graph) == hipErrorIllegalState);
  CHECK(hipStreamEndCapture(streams[0], &graph) == hipErrorIllegalState);
  for (const auto mode :
       {hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed}) {
    INFO(mode);
    StreamCapture capture(streams[0], mode);
    connect(streams[0], streams[1], event);
    CHECK(hipStreamEndCapture(streams[0], nullptr) == hipErrorInvalidValue);
    CHECK(hipStreamEndCapture(streams[1], &graph) == hipErrorStreamCaptureUnmatched);
    CHECK(is_active(streams[1]));
    if (mode == hipStreamCaptureModeRelaxed) {
      CHECK(elsewhere([&] { return capture.try_to_end(); }) == hipSuccess);
    } else {
      CHECK(elsewhere([&] { return hipStreamEndCapture(streams[0], &graph); }) ==
            hipErrorStreamCaptureWrongThread);
      CHECK(is_active(streams[0]));
      CHECK(capture.try_to_end() == hipSuccess);
    }
    CHECK_FALSE(is_active(streams[1]));
  }
  CHECK(graph == nullptr);
}

TEST_CASE("hip capture: what is asked of a stream becomes a chain, and does not run") {
  const Streams streams(1);
  const DeviceMemory memory(256);
  const HostMemory<int> host(64, 7);
  StreamCapture capture(streams[0]);
  REQUIRE_HIP(hipMemcpyAsync(memory, host.get(), 256, hipMemcpyHostToDevice, streams[0]));
  REQUIRE_HIP(work(streams[0]));
  REQUIRE_HIP(hipMemsetAsync(memory, 1, 256, streams[0]));
  REQUIRE_HIP(hipLaunchHostFunc(streams[0], do_nothing, nullptr));
  REQUIRE_HIP(hipMemcpyAsync(host.get(), memory, 256, hipMemcpyDeviceToHost, streams[0]));
  const hipGraph_t graph = capture.end();
  CHECK(edges_of(graph) == Edges{{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  const auto nodes = nodes_of(graph);
  const hipGraphNodeType types[] = {hipGraphNodeTypeMemcpy, hipGraphNodeTypeKernel,
                                    hipGraphNodeTypeMemset, hipGraphNodeTypeHost,
                                    hipGraphNodeTypeMemcpy};
  for (size_t i = 0; i < nodes.size(); ++i)
    CHECK(type_of(nodes[i]) == types[i]);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(host[0] == 7);
}

TEST_CASE("hip capture: streams fork and join by events") {
  const Streams streams(3);
  const Event fork, again, join;
  StreamCapture capture(streams[0]);
  REQUIRE_HIP(work(streams[0])); // 0
  connect(streams[0], streams[1], fork);
  connect(streams[1], streams[2], again);
  for (const hipStream_t stream : streams)
    REQUIRE_HIP(work(stream)); // 1, 2, 3
  REQUIRE_HIP(hipEventRecord(fork, streams[1]));
  REQUIRE_HIP(work(streams[1])); // 4, which the event does not stand for
  REQUIRE_HIP(hipStreamWaitEvent(streams[2], fork, 0));
  REQUIRE_HIP(work(streams[2])); // 5
  connect(streams[1], streams[0], again);
  connect(streams[2], streams[0], join);
  REQUIRE_HIP(work(streams[0])); // 6
  CHECK(edges_of(capture.end()) ==
        Edges{{0, 1}, {0, 2}, {0, 3}, {2, 4}, {3, 5}, {2, 5}, {1, 6}, {4, 6}, {5, 6}});
  for (const hipStream_t stream : streams)
    CHECK_FALSE(is_active(stream));
}

TEST_CASE("hip capture: a stream's wait for its own event adds an edge only where work lies "
          "between") {
  const Streams streams(1);
  const Event event;
  StreamCapture capture(streams[0]);
  REQUIRE_HIP(work(streams[0]));
  connect(streams[0], streams[0], event);
  REQUIRE_HIP(work(streams[0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], event, 0));
  REQUIRE_HIP(work(streams[0]));
  CHECK(edges_of(capture.end()) == Edges{{0, 1}, {1, 2}, {0, 2}});
}

TEST_CASE("hip capture: streams that have not come back break it if they did anything") {
  const Streams streams(2);
  const Event event;
  SECTION("nothing was done") {
    StreamCapture capture(streams[0]);
    REQUIRE_HIP(work(streams[0]));
    connect(streams[0], streams[1], event);
    CHECK(nodes_of(capture.end()).size() == 1);
  }
  SECTION("never joined") {
    StreamCapture capture(streams[0]);
    connect(streams[0], streams[1], event);
    REQUIRE_HIP(work(streams[1]));
    CHECK(capture.try_to_end() == hipErrorStreamCaptureUnjoined);
    CHECK(capture.graph() == nullptr);
  }
  SECTION("joined, and then went on") {
    StreamCapture capture(streams[0]);
    connect(streams[0], streams[1], event);
    REQUIRE_HIP(work(streams[1]));
    connect(streams[1], streams[0], event);
    REQUIRE_HIP(work(streams[1]));
    CHECK(capture.try_to_end() == hipErrorStreamCaptureUnjoined);
  }
  for (const hipStream_t stream : streams) {
    CHECK_FALSE(is_active(stream));
    CHECK(work(stream) == hipSuccess);
  }
}

TEST_CASE("hip capture: a wait for work outside of it breaks it, and one for no work does not") {
  const Streams streams(1);
  const Event recorded, never;
  REQUIRE_HIP(hipEventRecord(recorded, nullptr));
  StreamCapture capture(streams[0]);
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], never, 0));
  CHECK(is_active(streams[0]));
  CHECK(hipStreamWaitEvent(streams[0], recorded, 0) == hipErrorStreamCaptureIsolation);
  CHECK(is_invalid(streams[0]));
  CHECK(work(streams[0]) == hipErrorStreamCaptureInvalidated);
  CHECK(hipStreamWaitEvent(streams[0], never, 0) == hipErrorStreamCaptureInvalidated);
  CHECK(hipStreamWaitEvent(streams[0], recorded, 0) == hipErrorStreamCaptureInvalidated);
  CHECK(hipEventRecord(recorded, streams[0]) == hipErrorStreamCaptureInvalidated);
  CHECK(hipStreamBeginCapture(streams[0], hipStreamCaptureModeGlobal) == hipErrorIllegalState);
  CHECK(capture.try_to_end() == hipErrorStreamCaptureInvalidated);
  CHECK(capture.graph() == nullptr);
}

TEST_CASE("hip capture: a wait for an event of another capture breaks both") {
  const Streams streams(3);
  const Event first, second;
  StreamCapture one(streams[0]), other(streams[1]);
  connect(streams[0], streams[2], first);
  REQUIRE_HIP(work(streams[2]));
  REQUIRE_HIP(hipEventRecord(second, streams[1]));
  CHECK(hipStreamWaitEvent(streams[2], second, 0) == hipErrorStreamCaptureMerge);
  for (const hipStream_t stream : streams)
    CHECK(is_invalid(stream));
  CHECK(one.try_to_end() == hipErrorStreamCaptureInvalidated);
  CHECK(other.try_to_end() == hipErrorStreamCaptureInvalidated);
}

TEST_CASE("hip capture: the host cannot ask for an event that is recorded in it") {
  const Streams streams(2);
  const Event event(hipEventDefault), before(hipEventDefault);
  REQUIRE_HIP(hipEventRecord(before, nullptr));
  float ms = 0;
  {
    StreamCapture capture(streams[0]);
    REQUIRE_HIP(hipEventRecord(event, streams[0]));
    CHECK(hipEventElapsedTime(&ms, before, event) == hipErrorCapturedEvent);
    CHECK(hipEventElapsedTime(&ms, event, before) == hipErrorCapturedEvent);
    CHECK(is_active(streams[0]));
    CHECK(hipEventQuery(event) == hipErrorCapturedEvent);
    CHECK(is_invalid(streams[0]));
  }
  CHECK(hipEventQuery(event) == hipSuccess); // it counts as never recorded
  CHECK(hipEventElapsedTime(&ms, before, event) == hipErrorInvalidHandle);
  {
    const StreamCapture capture(streams[0]);
    REQUIRE_HIP(hipEventRecord(event, streams[0]));
    CHECK(hipEventSynchronize(event) == hipErrorCapturedEvent);
    CHECK(is_invalid(streams[0]));
  }
  const StreamCapture capture(streams[0]);
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipEventRecord(event, streams[1])); // outside of it
  CHECK(hipEventElapsedTime(&ms, before, event) != hipErrorCapturedEvent);
  CHECK(hipEventQuery(event) != hipErrorCapturedEvent);
  CHECK(is_active(streams[0]));
}

TEST_CASE("hip capture: what a forked stream may not do breaks its own part") {
  const Streams streams(2);
  const Event fork, own;
  StreamCapture capture(streams[0], hipStreamCaptureModeRelaxed);
  connect(streams[0], streams[1], fork);
  SECTION("with work that is not joined") {
    REQUIRE_HIP(work(streams[1]));
    REQUIRE_HIP(hipEventRecord(own, streams[1]));
    CHECK(hipEventQuery(own) == hipErrorCapturedEvent);
    CHECK(hipStreamWaitEvent(streams[1], own, 0) == hipErrorStreamCaptureInvalidated);
    CHECK(hipStreamWaitEvent(streams[0], own, 0) == hipErrorStreamCaptureInvalidated);
    CHECK(is_invalid(streams[1]));
    CHECK(is_active(streams[0]));
    CHECK(capture.try_to_end() == hipErrorStreamCaptureUnjoined);
  }
  SECTION("without work") {
    CHECK(hipStreamQuery(streams[1]) == hipErrorStreamCaptureUnsupported);
    CHECK(capture.try_to_end() == hipErrorStreamCaptureInvalidated);
  }
}

TEST_CASE("hip capture: its mode and that of a thread say which calls are not allowed") {
  const auto global = hipStreamCaptureModeGlobal, local = hipStreamCaptureModeThreadLocal,
             relaxed = hipStreamCaptureModeRelaxed;
  const auto allocate = [] {
    void *memory = nullptr;
    const hipError_t result = hipMalloc(&memory, 16);
    return result == hipSuccess ? hipFree(memory) : result;
  };
  for (const auto &[mode, thread, here, there] :
       {std::tuple(global, global, false, false), std::tuple(global, local, false, true),
        std::tuple(global, relaxed, true, true), std::tuple(local, global, false, true),
        std::tuple(local, local, false, true), std::tuple(local, relaxed, true, true),
        std::tuple(relaxed, global, true, true), std::tuple(relaxed, local, true, true)}) {
    INFO("capture " << mode << ", thread " << thread);
    const auto allocate_in_mode = [&, wanted = thread] {
      hipStreamCaptureMode exchanged = wanted;
      REQUIRE_HIP(hipThreadExchangeStreamCaptureMode(&exchanged));
      CHECK(exchanged == global);
      const hipError_t result = allocate();
      REQUIRE_HIP(hipThreadExchangeStreamCaptureMode(&exchanged));
      CHECK(exchanged == wanted);
      return result;
    };
    const auto check = [&](hipError_t result, bool is_allowed, hipStream_t stream) {
      CHECK(result == (is_allowed ? hipSuccess : hipErrorStreamCaptureUnsupported));
      CHECK(status_of(stream) ==
            (is_allowed ? hipStreamCaptureStatusActive : hipStreamCaptureStatusInvalidated));
    };
    const Streams streams(2);
    {
      const StreamCapture capture(streams[0], mode);
      check(allocate_in_mode(), here, streams[0]);
    }
    {
      const StreamCapture capture(streams[0], mode);
      check(elsewhere(allocate_in_mode), there, streams[0]);
    }
    if (thread == global) { // a stream that is not captured can be waited for by the same rule
      const StreamCapture capture(streams[0], mode);
      check(hipStreamSynchronize(streams[1]), here, streams[0]);
    }
  }
  CHECK(hipThreadExchangeStreamCaptureMode(nullptr) == hipErrorInvalidValue);
  for (const int mode : {-1, 3}) {
    auto wrong = hipStreamCaptureMode(mode);
    CHECK(hipThreadExchangeStreamCaptureMode(&wrong) == hipErrorInvalidValue);
  }
}

TEST_CASE("hip capture: the null stream cannot be used while a stream is captured that is ordered "
          "with it") {
  const DeviceMemory memory(64);
  const HostMemory<char> host(64);
  const Event event, joined;
  hipStreamCaptureStatus status{};
  unsigned long long id = 0;
  const std::function<hipError_t()> calls[] = {
      [] { return work(nullptr); },
      [&] { return hipMemcpyAsync(memory, host.get(), 64, hipMemcpyDefault, hipStreamLegacy); },
      [&] { return hipMemsetAsync(memory, 0, 64, nullptr); },
      [] { return hipLaunchHostFunc(nullptr, do_nothing, nullptr); },
      [&] { return hipEventRecord(event, nullptr); },
      [&] { return hipStreamWaitEvent(nullptr, event, 0); },
      [] { return hipStreamQuery(nullptr); },
      [] { return hipStreamSynchronize(nullptr); },
      [&] { return hipStreamWriteValue32(nullptr, memory, 1, 0); },
      [&] {
        void *address = nullptr;
        return hipMallocAsync(&address, 64, nullptr);
      },
  };
  const Streams blocking(1), free(1, hipStreamNonBlocking);
  for (const auto &call : calls) {
    INFO(&call - calls);
    StreamCapture capture(blocking[0], hipStreamCaptureModeRelaxed);
    CHECK(hipStreamIsCapturing(nullptr, &status) == hipErrorStreamCaptureImplicit);
    CHECK(hipStreamGetCaptureInfo(hipStreamLegacy, &status, &id) == hipErrorStreamCaptureImplicit);
    CHECK(is_active(blocking[0]));
    CHECK(call() == hipErrorStreamCaptureImplicit);
    CHECK(is_invalid(blocking[0]));
    CHECK(capture.try_to_end() == hipErrorStreamCaptureInvalidated);
  }
  REQUIRE_HIP(hipStreamIsCapturing(nullptr, &status));
  REQUIRE_HIP(work(nullptr));
  const StreamCapture capture(free[0], hipStreamCaptureModeRelaxed);
  REQUIRE_HIP(hipStreamIsCapturing(nullptr, &status));
  CHECK(status == hipStreamCaptureStatusNone);
  REQUIRE_HIP(work(nullptr));
  REQUIRE_HIP(hipStreamSynchronize(nullptr));
  REQUIRE_HIP(hipEventRecord(joined, free[0]));
  {
    // A stream that joins counts as well.
    REQUIRE_HIP(hipStreamWaitEvent(blocking[0], joined, 0));
    CHECK(hipStreamIsCapturing(nullptr, &status) == hipErrorStreamCaptureImplicit);
  }
}

TEST_CASE("hip capture: the null stream cannot take part in one") {
  const Streams streams(1, hipStreamNonBlocking);
  const Event event;
  const StreamCapture capture(streams[0], hipStreamCaptureModeRelaxed);
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  CHECK(hipStreamWaitEvent(nullptr, event, 0) == hipErrorStreamCaptureImplicit);
  CHECK(is_invalid(streams[0]));
}
