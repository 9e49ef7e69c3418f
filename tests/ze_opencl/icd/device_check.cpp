#include "device_check.h"

#include <level_zero/ze_api.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::vector<uint8_t> module_bytes;

int failures = 0;

void expect(bool condition, const std::string &what) {
  if (condition)
    return;
  std::printf("not so: %s\n", what.c_str());
  ++failures;
}

void must(ze_result_t result, const char *what) {
  if (result == ZE_RESULT_SUCCESS)
    return;
  std::printf("not so: %s: %#x\n", what, unsigned(result));
  std::fflush(nullptr);
  std::_Exit(wrong);
}

bool lists(const char *variable, std::string_view entry) {
  const char *const set = std::getenv(variable);
  const std::string list = "," + std::string(set ? set : "") + ",";
  return list.contains("," + std::string(entry) + ",");
}
bool hides(std::string_view entry) { return lists("SHIM_HIDE", entry); }
bool says(std::string_view entry) { return lists("SHIM_SAY", entry); }

/// The only memory is that which no host may touch.
bool has_no_host_memory() {
  return hides("system_svm") && hides("cl_intel_unified_shared_memory") && hides("fine_svm");
}

class Device {
public:
  Device(ze_driver_handle_t driver, ze_device_handle_t device) : driver_(driver), device_(device) {
    const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    must(zeContextCreate(driver, &desc, &context_), "a context");
    for (ze_command_list_handle_t &list : lists_) {
      const ze_command_queue_desc_t queue{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                          nullptr,
                                          0,
                                          0,
                                          ZE_COMMAND_QUEUE_FLAG_IN_ORDER,
                                          ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                          ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
      must(zeCommandListCreateImmediate(context_, device, &queue, &list), "a list");
    }
  }

  /// Nothing if the driver has none.
  static std::optional<Device> find() {
    ze_init_driver_type_desc_t desc{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr,
                                    ZE_INIT_DRIVER_TYPE_FLAG_GPU};
    uint32_t drivers = 1, devices = 1;
    ze_driver_handle_t driver = nullptr;
    ze_device_handle_t device = nullptr;
    if (zeInitDrivers(&drivers, &driver, &desc) != ZE_RESULT_SUCCESS || drivers == 0 ||
        zeDeviceGet(driver, &devices, &device) != ZE_RESULT_SUCCESS || devices == 0)
      return std::nullopt;
    return std::optional<Device>(std::in_place, driver, device);
  }

  void check_failing_kernel() {
    make_module();
    const ze_kernel_handle_t made = kernel("plain", true);
    void *memory = allocate(sizeof(uint32_t));
    const uint32_t value = 100;
    must(zeKernelSetArgumentValue(made, 0, sizeof memory, &memory), "an argument");
    must(zeKernelSetArgumentValue(made, 1, sizeof value, &value), "an argument");
    must(zeKernelSetGroupSize(made, 1, 1, 1), "a group size");
    setenv("SHIM_BREAK", "failures", 1);
    const ze_group_count_t groups{1, 1, 1};
    must(zeCommandListAppendLaunchKernel(lists_[0], made, &groups, nullptr, 0, nullptr),
         "a launch");
    expect(zeCommandListHostSynchronize(lists_[0], UINT64_MAX) == ZE_RESULT_ERROR_DEVICE_LOST,
           "the list is lost");
    unsetenv("SHIM_BREAK");
    must(zeCommandListAppendLaunchKernel(lists_[1], made, &groups, nullptr, 0, nullptr),
         "a launch");
    must(zeCommandListHostSynchronize(lists_[1], UINT64_MAX), "another list");
    must(zeKernelDestroy(made), "the end of a kernel");
    must(zeModuleDestroy(module_), "the end of a module");
    must(zeMemFree(context_, memory), "a free");
  }

  void check() {
    check_kinds_of_memory();
    check_copies_and_fills();
    check_kernels();
    check_order();
    check_limits();
    for (ze_command_list_handle_t list : lists_)
      must(zeCommandListDestroy(list), "the end of a list");
    must(zeContextDestroy(context_), "the end of the context");
  }

private:
  void *allocate(size_t bytes) {
    const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    void *memory = nullptr;
    must(zeMemAllocDevice(context_, &desc, bytes, 64, device_, &memory), "device memory");
    return memory;
  }
  void wait() {
    for (ze_command_list_handle_t list : lists_)
      must(zeCommandListHostSynchronize(list, UINT64_MAX), "waiting for a list");
  }
  void copy(void *to, const void *from, size_t bytes) {
    must(zeCommandListAppendMemoryCopy(lists_[0], to, from, bytes, nullptr, 0, nullptr), "a copy");
    wait();
  }

  /// What is told of a kind of memory, and what comes of it.
  void check_kind(const char *name, ze_memory_type_t type, ze_memory_access_cap_flags_t told,
                  const std::function<ze_result_t(void **)> &allocate, bool has_it) {
    void *memory = nullptr;
    const ze_result_t result = allocate(&memory);
    expect((result == ZE_RESULT_SUCCESS) == has_it, std::string(name) + " memory can be allocated");
    expect((told != 0) == has_it, std::string(name) + " memory is told of truthfully");
    if (result != ZE_RESULT_SUCCESS)
      return;
    ze_memory_allocation_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    must(zeMemGetAllocProperties(context_, memory, &properties, nullptr), "properties of memory");
    expect(properties.type == type, std::string(name) + " memory is of its type");
    if (type != ZE_MEMORY_TYPE_DEVICE) {
      // Host and device see what the other one writes.
      auto *const number = static_cast<uint32_t *>(memory);
      *number = 5;
      uint32_t seen = 0;
      copy(&seen, number, sizeof seen);
      expect(seen == 5, std::string(name) + " memory is read by the device");
      const uint32_t pattern = 9;
      must(zeCommandListAppendMemoryFill(lists_[0], number, &pattern, sizeof pattern,
                                         sizeof pattern, nullptr, 0, nullptr),
           "a fill");
      wait();
      expect(*number == 9, std::string(name) + " memory is written by the device");
    }
    must(zeMemFree(context_, memory), "a free");
  }

  void check_kinds_of_memory() {
    ze_device_memory_access_properties_t told{};
    told.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES;
    must(zeDeviceGetMemoryAccessProperties(device_, &told), "access properties");
    const ze_device_mem_alloc_desc_t device{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    const ze_host_mem_alloc_desc_t host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    constexpr size_t bytes = 256;
    const bool is_shared = !has_no_host_memory();
    check_kind(
        "device", ZE_MEMORY_TYPE_DEVICE, told.deviceAllocCapabilities,
        [&](void **memory) {
          return zeMemAllocDevice(context_, &device, bytes, 64, device_, memory);
        },
        true);
    check_kind(
        "host", ZE_MEMORY_TYPE_HOST, told.hostAllocCapabilities,
        [&](void **memory) { return zeMemAllocHost(context_, &host, bytes, 64, memory); },
        is_shared);
    check_kind(
        "shared", ZE_MEMORY_TYPE_SHARED, told.sharedSingleDeviceAllocCapabilities,
        [&](void **memory) {
          return zeMemAllocShared(context_, &device, &host, bytes, 64, device_, memory);
        },
        is_shared);
    expect((told.sharedSystemAllocCapabilities != 0) == !hides("system_svm"),
           "the program's own memory is told of truthfully");
  }

  void check_copies_and_fills() {
    constexpr size_t bytes = 4096;
    auto *const memory = static_cast<uint8_t *>(allocate(bytes));
    std::vector<uint8_t> given(bytes), seen(bytes);
    for (size_t i = 0; i < bytes; ++i)
      given[i] = static_cast<uint8_t>(i * 31 + 7);
    copy(memory, given.data(), bytes);
    for (const size_t pattern_bytes : {1, 4, 16}) {
      const std::array<uint8_t, 16> pattern = {1, 2,  3,  4,  5,  6,  7,  8,
                                               9, 10, 11, 12, 13, 14, 15, 16};
      must(zeCommandListAppendMemoryFill(lists_[0], memory + 256, pattern.data(), pattern_bytes,
                                         1024, nullptr, 0, nullptr),
           "a fill");
      copy(seen.data(), memory, bytes);
      bool is_right = true;
      for (size_t i = 0; i < bytes; ++i)
        is_right &=
            seen[i] == (i < 256 || i >= 256 + 1024 ? given[i] : pattern[(i - 256) % pattern_bytes]);
      expect(is_right, "a copy and a fill of " + std::to_string(pattern_bytes) + " bytes");
    }
    must(zeMemFree(context_, memory), "a free");
  }

  /// Null, after a look at why, if the kernel is refused.
  ze_kernel_handle_t kernel(const char *name, bool is_expected, std::string_view reason = {}) {
    const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
    ze_kernel_handle_t made = nullptr;
    if (zeKernelCreate(module_, &desc, &made) != ZE_RESULT_SUCCESS)
      made = nullptr;
    const char *text = "";
    if (!made)
      zeDriverGetLastErrorDescription(driver_, &text);
    expect((made != nullptr) == is_expected,
           std::string(name) + (is_expected ? " is taken: " : " is refused") + text);
    if (!made && !is_expected)
      expect(std::string_view(text).contains(reason) && *text,
             std::string("'") + text + "' says why " + name + " is refused");
    return made;
  }

  /// Runs a kernel on `value` in device memory, and returns what it has become.
  template <class Value, class... Arguments>
  Value launch(ze_kernel_handle_t made, Value value, uint32_t items, Arguments... before) {
    void *const memory = allocate(sizeof(Value));
    copy(memory, &value, sizeof value);
    uint32_t index = 0;
    (must(zeKernelSetArgumentValue(made, index++, sizeof before, &before), "an argument"), ...);
    must(zeKernelSetArgumentValue(made, index, sizeof memory, &memory), "an argument");
    must(zeKernelSetGroupSize(made, items, 1, 1), "a group size");
    const ze_group_count_t groups{1, 1, 1};
    must(zeCommandListAppendLaunchKernel(lists_[0], made, &groups, nullptr, 0, nullptr),
         "a launch");
    copy(&value, memory, sizeof value);
    must(zeMemFree(context_, memory), "a free");
    must(zeKernelDestroy(made), "the end of a kernel");
    return value;
  }

  template <class Value>
  void check_kernel(const char *name, bool is_expected, std::string_view reason, Value before,
                    Value after) {
    if (const ze_kernel_handle_t made = kernel(name, is_expected, reason))
      expect(launch(made, before, 1) == after, std::string(name) + " gives what it must");
  }

  void make_module() {
    const ze_module_desc_t desc{ZE_STRUCTURE_TYPE_MODULE_DESC,
                                nullptr,
                                ZE_MODULE_FORMAT_IL_SPIRV,
                                module_bytes.size(),
                                module_bytes.data(),
                                "-ze-opt-disable", // it takes less time
                                nullptr};
    must(zeModuleCreate(context_, device_, &desc, &module_, nullptr), "a module");
  }

  void check_kernels() {
    make_module();
    check_plain();
    check_follow();
    check_kernel("variable", true, "", 0u, 8u);
    check_local_memory();
    check_kernel("doubles", !hides("fp64"), "doubles", 3u, 3'000'000'000u);
    check_kernel("halves", false, "half precision", 3u, 6u);
    check_kernel("long_atomics", !hides("cl_khr_int64_base_atomics"), "64 bits", uint64_t{3},
                 (uint64_t{1} << 40) + 3);
    check_kernel("float_atomics", !hides("cl_ext_float_atomics"), "cl_ext_float_atomics", 1.f,
                 2.5f);
    check_kernel("generic_pointers", !hides("generic"), "generic", 4u, 10u);
    check_large_parameter();
    must(zeModuleDestroy(module_), "the end of a module");
  }

  void check_plain() {
    const ze_kernel_handle_t made = kernel("plain", true);
    constexpr uint32_t items = 64;
    void *memory = allocate(items * sizeof(uint32_t));
    const uint32_t value = 100;
    must(zeKernelSetArgumentValue(made, 0, sizeof memory, &memory), "an argument");
    must(zeKernelSetArgumentValue(made, 1, sizeof value, &value), "an argument");
    ze_device_compute_properties_t limits{};
    limits.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
    must(zeDeviceGetComputeProperties(device_, &limits), "limits");
    const uint32_t most = std::min(limits.maxTotalGroupSize, 16u);
    if (limits.maxTotalGroupSize < 16)
      expect(zeKernelSetGroupSize(made, 16, 1, 1) != ZE_RESULT_SUCCESS, "a group is too large");
    must(zeKernelSetGroupSize(made, most, 1, 1), "a group size");
    const ze_group_count_t groups{items / most, 1, 1};
    must(zeCommandListAppendLaunchKernel(lists_[0], made, &groups, nullptr, 0, nullptr),
         "a launch");
    std::array<uint32_t, items> seen{};
    copy(seen.data(), memory, sizeof seen);
    for (uint32_t i = 0; i < items; ++i)
      expect(seen[i] == value + i, "plain gives what it must");
    must(zeKernelDestroy(made), "the end of a kernel");
    must(zeMemFree(context_, memory), "a free");
  }

  /// A pointer that is found in memory.
  void check_follow() {
    void *const target = allocate(sizeof(uint64_t));
    const std::array<uint64_t, 2> from = {reinterpret_cast<uintptr_t>(target), 123456789012};
    if (const ze_kernel_handle_t made = kernel("follow", true))
      launch(made, from, 1);
    uint64_t seen = 0;
    copy(&seen, target, sizeof seen);
    expect(seen == from[1], "follow gives what it must");
    must(zeMemFree(context_, target), "a free");
  }

  void check_local_memory() {
    constexpr uint32_t items = 16;
    const ze_kernel_handle_t made = kernel("local_memory", true);
    if (!made || says("group=1"))
      return;
    void *memory = allocate(items * sizeof(uint32_t));
    must(zeKernelSetArgumentValue(made, 0, sizeof memory, &memory), "an argument");
    const bool has_local = !says("local=0");
    expect((zeKernelSetArgumentValue(made, 1, items * sizeof(uint32_t), nullptr) ==
            ZE_RESULT_SUCCESS) == has_local,
           "an argument with local memory");
    must(zeKernelSetGroupSize(made, items, 1, 1), "a group size");
    const ze_group_count_t groups{1, 1, 1};
    std::array<uint32_t, items> seen{};
    if (has_local) {
      must(zeCommandListAppendLaunchKernel(lists_[0], made, &groups, nullptr, 0, nullptr),
           "a launch");
      copy(seen.data(), memory, sizeof seen);
    }
    for (uint32_t i = 0; has_local && i < items; ++i)
      expect(seen[i] == items - 1 - i, "local_memory gives what it must");
    must(zeKernelDestroy(made), "the end of a kernel");
    must(zeMemFree(context_, memory), "a free");
  }

  void check_large_parameter() {
    std::array<uint64_t, 16> numbers;
    uint64_t sum = 0;
    for (size_t i = 0; i < numbers.size(); ++i)
      sum += numbers[i] = i * 1'000'000'007;
    if (const ze_kernel_handle_t made =
            kernel("large_parameter", !says("parameters=64"), "parameters"))
      expect(launch(made, uint64_t{0}, 1, numbers) == sum, "large_parameter gives what it must");
  }

  /// A fill, a function of the program, an event and another list, in this order.
  void check_order() {
    const ze_event_pool_desc_t pool_desc{
        ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
        ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 1};
    const ze_event_desc_t event_desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0,
                                     ZE_EVENT_SCOPE_FLAG_HOST, 0};
    ze_event_pool_handle_t pool = nullptr;
    ze_event_handle_t event = nullptr;
    must(zeEventPoolCreate(context_, &pool_desc, 1, &device_, &pool), "an event pool");
    must(zeEventCreate(pool, &event_desc, &event), "an event");
    void *const memory = allocate(sizeof(uint32_t));
    const uint32_t pattern = 77;
    uint32_t called_with = 0, seen = 0;
    copy(memory, &seen, sizeof seen);
    const auto function = [](void *data) { *static_cast<uint32_t *>(data) = 1; };
    must(zeCommandListAppendHostFunction(lists_[0], function, &called_with, nullptr, nullptr, 0,
                                         nullptr),
         "a host function");
    must(zeCommandListAppendMemoryFill(lists_[0], memory, &pattern, sizeof pattern, sizeof pattern,
                                       event, 0, nullptr),
         "a fill");
    must(zeCommandListAppendMemoryCopy(lists_[1], &seen, memory, sizeof seen, nullptr, 1, &event),
         "a copy");
    wait();
    expect(called_with == 1, "a function of the program is called");
    expect(seen == pattern, "a list waits for an event of another");
    expect(zeEventQueryStatus(event) == ZE_RESULT_SUCCESS, "the event is signalled");
    ze_kernel_timestamp_result_t times{};
    must(zeEventQueryKernelTimestamp(event, &times), "timestamps");
    expect(times.global.kernelEnd >= times.global.kernelStart, "a command ends after its start");
    must(zeEventDestroy(event), "the end of an event");
    must(zeEventPoolDestroy(pool), "the end of an event pool");
    must(zeMemFree(context_, memory), "a free");
  }

  void check_limits() {
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    must(zeDeviceGetProperties(device_, &properties), "properties");
    ze_device_module_properties_t module{};
    module.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
    must(zeDeviceGetModuleProperties(device_, &module), "module properties");
    expect(((module.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0) == !hides("fp64"),
           "doubles are told of truthfully");
    expect(((module.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS) != 0) ==
               !hides("cl_khr_int64_base_atomics"),
           "64-bit atomics are told of truthfully");
    if (says("allocation=65536") && hides("system_svm"))
      expect(properties.maxMemAllocSize == 65536, "the largest allocation is told");
  }

  const ze_driver_handle_t driver_;
  ze_device_handle_t device_;
  ze_context_handle_t context_ = nullptr;
  std::array<ze_command_list_handle_t, 2> lists_{};
  ze_module_handle_t module_ = nullptr;
};

} // namespace

void prepare(const char *driver, const char *icd, const char *module) {
  std::ifstream file(module, std::ios::binary);
  module_bytes.assign(std::istreambuf_iterator<char>(file), {});
  setenv("ZE_ENABLE_ALT_DRIVERS", driver, 1);
  setenv("OCL_ICD_VENDORS", icd, 1);
  dlopen(SHIM_POCL, RTLD_NOW | RTLD_LOCAL); // once, and not in each process
}

int try_device() {
  std::optional<Device> device = Device::find();
  if (!device)
    return left_out;
  device->check();
  return failures == 0 ? right : wrong;
}

int try_failing_kernel() {
  std::optional<Device> device = Device::find();
  if (!device)
    return left_out;
  device->check_failing_kernel();
  return failures == 0 ? right : wrong;
}
