// HIP API reference: events between processes that are not related.
#include "mapped.h"
#include "processes.h"

#include "../../support/random.h"

#include <algorithm>
#include <initializer_list>

using namespace fixture;

namespace {

constexpr unsigned shared_flags = hipEventInterprocess | hipEventDisableTiming;

hipIpcEventHandle_t handle_of(hipEvent_t event) {
  hipIpcEventHandle_t handle{};
  REQUIRE_HIP(hipIpcGetEventHandle(&handle, event));
  return handle;
}

/// An event of another process, whose handle comes through the channel.
class OpenedEvent {
public:
  explicit OpenedEvent(Channel &channel) {
    REQUIRE_HIP(hipIpcOpenEventHandle(&event_, channel.receive<hipIpcEventHandle_t>()));
  }
  ~OpenedEvent() { (void)hipEventDestroy(event_); }
  OpenedEvent(const OpenedEvent &) = delete;
  operator hipEvent_t() const { return event_; }

private:
  hipEvent_t event_ = nullptr;
};

/// Memory of another process, whose handle comes through the channel.
template <class T> T *open_memory(Channel &channel) {
  void *memory = nullptr;
  REQUIRE_HIP(hipIpcOpenMemHandle(&memory, channel.receive<hipIpcMemHandle_t>(),
                                  hipIpcMemLazyEnablePeerAccess));
  return static_cast<T *>(memory);
}

/// Memory that other processes can open.
template <class T> class Shared {
public:
  Shared() {
    REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&data_), sizeof(T)));
    REQUIRE_HIP(hipMemset(data_, 0, sizeof(T)));
  }
  ~Shared() { (void)hipFree(data_); }
  Shared(const Shared &) = delete;
  T *get() const { return data_; }
  hipIpcMemHandle_t handle() const {
    hipIpcMemHandle_t handle;
    REQUIRE_HIP(hipIpcGetMemHandle(&handle, data_));
    return handle;
  }
  T read() const {
    T value{};
    REQUIRE_HIP(hipMemcpy(&value, data_, sizeof value, hipMemcpyDeviceToHost));
    return value;
  }

private:
  T *data_ = nullptr;
};

/// A kernel that keeps a stream busy until the host says so.
class Gate {
public:
  void close(hipStream_t stream) {
    flag_[0] = 0;
    REQUIRE_HIP(launch(function("wait_for_flag"), stream, 1, flag_.get()));
  }
  void open() { __atomic_store_n(flag_.get(), 1, __ATOMIC_SEQ_CST); }
  ~Gate() { open(); }

private:
  HostMemory<int> flag_{1};
};

} // namespace

TEST_CASE("hip ipc event: wrong arguments are refused", "[results]") {
  const Event event(shared_flags), own(hipEventDisableTiming);
  hipIpcEventHandle_t handle{};
  hipEvent_t opened = nullptr;
  CHECK(hipIpcGetEventHandle(nullptr, event) == hipErrorInvalidValue);
  CHECK(hipIpcGetEventHandle(&handle, nullptr) == hipErrorInvalidValue);
  CHECK(hipIpcGetEventHandle(nullptr, nullptr) == hipErrorInvalidValue);
  CHECK(hipIpcGetEventHandle(&handle, own) == hipErrorInvalidHandle);
  CHECK(hipIpcOpenEventHandle(&opened, handle) == hipErrorInvalidValue);
  CHECK(hipIpcOpenEventHandle(nullptr, handle) == hipErrorInvalidValue);
  handle = handle_of(event);
  CHECK(hipIpcOpenEventHandle(&opened, handle) == hipErrorInvalidContext);
  CHECK(hipIpcOpenEventHandle(nullptr, handle) == hipErrorInvalidValue);
  CHECK(hipEventCreateWithFlags(&opened, hipEventInterprocess) == hipErrorInvalidValue);
  hipDeviceProp_t properties{};
  REQUIRE_HIP(hipGetDeviceProperties(&properties, 0));
  CHECK(properties.ipcEventSupported == 1);
}

TEST_CASE("hip ipc event: in its own process it is an event like all others", "[results]") {
  const Streams streams(2, hipStreamNonBlocking);
  const Event event(shared_flags), timed(hipEventDefault);
  Gate gate;
  CHECK(hipEventQuery(event) == hipSuccess);
  CHECK(hipEventSynchronize(event) == hipSuccess);
  gate.close(streams[0]);
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  CHECK(hipEventQuery(event) == hipErrorNotReady);
  CHECK(hipStreamQuery(streams[1]) == hipErrorNotReady);
  gate.open();
  CHECK(hipEventSynchronize(event) == hipSuccess);
  CHECK(hipEventQuery(event) == hipSuccess);
  CHECK(hipStreamSynchronize(streams[1]) == hipSuccess);
  float ms = 0;
  CHECK(hipEventElapsedTime(&ms, timed, event) == hipErrorInvalidHandle);
}

TEST_CASE("hip ipc event: [child] records an event behind a gate", "[.]") {
  Channel parent = channel_to_parent();
  const OpenedEvent event(parent);
  int *const memory = open_memory<int>(parent);
  const Streams streams(1);
  Gate gate;
  gate.close(streams[0]);
  REQUIRE_HIP(launch(function("add"), streams[0], 1, memory, 1));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  parent.tell();
  parent.await();
  gate.open();
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  parent.tell();
  parent.await();
}

TEST_CASE("hip ipc event: streams and the host wait for what another process records",
          "[results]") {
  const Event event(shared_flags);
  const Shared<int> memory;
  const Streams streams(1);
  Process child("hip ipc event: \\[child] records an event behind a gate");
  child.channel.send(handle_of(event));
  child.channel.send(memory.handle());
  child.channel.await();
  CHECK(hipEventQuery(event) == hipErrorNotReady);
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], event, 0));
  REQUIRE_HIP(launch(function("add"), streams[0], 1, memory.get(), 10));
  CHECK(hipStreamQuery(streams[0]) == hipErrorNotReady);
  child.channel.tell();
  CHECK(hipEventSynchronize(event) == hipSuccess);
  child.channel.await();
  // The other process has synchronised: so it is complete here, too.
  CHECK(hipEventQuery(event) == hipSuccess);
  CHECK(hipStreamSynchronize(streams[0]) == hipSuccess);
  CHECK(memory.read() == 11);
  // A record of its own takes its place.
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  CHECK(hipEventSynchronize(event) == hipSuccess);
  child.channel.tell();
  CHECK(child.passes());
}

TEST_CASE("hip ipc event: [child] waits for an event", "[.]") {
  Channel parent = channel_to_parent();
  const OpenedEvent event(parent);
  int *const memory = open_memory<int>(parent);
  const Streams streams(1);
  CHECK(hipEventQuery(event) == hipErrorNotReady);
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], event, 0));
  REQUIRE_HIP(hipStreamWaitEvent(nullptr, event, 0));
  REQUIRE_HIP(launch(function("add"), streams[0], 1, memory, 10));
  CHECK(hipStreamQuery(streams[0]) == hipErrorNotReady);
  CHECK(hipStreamQuery(nullptr) == hipErrorNotReady);
  parent.tell();
  CHECK(hipEventSynchronize(event) == hipSuccess);
  CHECK(hipStreamSynchronize(streams[0]) == hipSuccess);
  CHECK(hipStreamSynchronize(nullptr) == hipSuccess);
  CHECK(read_int(memory) == 11);
}

TEST_CASE("hip ipc event: who opens an event waits for what was recorded before", "[results]") {
  const Event event(shared_flags);
  const Shared<int> memory;
  const hipIpcMemHandle_t handle = memory.handle(); // which may wait for kernels
  const Streams streams(1);
  Gate gate;
  gate.close(streams[0]);
  REQUIRE_HIP(launch(function("add"), streams[0], 1, memory.get(), 1));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  Process child("hip ipc event: \\[child] waits for an event");
  child.channel.send(handle_of(event));
  child.channel.send(handle);
  child.channel.await();
  gate.open();
  CHECK(child.passes());
}

TEST_CASE("hip ipc event: [child] takes turns without waiting on the host", "[.]") {
  Channel parent = channel_to_parent();
  const OpenedEvent to_child(parent), to_parent(parent);
  auto *const memory = open_memory<long long>(parent);
  const auto rounds = parent.receive<int>();
  const Streams streams(1, hipStreamNonBlocking);
  for (int round = 0; round < rounds; ++round) {
    parent.await();
    REQUIRE_HIP(hipStreamWaitEvent(streams[0], to_child, 0));
    REQUIRE_HIP(launch(function("slow_append_digit"), streams[0], 1, memory, 2, 2000));
    REQUIRE_HIP(hipEventRecord(to_parent, streams[0]));
    parent.tell();
  }
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  parent.await();
}

// A wait is for the record that was the last one when it was asked for: what is recorded later may come after it.
TEST_CASE("hip ipc event: two processes take turns with two events that each records again",
          "[results]") {
  constexpr int rounds = 60;
  const Event to_child(shared_flags), to_parent(shared_flags);
  const Shared<long long> memory;
  const Streams streams(1, hipStreamNonBlocking);
  Process child("hip ipc event: \\[child] takes turns without waiting on the host");
  child.channel.send(handle_of(to_child));
  child.channel.send(handle_of(to_parent));
  child.channel.send(memory.handle());
  child.channel.send(rounds);
  unsigned long long expected = 0;
  Gate gate;
  gate.close(streams[0]); // so that all of it is submitted before any is done
  for (int round = 0; round < rounds; ++round) {
    REQUIRE_HIP(launch(function("slow_append_digit"), streams[0], 1, memory.get(), 1, 2000));
    REQUIRE_HIP(hipEventRecord(to_child, streams[0]));
    child.channel.tell();
    child.channel.await();
    REQUIRE_HIP(hipStreamWaitEvent(streams[0], to_parent, 0));
    expected = (expected * 10 + 1) * 10 + 2;
  }
  CHECK(hipStreamQuery(streams[0]) == hipErrorNotReady);
  gate.open();
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(static_cast<unsigned long long>(memory.read()) == expected);
  child.channel.tell();
  CHECK(child.passes());
}

TEST_CASE("hip ipc event: an event stands for its last record of any stream", "[results]") {
  const Event event(shared_flags);
  const Streams streams(2, hipStreamNonBlocking);
  Gate gate;
  gate.close(streams[0]);
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  CHECK(hipEventQuery(event) == hipErrorNotReady);
  REQUIRE_HIP(hipEventRecord(event, streams[1]));
  CHECK(hipEventSynchronize(event) == hipSuccess);
  gate.open();
}

TEST_CASE("hip ipc event: an event is destroyed while its record is pending", "[results]") {
  const Streams streams(1);
  for (int round = 0; round < 20; ++round) {
    Gate gate;
    gate.close(streams[0]);
    {
      const Event event(shared_flags);
      REQUIRE_HIP(hipEventRecord(event, streams[0]));
    }
    gate.open();
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  }
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip ipc event: so many streams record one event and no more", "[results]") {
  const Event event(shared_flags);
  const Streams streams(256, hipStreamNonBlocking);
  for (size_t i = 0; i < 255; ++i)
    REQUIRE_HIP(hipEventRecord(event, streams[i]));
  CHECK(hipEventRecord(event, streams[255]) == hipErrorOutOfMemory);
  CHECK(hipEventRecord(event, streams[0]) == hipSuccess);
  CHECK(hipEventSynchronize(event) == hipSuccess);
}

TEST_CASE("hip ipc event: [child] uses all counters of an event and lives on", "[.]") {
  Channel parent = channel_to_parent();
  const OpenedEvent event(parent);
  const Streams streams(255, hipStreamNonBlocking);
  for (size_t i = 0; i < 255; ++i)
    REQUIRE_HIP(hipEventRecord(event, streams[i]));
  Gate gate;
  gate.close(streams[0]);
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  parent.tell();
  parent.await();
}

// What takes the place of a process that has ended may come after what waits for that process.
TEST_CASE("hip ipc event: who waits for a process that has ended does not wait for the next one",
          "[results]") {
  const Event event(shared_flags), done(hipEventDisableTiming);
  const Streams streams(2, hipStreamNonBlocking);
  Process child("hip ipc event: \\[child] uses all counters of an event and lives on");
  child.channel.send(handle_of(event));
  child.channel.await();
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], event, 0));
  REQUIRE_HIP(hipEventRecord(done, streams[0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], done, 0));
  child.kill();
  REQUIRE_HIP(hipEventRecord(event, streams[1]));
  CHECK(hipEventSynchronize(event) == hipSuccess);
}

TEST_CASE("hip ipc event: [child] opens handles that no process has made", "[.]") {
  const auto real = channel_to_parent().receive<hipIpcEventHandle_t>();
  const auto try_to_open = [&](const hipIpcEventHandle_t &handle) {
    hipEvent_t event = nullptr;
    const hipError_t error = hipIpcOpenEventHandle(&event, handle);
    if (error == hipSuccess)
      REQUIRE_HIP(hipEventDestroy(event));
    return error;
  };
  test::Random<char> random(1);
  for (int i = 0; i < 1000; ++i) {
    hipIpcEventHandle_t made_up;
    for (char &byte : made_up.reserved)
      byte = random.below(256);
    REQUIRE(try_to_open(made_up) == hipErrorInvalidValue);
  }
  for (size_t i = 0; i < sizeof real.reserved; ++i)
    for (const int bit : {0, 3, 7}) {
      hipIpcEventHandle_t changed = real;
      changed.reserved[i] = char(changed.reserved[i] ^ (1 << bit));
      const hipError_t error = try_to_open(changed);
      CHECK((error == hipErrorInvalidValue || error == hipErrorInvalidContext));
    }
  CHECK(try_to_open(real) == hipSuccess);
}

TEST_CASE("hip ipc event: handles that no process has made are refused", "[results]") {
  const Event event(shared_flags);
  Process child("hip ipc event: \\[child] opens handles that no process has made");
  child.channel.send(handle_of(event));
  CHECK(child.passes());
}

TEST_CASE("hip ipc event: [child] makes an event and destroys it", "[.]") {
  Channel parent = channel_to_parent();
  {
    const Event event(shared_flags);
    REQUIRE_HIP(hipEventRecord(event, nullptr));
    REQUIRE_HIP(hipDeviceSynchronize());
    parent.send(handle_of(event));
    parent.await();
  }
  REQUIRE_HIP(hipDeviceSynchronize());
  parent.tell();
  parent.await();
}

TEST_CASE("hip ipc event: what is open outlives the event and the process that made it",
          "[results]") {
  Process child("hip ipc event: \\[child] makes an event and destroys it");
  const auto handle = child.channel.receive<hipIpcEventHandle_t>();
  hipEvent_t event = nullptr, late = nullptr;
  REQUIRE_HIP(hipIpcOpenEventHandle(&event, handle));
  CHECK(hipEventSynchronize(event) == hipSuccess);
  child.channel.tell();
  child.channel.await();
  CHECK(hipIpcOpenEventHandle(&late, handle) == hipErrorInvalidValue);
  child.kill();
  CHECK(hipIpcOpenEventHandle(&late, handle) == hipErrorInvalidValue);
  CHECK(hipEventSynchronize(event) == hipSuccess);
  REQUIRE_HIP(hipEventRecord(event, nullptr));
  CHECK(hipEventSynchronize(event) == hipSuccess);
  CHECK(hipEventDestroy(event) == hipSuccess);
}

TEST_CASE("hip ipc event: a process that ends before its work is done keeps nobody waiting",
          "[results]") {
  const Event event(shared_flags);
  const Shared<int> memory;
  const Streams streams(2);
  Process child("hip ipc event: \\[child] records an event behind a gate");
  child.channel.send(handle_of(event));
  child.channel.send(memory.handle());
  child.channel.await();
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], event, 0));
  REQUIRE_HIP(launch(function("add"), streams[0], 1, memory.get(), 10));
  CHECK(hipEventQuery(event) == hipErrorNotReady);
  child.kill();
  CHECK(hipEventSynchronize(event) == hipErrorContextIsDestroyed);
  CHECK(hipEventQuery(event) == hipErrorContextIsDestroyed);
  CHECK(hipStreamSynchronize(streams[0]) == hipSuccess); // nothing of this process is lost
  CHECK(memory.read() == 10);
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  CHECK(hipStreamSynchronize(streams[1]) == hipSuccess);
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  CHECK(hipEventSynchronize(event) == hipSuccess);
}

TEST_CASE("hip ipc event: [child] waits on the host for another process", "[.]") {
  Channel parent = channel_to_parent();
  const OpenedEvent event(parent);
  const Streams streams(1);
  CHECK(hipEventQuery(event) == hipErrorNotReady);
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], event, 0));
  parent.tell();
  CHECK(hipEventSynchronize(event) == hipErrorContextIsDestroyed);
  CHECK(hipStreamSynchronize(streams[0]) == hipSuccess);
}

TEST_CASE("hip ipc event: [child] makes an event behind a gate", "[.]") {
  Channel parent = channel_to_parent();
  const Event event(shared_flags);
  const Streams streams(1);
  Gate gate;
  gate.close(streams[0]);
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  parent.send(handle_of(event));
  parent.await();
}

TEST_CASE("hip ipc event: who waits on the host goes on when the recording process ends",
          "[results]") {
  Process recorder("hip ipc event: \\[child] makes an event behind a gate");
  Process waiter("hip ipc event: \\[child] waits on the host for another process");
  waiter.channel.send(recorder.channel.receive<hipIpcEventHandle_t>());
  waiter.channel.await();
  recorder.kill();
  CHECK(waiter.passes());
}

TEST_CASE("hip ipc event: [child] records and waits again and again", "[.]") {
  Channel parent = channel_to_parent();
  const OpenedEvent event(parent);
  int *const memory = open_memory<int>(parent);
  const Streams streams(2);
  for (;;) {
    REQUIRE_HIP(hipStreamWaitEvent(streams[0], event, 0));
    REQUIRE_HIP(launch(function("add"), streams[0], 1, memory, 1));
    REQUIRE_HIP(hipEventRecord(event, streams[0]));
    parent.tell();
    const hipError_t error = hipEventSynchronize(event);
    REQUIRE(error == hipSuccess);
  }
}

TEST_CASE("hip ipc event: a process that is killed at any moment keeps nobody waiting",
          "[results]") {
  test::Random<int> random(5);
  const Event event(shared_flags);
  const Shared<int> memory;
  const Streams streams(1);
  for (int round = 0; round < 10; ++round) {
    Process child("hip ipc event: \\[child] records and waits again and again");
    child.channel.send(handle_of(event));
    child.channel.send(memory.handle());
    const int steps = 1 + random.below(30);
    for (int step = 0; step < steps; ++step) {
      child.channel.await();
      REQUIRE_HIP(hipStreamWaitEvent(streams[0], event, 0));
      if (random.one_in(2))
        REQUIRE_HIP(hipEventRecord(event, streams[0]));
    }
    child.kill();
    const hipError_t error = hipEventSynchronize(event);
    CHECK((error == hipSuccess || error == hipErrorContextIsDestroyed));
    CHECK(hipStreamSynchronize(streams[0]) == hipSuccess);
    REQUIRE_HIP(hipEventRecord(event, streams[0]));
    CHECK(hipEventSynchronize(event) == hipSuccess);
  }
}
