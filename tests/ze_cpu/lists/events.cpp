// Events of both kinds: pooled, and counter-based.
#include "../support.h"

#include <chrono>
#include <cstring>
#include <thread>

TEST_CASE_METHOD(Driver, "ze_cpu: a pooled event is signalled and reset by the host", "[front]") {
  const auto event = pooled_event();
  CHECK(zeEventQueryStatus(event) == ZE_RESULT_NOT_READY);
  CHECK(zeEventHostSynchronize(event, 0) == ZE_RESULT_NOT_READY);
  CHECK(zeEventHostSynchronize(event, 1'000'000) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(event));
  CHECK(zeEventQueryStatus(event) == ZE_RESULT_SUCCESS);
  CHECK(zeEventHostSynchronize(event, forever) == ZE_RESULT_SUCCESS);
  REQUIRE_ZE(zeEventHostReset(event));
  CHECK(zeEventQueryStatus(event) == ZE_RESULT_NOT_READY);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a thread that sleeps on an event is woken", "[front]") {
  const auto event = pooled_event();
  ze_result_t result = ZE_RESULT_ERROR_UNKNOWN;
  std::thread sleeper([&] { result = zeEventHostSynchronize(event, long_ns); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  REQUIRE_ZE(zeEventHostSignal(event));
  sleeper.join();
  CHECK(result == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a list signals and resets pooled events in order", "[front]") {
  const auto first = pooled_event(), second = pooled_event();
  List list = immediate();
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, first));
  REQUIRE_ZE(zeCommandListAppendEventReset(list, first));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, second));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(zeEventQueryStatus(first) == ZE_RESULT_NOT_READY);
  CHECK(zeEventQueryStatus(second) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver,
                 "ze_cpu: a reset before a wait in the same list makes it wait for the next signal",
                 "[front]") {
  const auto event = pooled_event();
  const auto gate = pooled_event(), was_reset = pooled_event();
  REQUIRE_ZE(zeEventHostSignal(event)); // of an earlier use
  List list = immediate();
  ze_event_handle_t blocked = gate, wait = event;
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &blocked));
  REQUIRE_ZE(zeCommandListAppendEventReset(list, event));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, was_reset));
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &wait));
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeEventHostSynchronize(was_reset, long_ns));
  CHECK(zeCommandListHostSynchronize(list, 5'000'000) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(event));
  CHECK(zeCommandListHostSynchronize(list, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a counter-based event that was never signalled is complete",
                 "[front]") {
  const Event event = counter_event();
  CHECK(zeEventQueryStatus(event) == ZE_RESULT_SUCCESS);
  CHECK(zeEventHostSynchronize(event, forever) == ZE_RESULT_SUCCESS);
  List list = immediate();
  ze_event_handle_t wait = event;
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &wait));
  CHECK(zeCommandListHostSynchronize(list, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a counter-based event follows its list", "[front]") {
  const auto gate = pooled_event();
  const Event event = counter_event();
  List list = immediate();
  ze_event_handle_t blocked = gate;
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &blocked));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, event));
  CHECK(zeEventQueryStatus(event) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(gate));
  CHECK(zeEventHostSynchronize(event, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(
    Driver, "ze_cpu: a wait captures what a counter-based event stands for when it is appended",
    "[front]") {
  const auto first_gate = pooled_event(), second_gate = pooled_event();
  const Event event = counter_event();
  List first = immediate(), second = immediate(), third = immediate();
  ze_event_handle_t blocked = first_gate, wait = event;
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(first, 1, &blocked));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(first, event));
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(third, 1, &wait)); // for the first list
  blocked = second_gate;
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(second, 1, &blocked));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(second, event)); // used again, at once
  REQUIRE_ZE(zeEventHostSignal(first_gate));
  CHECK(zeCommandListHostSynchronize(third, long_ns) ==
        ZE_RESULT_SUCCESS); // does not wait for the second list
  CHECK(zeEventQueryStatus(event) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(second_gate));
  CHECK(zeEventHostSynchronize(event, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(
    Driver,
    "ze_cpu: a counter-based event may be destroyed, and its list too, while a list waits for it",
    "[front]") {
  const auto gate = pooled_event();
  List waiting = immediate();
  {
    const Event event = counter_event();
    List list = immediate();
    ze_event_handle_t blocked = gate, wait = event;
    REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &blocked));
    REQUIRE_ZE(zeCommandListAppendSignalEvent(list, event));
    REQUIRE_ZE(zeCommandListAppendWaitOnEvents(waiting, 1, &wait));
  }
  CHECK(zeCommandListHostSynchronize(waiting, 0) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(gate));
  CHECK(zeCommandListHostSynchronize(waiting, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(
    Driver, "ze_cpu: waiting for a counter-based event of the same list is satisfied by its order",
    "[front]") {
  const Event event = counter_event();
  List list = immediate();
  ze_event_handle_t wait = event;
  for (int i = 0; i < 100; ++i) {
    REQUIRE_ZE(zeCommandListAppendBarrier(list, event, 0, nullptr));
    REQUIRE_ZE(zeCommandListAppendBarrier(list, nullptr, 1, &wait));
  }
  CHECK(zeCommandListHostSynchronize(list, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver,
                 "ze_cpu: only in-order lists signal counter-based events, and the host does not",
                 "[front]") {
  const Event event = counter_event();
  List unordered = immediate(0);
  CHECK(zeCommandListAppendSignalEvent(unordered, event) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeEventHostSignal(event) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeEventHostReset(event) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  List list = immediate();
  CHECK(zeCommandListAppendEventReset(list, event) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(Driver, "ze_cpu: counter-based events also come from a pool", "[front]") {
  ze_event_pool_counter_based_exp_desc_t counters{
      ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC, nullptr,
      ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE};
  const ze_event_pool_desc_t pool_desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, &counters,
                                       ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 2};
  Pool pool;
  REQUIRE_ZE(zeEventPoolCreate(context, &pool_desc, 0, nullptr, pool.out()));
  const ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 1, 0, 0};
  Event event;
  REQUIRE_ZE(zeEventCreate(pool, &desc, event.out()));
  CHECK(zeEventHostSignal(event) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ze_event_counter_based_flags_t flags = 0;
  REQUIRE_ZE(zeEventGetCounterBasedFlags(event, &flags));
  CHECK(flags == ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE);

  const auto gate = pooled_event();
  List list = immediate();
  ze_event_handle_t blocked = gate;
  REQUIRE_ZE(zeCommandListAppendBarrier(list, event, 1, &blocked));
  CHECK(zeEventQueryStatus(event) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(gate));
  CHECK(zeEventHostSynchronize(event, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: the address of a counter-based event shows the list's progress",
                 "[front]") {
  const Event event = counter_event();
  uint64_t value = 0, address = 0;
  CHECK(zeEventCounterBasedGetDeviceAddress(event, &value, &address) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  List list = immediate();
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, event));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  REQUIRE_ZE(zeEventCounterBasedGetDeviceAddress(event, &value, &address));
  CHECK(*reinterpret_cast<const uint64_t *>(address) >= value);
}

TEST_CASE_METHOD(Driver,
                 "ze_cpu: a counter-based event that is signalled stands for the command before") {
  const Event before = counter_event(), first = counter_event(), second = counter_event();
  const auto gate = pooled_event();
  List list = immediate();
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, before));
  CHECK(zeEventQueryStatus(before) == ZE_RESULT_SUCCESS);
  ze_event_handle_t blocked = gate;
  REQUIRE_ZE(zeCommandListAppendBarrier(list, nullptr, 1, &blocked));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, first));
  REQUIRE_ZE(zeCommandListAppendBarrier(list, second, 0, nullptr));
  CHECK(zeEventQueryStatus(before) == ZE_RESULT_SUCCESS);
  CHECK(zeEventQueryStatus(first) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(gate));
  CHECK(zeEventHostSynchronize(first, long_ns) == ZE_RESULT_SUCCESS);
  CHECK(zeEventHostSynchronize(second, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a counter-based event that is signalled is no command") {
  const auto point_of = [](const Event &event) {
    uint64_t value = 0, address = 0;
    REQUIRE_ZE(zeEventCounterBasedGetDeviceAddress(event, &value, &address));
    return std::pair(value, address);
  };
  const Event before = counter_event(), first = counter_event(), second = counter_event();
  List list = immediate();
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, before));
  REQUIRE_ZE(zeCommandListAppendBarrier(list, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, first));
  REQUIRE_ZE(zeCommandListAppendBarrier(list, second, 0, nullptr));
  CHECK(point_of(first).first == point_of(before).first + 1);
  CHECK(point_of(second) == point_of(first));
}

TEST_CASE_METHOD(Driver, "ze_cpu: event descriptions are checked", "[front]") {
  const ze_event_pool_desc_t none{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, 0, 0};
  Pool pool;
  CHECK(zeEventPoolCreate(context, &none, 0, nullptr, pool.out()) == ZE_RESULT_ERROR_INVALID_SIZE);
  const ze_event_pool_desc_t two{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                 ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 2};
  REQUIRE_ZE(zeEventPoolCreate(context, &two, 0, nullptr, pool.out()));
  ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 2, 0, 0};
  Event event;
  CHECK(zeEventCreate(pool, &desc, event.out()) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  desc.index = 0;
  desc.signal = 0x100;
  CHECK(zeEventCreate(pool, &desc, event.out()) == ZE_RESULT_ERROR_INVALID_ENUMERATION);
  desc.signal = ZE_EVENT_SCOPE_FLAG_DEVICE;
  desc.wait = ZE_EVENT_SCOPE_FLAG_HOST;
  REQUIRE_ZE(zeEventCreate(pool, &desc, event.out()));
  ze_event_scope_flags_t scope = 0;
  REQUIRE_ZE(zeEventGetSignalScope(event, &scope));
  CHECK(scope == ZE_EVENT_SCOPE_FLAG_DEVICE);
  REQUIRE_ZE(zeEventGetWaitScope(event, &scope));
  CHECK(scope == ZE_EVENT_SCOPE_FLAG_HOST);
  ze_event_pool_handle_t its_pool = nullptr;
  REQUIRE_ZE(zeEventGetEventPool(event, &its_pool));
  CHECK(its_pool == pool);
  CHECK_NULL_HANDLE(zeEventQueryStatus(nullptr));

  List list = immediate();
  ze_event_handle_t null_event = nullptr;
  CHECK_NULL_HANDLE(zeCommandListAppendBarrier(list, nullptr, 1, &null_event));
  CHECK(zeCommandListAppendWaitOnEvents(list, 1, nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

TEST_CASE_METHOD(Driver, "ze_cpu: timestamps enclose the command, in the device's time",
                 "[front]") {
  const auto pooled =
      pooled_event(ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  const Event counting = counter_event(ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP);
  List list = immediate();
  char *memory = shared<char>(8 << 20);
  const char zero = 1;
  for (ze_event_handle_t event :
       {static_cast<ze_event_handle_t>(pooled), static_cast<ze_event_handle_t>(counting)}) {
    uint64_t host = 0, before = 0, after = 0;
    REQUIRE_ZE(zeDeviceGetGlobalTimestamps(device, &host, &before));
    REQUIRE_ZE(zeCommandListAppendMemoryFill(list, memory, &zero, 1, 8 << 20, event, 0, nullptr));
    REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
    REQUIRE_ZE(zeDeviceGetGlobalTimestamps(device, &host, &after));
    ze_kernel_timestamp_result_t result{};
    REQUIRE_ZE(zeEventQueryKernelTimestamp(event, &result));
    CHECK(result.global.kernelStart >= before);
    CHECK(result.global.kernelEnd > result.global.kernelStart);
    CHECK(result.global.kernelEnd <= after);
    CHECK(result.context.kernelEnd - result.context.kernelStart ==
          result.global.kernelEnd - result.global.kernelStart);
  }
}

TEST_CASE_METHOD(Driver, "ze_cpu: timestamps are there only when asked for and once signalled",
                 "[front]") {
  const auto without = pooled_event();
  REQUIRE_ZE(zeEventHostSignal(without));
  ze_kernel_timestamp_result_t result{};
  CHECK(zeEventQueryKernelTimestamp(without, &result) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const auto with =
      pooled_event(ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  CHECK(zeEventQueryKernelTimestamp(with, &result) == ZE_RESULT_NOT_READY);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a list writes global timestamps and collects those of events") {
  const auto event =
      pooled_event(ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  List list = immediate();
  uint64_t *times = shared<uint64_t>(2);
  auto *results = shared<ze_kernel_timestamp_result_t>(3);
  const size_t offset = sizeof *results;
  ze_event_handle_t queried = event;
  REQUIRE_ZE(zeCommandListAppendWriteGlobalTimestamp(list, &times[0], nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListAppendBarrier(list, event, 0, nullptr));
  REQUIRE_ZE(zeCommandListAppendWriteGlobalTimestamp(list, &times[1], nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListAppendQueryKernelTimestamps(list, 1, &queried, results, &offset, nullptr,
                                                      0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(times[0] != 0);
  CHECK(results[0].global.kernelStart == 0);
  CHECK(results[1].global.kernelStart >= times[0]);
  CHECK(results[1].global.kernelEnd <= times[1]);
  CHECK(results[2].global.kernelStart == 0);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a thousand events are waited for by one command", "[front]") {
  std::vector<PooledEvent> events;
  std::vector<ze_event_handle_t> handles;
  for (int i = 0; i < 1000; ++i) {
    events.push_back(pooled_event());
    handles.push_back(events.back());
  }
  List list = immediate();
  REQUIRE_ZE(zeCommandListAppendBarrier(list, nullptr, 1000, handles.data()));
  for (int i = 999; i > 0; --i)
    REQUIRE_ZE(zeEventHostSignal(events[static_cast<size_t>(i)]));
  CHECK(zeCommandListHostSynchronize(list, 2'000'000) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(events[0]));
  CHECK(zeCommandListHostSynchronize(list, long_ns) == ZE_RESULT_SUCCESS);
}
