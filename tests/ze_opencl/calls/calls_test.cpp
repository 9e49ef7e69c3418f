// Which functions of OpenCL commands cost, and what becomes of a kernel that fails: counted and made by a layer.
#include "../../../src/common/driver_contract.h"
#include "../../ze_cpu/support.h"
#include "layer.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <thread>

namespace {

template <class Function> Function *layer_function(const char *name) {
  // The loader has opened it.
  void *const layer = dlopen(std::getenv("OPENCL_LAYERS"), RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(layer);
  auto *const found = reinterpret_cast<Function *>(dlsym(layer, name));
  REQUIRE(found);
  return found;
}

/// Calls since it was made.
class Calls {
public:
  CallCounts operator()() const {
    const CallCounts now = counts_();
    CallCounts since;
#define COUNTED_DIFFERENCE(name) since.name = now.name - before_.name;
    COUNTED_FUNCTIONS(COUNTED_DIFFERENCE)
#undef COUNTED_DIFFERENCE
    return since;
  }

private:
  CallCounts (*const counts_)() = layer_function<CallCounts()>("layer_counts");
  const CallCounts before_ = counts_();
};

class Launching : public Driver {
public:
  void launch(ze_command_list_handle_t on, ze_kernel_handle_t kernel,
              ze_event_handle_t signal = nullptr, ze_event_handle_t wait = nullptr) {
    const ze_group_count_t one{1, 1, 1};
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(on, kernel, &one, signal, wait ? 1 : 0,
                                               wait ? &wait : nullptr));
  }
  Kernel kernel_with(const char *name, int *argument) {
    Kernel made = kernel(module, name);
    REQUIRE_ZE(zeKernelSetGroupSize(made, 1, 1, 1));
    REQUIRE_ZE(zeKernelSetArgumentValue(made, 0, sizeof argument, &argument));
    return made;
  }
  void finish() { REQUIRE_ZE(zeCommandListHostSynchronize(list, forever)); }

  Module module = test_module();
  List list = immediate();
  int *const value = shared<int>(1);
  int *const flag = shared<int>(1);
  Kernel increment = kernel_with("increment", value);
  Kernel wait_for_flag = kernel_with("wait_for_flag", flag);
};

void fail_next_kernel() { layer_function<void()>("layer_fail_next_kernel")(); }

} // namespace

TEST_CASE_METHOD(Launching, "ze_opencl: a launch is one call of OpenCL's and a flush") {
  launch(list, increment);
  finish();
  constexpr int launches = 1000;
  const Calls calls;
  for (int i = 0; i < launches; ++i)
    launch(list, increment);
  const CallCounts counted = calls();
  CHECK(counted.EnqueueNDRangeKernel == launches);
  CHECK(counted.Flush == launches);
  CHECK(counted.SetKernelArg + counted.SetKernelArgSVMPointer + counted.SetKernelExecInfo == 0);
  CHECK(counted.EnqueueMarkerWithWaitList + counted.EnqueueBarrierWithWaitList == 0);
  CHECK(counted.SetEventCallback + counted.RetainEvent == 0);
  CHECK(counted.WaitForEvents + counted.Finish == 0);
  CHECK(counted.CreateCommandQueueWithProperties == 0);
  // Events of launches that nobody asks about are not kept.
  CHECK(counted.ReleaseEvent >= launches - 32);
  finish();
  CHECK(*value == launches + 1);
}

TEST_CASE_METHOD(Launching,
                 "ze_opencl: launches that the device has not begun are not asked about each") {
  launch(list, wait_for_flag);
  constexpr int launches = 1000;
  const Calls calls;
  for (int i = 0; i < launches; ++i)
    launch(list, increment);
  CHECK(calls().GetEventInfo <= launches / 4);
  CHECK(calls().ReleaseEvent >= launches - 32);
  *flag = 1;
  finish();
  CHECK(*value == launches);
}

TEST_CASE_METHOD(Launching, "ze_opencl: only arguments that are others than before are set") {
  int *const target = value;
  Kernel store = kernel_with("store", target);
  int number = 1;
  REQUIRE_ZE(zeKernelSetArgumentValue(store, 1, sizeof number, &number));
  launch(list, store);
  const Calls calls;
  for (number = 2; number <= 100; ++number) {
    REQUIRE_ZE(zeKernelSetArgumentValue(store, 1, sizeof number, &number));
    launch(list, store);
  }
  CHECK(calls().SetKernelArg == 99);
  CHECK(calls().SetKernelArgSVMPointer == 0);
  finish();
  CHECK(*value == 100);
}

TEST_CASE_METHOD(Launching, "ze_opencl: waiting for a list and for its events enqueues nothing") {
  const Event event = counter_event();
  const List other = immediate();
  launch(list, increment);
  finish();
  const Calls calls;
  launch(list, increment);
  finish();
  launch(list, increment);
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, event));
  launch(other, increment, nullptr, event);
  REQUIRE_ZE(zeCommandListHostSynchronize(other, forever));
  const CallCounts counted = calls();
  CHECK(counted.EnqueueNDRangeKernel == 3);
  CHECK(counted.EnqueueMarkerWithWaitList + counted.EnqueueBarrierWithWaitList == 0);
  CHECK(counted.SetEventCallback + counted.Finish == 0);
  CHECK(*value == 4);
}

TEST_CASE_METHOD(
    Launching,
    "ze_opencl: an event stands for what came before it, and for nothing that came after") {
  const Event named = counter_event(ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE |
                                    ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE);
  const Event signalled = counter_event(ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE |
                                        ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE);
  launch(list, increment, named);
  launch(list, increment);
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, signalled));
  launch(list, wait_for_flag);
  CHECK(zeEventHostSynchronize(named, long_ns) == ZE_RESULT_SUCCESS);
  CHECK(zeEventHostSynchronize(signalled, long_ns) == ZE_RESULT_SUCCESS);
  CHECK(*value == 2);
  CHECK(zeCommandListHostSynchronize(list, 0) == ZE_RESULT_NOT_READY);
  *flag = 1;
  finish();
}

TEST_CASE_METHOD(
    Launching,
    "ze_opencl: times are measured from the first command that has them, in the list's order") {
  const PooledEvent stamped =
      pooled_event(ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  Kernel store = kernel_with("store", value);
  const int five = 5;
  REQUIRE_ZE(zeKernelSetArgumentValue(store, 1, sizeof five, &five));
  launch(list, wait_for_flag);
  launch(list, store);
  const Calls calls;
  launch(list, increment, stamped);
  CHECK(calls().CreateCommandQueueWithProperties == 1);
  launch(list, increment);
  // Time for what does not wait for the first queue of OpenCL's.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(zeEventQueryStatus(stamped) == ZE_RESULT_NOT_READY);
  *flag = 1;
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*value == 7);
  REQUIRE_ZE(zeEventHostSynchronize(stamped, long_ns));
  ze_kernel_timestamp_result_t times{};
  REQUIRE_ZE(zeEventQueryKernelTimestamp(stamped, &times));
  CHECK(times.global.kernelStart != 0);
  CHECK(times.global.kernelEnd >= times.global.kernelStart);
  REQUIRE_ZE(zeEventHostReset(stamped));
  launch(list, increment, stamped);
  finish();
  CHECK(calls().CreateCommandQueueWithProperties == 1);
}

TEST_CASE_METHOD(Launching, "ze_opencl: times for the host hold nothing up") {
  void *address = nullptr;
  REQUIRE_ZE(zeDriverGetExtensionFunctionAddress(
      driver, driver_contract::append_host_timestamp_function, &address));
  const auto append = reinterpret_cast<decltype(&zeCommandListAppendWriteGlobalTimestamp)>(address);
  const Event event = counter_event();
  uint64_t *const times = shared<uint64_t>(3);
  const Calls calls;
  REQUIRE_ZE(append(list, &times[0], nullptr, 0, nullptr));
  launch(list, wait_for_flag);
  REQUIRE_ZE(append(list, &times[1], event, 0, nullptr));
  launch(list, increment);
  REQUIRE_ZE(append(list, &times[2], nullptr, 0, nullptr));
  CallCounts counted = calls();
  CHECK(counted.EnqueueNDRangeKernel == 2);
  CHECK(counted.EnqueueBarrierWithWaitList == 3);
  CHECK(counted.CreateCommandQueueWithProperties == 1);
  CHECK(counted.WaitForEvents + counted.Finish + counted.EnqueueSVMMemcpy == 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(times[1] == 0);
  *flag = 1;
  REQUIRE_ZE(zeEventHostSynchronize(event, long_ns));
  CHECK(times[0] != 0);
  CHECK(times[1] >= times[0] + 15'000'000);
  finish();
  CHECK(times[2] >= times[1]);
  CHECK(*value == 1);
}

TEST_CASE_METHOD(Launching,
                 "ze_opencl: a fill is one kernel, whatever the pattern and where it begins") {
  constexpr size_t bytes = 1024;
  auto *const memory = shared<uint8_t>(bytes);
  uint8_t pattern[128];
  for (size_t i = 0; i < sizeof pattern; ++i)
    pattern[i] = static_cast<uint8_t>(i * 7 + 1);
  for (size_t pattern_bytes = 1; pattern_bytes <= sizeof pattern; pattern_bytes *= 2)
    for (const size_t offset : {0, 1, 5, 64, 127, 128})
      for (const size_t filled : {pattern_bytes, 3 * pattern_bytes, 256 + pattern_bytes}) {
        CAPTURE(pattern_bytes, offset, filled);
        std::memset(memory, 0, bytes);
        const Calls calls;
        REQUIRE_ZE(zeCommandListAppendMemoryFill(list, memory + offset, pattern, pattern_bytes,
                                                 filled, nullptr, 0, nullptr));
        finish();
        CHECK(calls().EnqueueNDRangeKernel == 1);
        CHECK(calls().EnqueueSVMMemFill == 0);
        bool right = true;
        for (size_t i = 0; i < bytes; ++i)
          right &= memory[i] ==
                   (i >= offset && i - offset < filled ? pattern[(i - offset) % pattern_bytes] : 0);
        CHECK(right);
      }
}

TEST_CASE_METHOD(Launching, "ze_opencl: a copy of a box is one kernel, but for long rows") {
  const auto work_items = layer_function<size_t()>("layer_work_items");
  const auto copy = [&](uint32_t width, uint32_t height, uint32_t depth) {
    const ze_copy_region_t region{0, 0, 0, width, height, depth};
    const uint32_t pitch = width + 1, slice = pitch * (height + 1);
    auto *const to = shared<uint8_t>(size_t{slice} * depth);
    auto *const from = shared<uint8_t>(size_t{slice} * depth);
    (void)work_items();
    const Calls calls;
    REQUIRE_ZE(zeCommandListAppendMemoryCopyRegion(list, to, &region, pitch, slice, from, &region,
                                                   pitch, slice, nullptr, 0, nullptr));
    finish();
    return calls();
  };
  constexpr size_t most_items = 1024; // of 1,000 rows and whole work-groups
  const CallCounts rows = copy(4, 1000, 1);
  CHECK(work_items() <= most_items);
  const CallCounts slices = copy(4, 1, 1000);
  CHECK(work_items() <= most_items);
  const CallCounts long_rows = copy(2 << 20, 2, 1);
  CHECK(rows.EnqueueNDRangeKernel == 1);
  CHECK(slices.EnqueueNDRangeKernel == 1);
  CHECK(rows.EnqueueSVMMemcpy + slices.EnqueueSVMMemcpy == 0);
  CHECK(long_rows.EnqueueNDRangeKernel == 0);
}

TEST_CASE_METHOD(Launching, "ze_opencl: fills and copies of boxes have one size of work-groups") {
  constexpr uint32_t most = 1000;
  auto *const to = shared<uint8_t>(2 * most), *const from = shared<uint8_t>(2 * most);
  const uint8_t zero = 0;
  const auto sizes = layer_function<size_t()>("layer_group_sizes");
  (void)sizes();
  for (const uint32_t count : {2u, 3u, 31u, 64u, 65u, 509u, most}) {
    REQUIRE_ZE(zeCommandListAppendMemoryFill(list, to, &zero, 1, count, nullptr, 0, nullptr));
    for (const bool is_deep : {false, true}) {
      const ze_copy_region_t region{0, 0, 0, 1, is_deep ? 1 : count, is_deep ? count : 1};
      const uint32_t slice = is_deep ? 2 : 2 * count;
      REQUIRE_ZE(zeCommandListAppendMemoryCopyRegion(list, to, &region, 2, slice, from, &region, 2,
                                                     slice, nullptr, 0, nullptr));
    }
  }
  finish();
  CHECK(sizes() == 1);
}

TEST_CASE_METHOD(Launching, "ze_opencl: a kernel that fails loses its list") {
  fail_next_kernel();
  launch(list, increment);
  CHECK(zeCommandListHostSynchronize(list, forever) == ZE_RESULT_ERROR_DEVICE_LOST);
}

TEST_CASE_METHOD(Launching,
                 "ze_opencl: a kernel that failed before the next one came loses its list") {
  fail_next_kernel();
  launch(list, increment);
  const auto has_failed = layer_function<bool()>("layer_kernel_has_failed");
  while (!has_failed())
    std::this_thread::yield();
  bool is_lost = false;
  SECTION("and somebody asks") {
    launch(list, increment);
    is_lost = zeCommandListHostSynchronize(list, forever) == ZE_RESULT_ERROR_DEVICE_LOST;
  }
  SECTION("and nobody asks") {
    const ze_group_count_t one{1, 1, 1};
    for (int i = 0; i < 100 && !is_lost; ++i)
      is_lost = zeCommandListAppendLaunchKernel(list, increment, &one, nullptr, 0, nullptr) ==
                ZE_RESULT_ERROR_DEVICE_LOST;
  }
  SECTION("and an event comes") {
    const Event event = counter_event();
    launch(list, increment, event);
    is_lost = zeCommandListHostSynchronize(list, forever) == ZE_RESULT_ERROR_DEVICE_LOST;
  }
  CHECK(is_lost);
}

TEST_CASE_METHOD(
    Launching,
    "ze_opencl: a kernel that fails with others behind it loses its list, and who waits for that") {
  const Event event = counter_event();
  const List other = immediate();
  launch(list, wait_for_flag);
  fail_next_kernel();
  for (int i = 0; i < 50; ++i)
    launch(list, increment);
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, event));
  *flag = 1;
  CHECK(zeCommandListHostSynchronize(list, forever) == ZE_RESULT_ERROR_DEVICE_LOST);
  const ze_group_count_t one{1, 1, 1};
  ze_event_handle_t wait = event;
  (void)zeCommandListAppendLaunchKernel(other, increment, &one, nullptr, 1, &wait);
  CHECK(zeCommandListHostSynchronize(other, forever) == ZE_RESULT_ERROR_DEVICE_LOST);
}
