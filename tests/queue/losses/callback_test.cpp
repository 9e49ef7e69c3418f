// Callbacks behind a fault, or on a device that another stream has lost: each is called once, with the error, in the order of its
// stream, and before a wait for its stream ends. Each case is a process of its own, since its device is lost.
#include "../../support/standard_error.h"
#include "loss.h"

#include <algorithm>
#include <memory>
#include <pthread.h>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

using namespace fixture;

namespace {

/// A stream whose work goes on when another one has lost the device, which the program was told. Behind that work are callbacks.
class BehindOthersLoss {
public:
  enum class Work { faults, is_sound };
  static constexpr int count = 20;
  Scene scene;
  Streams streams{2}, other{1, hipStreamNonBlocking};
  Event event;

  explicit BehindOthersLoss(Work work) {
    if (work == Work::faults)
      scene.fail_behind_gate(streams[0]);
    else
      REQUIRE_HIP(launch(scene.wait_for_flag, streams[0], 1, scene.flag.get()));
    for (int i = 0; i < count; ++i)
      REQUIRE_HIP(hipStreamAddCallback(streams[0], Told::tell, &told_[i], 0));
    REQUIRE_HIP(hipEventRecord(event, streams[0]));
    scene.fail(other[0]);
    REQUIRE_LOST(hipStreamSynchronize(other[0]));
    REQUIRE(is_each_called(0));
  }
  bool is_each_called(int times) const {
    return std::all_of(told_.get(), told_.get() + count,
                       [&](const Told &told) { return told.calls == times; });
  }
  void require_told() {
    REQUIRE(is_each_called(1));
    for (int i = 0; i < count; ++i)
      REQUIRE_LOST(told_[i].status.get_future().get());
  }

private:
  const std::unique_ptr<Told[]> told_ = std::make_unique<Told[]>(count);
};
using Work = BehindOthersLoss::Work;

template <class Wait> void wait_behind_others_loss(Work work, Wait wait) {
  BehindOthersLoss behind(work);
  const std::jthread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    behind.scene.open();
  });
  REQUIRE_LOST(wait(behind));
  behind.require_told();
}

template <class Ask> void ask_behind_others_loss(Work work, Ask ask) {
  BehindOthersLoss behind(work);
  REQUIRE(ask(behind) == hipErrorNotReady);
  REQUIRE(behind.is_each_called(0));
  behind.scene.open();
  hipError_t answer;
  while ((answer = ask(behind)) == hipErrorNotReady)
    std::this_thread::yield();
  REQUIRE_LOST(answer);
  behind.require_told();
}

hipError_t synchronize_stream(BehindOthersLoss &behind) {
  return hipStreamSynchronize(behind.streams[0]);
}
hipError_t synchronize_event(BehindOthersLoss &behind) { return hipEventSynchronize(behind.event); }
hipError_t synchronize_device(BehindOthersLoss &) { return hipDeviceSynchronize(); }
hipError_t synchronize_null_stream(BehindOthersLoss &) { return hipStreamSynchronize(nullptr); }
hipError_t copy_in_null_stream(BehindOthersLoss &behind) {
  int value = 0;
  return hipMemcpy(&value, behind.scene.device, sizeof value, hipMemcpyDeviceToHost);
}
hipError_t free_memory(BehindOthersLoss &behind) {
  return hipFree(std::exchange(behind.scene.device, nullptr));
}
hipError_t ask_stream(BehindOthersLoss &behind) { return hipStreamQuery(behind.streams[0]); }
hipError_t ask_null_stream(BehindOthersLoss &) { return hipStreamQuery(nullptr); }
hipError_t ask_event(BehindOthersLoss &behind) { return hipEventQuery(behind.event); }

} // namespace

#define WAIT_CASE(what, function)                                                                  \
  TEST_CASE("loss: callbacks of a stream that faults later than another come before " what) {      \
    wait_behind_others_loss(Work::faults, function);                                               \
  }                                                                                                \
  TEST_CASE("loss: callbacks of a sound stream of a lost device come before " what) {              \
    wait_behind_others_loss(Work::is_sound, function);                                             \
  }
WAIT_CASE("hipStreamSynchronize ends", synchronize_stream)
WAIT_CASE("hipEventSynchronize ends", synchronize_event)
WAIT_CASE("hipDeviceSynchronize ends", synchronize_device)
WAIT_CASE("hipStreamSynchronize of the null stream ends", synchronize_null_stream)
WAIT_CASE("a copy in the null stream ends", copy_in_null_stream)
WAIT_CASE("hipFree ends", free_memory)

#define ASK_CASE(what, function)                                                                   \
  TEST_CASE("loss: callbacks of a stream that faults later than another come before " what) {      \
    ask_behind_others_loss(Work::faults, function);                                                \
  }                                                                                                \
  TEST_CASE("loss: callbacks of a sound stream of a lost device come before " what) {              \
    ask_behind_others_loss(Work::is_sound, function);                                              \
  }
ASK_CASE("hipStreamQuery tells of the loss", ask_stream)
ASK_CASE("hipStreamQuery of the null stream tells of the loss", ask_null_stream)
ASK_CASE("hipEventQuery tells of the loss", ask_event)

TEST_CASE("loss: a stream that works without a callback delays nobody who was told of a loss") {
  Scene scene;
  Streams streams(2, hipStreamNonBlocking);
  REQUIRE_HIP(launch(scene.wait_for_flag, streams[0], 1, scene.flag.get()));
  scene.fail(streams[1]);
  REQUIRE_LOST(hipStreamSynchronize(streams[1]));
  REQUIRE_LOST(hipStreamSynchronize(streams[0]));
  REQUIRE_LOST(hipStreamQuery(streams[0]));
}

namespace {

/// A callback that returns only when it is let go.
struct Held {
  std::binary_semaphore begun{0}, go_on{0};
  std::atomic<int> calls{0};

  static void hold(hipStream_t, hipError_t, void *data) {
    auto &held = *static_cast<Held *>(data);
    held.begun.release();
    held.go_on.acquire();
    ++held.calls;
  }
};

} // namespace

TEST_CASE("loss: a callback that another thread calls has returned when a wait for it ends") {
  Scene scene;
  Streams streams(1);
  Event event;
  Held held;
  Told next;
  scene.fail_behind_gate(streams[0]);
  REQUIRE_HIP(hipStreamAddCallback(streams[0], Held::hold, &held, 0));
  REQUIRE_HIP(hipStreamAddCallback(streams[0], Told::tell, &next, 0));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  scene.open();
  held.begun.acquire(); // on the runtime's thread: nobody else has asked
  REQUIRE(hipStreamQuery(streams[0]) == hipErrorNotReady);
  REQUIRE(hipEventQuery(event) == hipErrorNotReady);
  REQUIRE(next.calls == 0); // it comes behind the first, whoever could call it
  const std::jthread releaser([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    held.go_on.release();
  });
  REQUIRE_LOST(hipStreamSynchronize(streams[0]));
  REQUIRE((held.calls == 1 && next.calls == 1));
}

TEST_CASE(
    "loss: callbacks of a stream that was destroyed are called before a wait for the device ends") {
  Scene scene;
  hipStream_t stream = nullptr;
  REQUIRE_HIP(hipStreamCreate(&stream));
  Told told[3];
  scene.fail_behind_gate(stream);
  for (Told &each : told)
    REQUIRE_HIP(hipStreamAddCallback(stream, Told::tell, &each, 0));
  REQUIRE_HIP(hipStreamDestroy(stream));
  scene.open();
  REQUIRE_LOST(hipDeviceSynchronize());
  for (Told &each : told)
    REQUIRE(each.calls == 1);
}

namespace {

/// How a process ends in whose stream `add` has put a function that does not return, and what it says.
template <class Add> std::pair<int, std::string> end_by(Add add) {
  const StandardError error;
  const int status = status_of([&] {
    hipStream_t stream = nullptr;
    DEMAND(hipStreamCreate(&stream) == hipSuccess);
    DEMAND(add(stream) == hipSuccess);
    (void)hipStreamSynchronize(stream);
  });
  return {status, error.text()};
}

void require_named_end(std::pair<int, std::string> end, const char *how) {
  INFO(end.second);
  REQUIRE(WIFSIGNALED(end.first));
  REQUIRE(WTERMSIG(end.first) == SIGABRT);
  REQUIRE(end.second.find(how) != std::string::npos);
}

} // namespace

TEST_CASE("callback: a host function that ends its thread ends the process, which says so") {
  require_named_end(end_by([](hipStream_t stream) {
                      return hipLaunchHostFunc(
                          stream, [](void *) { pthread_exit(nullptr); }, nullptr);
                    }),
                    "host function ended its thread");
}
TEST_CASE("callback: a host function that ends its thread of a driver that would not notice ends "
          "the process") {
  setenv("CHIP_WITHOUT", "guards", 1);
  require_named_end(end_by([](hipStream_t stream) {
                      return hipLaunchHostFunc(
                          stream, [](void *) { pthread_exit(nullptr); }, nullptr);
                    }),
                    "libCHIP: the program ends because a host function ended its thread");
}
TEST_CASE("callback: a callback that ends its thread ends the process, which says so") {
  require_named_end(end_by([](hipStream_t stream) {
                      return hipStreamAddCallback(
                          stream, [](hipStream_t, hipError_t, void *) { pthread_exit(nullptr); },
                          nullptr, 0);
                    }),
                    "libCHIP: the program ends because a host function ended its thread");
}
TEST_CASE("callback: a host function that throws ends the process, which says so") {
  require_named_end(end_by([](hipStream_t stream) {
                      return hipLaunchHostFunc(
                          stream, [](void *) { throw std::runtime_error("what it was"); }, nullptr);
                    }),
                    "host function threw an exception");
}
TEST_CASE("callback: a callback that throws behind a fault ends the process, which says so") {
  require_named_end(
      end_by([](hipStream_t stream) {
        Scene &scene = *new Scene;
        scene.fail_behind_gate(stream);
        const hipError_t added = hipStreamAddCallback(
            stream,
            [](hipStream_t, hipError_t, void *) { throw std::runtime_error("what it was"); },
            nullptr, 0);
        scene.open();
        return added;
      }),
      "host function threw an exception");
}
