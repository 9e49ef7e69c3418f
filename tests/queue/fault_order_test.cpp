// What launches, events and host functions do when a driver call below them fails (faults.h), and that no order is lost by it.
#include "faults.h"

#include <catch2/catch_test_macros.hpp>

#include <numeric>
#include <utility>

using namespace faults;

namespace {

struct Block {
  int words[1020];
  explicit Block(int seed) { std::iota(std::begin(words), std::end(words), seed); }
};

/// Three blocking streams whose work, setting one cell each, stands behind a closed stream.
void dirty_streams(World &w, hipEvent_t &gate) {
  DEMAND_HIP(hipEventCreateWithFlags(&gate, hipEventDisableTiming));
  w.close(w.other[0]);
  DEMAND_HIP(hipEventRecord(gate, w.other[0]));
  for (int i = 0; i < 3; ++i) {
    DEMAND_HIP(hipStreamWaitEvent(w.blocking[i], gate, 0));
    DEMAND_HIP(w.add(w.blocking[i], i));
  }
}

/// The operation, on the null stream, then counts the cells that the dirty streams have set.
void inject_after_dirty_streams(hipError_t (*operation)(World &, hipEvent_t)) {
  inject([=](Attempt &attempt) {
    World w(attempt);
    DEMAND_HIP(w.count(nullptr, 3, 10));
    DEMAND_HIP(hipDeviceSynchronize());
    hipEvent_t gate = nullptr, event = nullptr;
    dirty_streams(w, gate);
    DEMAND_HIP(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    attempt.run([&] { return operation(w, event); });
    if (!attempt.lost()) {
      DEMAND_HIP(w.count(nullptr, 3, 11));
      w.open_and_finish();
      DEMAND(w.cells[11] == 3);
    }
    w.open();
    DEMAND_HIP(hipEventDestroy(gate));
    DEMAND_HIP(hipEventDestroy(event));
  });
}

/// The operation on a stream that waits for an event; then counts what was before the event.
void inject_after_wait(hipError_t (*operation)(World &, hipEvent_t)) {
  inject([=](Attempt &attempt) {
    World w(attempt);
    hipEvent_t gate = nullptr, event = nullptr;
    DEMAND_HIP(hipEventCreateWithFlags(&gate, hipEventDisableTiming));
    DEMAND_HIP(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    DEMAND_HIP(w.count(w.other[1], 1, 10));
    DEMAND_HIP(hipDeviceSynchronize());
    w.close(w.other[0]);
    DEMAND_HIP(w.add(w.other[0], 0));
    DEMAND_HIP(hipEventRecord(gate, w.other[0]));
    DEMAND_HIP(hipStreamWaitEvent(w.other[1], gate, 0));
    attempt.run([&] { return operation(w, event); });
    if (!attempt.lost()) {
      DEMAND_HIP(w.count(w.other[1], 1, 11));
      w.open_and_finish();
      DEMAND(w.cells[11] == 1);
    }
    w.open();
    DEMAND_HIP(hipEventDestroy(gate));
    DEMAND_HIP(hipEventDestroy(event));
  });
}

} // namespace

TEST_CASE("faults: a kernel's first launch may fail at any driver call") {
  for (int stream : {0, 1, 2})
    inject([=](Attempt &attempt) {
      World w(attempt);
      w.function("add");
      hipStream_t target = stream == 0 ? nullptr : stream == 1 ? w.blocking[0] : w.other[0];
      attempt.run([&] { return w.add(target, 0); });
      if (attempt.lost())
        return;
      DEMAND_HIP(hipStreamSynchronize(target));
      DEMAND(w.cells[0] == 1);
    });
}

TEST_CASE("faults: launches after the first may fail at any driver call") {
  enum class Change { none, arguments, memory_freed };
  for (Change change : {Change::none, Change::arguments, Change::memory_freed})
    inject([=](Attempt &attempt) {
      World w(attempt);
      void *other = nullptr;
      DEMAND_HIP(hipMalloc(&other, 64));
      DEMAND_HIP(w.add(w.blocking[0], 0));
      if (change == Change::memory_freed)
        DEMAND_HIP(hipFree(other));
      attempt.run([&] { return w.add(w.blocking[0], change == Change::arguments, 4); });
      // What the kernel's handle has been given meanwhile does not come through in a later launch.
      if (!attempt.lost()) {
        DEMAND_HIP(w.add(w.blocking[0], 0));
        DEMAND_HIP(w.add(w.blocking[0], 2, 3));
        DEMAND_HIP(hipStreamSynchronize(w.blocking[0]));
        DEMAND(w.cells[0] == (change == Change::arguments ? 2 : 6));
        DEMAND(w.cells[1] == (change == Change::arguments ? 4 : 0));
        DEMAND(w.cells[2] == 3);
      }
      if (change != Change::memory_freed)
        expect(attempt.lost() ? hipErrorLaunchFailure : hipSuccess, hipFree(other), __FILE__,
               __LINE__, "hipFree");
    });
}

TEST_CASE("faults: launches with spilled arguments may fail at any driver call") {
  for (int before : {0, 1, 80}) // 80 blocks are more than one chunk of the arena
    for (bool equal : {false, true})
      inject([=](Attempt &attempt) {
        World w(attempt);
        w.function("block_4080");
        for (int i = 0; i < before; ++i)
          DEMAND_HIP(w.launch("block_4080", w.blocking[0], Block(i), w.cells, i));
        int seed = equal && before ? before - 1 : 1000;
        attempt.run(
            [&] { return w.launch("block_4080", w.blocking[0], Block(seed), w.cells, seed); });
        if (attempt.lost())
          return;
        for (int i = 0; i < 80; ++i)
          DEMAND_HIP(w.launch("block_4080", w.blocking[0], Block(i), w.cells, i));
        DEMAND_HIP(hipStreamSynchronize(w.blocking[0]));
        DEMAND(w.cells[0] == 0);
      });
}

TEST_CASE("faults: launches with dynamic shared memory may fail at any driver call") {
  inject([](Attempt &attempt) {
    World w(attempt);
    hipFunction_t reverse = w.function("reverse");
    std::iota(w.cells, w.cells + 16, 0);
    void *arguments[] = {&w.cells};
    attempt.run([&] {
      return hipModuleLaunchKernel(reverse, 1, 1, 1, 16, 1, 1, 64, w.blocking[0], arguments,
                                   nullptr);
    });
    if (attempt.lost())
      return;
    DEMAND_HIP(hipStreamSynchronize(w.blocking[0]));
    for (int i = 0; i < 16; ++i)
      DEMAND(w.cells[i] == 15 - i);
  });
}

TEST_CASE("faults: the null stream after streams with new work may fail at any driver call") {
  inject_after_dirty_streams([](World &w, hipEvent_t) { return w.count(nullptr, 3, 10); });
  inject_after_dirty_streams([](World &w, hipEvent_t) {
    return hipMemcpyAsync(w.device, w.pinned, 8, hipMemcpyDefault, nullptr);
  });
  inject_after_dirty_streams(
      [](World &, hipEvent_t event) { return hipEventRecord(event, nullptr); });
}

TEST_CASE(
    "faults: a blocking stream after new work of the null stream may fail at any driver call") {
  inject([](Attempt &attempt) {
    World w(attempt);
    hipEvent_t gate = nullptr;
    DEMAND_HIP(w.count(w.blocking[0], 1, 10));
    DEMAND_HIP(hipDeviceSynchronize());
    DEMAND_HIP(hipEventCreateWithFlags(&gate, hipEventDisableTiming));
    w.close(w.other[0]);
    DEMAND_HIP(hipEventRecord(gate, w.other[0]));
    DEMAND_HIP(hipStreamWaitEvent(nullptr, gate, 0));
    DEMAND_HIP(w.add(nullptr, 0));
    attempt.run([&] { return w.count(w.blocking[0], 1, 11); });
    if (!attempt.lost()) {
      DEMAND_HIP(w.count(w.blocking[1], 1, 12));
      w.open_and_finish();
      DEMAND(w.cells[11] == 1);
      DEMAND(w.cells[12] == 1);
    }
    w.open();
    DEMAND_HIP(hipEventDestroy(gate));
  });
}

TEST_CASE("faults: a stream after a wait for an event may fail at any driver call") {
  inject_after_wait([](World &w, hipEvent_t) { return w.count(w.other[1], 1, 10); });
  inject_after_wait(
      [](World &w, hipEvent_t) { return hipMemsetAsync(w.device, 0, 64, w.other[1]); });
  inject_after_wait([](World &w, hipEvent_t event) { return hipEventRecord(event, w.other[1]); });
  inject_after_wait([](World &w, hipEvent_t) {
    hipError_t result = hipStreamQuery(w.other[1]);
    return result == hipErrorNotReady ? hipSuccess : result;
  });
  inject_after_wait(
      [](World &w, hipEvent_t) { return hipLaunchHostFunc(w.other[1], [](void *) {}, nullptr); });
}

TEST_CASE("faults: waiting for a stream whose last command is a wait for an event may fail at any "
          "driver call") {
  for (auto wait : {+[](World &w) { return hipStreamSynchronize(w.blocking[0]); },
                    +[](World &) { return hipStreamSynchronize(nullptr); },
                    +[](World &) { return hipDeviceSynchronize(); },
                    +[](World &w) { return w.count(nullptr, 1, 10); }})
    inject([=](Attempt &attempt) {
      World w(attempt);
      w.function("count_nonzero");
      hipEvent_t event = nullptr;
      DEMAND_HIP(hipEventCreateWithFlags(&event, hipEventDisableTiming));
      DEMAND_HIP(w.launch("slow_append_digit", w.other[0], reinterpret_cast<long long *>(w.cells),
                          1, 2'000'000));
      DEMAND_HIP(hipEventRecord(event, w.other[0]));
      DEMAND_HIP(hipStreamWaitEvent(w.blocking[0], event, 0));
      attempt.run([&] { return wait(w); });
      if (!attempt.lost()) {
        DEMAND_HIP(hipStreamSynchronize(nullptr));
        DEMAND(w.cells[0] == 1);
      }
      DEMAND_HIP(hipEventDestroy(event));
    });
}

TEST_CASE("faults: destroying a stream whose last command is a wait for an event may fail at any "
          "driver call") {
  inject([](Attempt &attempt) {
    World w(attempt);
    hipEvent_t gate = nullptr;
    hipStream_t stream = nullptr;
    w.function("count_nonzero");
    DEMAND_HIP(hipEventCreateWithFlags(&gate, hipEventDisableTiming));
    DEMAND_HIP(hipStreamCreate(&stream));
    w.close(w.other[0]);
    DEMAND_HIP(w.add(w.other[0], 0));
    DEMAND_HIP(hipEventRecord(gate, w.other[0]));
    DEMAND_HIP(hipStreamWaitEvent(stream, gate, 0));
    // As one operation, since what is left of a destroyed stream shows in later calls only.
    bool destroyed = false;
    attempt.run([&] {
      if (!std::exchange(destroyed, true))
        if (hipError_t result = hipStreamDestroy(stream); result != hipSuccess)
          return result;
      return w.count(nullptr, 1, 11);
    });
    if (!attempt.lost()) {
      w.open_and_finish();
      DEMAND(w.cells[11] == 1);
      // And its list serves again.
      DEMAND_HIP(hipStreamCreate(&stream));
      DEMAND_HIP(w.add(stream, 20));
      DEMAND_HIP(hipStreamSynchronize(stream));
      DEMAND(w.cells[20] == 1);
      DEMAND_HIP(hipStreamDestroy(stream));
    }
    w.open();
    DEMAND_HIP(hipEventDestroy(gate));
  });
}

TEST_CASE("faults: events may fail at any driver call") {
  for (unsigned flags : {hipEventDefault, hipEventDisableTiming})
    for (int before : {0, 1}) { // at first use, and once a marker exists
      auto prepare = [=](World &w, hipEvent_t &event) {
        DEMAND_HIP(hipEventCreateWithFlags(&event, flags));
        if (before) {
          DEMAND_HIP(w.add(w.blocking[1], 1));
          DEMAND_HIP(hipEventRecord(event, w.blocking[1]));
        }
        DEMAND_HIP(w.add(w.blocking[0], 0));
      };
      inject([=](Attempt &attempt) {
        World w(attempt);
        hipEvent_t event = nullptr;
        prepare(w, event);
        attempt.run([&] { return hipEventRecord(event, w.blocking[0]); });
        if (!attempt.lost()) {
          DEMAND_HIP(hipEventSynchronize(event));
          DEMAND(w.cells[0] == 1);
          DEMAND_HIP(hipEventQuery(event));
        }
        DEMAND_HIP(hipEventDestroy(event));
      });
      for (auto wait :
           {+[](hipEvent_t event, World &) { return hipEventSynchronize(event); },
            +[](hipEvent_t event, World &) {
              hipError_t result = hipEventQuery(event);
              return result == hipErrorNotReady ? hipSuccess : result;
            },
            +[](hipEvent_t event, World &w) { return hipStreamWaitEvent(w.other[1], event, 0); },
            +[](hipEvent_t event, World &) { return hipEventDestroy(event); }})
        inject([=](Attempt &attempt) {
          World w(attempt);
          hipEvent_t event = nullptr;
          prepare(w, event);
          DEMAND_HIP(hipEventRecord(event, w.blocking[0]));
          attempt.run([&] { return wait(event, w); });
          if (!attempt.lost()) {
            DEMAND_HIP(hipDeviceSynchronize());
            DEMAND(w.cells[0] == 1);
          }
          (void)hipEventDestroy(event);
          (void)hipGetLastError();
        });
    }
}

TEST_CASE("faults: the time between two events may fail at any driver call") {
  enum State { none_happened, one_happened, both_happened };
  for (const State state : {none_happened, one_happened, both_happened}) {
    CAPTURE(state);
    inject([state](Attempt &attempt) {
      World w(attempt);
      hipEvent_t start = nullptr, stop = nullptr;
      DEMAND_HIP(hipEventCreate(&start));
      DEMAND_HIP(hipEventCreate(&stop));
      const auto finish_if = [&](bool wanted) {
        if (wanted)
          DEMAND_HIP(hipStreamSynchronize(w.blocking[0]));
      };
      const auto close_if = [&](bool wanted) {
        if (wanted)
          w.close(w.blocking[0]);
      };
      close_if(state == none_happened);
      DEMAND_HIP(hipEventRecord(start, w.blocking[0]));
      finish_if(state == one_happened);
      close_if(state == one_happened);
      DEMAND_HIP(hipEventRecord(stop, w.blocking[0]));
      finish_if(state == both_happened);
      float ms = -1;
      attempt.run([&] {
        const hipError_t result = hipEventElapsedTime(&ms, start, stop);
        return result == hipErrorNotReady ? hipSuccess : result;
      });
      w.open();
      if (!attempt.lost()) {
        finish_if(true);
        DEMAND_HIP(hipEventElapsedTime(&ms, start, stop));
        DEMAND(ms >= 0);
      }
      DEMAND_HIP(hipEventDestroy(start));
      DEMAND_HIP(hipEventDestroy(stop));
    });
  }
}

TEST_CASE("faults: a failed record does not use up the events with timing") {
  inject([](Attempt &attempt) {
    World w(attempt);
    hipEvent_t event = nullptr;
    DEMAND_HIP(hipEventCreate(&event));
    // The stream that the marker was used on last gets ahead of the one that the failed record is for.
    for (int i = 0; i < 20; ++i)
      DEMAND_HIP(w.add(w.other[0], 0));
    DEMAND_HIP(hipEventRecord(event, w.other[0]));
    DEMAND_HIP(hipEventDestroy(event));
    DEMAND_HIP(hipDeviceSynchronize());
    DEMAND_HIP(hipEventCreate(&event));
    attempt.run([&] { return hipEventRecord(event, w.other[1]); });
    if (!attempt.lost()) {
      // Warm by now: recording on and on makes no new events, so this makes as few calls as records.
      for (int i = 0; i < 3; ++i) {
        DEMAND_HIP(hipStreamSynchronize(w.other[1]));
        DEMAND_HIP(hipEventRecord(event, w.other[1]));
      }
      DEMAND_HIP(hipStreamSynchronize(w.other[1]));
      int64_t created = alive("events");
      DEMAND_HIP(hipEventRecord(event, w.other[1]));
      DEMAND(alive("events") == created);
    }
    DEMAND_HIP(hipEventDestroy(event));
  });
}

TEST_CASE("faults: host functions may fail at any driver call") {
  for (bool callback : {false, true})
    inject([=](Attempt &attempt) {
      World w(attempt);
      DEMAND_HIP(w.add(w.blocking[0], 0));
      auto add_ten = [](void *data) { *static_cast<int *>(data) += 10; };
      attempt.run([&] {
        if (!callback)
          return hipLaunchHostFunc(nullptr, add_ten, w.cells);
        return hipStreamAddCallback(
            nullptr, [](hipStream_t, hipError_t, void *data) { *static_cast<int *>(data) += 10; },
            w.cells, 0);
      });
      if (attempt.lost())
        return;
      DEMAND_HIP(hipStreamSynchronize(nullptr));
      DEMAND(w.cells[0] == 11); // once
    });
}
