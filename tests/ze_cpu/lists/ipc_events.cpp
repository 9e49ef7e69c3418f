// Events that processes share.
#include "../processes.h"

#include <chrono>
#include <thread>

namespace {

constexpr uint32_t count = 20; // of events in a pool
constexpr uint64_t second_ns = 1'000'000'000;

enum Role : size_t { answers, resets, signals_on_device, waits_for_event };

class EventIpc : public Driver {
public:
  Pool pool(ze_event_pool_flags_t flags = 0) {
    const ze_event_pool_desc_t desc{
        ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
        ZE_EVENT_POOL_FLAG_IPC | ZE_EVENT_POOL_FLAG_HOST_VISIBLE | flags, count};
    Pool pool;
    REQUIRE_ZE(zeEventPoolCreate(context, &desc, 1, &device, pool.out()));
    return pool;
  }
  Event event(ze_event_pool_handle_t pool, uint32_t index) {
    const ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, index,
                               ZE_EVENT_SCOPE_FLAG_HOST, ZE_EVENT_SCOPE_FLAG_HOST};
    Event event;
    REQUIRE_ZE(zeEventCreate(pool, &desc, event.out()));
    return event;
  }
  ze_ipc_event_pool_handle_t handle(ze_event_pool_handle_t pool) {
    ze_ipc_event_pool_handle_t handle{};
    REQUIRE_ZE(zeEventPoolGetIpcHandle(pool, &handle));
    return handle;
  }
  ze_event_pool_handle_t open(const ze_ipc_event_pool_handle_t &handle) {
    ze_event_pool_handle_t pool = nullptr;
    REQUIRE_ZE(zeEventPoolOpenIpcHandle(context, handle, &pool));
    return pool;
  }
  Event ipc_counter_event(ze_event_counter_based_flags_t flags = 0) {
    return counter_event(ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE | ZE_EVENT_COUNTER_BASED_FLAG_IPC |
                         flags);
  }
};

} // namespace

TEST_CASE_METHOD(EventIpc, "ze_cpu: other process with events", "[.][process]") {
  const Role role = static_cast<Role>(told_parameter());
  if (role == waits_for_event) {
    ze_event_handle_t opened = nullptr;
    REQUIRE_ZE(zeEventCounterBasedOpenIpcHandle(
        context, told_handle<ze_ipc_event_counter_based_handle_t>(), &opened));
    REQUIRE_ZE(zeEventHostSynchronize(opened, long_ns));
    CHECK(zeEventCounterBasedCloseIpcHandle(opened) == ZE_RESULT_SUCCESS);
    return;
  }
  ze_event_pool_handle_t opened = open(told_handle<ze_ipc_event_pool_handle_t>());
  {
    const Event to_this = event(opened, 3), to_that = event(opened, count - 1);
    if (role == answers)
      for (int round = 0; round < 50; ++round) {
        REQUIRE_ZE(zeEventHostSynchronize(to_this, long_ns));
        REQUIRE_ZE(zeEventHostReset(to_this));
        REQUIRE_ZE(zeEventHostSignal(to_that));
      }
    if (role == resets) {
      REQUIRE(zeEventQueryStatus(to_this) == ZE_RESULT_SUCCESS); // opening changes nothing
      REQUIRE_ZE(zeEventHostReset(to_this));
      // Whoever waits is told, however short it lasts.
      REQUIRE_ZE(zeEventHostSignal(to_that));
      REQUIRE_ZE(zeEventHostReset(to_that));
    }
    if (role == signals_on_device) {
      List list = immediate();
      const Module module = test_module();
      const Kernel increment = kernel(module, "increment");
      int *value = shared<int>(1);
      const ze_group_count_t one{1, 1, 1};
      ze_event_handle_t wait = to_this;
      REQUIRE_ZE(zeKernelSetArgumentValue(increment, 0, sizeof value, &value));
      REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, increment, &one, to_that, 1, &wait));
      REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
      CHECK(*value == 1);
    }
  }
  CHECK(zeEventPoolCloseIpcHandle(opened) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(EventIpc, "ze_cpu: two processes signal each other's events", "[front][process]") {
  const Pool pool = this->pool();
  const Event to_other = event(pool, 3), to_this = event(pool, count - 1);
  OtherProcess other("ze_cpu: other process with events", handle(pool), answers);
  List list = immediate();
  for (int round = 0; round < 50; ++round) {
    REQUIRE_ZE(zeEventHostSignal(to_other));
    if (round % 2) { // by the host, and by a list
      REQUIRE_ZE(zeEventHostSynchronize(to_this, long_ns));
    } else {
      ze_event_handle_t wait = to_this;
      REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &wait));
      REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
    }
    REQUIRE_ZE(zeEventHostReset(to_this));
  }
  CHECK(other.passes());
  CHECK(zeEventPoolPutIpcHandle(context, handle(pool)) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(EventIpc, "ze_cpu: another process resets an event, and wakes whom it signals",
                 "[front][process]") {
  const Pool pool = this->pool();
  const Event seen = event(pool, 3), pulsed = event(pool, count - 1);
  REQUIRE_ZE(zeEventHostSignal(seen));
  List list = immediate();
  ze_event_handle_t wait = pulsed;
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &wait));
  // The list waits by then: starting the process takes longer.
  REQUIRE(zeCommandListHostSynchronize(list, second_ns / 100) == ZE_RESULT_NOT_READY);
  CHECK(OtherProcess("ze_cpu: other process with events", handle(pool), resets).passes());
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(zeEventQueryStatus(seen) == ZE_RESULT_NOT_READY);
  CHECK(zeEventQueryStatus(pulsed) == ZE_RESULT_NOT_READY);
}

TEST_CASE_METHOD(EventIpc, "ze_cpu: another process's kernel signals an event, with time stamps",
                 "[process]") {
  const Pool pool = this->pool(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  const Event to_other = event(pool, 3), to_this = event(pool, count - 1);
  uint64_t before = 0, after = 0, unused = 0;
  REQUIRE_ZE(zeDeviceGetGlobalTimestamps(device, &unused, &before));
  OtherProcess other("ze_cpu: other process with events", handle(pool), signals_on_device);
  List list = immediate();
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, to_other));
  REQUIRE_ZE(zeEventHostSynchronize(to_this, long_ns));
  REQUIRE_ZE(zeDeviceGetGlobalTimestamps(device, &unused, &after));
  ze_kernel_timestamp_result_t stamps{};
  REQUIRE_ZE(zeEventQueryKernelTimestamp(to_this, &stamps));
  CHECK(stamps.global.kernelStart > before);
  CHECK(stamps.global.kernelEnd >= stamps.global.kernelStart);
  CHECK(stamps.global.kernelEnd <= after);
  CHECK(other.passes());
}

TEST_CASE_METHOD(EventIpc, "ze_cpu: a pool that was opened has the events of the first",
                 "[front]") {
  const Pool pool = this->pool();
  ze_event_pool_handle_t opened = open(handle(pool));
  ze_event_pool_flags_t flags = 0;
  REQUIRE_ZE(zeEventPoolGetFlags(opened, &flags));
  CHECK(flags == (ZE_EVENT_POOL_FLAG_IPC | ZE_EVENT_POOL_FLAG_HOST_VISIBLE));
  {
    const Event mine = event(pool, 0);
    REQUIRE_ZE(zeEventHostSignal(mine));
    const Event theirs = event(opened, 0), other = event(opened, 1);
    CHECK(zeEventQueryStatus(theirs) == ZE_RESULT_SUCCESS);
    CHECK(zeEventQueryStatus(other) == ZE_RESULT_NOT_READY);
    REQUIRE_ZE(zeEventHostReset(theirs));
    CHECK(zeEventQueryStatus(mine) == ZE_RESULT_NOT_READY);
    std::jthread signaller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      zeEventHostSignal(theirs);
    });
    REQUIRE_ZE(zeEventHostSynchronize(mine, long_ns));
  }
  // A new event begins as such ones do.
  CHECK(zeEventQueryStatus(event(pool, 0)) == ZE_RESULT_NOT_READY);
  CHECK(zeEventPoolCloseIpcHandle(opened) == ZE_RESULT_SUCCESS);
  CHECK(zeEventPoolCloseIpcHandle(pool) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(EventIpc, "ze_cpu: what is no handle of events is refused") {
  ze_ipc_event_pool_handle_t none{};
  ze_event_pool_handle_t opened = nullptr;
  CHECK(zeEventPoolOpenIpcHandle(context, none, &opened) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeEventPoolPutIpcHandle(context, none) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  // Memory is not events, and events of one kind are not those of the other.
  int *memory = shared<int>(100);
  ze_ipc_mem_handle_t of_memory{};
  REQUIRE_ZE(zeMemGetIpcHandle(context, memory, &of_memory));
  std::copy_n(of_memory.data, sizeof none.data, none.data);
  CHECK(zeEventPoolOpenIpcHandle(context, none, &opened) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const Pool pool = this->pool();
  none = handle(pool);
  ze_ipc_event_counter_based_handle_t counter{};
  std::copy_n(none.data, sizeof none.data, counter.data);
  ze_event_handle_t event = nullptr;
  CHECK(zeEventCounterBasedOpenIpcHandle(context, counter, &event) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  std::copy_n(none.data, sizeof none.data, of_memory.data);
  void *pointer = nullptr;
  CHECK(zeMemOpenIpcHandle(context, device, of_memory, 0, &pointer) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  // What was not made to be shared is not.
  const PooledEvent plain = pooled_event();
  CHECK(zeEventPoolGetIpcHandle(plain.pool, &none) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const Event alone = counter_event(ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE);
  CHECK(zeEventCounterBasedGetIpcHandle(alone, &counter) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeEventCounterBasedCloseIpcHandle(alone) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(EventIpc, "ze_cpu: another process waits for a counter-based event",
                 "[front][process]") {
  List list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
  const PooledEvent gate = pooled_event();
  const Event done = ipc_counter_event();
  ze_event_handle_t wait = gate;
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &wait));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, done));
  ze_ipc_event_counter_based_handle_t handle{};
  REQUIRE_ZE(zeEventCounterBasedGetIpcHandle(done, &handle));
  OtherProcess other("ze_cpu: other process with events", handle, waits_for_event);
  ze_event_handle_t opened = nullptr;
  REQUIRE_ZE(zeEventCounterBasedOpenIpcHandle(context, handle, &opened));
  CHECK(zeEventQueryStatus(opened) == ZE_RESULT_NOT_READY);
  // It is for waiting only.
  CHECK(zeCommandListAppendSignalEvent(list, opened) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ze_ipc_event_counter_based_handle_t again{};
  CHECK(zeEventCounterBasedGetIpcHandle(opened, &again) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  List waiting = immediate();
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(waiting, 1, &opened));
  REQUIRE(zeCommandListHostSynchronize(waiting, second_ns / 100) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(gate));
  CHECK(other.passes());
  REQUIRE_ZE(zeCommandListHostSynchronize(waiting, long_ns));
  // What the event is used for later is not seen.
  REQUIRE_ZE(zeEventHostReset(gate));
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &wait));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, done));
  CHECK(zeEventQueryStatus(done) == ZE_RESULT_NOT_READY);
  CHECK(zeEventQueryStatus(opened) == ZE_RESULT_SUCCESS);
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(zeEventCounterBasedCloseIpcHandle(opened) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(EventIpc, "ze_cpu: a counter-based event that is done is shared with its time",
                 "[front]") {
  List list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
  const Event done = ipc_counter_event(ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP);
  REQUIRE_ZE(zeCommandListAppendBarrier(list, done, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  ze_ipc_event_counter_based_handle_t handle{};
  REQUIRE_ZE(zeEventCounterBasedGetIpcHandle(done, &handle));
  ze_event_handle_t opened = nullptr;
  REQUIRE_ZE(zeEventCounterBasedOpenIpcHandle(context, handle, &opened));
  CHECK(zeEventQueryStatus(opened) == ZE_RESULT_SUCCESS);
  ze_kernel_timestamp_result_t own{}, shared{};
  REQUIRE_ZE(zeEventQueryKernelTimestamp(done, &own));
  REQUIRE_ZE(zeEventQueryKernelTimestamp(opened, &shared));
  CHECK(shared.global.kernelStart == own.global.kernelStart);
  CHECK(shared.global.kernelEnd == own.global.kernelEnd);
  CHECK(zeEventCounterBasedCloseIpcHandle(opened) == ZE_RESULT_SUCCESS);
}
