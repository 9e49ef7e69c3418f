// Kernels: arguments of every kind, sizes, both ways to launch, and what happens to a kernel that
// goes wrong.
#include "support.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace {

constexpr ze_group_count_t one_group{1, 1, 1};

struct Pair {
  int32_t small;
  int64_t large;
};

class KernelTest : public Driver {
public:
  Module module = test_module();
  List list = immediate();

  void launch(ze_kernel_handle_t kernel, ze_group_count_t groups = one_group) {
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
    REQUIRE_ZE(zeCommandListHostSynchronize(list, forever));
  }
  template <class T> void set(ze_kernel_handle_t kernel, uint32_t index, const T &value) {
    REQUIRE_ZE(zeKernelSetArgumentValue(kernel, index, sizeof value, &value));
  }
};

} // namespace

TEST_CASE_METHOD(KernelTest, "ze_cpu: pointers and values arrive in a kernel") {
  const Kernel scale = kernel(module, "scale");
  float *data = shared<float>(1000);
  for (int i = 0; i < 1000; ++i)
    data[i] = static_cast<float>(i);
  set(scale, 0, data);
  set(scale, 1, 0.5f);
  set(scale, 2, uint32_t{999});
  REQUIRE_ZE(zeKernelSetGroupSize(scale, 64, 1, 1));
  launch(scale, {16, 1, 1});
  CHECK(data[0] == 0);
  CHECK(data[1] == 0.5f);
  CHECK(data[998] == 499);
  CHECK(data[999] == 999);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: a structure passed by value arrives whole") {
  const Kernel add = kernel(module, "add_pair");
  int64_t *out = shared<int64_t>(1);
  set(add, 0, out);
  set(add, 1, Pair{-5, int64_t{1} << 40});
  launch(add);
  CHECK(*out == (int64_t{1} << 40) - 5);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: work-group memory is as large as the argument says") {
  const Kernel sum = kernel(module, "group_sum");
  constexpr uint32_t group = 128, groups = 40;
  int *in = shared<int>(group * groups), *out = shared<int>(groups);
  int64_t expected = 0;
  for (uint32_t i = 0; i < group * groups; ++i)
    expected += in[i] = static_cast<int>(i % 1000);
  set(sum, 0, in);
  set(sum, 1, out);
  REQUIRE_ZE(zeKernelSetArgumentValue(sum, 2, group * sizeof(int), nullptr));
  REQUIRE_ZE(zeKernelSetGroupSize(sum, group, 1, 1));
  launch(sum, {groups, 1, 1});
  int64_t total = 0;
  for (uint32_t i = 0; i < groups; ++i)
    total += out[i];
  CHECK(total == expected);
}

TEST_CASE_METHOD(KernelTest,
                 "ze_cpu: two work-group arguments do not overlap, whichever is sized last") {
  const Kernel both = kernel(module, "two_locals");
  constexpr uint32_t group = 33;
  int *out = shared<int>(group);
  set(both, 0, out);
  REQUIRE_ZE(zeKernelSetArgumentValue(both, 2, group * sizeof(int64_t), nullptr));
  REQUIRE_ZE(zeKernelSetArgumentValue(both, 1, group * sizeof(int), nullptr));
  REQUIRE_ZE(zeKernelSetGroupSize(both, group, 1, 1));
  launch(both);
  for (uint32_t i = 0; i < group; ++i)
    CHECK(out[i] == static_cast<int>((group - 1 - i) * 1000 + 100 + group - 1 - i));
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: a work-group argument lies where any type may lie") {
  const Kernel aligned = kernel(module, "aligned_locals");
  constexpr uint32_t group = 4;
  uint64_t *out = shared<uint64_t>(2 * group);
  set(aligned, 0, out);
  REQUIRE_ZE(zeKernelSetGroupSize(aligned, group, 1, 1));
  for (const size_t before : {1, 64, 65, 128, 192}) {
    REQUIRE_ZE(zeKernelSetArgumentValue(aligned, 1, before, nullptr));
    REQUIRE_ZE(zeKernelSetArgumentValue(aligned, 2, group * 16 * sizeof(double), nullptr));
    launch(aligned);
    for (uint32_t i = 0; i < group; ++i) {
      CHECK(out[2 * i] % (16 * sizeof(double)) == 0);
      CHECK(out[2 * i + 1] == i);
    }
  }
}

TEST_CASE_METHOD(
    KernelTest,
    "ze_cpu: every work-item of a three-dimensional grid runs once, with its global offset") {
  const Kernel where = kernel(module, "coordinates");
  constexpr uint32_t nx = 6, ny = 4, nz = 3;
  uint32_t *out = shared<uint32_t>(3 * nx * ny * nz);
  set(where, 0, out);
  REQUIRE_ZE(zeKernelSetGroupSize(where, 3, 2, 1));
  REQUIRE_ZE(zeKernelSetGlobalOffsetExp(where, 100, 20, 7));
  launch(where, {nx / 3, ny / 2, nz});
  size_t wrong = 0;
  for (uint32_t z = 0; z < nz; ++z)
    for (uint32_t y = 0; y < ny; ++y)
      for (uint32_t x = 0; x < nx; ++x) {
        const uint32_t *at = out + 3 * (x + nx * (y + ny * z));
        wrong += at[0] != x + 100 || at[1] != y + 20 || at[2] != z + 7;
      }
  CHECK(wrong == 0);
}

TEST_CASE_METHOD(KernelTest,
                 "ze_cpu: a launch takes the arguments that the kernel has when it is appended") {
  const Kernel store = kernel(module, "store");
  const auto gate = pooled_event();
  int *target = shared<int>(3);
  ze_event_handle_t wait = gate;
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &wait));
  for (int i = 0; i < 3; ++i) {
    set(store, 0, target + i);
    set(store, 1, i + 10);
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, store, &one_group, nullptr, 0, nullptr));
  }
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  for (int i = 0; i < 3; ++i)
    CHECK(target[i] == i + 10);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: a launch can bring its arguments and group size along") {
  const Kernel sum = kernel(module, "group_sum");
  constexpr uint32_t group = 16;
  int *in = shared<int>(group), *out = shared<int>(1);
  for (uint32_t i = 0; i < group; ++i)
    in[i] = 2;
  size_t local_size = group * sizeof(int);
  void *arguments[] = {&in, &out, &local_size};
  REQUIRE_ZE(zeCommandListAppendLaunchKernelWithArguments(list, sum, one_group, {group, 1, 1},
                                                          arguments, nullptr, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*out == 32);
  // It changed the kernel's state: a plain launch repeats it.
  *out = 0;
  launch(sum);
  CHECK(*out == 32);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: launch parameters are understood or refused", "[front]") {
  const Kernel empty = kernel(module, "empty");
  ze_command_list_append_launch_kernel_param_cooperative_desc_t cooperative{
      ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC, nullptr, true};
  uint32_t limit = 0;
  REQUIRE_ZE(zeKernelSetGroupSize(empty, 16, 1, 1));
  REQUIRE_ZE(zeKernelSuggestMaxCooperativeGroupCount(empty, &limit));
  REQUIRE(limit > 8);
  const ze_group_count_t many{8, 1, 1}, all{limit, 1, 1}, too_many{limit, 2, 1},
      far_too_many{UINT32_MAX, UINT32_MAX, UINT32_MAX};
  CHECK(zeCommandListAppendLaunchKernelWithParameters(list, empty, &many, nullptr, nullptr, 0,
                                                      nullptr) == ZE_RESULT_SUCCESS);
  CHECK(zeCommandListAppendLaunchKernelWithParameters(list, empty, &one_group, &cooperative,
                                                      nullptr, 0, nullptr) == ZE_RESULT_SUCCESS);
  CHECK(zeCommandListAppendLaunchKernelWithParameters(list, empty, &all, &cooperative, nullptr, 0,
                                                      nullptr) == ZE_RESULT_SUCCESS);
  CHECK(zeCommandListAppendLaunchCooperativeKernel(list, empty, &all, nullptr, 0, nullptr) ==
        ZE_RESULT_SUCCESS);
  for (const ze_group_count_t &groups : {too_many, far_too_many}) {
    CHECK(zeCommandListAppendLaunchKernelWithParameters(list, empty, &groups, &cooperative, nullptr,
                                                        0, nullptr) ==
          ZE_RESULT_ERROR_INVALID_ARGUMENT);
    CHECK(zeCommandListAppendLaunchCooperativeKernel(list, empty, &groups, nullptr, 0, nullptr) ==
          ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  // The group size that counts is the one given with the launch.
  CHECK(zeCommandListAppendLaunchKernelWithArguments(list, empty, all, {64, 1, 1}, nullptr,
                                                     &cooperative, nullptr, 0,
                                                     nullptr) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  cooperative.isCooperative = false;
  CHECK(zeCommandListAppendLaunchKernelWithParameters(list, empty, &too_many, &cooperative, nullptr,
                                                      0, nullptr) == ZE_RESULT_SUCCESS);
  const ze_base_desc_t unknown{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr};
  CHECK(zeCommandListAppendLaunchKernelWithParameters(list, empty, &many, &unknown, nullptr, 0,
                                                      nullptr) ==
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: the groups of a cooperative launch wait for each other") {
  const Kernel reverse = kernel(module, "reverse_in_place");
  constexpr uint32_t group = 64;
  REQUIRE_ZE(zeKernelSetGroupSize(reverse, group, 1, 1));
  uint32_t limit = 0;
  REQUIRE_ZE(zeKernelSuggestMaxCooperativeGroupCount(reverse, &limit));
  const ze_group_count_t groups{std::min(limit, 100u), 1, 1};
  const uint32_t count = groups.groupCountX * group;
  int *values = shared<int>(count);
  for (uint32_t i = 0; i < count; ++i)
    values[i] = static_cast<int>(i);
  const auto is_reversed = [&] {
    for (uint32_t i = 0; i < count; ++i)
      if (values[i] != static_cast<int>(count - 1 - i))
        return false;
    return true;
  };
  set(reverse, 0, values);
  REQUIRE_ZE(
      zeCommandListAppendLaunchCooperativeKernel(list, reverse, &groups, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(is_reversed());

  // Recorded, twice: there and back again, then once more with all arguments at once.
  const List recorded = regular();
  for (int i = 0; i < 2; ++i)
    REQUIRE_ZE(zeCommandListAppendLaunchCooperativeKernel(recorded, reverse, &groups, nullptr, 0,
                                                          nullptr));
  REQUIRE_ZE(zeCommandListClose(recorded));
  ze_command_list_handle_t appended = recorded;
  REQUIRE_ZE(zeCommandListImmediateAppendCommandListsExp(list, 1, &appended, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(is_reversed());
  ze_command_list_append_launch_kernel_param_cooperative_desc_t cooperative{
      ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC, nullptr, true};
  void *arguments[] = {&values};
  REQUIRE_ZE(zeCommandListAppendLaunchKernelWithArguments(
      list, reverse, groups, {group, 1, 1}, arguments, &cooperative, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(values[1] == 1);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: an indirect launch reads its size when it runs") {
  const Kernel increment = kernel(module, "increment");
  const auto gate = pooled_event();
  int *value = shared<int>(1);
  auto *groups = shared<ze_group_count_t>(1);
  *groups = {0, 0, 0};
  set(increment, 0, value);
  ze_event_handle_t wait = gate;
  REQUIRE_ZE(zeCommandListAppendLaunchKernelIndirect(list, increment, groups, nullptr, 1, &wait));
  *groups = {1, 1, 1};
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*value == 1);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: a grid without groups does nothing", "[front]") {
  const Kernel increment = kernel(module, "increment");
  int *value = shared<int>(1);
  set(increment, 0, value);
  for (ze_group_count_t groups : {ze_group_count_t{0, 1, 1}, {1, 0, 1}, {1, 1, 0}})
    launch(increment, groups);
  CHECK(*value == 0);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: launches follow one another in a list") {
  const Kernel increment = kernel(module, "increment");
  int *value = shared<int>(1);
  set(increment, 0, value);
  for (int i = 0; i < 10'000; ++i)
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, increment, &one_group, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*value == 10'000);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: kernels run from recorded lists") {
  const Kernel increment = kernel(module, "increment");
  int *value = shared<int>(1);
  set(increment, 0, value);
  List recorded = regular();
  for (int i = 0; i < 100; ++i)
    REQUIRE_ZE(
        zeCommandListAppendLaunchKernel(recorded, increment, &one_group, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListClose(recorded));
  ze_command_list_handle_t handle = recorded;
  for (int i = 0; i < 10; ++i)
    REQUIRE_ZE(zeCommandListImmediateAppendCommandListsExp(list, 1, &handle, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*value == 1000);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: kernels of a recorded list keep their place among others") {
  const Kernel store = kernel(module, "store");
  constexpr int rounds = 200;
  int *value = shared<int>(1), *seen = shared<int>(rounds);
  set(store, 0, value);
  const List recorded = regular();
  const auto append = [&](ze_kernel_handle_t kernel, const ze_group_count_t &groups) {
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(recorded, kernel, &groups, nullptr, 0, nullptr));
  };
  for (int i = 0; i < rounds; ++i) {
    for (int k = 0; k <= i % 3; ++k) {
      set(store, 1, i + k);
      append(store, one_group);
    }
    set(store, 1, i);
    append(store, i % 5 == 0 ? ze_group_count_t{2, 1, 1} : one_group);
    if (i % 7 == 0)
      REQUIRE_ZE(zeCommandListAppendMemoryCopy(recorded, seen + i, value, sizeof(int), nullptr, 0,
                                               nullptr));
  }
  REQUIRE_ZE(zeCommandListClose(recorded));
  ze_command_list_handle_t handle = recorded;
  REQUIRE_ZE(zeCommandListImmediateAppendCommandListsExp(list, 1, &handle, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  for (int i = 0; i < rounds; ++i)
    CHECK(seen[i] == (i % 7 == 0 ? i : 0));
  CHECK(*value == rounds - 1);
}

TEST_CASE_METHOD(
    KernelTest,
    "ze_cpu: an event of a kernel in a recorded list is signalled before the next one") {
  const Kernel increment = kernel(module, "increment"), wait = kernel(module, "wait_for_flag");
  int *value = shared<int>(1), *flag = shared<int>(1);
  set(increment, 0, value);
  set(wait, 0, flag);
  const PooledEvent pooled = pooled_event();
  const Event counted = counter_event();
  for (ze_event_handle_t event : {ze_event_handle_t(pooled), ze_event_handle_t(counted)}) {
    *value = *flag = 0;
    const List recorded = regular();
    const auto append = [&](ze_kernel_handle_t kernel, ze_event_handle_t signal) {
      REQUIRE_ZE(zeCommandListAppendLaunchKernel(recorded, kernel, &one_group, signal, 0, nullptr));
    };
    append(increment, nullptr);
    append(increment, event);
    append(wait, nullptr);
    append(increment, nullptr);
    REQUIRE_ZE(zeCommandListClose(recorded));
    ze_command_list_handle_t handle = recorded;
    REQUIRE_ZE(zeCommandListImmediateAppendCommandListsExp(list, 1, &handle, nullptr, 0, nullptr));
    CHECK(zeEventHostSynchronize(event, long_ns) == ZE_RESULT_SUCCESS);
    CHECK(*value == 2);
    reinterpret_cast<std::atomic<int> *>(flag)->store(1);
    REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
    CHECK(*value == 3);
  }
}

TEST_CASE_METHOD(KernelTest,
                 "ze_cpu: a running kernel sees what the host writes, and others run meanwhile") {
  const Kernel wait = kernel(module, "wait_for_flag");
  int *flag = shared<int>(1);
  set(wait, 0, flag);
  REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, wait, &one_group, nullptr, 0, nullptr));
  CHECK(zeCommandListHostSynchronize(list, 5'000'000) == ZE_RESULT_NOT_READY);
  List other = immediate();
  const Kernel store = kernel(module, "store");
  int *target = shared<int>(1);
  set(store, 0, target);
  set(store, 1, 5);
  REQUIRE_ZE(zeCommandListAppendLaunchKernel(other, store, &one_group, nullptr, 0, nullptr));
  CHECK(zeCommandListHostSynchronize(other, long_ns) == ZE_RESULT_SUCCESS);
  CHECK(*target == 5);
  reinterpret_cast<std::atomic<int> *>(flag)->store(1);
  CHECK(zeCommandListHostSynchronize(list, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: code is not unloaded under a launch that has not run yet") {
  const auto gate = pooled_event();
  int *target = shared<int>(1);
  {
    Module own = test_module();
    const Kernel store = kernel(own, "store");
    set(store, 0, target);
    set(store, 1, 6);
    ze_event_handle_t wait = gate;
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, store, &one_group, nullptr, 1, &wait));
  }
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*target == 6);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: values of another size are cut off or filled up") {
  const Kernel store = kernel(module, "store");
  int *target = shared<int>(1);
  const size_t wide = (size_t{1} << 40) + 7;
  const uint8_t narrow = 200;
  set(store, 0, target);
  set(store, 1, -1);
  List list = immediate();
  const auto check = [&](int expected) {
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, store, &one_group, nullptr, 0, nullptr));
    REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
    CHECK(*target == expected);
  };
  set(store, 1, wide);
  check(7);
  set(store, 1, -1);
  set(store, 1, narrow);
  check(200);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: wrong argument indices and sizes are refused", "[front]") {
  const Kernel scale = kernel(module, "scale");
  const float factor = 1;
  const double wide = 1;
  void *const pointers[2] = {};
  CHECK(zeKernelSetArgumentValue(scale, 3, sizeof factor, &factor) ==
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  CHECK(zeKernelSetArgumentValue(scale, 1, 0, &factor) ==
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  CHECK(zeKernelSetArgumentValue(scale, 0, 4, &factor) ==
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  CHECK(zeKernelSetArgumentValue(scale, 0, 2 * sizeof(void *), &pointers) ==
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  CHECK(zeKernelSetArgumentValue(scale, 0, sizeof(void *), nullptr) ==
        ZE_RESULT_SUCCESS); // a null pointer
  const Kernel sum = kernel(module, "group_sum");
  CHECK(zeKernelSetArgumentValue(sum, 2, 64, &wide) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeKernelSetArgumentValue(sum, 2, size_t{1} << 40, nullptr) ==
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  CHECK_NULL_HANDLE(zeKernelSetArgumentValue(nullptr, 0, 4, &factor));
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: too much work-group memory in total is refused at the launch",
                 "[front]") {
  const Kernel both = kernel(module, "two_locals");
  ze_device_compute_properties_t limits{};
  limits.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetComputeProperties(device, &limits));
  REQUIRE_ZE(zeKernelSetArgumentValue(both, 1, limits.maxSharedLocalMemory / 2, nullptr));
  REQUIRE_ZE(zeKernelSetArgumentValue(both, 2, limits.maxSharedLocalMemory / 2 + 64, nullptr));
  CHECK(zeCommandListAppendLaunchKernel(list, both, &one_group, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: group sizes are checked against the device and the kernel") {
  const Kernel empty = kernel(module, "empty");
  CHECK(zeKernelSetGroupSize(empty, 0, 1, 1) == ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  CHECK(zeKernelSetGroupSize(empty, 1u << 16, 1u << 16, 1) ==
        ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  ze_device_compute_properties_t limits{};
  limits.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetComputeProperties(device, &limits));
  CHECK(zeKernelSetGroupSize(empty, limits.maxTotalGroupSize, 2, 1) ==
        ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  CHECK(zeKernelSetGroupSize(empty, 32, 32, 1) == ZE_RESULT_SUCCESS);

  const Kernel fixed = kernel(module, "fixed_group");
  CHECK(zeKernelSetGroupSize(fixed, 16, 1, 1) == ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  CHECK(zeKernelSetGroupSize(fixed, 8, 2, 1) == ZE_RESULT_SUCCESS);
  uint32_t x = 0, y = 0, z = 0;
  REQUIRE_ZE(zeKernelSuggestGroupSize(fixed, 64, 64, 64, &x, &y, &z));
  CHECK(x == 8);
  CHECK(y == 2);
  CHECK(z == 1);
  uint32_t *out = shared<uint32_t>(1);
  set(fixed, 0, out);
  launch(fixed);
  CHECK(*out == 802);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: a suggested group size divides the grid and fits",
                 "[front]") {
  const Kernel empty = kernel(module, "empty");
  for (auto [gx, gy, gz] : {std::array{1000u, 1u, 1u},
                            {7u, 7u, 7u},
                            {1u, 4096u, 2u},
                            {65536u, 3u, 5u},
                            {997u, 2u, 1u}}) {
    uint32_t x = 0, y = 0, z = 0;
    REQUIRE_ZE(zeKernelSuggestGroupSize(empty, gx, gy, gz, &x, &y, &z));
    CHECK(gx % x == 0);
    CHECK(gy % y == 0);
    CHECK(gz % z == 0);
    CHECK(zeKernelSetGroupSize(empty, x, y, z) == ZE_RESULT_SUCCESS);
  }
  uint32_t x = 0;
  CHECK(zeKernelSuggestGroupSize(empty, 0, 1, 1, &x, &x, &x) ==
        ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
}

TEST_CASE_METHOD(KernelTest, "ze_cpu: a kernel describes itself") {
  const Kernel fixed = kernel(module, "fixed_group");
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  REQUIRE_ZE(zeKernelGetProperties(fixed, &properties));
  CHECK(properties.numKernelArgs == 1);
  CHECK(properties.requiredGroupSizeX == 8);
  CHECK(properties.requiredGroupSizeY == 2);
  CHECK(properties.maxSubgroupSize >= 1);
  CHECK(properties.requiredSubgroupSize == 0);
  REQUIRE_ZE(zeKernelGetProperties(kernel(module, "sub_groups_of_16"), &properties));
  CHECK(properties.requiredSubgroupSize == 16);
  CHECK(properties.maxSubgroupSize == 16);
  size_t size = 0;
  REQUIRE_ZE(zeKernelGetName(fixed, &size, nullptr));
  std::string name(size, '?');
  REQUIRE_ZE(zeKernelGetName(fixed, &size, name.data()));
  CHECK(std::strcmp(name.c_str(), "fixed_group") == 0);
  CHECK(zeKernelSetIndirectAccess(fixed, ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE) ==
        ZE_RESULT_SUCCESS);
  ze_kernel_indirect_access_flags_t access = 0;
  REQUIRE_ZE(zeKernelGetIndirectAccess(fixed, &access));
  CHECK(access == ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE);
  CHECK(zeKernelSetIndirectAccess(fixed, 0x80) == ZE_RESULT_ERROR_INVALID_ENUMERATION);
  CHECK(zeKernelSetCacheConfig(fixed, ZE_CACHE_CONFIG_FLAG_LARGE_SLM) == ZE_RESULT_SUCCESS);
  uint32_t bytes = 0;
  REQUIRE_ZE(zeKernelGetSourceAttributes(fixed, &bytes, nullptr));
  CHECK(bytes >= 1);
}

TEST_CASE_METHOD(KernelTest,
                 "ze_cpu: a kernel that writes to a bad address loses its list and nothing else",
                 "[fault]") {
  const Kernel store = kernel(module, "store");
  auto *nowhere = reinterpret_cast<int *>(uintptr_t{64});
  int *target = shared<int>(1);
  const Event event = counter_event();
  set(store, 0, nowhere);
  set(store, 1, 3);
  List other = immediate();
  REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, store, &one_group, event, 0, nullptr));
  CHECK(zeCommandListHostSynchronize(list, long_ns) == ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK(zeEventHostSynchronize(event, long_ns) == ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK(zeEventQueryStatus(event) == ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK(zeCommandListAppendLaunchKernel(list, store, &one_group, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_DEVICE_LOST);

  set(store, 0, target);
  REQUIRE_ZE(zeCommandListAppendLaunchKernel(other, store, &one_group, nullptr, 0, nullptr));
  CHECK(zeCommandListHostSynchronize(other, long_ns) == ZE_RESULT_SUCCESS);
  CHECK(*target == 3);
}

TEST_CASE_METHOD(
    KernelTest,
    "ze_cpu: a kernel of a recorded list that writes to a bad address loses what comes "
    "after it, and nothing before",
    "[fault]") {
  const Kernel store = kernel(module, "store"), increment = kernel(module, "increment");
  int *value = shared<int>(1);
  set(increment, 0, value);
  set(store, 0, reinterpret_cast<int *>(uintptr_t{64}));
  set(store, 1, 3);
  const List recorded = regular();
  constexpr int before = 100;
  for (int i = 0; i < 2 * before; ++i)
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(recorded, i == before ? store : increment,
                                               &one_group, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListClose(recorded));
  ze_command_list_handle_t handle = recorded;
  REQUIRE_ZE(zeCommandListImmediateAppendCommandListsExp(list, 1, &handle, nullptr, 0, nullptr));
  CHECK(zeCommandListHostSynchronize(list, long_ns) == ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK(*value == before);
}
