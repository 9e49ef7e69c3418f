// Recorded commands that are changed afterwards, copied lists, and launches whose number is read
// when they start.
#include "../support.h"

#include <cstring>

namespace {

constexpr ze_group_count_t one_group{1, 1, 1};
constexpr ze_mutable_command_id_exp_desc_t any_change{ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_ID_EXP_DESC,
                                                      nullptr, 0};

class Changing : public Driver {
public:
  Module module = test_module();
  List list = mutable_list();
  List executor = immediate();

  List mutable_list() {
    ze_mutable_command_list_exp_desc_t changeable{ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC,
                                                  nullptr, 0};
    const ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, &changeable, 0,
                                      ZE_COMMAND_LIST_FLAG_IN_ORDER};
    List made;
    REQUIRE_ZE(zeCommandListCreate(context, device, &desc, made.out()));
    return made;
  }
  uint64_t next_id(const ze_mutable_command_id_exp_desc_t &desc = any_change) {
    uint64_t id = ~uint64_t{0};
    REQUIRE_ZE(zeCommandListGetNextCommandIdExp(list, &desc, &id));
    return id;
  }
  void append_store(ze_kernel_handle_t store, int *target, int value,
                    ze_event_handle_t signal = nullptr, uint32_t wait_count = 0,
                    ze_event_handle_t *waits = nullptr) {
    REQUIRE_ZE(zeKernelSetArgumentValue(store, 0, sizeof target, &target));
    REQUIRE_ZE(zeKernelSetArgumentValue(store, 1, sizeof value, &value));
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, store, &one_group, signal, wait_count, waits));
  }
  void submit(ze_command_list_handle_t recorded) {
    REQUIRE_ZE(zeCommandListClose(recorded));
    REQUIRE_ZE(
        zeCommandListImmediateAppendCommandListsExp(executor, 1, &recorded, nullptr, 0, nullptr));
  }
  void run() {
    submit(list);
    REQUIRE_ZE(zeCommandListHostSynchronize(executor, long_ns));
  }
  ze_result_t update(const void *changes) {
    const ze_mutable_commands_exp_desc_t desc{ZE_STRUCTURE_TYPE_MUTABLE_COMMANDS_EXP_DESC, changes,
                                              0};
    return zeCommandListUpdateMutableCommandsExp(list, &desc);
  }
};

ze_mutable_kernel_argument_exp_desc_t argument(uint64_t id, uint32_t index, size_t size,
                                               const void *value, const void *next = nullptr) {
  return {ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC, next, id, index, size, value};
}

} // namespace

TEST_CASE_METHOD(Changing, "ze_cpu: arguments of recorded launches change, of one command only") {
  const Kernel store = kernel(module, "store");
  int *values = shared<int>(3);
  const uint64_t first = next_id();
  append_store(store, values, 1);
  const uint64_t second = next_id();
  append_store(store, values + 1, 2);
  CHECK(first != second);
  run();
  CHECK(values[0] == 1);
  CHECK(values[1] == 2);

  int *elsewhere = values + 2;
  const int seven = 7, eight = 8;
  const auto value = argument(second, 1, sizeof seven, &seven);
  const auto target = argument(second, 0, sizeof elsewhere, &elsewhere, &value);
  REQUIRE_ZE(update(&target));
  run();
  CHECK(values[0] == 1);
  CHECK(values[1] == 2);
  CHECK(values[2] == 7);
  const auto again = argument(first, 1, sizeof eight, &eight);
  REQUIRE_ZE(update(&again));
  run();
  CHECK(values[0] == 8);
}

TEST_CASE_METHOD(Changing,
                 "ze_cpu: group count, group size and offset of recorded launches change") {
  const Kernel where = kernel(module, "coordinates");
  uint32_t *out = shared<uint32_t>(3 * 64);
  REQUIRE_ZE(zeKernelSetArgumentValue(where, 0, sizeof out, &out));
  REQUIRE_ZE(zeKernelSetGroupSize(where, 2, 1, 1));
  const uint64_t id = next_id();
  REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, where, &one_group, nullptr, 0, nullptr));
  run();
  const auto ran = [&] {
    int items = 0;
    for (int i = 0; i < 64; ++i)
      items += out[3 * i] != 0;
    std::memset(out, 0, 3 * 64 * sizeof *out);
    return items;
  };
  CHECK(ran() == 1); // the second of two; the first one's coordinate is 0
  const ze_group_count_t four{4, 1, 1};
  const ze_mutable_global_offset_exp_desc_t offset{
      ZE_STRUCTURE_TYPE_MUTABLE_GLOBAL_OFFSET_EXP_DESC, nullptr, id, 100, 0, 0};
  const ze_mutable_group_size_exp_desc_t size{
      ZE_STRUCTURE_TYPE_MUTABLE_GROUP_SIZE_EXP_DESC, &offset, id, 8, 1, 1};
  const ze_mutable_group_count_exp_desc_t count{ZE_STRUCTURE_TYPE_MUTABLE_GROUP_COUNT_EXP_DESC,
                                                &size, id, &four};
  REQUIRE_ZE(update(&count));
  run();
  CHECK(out[0] == 100);
  CHECK(ran() == 32);
  // Nothing changes if one part is wrong.
  const ze_mutable_group_size_exp_desc_t wrong{
      ZE_STRUCTURE_TYPE_MUTABLE_GROUP_SIZE_EXP_DESC, nullptr, id, 100000, 1, 1};
  const ze_mutable_group_count_exp_desc_t right{ZE_STRUCTURE_TYPE_MUTABLE_GROUP_COUNT_EXP_DESC,
                                                &wrong, id, &one_group};
  CHECK(update(&right) == ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  run();
  CHECK(ran() == 32);
}

TEST_CASE_METHOD(Changing, "ze_cpu: a recorded launch switches to another kernel") {
  const Kernel increment = kernel(module, "increment"), scale = kernel(module, "scale");
  int *counter = shared<int>(1);
  float *data = shared<float>(1);
  *data = 3;
  const ze_mutable_command_id_exp_desc_t desc{ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_ID_EXP_DESC,
                                              nullptr,
                                              ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_INSTRUCTION |
                                                  ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS};
  ze_kernel_handle_t choices[] = {increment, scale};
  uint64_t id = 0;
  REQUIRE_ZE(zeCommandListGetNextCommandIdWithKernelsExp(list, &desc, 2, choices, &id));
  REQUIRE_ZE(zeKernelSetArgumentValue(increment, 0, sizeof counter, &counter));
  REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, increment, &one_group, nullptr, 0, nullptr));
  run();
  CHECK(*counter == 1);

  ze_kernel_handle_t other = scale; // has more arguments
  REQUIRE_ZE(zeCommandListUpdateMutableCommandKernelsExp(list, 1, &id, &other));
  const float factor = 2;
  const uint32_t length = 1;
  const auto third = argument(id, 2, sizeof length, &length);
  const auto second = argument(id, 1, sizeof factor, &factor, &third);
  const auto first = argument(id, 0, sizeof data, &data, &second);
  REQUIRE_ZE(update(&first));
  run();
  CHECK(*counter == 1);
  CHECK(*data == 6);

  const Kernel stranger = kernel(module, "empty");
  ze_kernel_handle_t wrong = stranger;
  CHECK(zeCommandListUpdateMutableCommandKernelsExp(list, 1, &id, &wrong) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(Changing, "ze_cpu: what a recorded command waits for and signals changes") {
  const Kernel store = kernel(module, "store");
  int *value = shared<int>(1);
  const PooledEvent gate = pooled_event(), other_gate = pooled_event();
  const PooledEvent done = pooled_event(), other_done = pooled_event();
  ze_event_handle_t wait = gate;
  const uint64_t id = next_id();
  append_store(store, value, 5, done, 1, &wait);
  REQUIRE_ZE(zeEventHostSignal(gate));
  run();
  CHECK(zeEventQueryStatus(done) == ZE_RESULT_SUCCESS);
  REQUIRE_ZE(zeEventHostReset(done));
  REQUIRE_ZE(zeEventHostReset(gate));

  ze_event_handle_t other = other_gate;
  REQUIRE_ZE(zeCommandListUpdateMutableCommandWaitEventsExp(list, id, 1, &other));
  REQUIRE_ZE(zeCommandListUpdateMutableCommandSignalEventExp(list, id, other_done));
  *value = 0;
  submit(list);
  CHECK(zeCommandListHostSynchronize(executor, 1'000'000) == ZE_RESULT_NOT_READY);
  CHECK(*value == 0);
  REQUIRE_ZE(zeEventHostSignal(other_gate));
  REQUIRE_ZE(zeEventHostSynchronize(other_done, long_ns));
  CHECK(*value == 5);
  CHECK(zeEventQueryStatus(done) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeCommandListHostSynchronize(executor, long_ns));

  // No event at all, as a whole or in its place.
  REQUIRE_ZE(zeEventHostReset(other_gate));
  REQUIRE_ZE(zeCommandListUpdateMutableCommandWaitEventsExp(list, id, 0, nullptr));
  REQUIRE_ZE(zeCommandListUpdateMutableCommandSignalEventExp(list, id, nullptr));
  run();
  ze_event_handle_t none = nullptr;
  REQUIRE_ZE(zeCommandListUpdateMutableCommandWaitEventsExp(list, id, 1, &none));
  run();
  ze_event_handle_t two[] = {gate, other_gate};
  CHECK(zeCommandListUpdateMutableCommandWaitEventsExp(list, id, 2, two) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(Changing,
                 "ze_cpu: counter-based events take each other's place in a recorded command") {
  const Kernel store = kernel(module, "store");
  int *value = shared<int>(1);
  const Event before = counter_event(), other_before = counter_event();
  const Event after = counter_event(), other_after = counter_event();
  const PooledEvent gate = pooled_event();
  ze_event_handle_t wait = before;
  const uint64_t id = next_id();
  append_store(store, value, 9, after, 1, &wait);
  run();
  ze_event_handle_t other = other_before;
  REQUIRE_ZE(zeCommandListUpdateMutableCommandWaitEventsExp(list, id, 1, &other));
  REQUIRE_ZE(zeCommandListUpdateMutableCommandSignalEventExp(list, id, other_after));
  // `other_before` is signalled behind the gate.
  List blocked = immediate();
  ze_event_handle_t closed = gate;
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(blocked, 1, &closed));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(blocked, other_before));
  *value = 0;
  submit(list);
  CHECK(zeEventHostSynchronize(other_after, 1'000'000) == ZE_RESULT_NOT_READY);
  CHECK(*value == 0);
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeEventHostSynchronize(other_after, long_ns));
  CHECK(*value == 9);
}

TEST_CASE_METHOD(Changing,
                 "ze_cpu: only what was asked for may be changed, and only in mutable lists") {
  const Kernel store = kernel(module, "store");
  int *value = shared<int>(1);
  const ze_mutable_command_id_exp_desc_t count_only{ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_ID_EXP_DESC,
                                                    nullptr,
                                                    ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_COUNT};
  const uint64_t id = next_id(count_only);
  append_store(store, value, 1);
  const int two = 2;
  auto change = argument(id, 1, sizeof two, &two);
  CHECK(update(&change) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  change.commandId = id + 1;
  CHECK(update(&change) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  run();
  CHECK(*value == 1);

  ze_bool_t is_mutable = false;
  REQUIRE_ZE(zeCommandListIsMutableExp(list, &is_mutable));
  CHECK(is_mutable);
  uint64_t other = 0;
  CHECK(zeCommandListGetNextCommandIdExp(list, &any_change, &other) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT); // closed
  List fixed = regular();
  for (const ze_command_list_handle_t each :
       {ze_command_list_handle_t{executor}, ze_command_list_handle_t{fixed}}) {
    REQUIRE_ZE(zeCommandListIsMutableExp(each, &is_mutable));
    CHECK(!is_mutable);
    CHECK(zeCommandListGetNextCommandIdExp(each, &any_change, &other) ==
          ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  ze_mutable_command_list_exp_properties_t properties{
      ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_PROPERTIES, nullptr, 0, 0};
  ze_device_properties_t of_device{};
  of_device.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  of_device.pNext = &properties;
  REQUIRE_ZE(zeDeviceGetProperties(device, &of_device));
  CHECK((properties.mutableCommandFlags & ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_INSTRUCTION) != 0);
}

TEST_CASE_METHOD(Changing, "ze_cpu: a list and its copy are executed each on its own") {
  List source = regular(ZE_COMMAND_LIST_FLAG_IN_ORDER | ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE);
  const Kernel increment = kernel(module, "increment");
  int *counter = shared<int>(1);
  const PooledEvent gate = pooled_event();
  const Event late = counter_event();
  ze_event_handle_t waits[] = {gate, late};
  REQUIRE_ZE(zeKernelSetArgumentValue(increment, 0, sizeof counter, &counter));
  REQUIRE_ZE(zeCommandListAppendLaunchKernel(source, increment, &one_group, nullptr, 2, waits));
  for (int i = 1; i < 2000; ++i) // more than a segment holds
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(source, increment, &one_group, nullptr, 0, nullptr));
  ze_command_list_handle_t copy = nullptr;
  CHECK(zeCommandListCreateCloneExp(source, &copy) == ZE_RESULT_ERROR_INVALID_ARGUMENT); // open
  REQUIRE_ZE(zeCommandListClose(source));
  REQUIRE_ZE(zeCommandListCreateCloneExp(source, &copy));
  List clone(copy);
  REQUIRE_ZE(zeCommandListReset(source));
  REQUIRE_ZE(zeCommandListImmediateAppendCommandListsExp(executor, 1, &copy, nullptr, 0, nullptr));
  CHECK(zeCommandListHostSynchronize(executor, 1'000'000) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeCommandListHostSynchronize(executor, long_ns));
  CHECK(*counter == 2000);
  List plain = regular();
  REQUIRE_ZE(zeCommandListClose(plain));
  CHECK(zeCommandListCreateCloneExp(plain, &copy) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(Changing, "ze_cpu: as many indirect launches run as memory says when they start") {
  int *values = shared<int>(3);
  uint32_t *count = shared<uint32_t>(1);
  auto *groups = shared<ze_group_count_t>(3);
  std::vector<Kernel> kernels;
  std::vector<ze_kernel_handle_t> handles;
  for (int i = 0; i < 3; ++i) {
    int *value = values + i;
    kernels.push_back(kernel(module, "increment"));
    handles.push_back(kernels.back());
    REQUIRE_ZE(zeKernelSetArgumentValue(kernels.back(), 0, sizeof value, &value));
    groups[i] = one_group;
  }
  const PooledEvent gate = pooled_event(), done = pooled_event();
  ze_event_handle_t wait = gate;
  REQUIRE_ZE(zeCommandListAppendLaunchMultipleKernelsIndirect(executor, 3, handles.data(), count,
                                                              groups, done, 1, &wait));
  *count = 2; // late enough
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeEventHostSynchronize(done, long_ns));
  CHECK(values[0] == 1);
  CHECK(values[1] == 1);
  CHECK(values[2] == 0);
  *count = 3;
  groups[0] = {0, 1, 1};
  REQUIRE_ZE(zeCommandListAppendLaunchMultipleKernelsIndirect(executor, 3, handles.data(), count,
                                                              groups, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(executor, long_ns));
  CHECK(values[0] == 1);
  CHECK(values[1] == 2);
  CHECK(values[2] == 1);
}
