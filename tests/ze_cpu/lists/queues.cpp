// Regular command lists, queues, fences, and regular lists submitted to immediate ones.
#include "../support.h"

#include <thread>

namespace {

/// Fills `count` ints with a value.
ze_result_t append_fill(ze_command_list_handle_t list, int *memory, int value, size_t count = 1,
                        ze_event_handle_t signal = nullptr, ze_event_handle_t wait = nullptr) {
  return zeCommandListAppendMemoryFill(list, memory, &value, sizeof value, count * sizeof value,
                                       signal, wait ? 1 : 0, wait ? &wait : nullptr);
}

void execute(ze_command_queue_handle_t queue, ze_command_list_handle_t list,
             ze_fence_handle_t fence = nullptr) {
  REQUIRE_ZE(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
}

} // namespace

TEST_CASE_METHOD(Driver, "ze_cpu: a recorded list executes as often as it is submitted") {
  List list = regular();
  int *memory = shared<int>(2);
  REQUIRE_ZE(
      zeCommandListAppendMemoryCopy(list, memory + 1, memory, sizeof(int), nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListClose(list));
  CHECK(memory[1] == 0); // recording executes nothing
  Queue q = queue();
  for (int i = 1; i <= 10; ++i) {
    memory[0] = i;
    execute(q, list);
    REQUIRE_ZE(zeCommandQueueSynchronize(q, long_ns));
    CHECK(memory[1] == i);
  }
}

TEST_CASE_METHOD(Driver, "ze_cpu: lists of one submission execute in order") {
  int *memory = shared<int>(1);
  std::vector<List> lists;
  std::vector<ze_command_list_handle_t> handles;
  for (int i = 1; i <= 20; ++i) {
    lists.push_back(regular());
    REQUIRE_ZE(append_fill(lists.back(), memory, i));
    REQUIRE_ZE(zeCommandListClose(lists.back()));
    handles.push_back(lists.back());
  }
  Queue q = queue();
  REQUIRE_ZE(zeCommandQueueExecuteCommandLists(q, 20, handles.data(), nullptr));
  REQUIRE_ZE(zeCommandQueueSynchronize(q, long_ns));
  CHECK(*memory == 20);
}

TEST_CASE_METHOD(Driver, "ze_cpu: an open list, an immediate list and no list are not executed",
                 "[front]") {
  Queue q = queue();
  List open = regular();
  ze_command_list_handle_t handle = open;
  CHECK(zeCommandQueueExecuteCommandLists(q, 1, &handle, nullptr) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  List other = immediate();
  handle = other;
  CHECK(zeCommandQueueExecuteCommandLists(q, 1, &handle, nullptr) ==
        ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
  CHECK(zeCommandQueueExecuteCommandLists(q, 0, &handle, nullptr) == ZE_RESULT_ERROR_INVALID_SIZE);
  CHECK(zeCommandQueueExecuteCommandLists(q, 1, nullptr, nullptr) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  handle = nullptr;
  CHECK_NULL_HANDLE(zeCommandQueueExecuteCommandLists(q, 1, &handle, nullptr));
}

TEST_CASE_METHOD(Driver, "ze_cpu: a closed list takes no commands, a reset one starts anew") {
  int *memory = shared<int>(2);
  List list = regular();
  REQUIRE_ZE(append_fill(list, memory, 1));
  REQUIRE_ZE(zeCommandListClose(list));
  CHECK(append_fill(list, memory, 2) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  REQUIRE_ZE(zeCommandListReset(list));
  REQUIRE_ZE(append_fill(list, memory + 1, 3));
  REQUIRE_ZE(zeCommandListClose(list));
  Queue q = queue();
  execute(q, list);
  REQUIRE_ZE(zeCommandQueueSynchronize(q, long_ns));
  CHECK(memory[0] == 0);
  CHECK(memory[1] == 3);
}

TEST_CASE_METHOD(Driver,
                 "ze_cpu: resetting or destroying a list that is executed does not disturb it") {
  const auto gate = pooled_event();
  int *memory = shared<int>(1);
  Queue q = queue();
  {
    List list = regular();
    REQUIRE_ZE(append_fill(list, memory, 4, 1, nullptr, gate));
    REQUIRE_ZE(zeCommandListClose(list));
    execute(q, list);
    REQUIRE_ZE(zeCommandListReset(list));
  }
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeCommandQueueSynchronize(q, long_ns));
  CHECK(*memory == 4);
}

TEST_CASE_METHOD(Driver, "ze_cpu: execution does not wait for the submission to end") {
  const auto gate = pooled_event();
  int *memory = shared<int>(1);
  List list = regular();
  REQUIRE_ZE(append_fill(list, memory, 4, 1, nullptr, gate));
  REQUIRE_ZE(zeCommandListClose(list));
  Queue q = queue();
  execute(q, list);
  CHECK(zeCommandQueueSynchronize(q, 0) == ZE_RESULT_NOT_READY);
  CHECK(zeCommandQueueSynchronize(q, 2'000'000) == ZE_RESULT_NOT_READY);
  CHECK(*memory == 0);
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeCommandQueueSynchronize(q, forever));
  CHECK(*memory == 4);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a synchronous queue returns with the work done") {
  int *memory = shared<int>(1);
  List list = regular();
  REQUIRE_ZE(append_fill(list, memory, 6));
  REQUIRE_ZE(zeCommandListClose(list));
  Queue q = queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  execute(q, list);
  CHECK(*memory == 6);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a fence is signalled by its submission", "[front]") {
  const auto gate = pooled_event();
  int *memory = shared<int>(1);
  List list = regular();
  REQUIRE_ZE(append_fill(list, memory, 4, 1, nullptr, gate));
  REQUIRE_ZE(zeCommandListClose(list));
  Queue q = queue();
  Fence f = fence(q);
  CHECK(zeFenceQueryStatus(f) == ZE_RESULT_NOT_READY);
  execute(q, list, f);
  CHECK(zeFenceHostSynchronize(f, 0) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(gate));
  CHECK(zeFenceHostSynchronize(f, long_ns) == ZE_RESULT_SUCCESS);
  CHECK(zeFenceQueryStatus(f) == ZE_RESULT_SUCCESS);
  REQUIRE_ZE(zeFenceReset(f));
  CHECK(zeFenceQueryStatus(f) == ZE_RESULT_NOT_READY);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a fence can begin signalled, and belongs to one queue",
                 "[front]") {
  Queue q = queue(), other = queue();
  Fence f = fence(q, ZE_FENCE_FLAG_SIGNALED);
  CHECK(zeFenceQueryStatus(f) == ZE_RESULT_SUCCESS);
  List list = regular();
  REQUIRE_ZE(zeCommandListClose(list));
  ze_command_list_handle_t handle = list;
  CHECK(zeCommandQueueExecuteCommandLists(other, 1, &handle, f) ==
        ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT);
  execute(q, list, f); // an empty list is executed too
  CHECK(zeFenceHostSynchronize(f, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a counter-based event in a recorded list is signalled by each "
                         "execution, at its place") {
  const auto gate = pooled_event();
  const Event event = counter_event(ZE_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE);
  int *memory = shared<int>(2);
  List list = regular();
  REQUIRE_ZE(append_fill(list, memory, 1, 1, event));
  REQUIRE_ZE(append_fill(list, memory + 1, 1, 1, nullptr, gate));
  REQUIRE_ZE(zeCommandListClose(list));
  Queue q = queue();
  for (int round = 0; round < 3; ++round) {
    memory[0] = memory[1] = 0;
    REQUIRE_ZE(zeEventHostReset(gate));
    execute(q, list);
    CHECK(zeEventHostSynchronize(event, long_ns) ==
          ZE_RESULT_SUCCESS); // while the rest of the list is blocked
    CHECK(memory[0] == 1);
    CHECK(zeCommandQueueSynchronize(q, 0) == ZE_RESULT_NOT_READY);
    REQUIRE_ZE(zeEventHostSignal(gate));
    REQUIRE_ZE(zeCommandQueueSynchronize(q, long_ns));
    CHECK(memory[1] == 1);
  }
}

TEST_CASE_METHOD(Driver, "ze_cpu: a recorded wait means the event as it is at each submission") {
  const auto first_gate = pooled_event(), second_gate = pooled_event();
  const Event event = counter_event();
  int *memory = shared<int>(1);
  List recorded = regular(), source = immediate();
  REQUIRE_ZE(append_fill(recorded, memory, 1, 1, nullptr, event));
  REQUIRE_ZE(zeCommandListClose(recorded));
  Queue q = queue();
  execute(q, recorded); // the event was never signalled: complete
  REQUIRE_ZE(zeCommandQueueSynchronize(q, long_ns));
  CHECK(*memory == 1);
  *memory = 0;
  ze_event_handle_t blocked = first_gate;
  REQUIRE_ZE(zeCommandListAppendBarrier(source, event, 1, &blocked));
  execute(q, recorded);
  CHECK(zeCommandQueueSynchronize(q, 2'000'000) == ZE_RESULT_NOT_READY);
  CHECK(*memory == 0);
  blocked = second_gate;
  REQUIRE_ZE(zeCommandListAppendBarrier(source, event, 1,
                                        &blocked)); // signalled anew: not what was waited for
  REQUIRE_ZE(zeEventHostSignal(first_gate));
  CHECK(zeCommandQueueSynchronize(q, long_ns) == ZE_RESULT_SUCCESS);
  CHECK(*memory == 1);
  REQUIRE_ZE(zeEventHostSignal(second_gate));
  REQUIRE_ZE(zeCommandListHostSynchronize(source, long_ns));
}

TEST_CASE_METHOD(Driver, "ze_cpu: recorded lists run in their place in an immediate list") {
  int *memory = shared<int>(4);
  List first = regular(), second = regular(), list = immediate();
  REQUIRE_ZE(
      zeCommandListAppendMemoryCopy(first, memory + 1, memory, sizeof(int), nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListAppendMemoryCopy(second, memory + 2, memory + 1, sizeof(int), nullptr, 0,
                                           nullptr));
  REQUIRE_ZE(zeCommandListClose(first));
  REQUIRE_ZE(zeCommandListClose(second));
  ze_command_list_handle_t both[] = {first, second};
  const auto gate = pooled_event();
  const Event done = counter_event();
  const auto also_done = pooled_event();
  ze_event_handle_t blocked = gate;
  REQUIRE_ZE(append_fill(list, memory, 21));
  REQUIRE_ZE(zeCommandListImmediateAppendCommandListsExp(list, 2, both, done, 1, &blocked));
  REQUIRE_ZE(zeCommandListImmediateAppendCommandListsExp(list, 1, both, also_done, 0, nullptr));
  REQUIRE_ZE(zeCommandListAppendMemoryCopy(list, memory + 3, memory + 2, sizeof(int), nullptr, 0,
                                           nullptr));
  CHECK(zeEventQueryStatus(done) == ZE_RESULT_NOT_READY);
  CHECK(memory[1] == 0);
  REQUIRE_ZE(zeEventHostSignal(gate));
  CHECK(zeEventHostSynchronize(done, long_ns) == ZE_RESULT_SUCCESS);
  CHECK(memory[2] == 21);
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(zeEventQueryStatus(also_done) == ZE_RESULT_SUCCESS);
  CHECK(memory[3] == 21);
}

TEST_CASE_METHOD(Driver, "ze_cpu: only closed regular lists are appended to immediate ones",
                 "[front]") {
  List list = immediate(), other = immediate(), open = regular();
  ze_command_list_handle_t handle = other;
  CHECK(zeCommandListImmediateAppendCommandListsExp(list, 1, &handle, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  handle = open;
  CHECK(zeCommandListImmediateAppendCommandListsExp(list, 1, &handle, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeCommandListImmediateAppendCommandListsExp(list, 1, nullptr, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

TEST_CASE_METHOD(Driver, "ze_cpu: threads may submit to one queue at a time") {
  constexpr int threads = 4, rounds = 200;
  int *memory = shared<int>(threads);
  Queue q = queue();
  std::vector<List> lists;
  for (int i = 0; i < threads; ++i) {
    lists.push_back(regular());
    REQUIRE_ZE(append_fill(lists.back(), memory + i, i + 1));
    REQUIRE_ZE(zeCommandListClose(lists.back()));
  }
  std::vector<std::thread> workers;
  std::vector<int> failures(threads);
  for (size_t i = 0; i < threads; ++i)
    workers.emplace_back([&, i] {
      ze_command_list_handle_t handle = lists[i];
      for (int round = 0; round < rounds; ++round)
        failures[i] +=
            zeCommandQueueExecuteCommandLists(q, 1, &handle, nullptr) != ZE_RESULT_SUCCESS;
    });
  for (std::thread &worker : workers)
    worker.join();
  REQUIRE_ZE(zeCommandQueueSynchronize(q, long_ns));
  for (int i = 0; i < threads; ++i) {
    CHECK(failures[static_cast<size_t>(i)] == 0);
    CHECK(memory[i] == i + 1);
  }
}

TEST_CASE_METHOD(Driver, "ze_cpu: an immediate list is closed and reset without effect") {
  List list = immediate();
  int *value = shared<int>(1);
  const int pattern = 5;
  REQUIRE_ZE(zeCommandListClose(list));
  REQUIRE_ZE(zeCommandListAppendMemoryFill(list, value, &pattern, sizeof pattern, sizeof *value,
                                           nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListReset(list));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*value == pattern);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a list for copies copies, and launches nothing") {
  ze_command_queue_desc_t desc{
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 1, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  List list;
  REQUIRE_ZE(zeCommandListCreateImmediate(context, device, &desc, list.out()));
  int *values = shared<int>(2);
  values[0] = 5;
  REQUIRE_ZE(
      zeCommandListAppendMemoryCopy(list, values + 1, values, sizeof *values, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(values[1] == 5);
  const Module module = test_module();
  const Kernel increment = kernel(module, "increment");
  const ze_group_count_t one{1, 1, 1};
  REQUIRE_ZE(zeKernelSetArgumentValue(increment, 0, sizeof values, &values));
  CHECK(zeCommandListAppendLaunchKernel(list, increment, &one, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
}
