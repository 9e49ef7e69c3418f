// A command that fails loses its list: nothing that is ordered behind it executes, in whichever
// list, and everybody who waits for that is told. In each case the fault comes behind a closed
// gate, so that what waits for it has been appended before, unless the case wants it otherwise.
#include "support.h"

#include <pthread.h>
#include <signal.h>

namespace {

class Losses : public Driver {
public:
  int *values = shared<int>(16);
  const PooledEvent gate = pooled_event();

  /// The list fails as soon as the gate is open.
  void fail_behind_gate(ze_command_list_handle_t list) {
    wait_for(list, gate);
    fail(list);
  }
  void fail(ze_command_list_handle_t list) {
    REQUIRE_ZE(zeCommandListAppendMemoryCopy(list, values, reinterpret_cast<void *>(uintptr_t{64}),
                                             sizeof(int), nullptr, 0, nullptr));
  }
  void wait_for(ze_command_list_handle_t list, ze_event_handle_t event) {
    REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &event));
  }
  /// values[index] becomes 1.
  ze_result_t set(ze_command_list_handle_t list, int index, ze_event_handle_t signal = nullptr) {
    static constexpr int one = 1;
    return zeCommandListAppendMemoryFill(list, values + index, &one, sizeof one, sizeof one, signal,
                                         0, nullptr);
  }
  void open() { REQUIRE_ZE(zeEventHostSignal(gate)); }
};

ze_result_t finish(ze_command_list_handle_t list) {
  return zeCommandListHostSynchronize(list, long_ns);
}

} // namespace

TEST_CASE_METHOD(Losses, "ze_cpu: a loss spreads to the lists that wait for the lost list's events",
                 "[fault]") {
  const auto pooled = pooled_event();
  const Event counted = counter_event(), next = counter_event();
  List lost = immediate(), by_counter = immediate(), by_pool = immediate(), third = immediate(),
       free = immediate();
  fail_behind_gate(lost);
  REQUIRE_ZE(zeCommandListAppendSignalEvent(lost, counted));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(lost, pooled));
  wait_for(by_counter, counted);
  REQUIRE_ZE(set(by_counter, 0, next));
  wait_for(by_pool, pooled);
  REQUIRE_ZE(set(by_pool, 1));
  wait_for(third, next);
  REQUIRE_ZE(set(third, 2));
  wait_for(free, gate);
  REQUIRE_ZE(set(free, 3));
  open();
  for (const ze_command_list_handle_t list :
       std::initializer_list<ze_command_list_handle_t>{lost, by_counter, by_pool, third})
    CHECK(finish(list) == ZE_RESULT_ERROR_DEVICE_LOST);
  for (const ze_event_handle_t event :
       std::initializer_list<ze_event_handle_t>{counted, pooled, next}) {
    CHECK(zeEventHostSynchronize(event, long_ns) == ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK(zeEventQueryStatus(event) == ZE_RESULT_ERROR_DEVICE_LOST);
  }
  CHECK(finish(free) == ZE_RESULT_SUCCESS);
  CHECK((values[0] == 0 && values[1] == 0 && values[2] == 0 && values[3] == 1));
  CHECK(set(third, 2) == ZE_RESULT_ERROR_DEVICE_LOST);
}

TEST_CASE_METHOD(Losses, "ze_cpu: a list that waits for work lost long ago is lost", "[fault]") {
  const auto pooled = pooled_event();
  const Event sound = counter_event(), counted = counter_event();
  List lost = immediate();
  REQUIRE_ZE(set(lost, 0, sound));
  fail_behind_gate(lost);
  REQUIRE_ZE(zeCommandListAppendSignalEvent(lost, counted));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(lost, pooled));
  open();
  REQUIRE(finish(lost) == ZE_RESULT_ERROR_DEVICE_LOST);
  for (ze_event_handle_t event : std::initializer_list<ze_event_handle_t>{counted, pooled}) {
    List late = immediate();
    REQUIRE_ZE(zeCommandListAppendBarrier(late, nullptr, 1, &event));
    (void)set(late, 1); // refused if the list is lost by now
    CHECK(finish(late) == ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK(values[1] == 0);
  }
  // What was done before the fault is worth what it was.
  List late = immediate();
  wait_for(late, sound);
  REQUIRE_ZE(set(late, 1));
  CHECK(finish(late) == ZE_RESULT_SUCCESS);
  CHECK(values[1] == 1);
}

TEST_CASE_METHOD(Losses, "ze_cpu: the host signals an event for lost work of another driver",
                 "[fault]") {
  ze_result_t(ZE_APICALL * signal_loss)(ze_event_handle_t) = nullptr;
  REQUIRE_ZE(zeDriverGetExtensionFunctionAddress(cpu_driver(), "chipEventHostSignalLoss",
                                                 reinterpret_cast<void **>(&signal_loss)));
  const auto pooled = pooled_event();
  const Event counted = counter_event();
  List list = immediate(), late = immediate(), sound = immediate();
  wait_for(list, pooled);
  REQUIRE_ZE(set(list, 0, counted));
  CHECK(signal_loss(nullptr) == ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK(signal_loss(counted) == ZE_RESULT_ERROR_INVALID_ARGUMENT); // only lists signal these
  REQUIRE_ZE(signal_loss(pooled));
  CHECK(finish(list) == ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK(zeEventQueryStatus(counted) == ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK(zeEventHostSynchronize(pooled, long_ns) == ZE_RESULT_ERROR_DEVICE_LOST);
  wait_for(late, pooled);
  CHECK(finish(late) == ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK(values[0] == 0);
  REQUIRE_ZE(zeEventHostReset(pooled));
  REQUIRE_ZE(zeEventHostSignal(pooled));
  wait_for(sound, pooled);
  REQUIRE_ZE(set(sound, 0));
  CHECK(finish(sound) == ZE_RESULT_SUCCESS);
  CHECK(values[0] == 1);
}

TEST_CASE_METHOD(Losses, "ze_cpu: an event that a lost list signalled is sound when signalled anew",
                 "[fault]") {
  const auto pooled = pooled_event();
  List lost = immediate(), list = immediate();
  fail_behind_gate(lost);
  REQUIRE_ZE(zeCommandListAppendSignalEvent(lost, pooled));
  open();
  REQUIRE(finish(lost) == ZE_RESULT_ERROR_DEVICE_LOST);
  REQUIRE(zeEventQueryStatus(pooled) == ZE_RESULT_ERROR_DEVICE_LOST);
  REQUIRE_ZE(zeEventHostReset(pooled));
  CHECK(zeEventQueryStatus(pooled) == ZE_RESULT_NOT_READY);
  wait_for(list, pooled);
  REQUIRE_ZE(set(list, 0));
  REQUIRE_ZE(zeEventHostSignal(pooled));
  CHECK(finish(list) == ZE_RESULT_SUCCESS);
  CHECK(values[0] == 1);
}

TEST_CASE_METHOD(Losses, "ze_cpu: a loss spreads through regular lists and to fences", "[fault]") {
  struct Submission {
    ze_event_handle_t event;
    int first; // of two values
    List recorded;
    Queue queue;
    Fence fence;
  };
  const Event counted = counter_event();
  const auto pooled = pooled_event();
  List lost = immediate();
  fail_behind_gate(lost);
  REQUIRE_ZE(zeCommandListAppendSignalEvent(lost, counted));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(lost, pooled));
  Submission submissions[] = {{counted, 0, regular(), queue(), {}},
                              {pooled, 2, regular(), queue(), {}}};
  for (Submission &s : submissions) {
    REQUIRE_ZE(set(s.recorded, s.first));
    wait_for(s.recorded, s.event);
    REQUIRE_ZE(set(s.recorded, s.first + 1));
    REQUIRE_ZE(zeCommandListClose(s.recorded));
    s.fence = fence(s.queue);
    ze_command_list_handle_t handle = s.recorded;
    REQUIRE_ZE(zeCommandQueueExecuteCommandLists(s.queue, 1, &handle, s.fence));
  }
  open();
  for (Submission &s : submissions) {
    CHECK(zeFenceHostSynchronize(s.fence, long_ns) == ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK(zeCommandQueueSynchronize(s.queue, long_ns) == ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK(values[s.first] == 1); // before the wait
    CHECK(values[s.first + 1] == 0);
  }
}

TEST_CASE_METHOD(Losses, "ze_cpu: a device with a lost list says so whenever it is synchronized",
                 "[fault]") {
  {
    List lost = immediate();
    fail_behind_gate(lost);
    open();
    REQUIRE(finish(lost) == ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK(zeDeviceSynchronize(device) == ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK(zeDeviceSynchronize(device) == ZE_RESULT_ERROR_DEVICE_LOST);
  }
  CHECK(zeDeviceSynchronize(device) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Losses, "ze_cpu: a loss spreads through an event pool that is shared", "[fault]") {
  PooledEvent shared = pooled_event(ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC);
  ze_ipc_event_pool_handle_t handle{};
  REQUIRE_ZE(zeEventPoolGetIpcHandle(shared.pool, &handle));
  ze_event_pool_handle_t opened = nullptr; // as another process would have it
  REQUIRE_ZE(zeEventPoolOpenIpcHandle(context, handle, &opened));
  {
    ze_event_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
    Event other;
    REQUIRE_ZE(zeEventCreate(opened, &desc, other.out()));
    List lost = immediate(), waiting = immediate();
    fail_behind_gate(lost);
    REQUIRE_ZE(zeCommandListAppendSignalEvent(lost, shared));
    wait_for(waiting, other);
    REQUIRE_ZE(set(waiting, 0));
    open();
    CHECK(finish(waiting) == ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK(values[0] == 0);
    CHECK(zeEventQueryStatus(other) == ZE_RESULT_ERROR_DEVICE_LOST);
  }
  REQUIRE_ZE(zeEventPoolCloseIpcHandle(opened));
}

TEST_CASE_METHOD(Losses, "ze_cpu: a fault is told to a thread that blocks all signals", "[fault]") {
  sigset_t all, before, after;
  sigfillset(&all);
  // With a time limit, a thread of the driver executes the list; without one, it is the caller unless
  // such a thread comes first.
  for (int i = 0; i < 20; ++i) {
    const uint64_t timeout = i % 2 ? forever : long_ns;
    List lost = immediate();
    REQUIRE(pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
    fail(lost);
    const ze_result_t result = zeCommandListHostSynchronize(lost, timeout);
    REQUIRE(pthread_sigmask(SIG_SETMASK, &before, &after) == 0);
    CHECK(result == ZE_RESULT_ERROR_DEVICE_LOST);
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGUSR1, SIGCHLD})
      CHECK(sigismember(&after, signal) == 1);
  }
}
