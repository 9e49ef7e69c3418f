// ZE_CPU_DEVICES: the machine as several devices.
#include "support.h"

#include <level_zero/zer_api.h>
#include <level_zero/zes_api.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace {

constexpr uint32_t device_count = 3;

/// Before the driver is loaded.
struct ChooseDevices {
  ChooseDevices() {
    setenv("ZE_CPU_DEVICES", "3", 1);
    setenv("ZE_CPU_THREADS", "4", 1);
  }
} const choose_devices;

class Devices : public Driver {
public:
  std::vector<ze_device_handle_t> all = [this] {
    uint32_t count = 0;
    REQUIRE_ZE(zeDeviceGet(driver, &count, nullptr));
    std::vector<ze_device_handle_t> handles(count);
    REQUIRE_ZE(zeDeviceGet(driver, &count, handles.data()));
    return handles;
  }();

  /// Makes the objects of the base class on device `index` from here on.
  void use(size_t index) { device = all.at(index); }

  ze_device_properties_t properties(size_t index) {
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    REQUIRE_ZE(zeDeviceGetProperties(all.at(index), &properties));
    return properties;
  }
};

} // namespace

TEST_CASE_METHOD(Devices, "ze_cpu devices: there are as many as asked for, and each is another") {
  REQUIRE(all.size() == device_count);
  std::set<std::string> names, uuids;
  uint32_t processors = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const auto p = properties(i);
    names.insert(p.name);
    uuids.emplace(reinterpret_cast<const char *>(p.uuid.id), sizeof p.uuid.id);
    CHECK(p.numSlices * p.numSubslicesPerSlice * p.numEUsPerSubslice >= 1);
    processors = std::max(processors, p.numSubslicesPerSlice);
    uint32_t count = 7;
    CHECK(zeDeviceGetSubDevices(all[i], &count, nullptr) == ZE_RESULT_SUCCESS);
    CHECK(count == 0);
    CHECK(zerTranslateDeviceHandleToIdentifier(all[i]) == i);
    CHECK(zerTranslateIdentifierToDeviceHandle(static_cast<uint32_t>(i)) == all[i]);
  }
  CHECK(names.size() == device_count);
  CHECK(uuids.size() == device_count);
  CHECK(processors <= 2); // the largest share of 4 threads
  CHECK(zerTranslateIdentifierToDeviceHandle(device_count) == nullptr);
}

TEST_CASE_METHOD(Devices, "ze_cpu devices: system management knows them too") {
  REQUIRE_ZE(zesInit(0));
  uint32_t count = 1;
  zes_driver_handle_t manager = nullptr;
  REQUIRE_ZE(zesDriverGet(&count, &manager));
  count = 0;
  REQUIRE_ZE(zesDeviceGet(manager, &count, nullptr));
  CHECK(count == device_count);
}

TEST_CASE_METHOD(Devices, "ze_cpu devices: each can access the others") {
  for (ze_device_handle_t one : all)
    for (ze_device_handle_t other : all) {
      ze_bool_t access = false;
      REQUIRE_ZE(zeDeviceCanAccessPeer(one, other, &access));
      CHECK(access);
      ze_device_p2p_properties_t p2p{};
      p2p.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES;
      REQUIRE_ZE(zeDeviceGetP2PProperties(one, other, &p2p));
      CHECK((p2p.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS) != 0);
      CHECK((p2p.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS) != 0);
    }
}

TEST_CASE_METHOD(Devices, "ze_cpu devices: an allocation belongs to the device it was made for") {
  const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  const ze_host_mem_alloc_desc_t host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  const auto owner_of = [&](void *memory) {
    ze_memory_allocation_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    ze_device_handle_t owner = nullptr;
    REQUIRE_ZE(zeMemGetAllocProperties(context, memory, &properties, &owner));
    return owner;
  };
  for (ze_device_handle_t each : all) {
    void *memory = nullptr;
    REQUIRE_ZE(zeMemAllocDevice(context, &desc, 64, 0, each, &memory));
    CHECK(owner_of(memory) == each);
    CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
    REQUIRE_ZE(zeMemAllocShared(context, &desc, &host, 64, 0, each, &memory));
    CHECK(owner_of(memory) == each);
    CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
  }
  void *memory = nullptr;
  REQUIRE_ZE(zeMemAllocShared(context, &desc, &host, 64, 0, nullptr, &memory));
  CHECK(owner_of(memory) == nullptr); // it was made for none
  CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Devices, "ze_cpu devices: launches on two of them run side by side") {
  int *flag = shared<int>(1);
  std::vector<Module> modules;
  std::vector<Kernel> kernels;
  std::vector<List> lists;
  for (size_t i = 0; i < 2; ++i) {
    use(i);
    modules.push_back(test_module());
    kernels.push_back(kernel(modules[i], i == 0 ? "wait_for_flag" : "store"));
    REQUIRE_ZE(zeKernelSetArgumentValue(kernels[i], 0, sizeof flag, &flag));
    lists.push_back(immediate());
    ze_device_handle_t of = nullptr;
    REQUIRE_ZE(zeCommandListGetDeviceHandle(lists[i], &of));
    CHECK(of == device);
  }
  const int raised = 1;
  REQUIRE_ZE(zeKernelSetArgumentValue(kernels[1], 1, sizeof raised, &raised));
  const ze_group_count_t one{1, 1, 1};
  for (size_t i = 0; i < 2; ++i)
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(lists[i], kernels[i], &one, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(lists[0], long_ns));
  REQUIRE_ZE(zeCommandListHostSynchronize(lists[1], long_ns));
  CHECK(*flag == raised);
}

TEST_CASE_METHOD(Devices, "ze_cpu devices: large grids are shared among each device's threads") {
  constexpr uint32_t groups = 4096, group = 64;
  std::vector<float *> data;
  std::vector<Module> modules;
  std::vector<List> lists;
  for (size_t i = 0; i < all.size(); ++i) {
    use(i);
    modules.push_back(test_module());
    lists.push_back(immediate());
    data.push_back(shared<float>(groups * group));
    for (uint32_t k = 0; k < groups * group; ++k)
      data[i][k] = static_cast<float>(k);
  }
  const ze_group_count_t count{groups, 1, 1};
  for (size_t i = 0; i < all.size(); ++i) {
    const Kernel scale = kernel(modules[i], "scale");
    const float factor = static_cast<float>(i + 2);
    const uint32_t length = groups * group;
    REQUIRE_ZE(zeKernelSetGroupSize(scale, group, 1, 1));
    REQUIRE_ZE(zeKernelSetArgumentValue(scale, 0, sizeof data[i], &data[i]));
    REQUIRE_ZE(zeKernelSetArgumentValue(scale, 1, sizeof factor, &factor));
    REQUIRE_ZE(zeKernelSetArgumentValue(scale, 2, sizeof length, &length));
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(lists[i], scale, &count, nullptr, 0, nullptr));
  }
  for (size_t i = 0; i < all.size(); ++i) {
    REQUIRE_ZE(zeDeviceSynchronize(all[i]));
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < groups * group; ++k)
      wrong += data[i][k] != static_cast<float>(k) * static_cast<float>(i + 2);
    CHECK(wrong == 0);
  }
}

TEST_CASE_METHOD(Devices, "ze_cpu devices: synchronizing one does not wait for another") {
  use(0);
  List blocked = immediate();
  const PooledEvent gate = pooled_event();
  ze_event_handle_t wait = gate;
  REQUIRE_ZE(zeCommandListAppendBarrier(blocked, nullptr, 1, &wait));
  REQUIRE_ZE(zeDeviceSynchronize(all[1])); // would not end
  CHECK(zeCommandListHostSynchronize(blocked, 0) == ZE_RESULT_NOT_READY);
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeDeviceSynchronize(all[0]));
  CHECK(zeCommandListHostSynchronize(blocked, 0) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Devices, "ze_cpu devices: a list is executed by its own device only") {
  use(0);
  List list = regular();
  REQUIRE_ZE(zeCommandListClose(list));
  use(1);
  Queue other = queue();
  List other_list = immediate();
  ze_command_list_handle_t handle = list;
  CHECK(zeCommandQueueExecuteCommandLists(other, 1, &handle, nullptr) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeCommandListImmediateAppendCommandListsExp(other_list, 1, &handle, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
}
