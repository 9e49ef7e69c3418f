// Immediate lists: asynchrony, order inside a list and between lists, time-outs, host functions.
#include "../support.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

/// A host function's work: notes when it ran.
struct Note {
  std::atomic<int> *clock;
  int at = 0;
};
void take_note(void *data) {
  auto &note = *static_cast<Note *>(data);
  note.at = ++*note.clock;
}

void raise_flag(void *flag) { static_cast<std::atomic<bool> *>(flag)->store(true); }

void wait_for_flag(void *flag) {
  while (!static_cast<std::atomic<bool> *>(flag)->load())
    std::this_thread::yield();
}

} // namespace

TEST_CASE_METHOD(Driver, "ze_cpu: appends return while an event still blocks the list") {
  const auto gate = pooled_event();
  List list = immediate();
  int *memory = shared<int>(1);
  const int one = 1;
  ze_event_handle_t wait = gate;
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &wait));
  // More than any fixed-size queue would hold.
  for (int i = 0; i < 20'000; ++i)
    REQUIRE_ZE(zeCommandListAppendMemoryFill(list, memory, &one, sizeof one, sizeof one, nullptr, 0,
                                             nullptr));
  CHECK(zeCommandListHostSynchronize(list, 0) == ZE_RESULT_NOT_READY);
  CHECK(*memory == 0);
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*memory == 1);
}

TEST_CASE_METHOD(Driver, "ze_cpu: work is done without anybody synchronizing", "[front]") {
  std::atomic<bool> done{false};
  List list = immediate();
  REQUIRE_ZE(
      zeCommandListAppendHostFunction(list, raise_flag, &done, nullptr, nullptr, 0, nullptr));
  const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(long_ns);
  while (!done && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  CHECK(done);
}

TEST_CASE_METHOD(Driver, "ze_cpu: commands of a list take effect in order") {
  List list = immediate();
  int *chain = shared<int>(5001);
  chain[0] = 77;
  for (int i = 0; i < 5000; ++i)
    REQUIRE_ZE(zeCommandListAppendMemoryCopy(list, chain + i + 1, chain + i, sizeof(int), nullptr,
                                             0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(chain[5000] == 77);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a list waits for another list's event") {
  for (bool counter_based : {false, true}) {
    INFO("counter-based: " << counter_based);
    const auto gate = pooled_event();
    const auto pooled = pooled_event();
    const Event counting = counter_event();
    const ze_event_handle_t event =
        counter_based ? static_cast<ze_event_handle_t>(counting) : pooled;
    List first = immediate(), second = immediate();
    int *memory = shared<int>(2);
    const int one = 1;
    ze_event_handle_t blocked = gate, done = event;
    REQUIRE_ZE(zeCommandListAppendMemoryFill(first, memory, &one, sizeof one, sizeof one, event, 1,
                                             &blocked));
    REQUIRE_ZE(
        zeCommandListAppendMemoryCopy(second, memory + 1, memory, sizeof(int), nullptr, 1, &done));
    CHECK(zeCommandListHostSynchronize(second, 2'000'000) == ZE_RESULT_NOT_READY);
    REQUIRE_ZE(zeEventHostSignal(gate));
    REQUIRE_ZE(zeCommandListHostSynchronize(second, long_ns));
    CHECK(memory[1] == 1);
  }
}

TEST_CASE_METHOD(Driver, "ze_cpu: a ring of a thousand waiting lists unwinds") {
  constexpr size_t count = 1000;
  std::vector<List> lists;
  std::vector<Event> events;
  for (size_t i = 0; i < count; ++i) {
    lists.push_back(immediate());
    events.push_back(counter_event());
  }
  const auto gate = pooled_event();
  int *chain = shared<int>(count + 1);
  chain[0] = 5;
  for (size_t i = 0; i < count; ++i) {
    ze_event_handle_t wait = i == 0 ? static_cast<ze_event_handle_t>(gate) : events[i - 1];
    REQUIRE_ZE(zeCommandListAppendMemoryCopy(lists[i], chain + i + 1, chain + i, sizeof(int),
                                             events[i], 1, &wait));
  }
  CHECK(zeCommandListHostSynchronize(lists.back(), 0) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeCommandListHostSynchronize(lists.back(), long_ns));
  CHECK(chain[count] == 5);
}

TEST_CASE_METHOD(Driver, "ze_cpu: an independent list overtakes a blocked one", "[front]") {
  const auto gate = pooled_event();
  List blocked = immediate(), free = immediate();
  ze_event_handle_t wait = gate;
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(blocked, 1, &wait));
  REQUIRE_ZE(zeCommandListAppendBarrier(free, nullptr, 0, nullptr));
  CHECK(zeCommandListHostSynchronize(free, long_ns) == ZE_RESULT_SUCCESS);
  CHECK(zeCommandListHostSynchronize(blocked, 0) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(gate));
  CHECK(zeCommandListHostSynchronize(blocked, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: synchronizing gives up when its time is over, not before",
                 "[front]") {
  const auto gate = pooled_event();
  List list = immediate();
  ze_event_handle_t wait = gate;
  REQUIRE_ZE(zeCommandListAppendBarrier(list, nullptr, 1, &wait));
  const auto start = std::chrono::steady_clock::now();
  CHECK(zeCommandListHostSynchronize(list, 30'000'000) == ZE_RESULT_NOT_READY);
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(30));
  REQUIRE_ZE(zeEventHostSignal(gate));
  CHECK(zeCommandListHostSynchronize(list, forever) == ZE_RESULT_SUCCESS);
  CHECK(zeCommandListHostSynchronize(list, 0) == ZE_RESULT_SUCCESS);
  CHECK(zeCommandListHostSynchronize(list, UINT64_MAX - 1) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a list that was never used is synchronized at once", "[front]") {
  List list = immediate();
  CHECK(zeCommandListHostSynchronize(list, forever) == ZE_RESULT_SUCCESS);
  CHECK(zeDeviceSynchronize(device) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: appends to a synchronous list return when the command is done") {
  List list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  int *memory = shared<int>(1);
  for (int i = 1; i <= 100; ++i) {
    REQUIRE_ZE(
        zeCommandListAppendMemoryFill(list, memory, &i, sizeof i, sizeof i, nullptr, 0, nullptr));
    REQUIRE(*memory == i);
  }
}

TEST_CASE_METHOD(Driver, "ze_cpu: host functions run in their place") {
  List list = immediate();
  std::atomic<int> clock{0};
  Note first{&clock}, second{&clock};
  int *memory = shared<int>(2);
  memory[0] = 9;
  REQUIRE_ZE(
      zeCommandListAppendHostFunction(list, take_note, &first, nullptr, nullptr, 0, nullptr));
  REQUIRE_ZE(
      zeCommandListAppendMemoryCopy(list, memory + 1, memory, sizeof(int), nullptr, 0, nullptr));
  REQUIRE_ZE(
      zeCommandListAppendHostFunction(list, take_note, &second, nullptr, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(first.at == 1);
  CHECK(second.at == 2);
  CHECK(memory[1] == 9);
}

TEST_CASE_METHOD(
    Driver, "ze_cpu: a host function that blocks does not stop other lists, however many block") {
  constexpr size_t count = 100; // more than the driver has threads for running lists
  std::atomic<bool> go{false};
  std::vector<List> lists;
  for (size_t i = 0; i < count; ++i) {
    lists.push_back(immediate());
    REQUIRE_ZE(zeCommandListAppendHostFunction(lists.back(), wait_for_flag, &go, nullptr, nullptr,
                                               0, nullptr));
  }
  List free = immediate();
  REQUIRE_ZE(zeCommandListAppendHostFunction(free, raise_flag, &go, nullptr, nullptr, 0, nullptr));
  CHECK(zeCommandListHostSynchronize(free, long_ns) == ZE_RESULT_SUCCESS);
  for (List &list : lists)
    CHECK(zeCommandListHostSynchronize(list, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: zeDeviceSynchronize waits for all lists") {
  std::vector<List> lists;
  int *memory = shared<int>(32);
  const int one = 1;
  for (int i = 0; i < 32; ++i) {
    lists.push_back(immediate());
    for (int repeat = 0; repeat < 50; ++repeat)
      REQUIRE_ZE(zeCommandListAppendMemoryFill(lists.back(), memory + i, &one, sizeof one,
                                               sizeof one, nullptr, 0, nullptr));
  }
  REQUIRE_ZE(zeDeviceSynchronize(device));
  for (List &list : lists)
    CHECK(zeCommandListHostSynchronize(list, 0) == ZE_RESULT_SUCCESS);
  CHECK(std::count(memory, memory + 32, 1) == 32);
}

TEST_CASE_METHOD(Driver, "ze_cpu: work of a destroyed list is still done") {
  const auto gate = pooled_event();
  const auto done = pooled_event();
  int *memory = shared<int>(1);
  const int value = 3;
  {
    List list = immediate();
    ze_event_handle_t wait = gate;
    REQUIRE_ZE(zeCommandListAppendMemoryFill(list, memory, &value, sizeof value, sizeof value, done,
                                             1, &wait));
  }
  REQUIRE_ZE(zeEventHostSignal(gate));
  CHECK(zeEventHostSynchronize(done, long_ns) == ZE_RESULT_SUCCESS);
  CHECK(*memory == 3);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a list says what it was created as", "[front]") {
  List list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER | ZE_COMMAND_QUEUE_FLAG_COPY_OFFLOAD_HINT);
  ze_bool_t is_immediate = false;
  REQUIRE_ZE(zeCommandListIsImmediate(list, &is_immediate));
  CHECK(is_immediate);
  ze_device_handle_t its_device = nullptr;
  REQUIRE_ZE(zeCommandListGetDeviceHandle(list, &its_device));
  CHECK(its_device == device);
  ze_context_handle_t its_context = nullptr;
  REQUIRE_ZE(zeCommandListGetContextHandle(list, &its_context));
  CHECK(its_context == context);
  uint32_t number = 7;
  REQUIRE_ZE(zeCommandListGetOrdinal(list, &number));
  CHECK(number == 0);
  number = 7;
  REQUIRE_ZE(zeCommandListImmediateGetIndex(list, &number));
  CHECK(number == 0);
  List recorded = regular();
  REQUIRE_ZE(zeCommandListIsImmediate(recorded, &is_immediate));
  CHECK(!is_immediate);
  CHECK(zeCommandListImmediateGetIndex(recorded, &number) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeCommandListHostSynchronize(recorded, 0) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(Driver, "ze_cpu: lists with impossible descriptions are refused", "[front]") {
  ze_command_queue_desc_t desc{
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  List list;
  desc.ordinal = 5;
  CHECK(zeCommandListCreateImmediate(context, device, &desc, list.out()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  desc.ordinal = 0;
  desc.flags = 0x80;
  CHECK(zeCommandListCreateImmediate(context, device, &desc, list.out()) ==
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
  desc.flags = 0;
  CHECK_NULL_HANDLE(zeCommandListCreateImmediate(nullptr, device, &desc, list.out()));
  CHECK(zeCommandListCreateImmediate(context, device, nullptr, list.out()) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  desc.priority = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH;
  CHECK(zeCommandListCreateImmediate(context, device, &desc, list.out()) == ZE_RESULT_SUCCESS);
}
