// How a program finds the driver, and what driver and device say of themselves.
#include "support.h"

#include <level_zero/zer_api.h>
#include <level_zero/zes_api.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>

TEST_CASE("ze_cpu: zeInit and zeDriverGet find the driver", "[front]") {
  REQUIRE_ZE(zeInit(0));
  uint32_t count = 0;
  REQUIRE_ZE(zeDriverGet(&count, nullptr));
  REQUIRE(count >= 1);
  std::vector<ze_driver_handle_t> drivers(count);
  REQUIRE_ZE(zeDriverGet(&count, drivers.data()));
  CHECK(drivers[0] != nullptr);
}

TEST_CASE("ze_cpu: zeInitDrivers finds the driver as a GPU and not as an NPU", "[front]") {
  uint32_t count = 0;
  ze_init_driver_type_desc_t desc{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr,
                                  ZE_INIT_DRIVER_TYPE_FLAG_GPU};
  REQUIRE_ZE(zeInitDrivers(&count, nullptr, &desc));
  CHECK(count >= 1);
  CHECK(cpu_driver() != nullptr);

  count = 0;
  desc.flags = ZE_INIT_DRIVER_TYPE_FLAG_NPU;
  const ze_result_t result = zeInitDrivers(&count, nullptr, &desc);
  CHECK((result == ZE_RESULT_ERROR_UNINITIALIZED || (result == ZE_RESULT_SUCCESS && count == 0)));
}

TEST_CASE("ze_cpu: zesInit finds the device for system management", "[front]") {
  REQUIRE_ZE(zesInit(0));
  uint32_t count = 0;
  REQUIRE_ZE(zesDriverGet(&count, nullptr));
  REQUIRE(count >= 1);
  count = 1;
  zes_driver_handle_t driver = nullptr;
  REQUIRE_ZE(zesDriverGet(&count, &driver));
  count = 0;
  REQUIRE_ZE(zesDeviceGet(driver, &count, nullptr));
  CHECK(count == 1);
}

TEST_CASE_METHOD(Driver, "ze_cpu: the driver reports its API version and identity", "[front]") {
  ze_api_version_t version{};
  REQUIRE_ZE(zeDriverGetApiVersion(driver, &version));
  CHECK(version >= ZE_API_VERSION_1_15);
  ze_driver_properties_t properties{ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES, nullptr, {}, 0};
  REQUIRE_ZE(zeDriverGetProperties(driver, &properties));
  CHECK(properties.driverVersion != 0);
  ze_driver_ipc_properties_t ipc{ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES, nullptr, 0xff};
  REQUIRE_ZE(zeDriverGetIpcProperties(driver, &ipc));
  CHECK(ipc.flags == (ZE_IPC_PROPERTY_FLAG_MEMORY | ZE_IPC_PROPERTY_FLAG_EVENT_POOL));
}

TEST_CASE_METHOD(Driver, "ze_cpu: the device tells what extensions it has properties of") {
  ze_device_readonly_memory_ext_properties_t pages{};
  pages.stype = ZE_STRUCTURE_TYPE_DEVICE_READONLY_MEMORY_EXT_PROPERTIES;
  ze_device_event_properties_t events{ZE_STRUCTURE_TYPE_DEVICE_EVENT_PROPERTIES, &pages, 0xff};
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  properties.pNext = &events;
  REQUIRE_ZE(zeDeviceGetProperties(device, &properties));
  CHECK(events.flags == ZE_DEVICE_EVENT_PROPERTIES_FLAG_COUNTER_BASED_IPC);
  CHECK(pages.readonlyCapability == ZE_DEVICE_READONLY_MEMORY_CAPABILITY_ENFORCED);
  ze_scheduling_hint_exp_properties_t hints{};
  hints.stype = ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES;
  ze_float_atomic_ext_properties_t atomics{};
  atomics.stype = ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES;
  atomics.pNext = &hints;
  ze_device_module_properties_t modules{};
  modules.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
  modules.pNext = &atomics;
  REQUIRE_ZE(zeDeviceGetModuleProperties(device, &modules));
  CHECK(hints.schedulingHintFlags == 0x7);
  constexpr ze_device_fp_atomic_ext_flags_t all_atomics =
      ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD |
      ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE |
      ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
  CHECK(atomics.fp16Flags == all_atomics);
  CHECK(atomics.fp32Flags == all_atomics);
  CHECK(atomics.fp64Flags == all_atomics);
}

TEST_CASE_METHOD(Driver, "ze_cpu: extensions are listed and their functions found by name",
                 "[front]") {
  uint32_t count = 0;
  REQUIRE_ZE(zeDriverGetExtensionProperties(driver, &count, nullptr));
  REQUIRE(count > 0);
  std::vector<ze_driver_extension_properties_t> properties(count);
  REQUIRE_ZE(zeDriverGetExtensionProperties(driver, &count, properties.data()));
  std::set<std::string> names;
  for (const auto &property : properties)
    names.insert(property.name);
  CHECK(names.size() == count);
  CHECK(names.contains(ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME));
  CHECK(names.contains(ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME));

  for (const char *name : {"zeEventCounterBasedCreate", "zeCommandListAppendHostFunction",
                           "zeDeviceSynchronize", "zeCommandListAppendLaunchKernelWithArguments",
                           "zeGraphInstantiateExt", "zeEventCounterBasedOpenIpcHandle"}) {
    INFO(name);
    void *function = nullptr;
    CHECK(zeDriverGetExtensionFunctionAddress(driver, name, &function) == ZE_RESULT_SUCCESS);
    CHECK(function != nullptr);
  }
  void *function = nullptr;
  CHECK(zeDriverGetExtensionFunctionAddress(driver, "zeNoSuchFunction", &function) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(Driver, "ze_cpu: the device presents itself as a GPU", "[front]") {
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetProperties(device, &properties));
  CHECK(properties.type == ZE_DEVICE_TYPE_GPU);
  CHECK(std::strlen(properties.name) > 0);
  CHECK(properties.maxMemAllocSize > 0);
  const uint32_t units =
      properties.numSlices * properties.numSubslicesPerSlice * properties.numEUsPerSubslice;
  CHECK(units >= 1);
  CHECK(units <= std::max(std::thread::hardware_concurrency(), 1u));
  CHECK(properties.stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES);
}

TEST_CASE_METHOD(
    Driver, "ze_cpu: the timer resolution is in the unit that the structure's version asks for",
    "[front]") {
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetProperties(device, &properties));
  CHECK(properties.timerResolution == 1); // nanoseconds
  CHECK(properties.timestampValidBits == 64);
  CHECK(properties.kernelTimestampValidBits == 64);
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  REQUIRE_ZE(zeDeviceGetProperties(device, &properties));
  CHECK(properties.timerResolution == 1'000'000'000); // ticks per second
}

TEST_CASE_METHOD(Driver, "ze_cpu: device time runs at the rate that the resolution says",
                 "[front]") {
  uint64_t host_before = 0, before = 0, host_after = 0, after = 0;
  REQUIRE_ZE(zeDeviceGetGlobalTimestamps(device, &host_before, &before));
  const auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto slept = std::chrono::steady_clock::now() - start;
  REQUIRE_ZE(zeDeviceGetGlobalTimestamps(device, &host_after, &after));
  const auto slept_ns = static_cast<uint64_t>(std::chrono::nanoseconds(slept).count());
  CHECK(after - before >= slept_ns);
  CHECK(host_after - host_before >= slept_ns);
  CHECK(after - before < 1000 * slept_ns); // not picoseconds
}

TEST_CASE_METHOD(Driver, "ze_cpu: compute and module properties are usable limits") {
  ze_device_compute_properties_t compute{};
  compute.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetComputeProperties(device, &compute));
  CHECK(compute.maxTotalGroupSize >= 256);
  CHECK(compute.maxGroupSizeX >= compute.maxTotalGroupSize);
  CHECK(compute.maxSharedLocalMemory >= 32 * 1024);
  CHECK(compute.maxGroupCountX > 65535);
  REQUIRE(compute.numSubGroupSizes >= 1);
  CHECK(compute.subGroupSizes[0] == 32);

  ze_device_module_properties_t module{};
  module.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetModuleProperties(device, &module));
  CHECK(module.spirvVersionSupported >= ZE_MAKE_VERSION(1, 2));
  CHECK((module.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0);
  CHECK(module.maxArgumentsSize >= 1024);
}

TEST_CASE_METHOD(Driver, "ze_cpu: memory and cache properties come one each, queue groups two") {
  uint32_t count = 0;
  REQUIRE_ZE(zeDeviceGetMemoryProperties(device, &count, nullptr));
  REQUIRE(count == 1);
  ze_device_memory_properties_t memory{};
  memory.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetMemoryProperties(device, &count, &memory));
  CHECK(memory.totalSize > (uint64_t{1} << 28));

  count = 0;
  REQUIRE_ZE(zeDeviceGetCommandQueueGroupProperties(device, &count, nullptr));
  REQUIRE(count == 2);
  ze_command_queue_group_properties_t groups[2]{};
  for (auto &one : groups)
    one.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetCommandQueueGroupProperties(device, &count, groups));
  const auto &group = groups[0];
  CHECK(groups[1].flags == ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY);
  CHECK(groups[1].numQueues >= 1);
  CHECK(groups[1].maxMemoryFillPatternSize == group.maxMemoryFillPatternSize);
  CHECK((group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE) != 0);
  CHECK((group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY) != 0);
  CHECK((group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS) != 0);
  CHECK(group.numQueues >= 1);
  CHECK(group.maxMemoryFillPatternSize >= 16);

  count = 0;
  REQUIRE_ZE(zeDeviceGetCacheProperties(device, &count, nullptr));
  CHECK(count == 1);

  ze_device_memory_access_properties_t access{};
  access.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetMemoryAccessProperties(device, &access));
  // The system's memory is foreign then.
  const bool checked = std::getenv("ZE_CPU_CHECK") != nullptr;
  CHECK((access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW) ==
        (checked ? 0 : ZE_MEMORY_ACCESS_CAP_FLAG_RW));
}

TEST_CASE_METHOD(Driver, "ze_cpu: the device stands alone", "[front]") {
  uint32_t count = 7;
  REQUIRE_ZE(zeDeviceGetSubDevices(device, &count, nullptr));
  CHECK(count == 0);
  ze_bool_t access = false;
  REQUIRE_ZE(zeDeviceCanAccessPeer(device, device, &access));
  CHECK(access);
  CHECK(zeDeviceGetStatus(device) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: the default context works like one that was created", "[front]") {
  const ze_context_handle_t standing = zeDriverGetDefaultContext(driver);
  REQUIRE(standing != nullptr);
  const ze_host_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void *memory = nullptr;
  REQUIRE_ZE(zeMemAllocHost(standing, &desc, 64, 0, &memory));
  CHECK(zeMemFree(standing, memory) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver,
                 "ze_cpu: a context for named devices has a status and takes residency calls",
                 "[front]") {
  const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  Context other;
  REQUIRE_ZE(zeContextCreateEx(driver, &desc, 1, &device, other.out()));
  CHECK(zeContextGetStatus(other) == ZE_RESULT_SUCCESS);
  int *memory = shared<int>(16);
  CHECK(zeContextMakeMemoryResident(context, device, memory, 64) == ZE_RESULT_SUCCESS);
  CHECK(zeContextEvictMemory(context, device, memory, 64) == ZE_RESULT_SUCCESS);
  int unknown = 0;
  CHECK(zeContextMakeMemoryResident(context, device, &unknown, sizeof unknown) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeContextSystemBarrier(context, device) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: null handles and pointers are told apart", "[front]") {
  uint32_t count = 0;
  CHECK_NULL_HANDLE(zeDeviceGetStatus(nullptr));
  CHECK(zeDriverGetApiVersion(driver, nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(zeDeviceGet(driver, nullptr, nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_NULL_HANDLE(zeDeviceGet(nullptr, &count, nullptr));
  CHECK(zeDeviceGetProperties(device, nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(zeContextCreate(driver, nullptr, nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_NULL_HANDLE(zeContextGetStatus(nullptr));
}
