// What a device lacks of what HIP programs use, from what Level Zero says of it, whatever driver it belongs to.
#pragma once

#include "check.h"

#include <chip/interop.h>

#include <string>

template <class Properties> Properties asked_for(ze_structure_type_t type) {
  Properties properties{};
  properties.stype = type;
  return properties;
}

inline bool has_images(ze_device_handle_t device) {
  auto images = asked_for<ze_device_image_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES);
  return zeDeviceGetImageProperties(device, &images) == ZE_RESULT_SUCCESS &&
         images.maxImageDims2D != 0;
}

inline bool has_cooperative_launches(ze_device_handle_t device) {
  ze_command_queue_group_properties_t groups[16];
  for (auto &group : groups)
    group = asked_for<ze_command_queue_group_properties_t>(
        ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES);
  uint32_t count = 16;
  if (zeDeviceGetCommandQueueGroupProperties(device, &count, groups) != ZE_RESULT_SUCCESS)
    return false;
  for (uint32_t i = 0; i < count; ++i)
    if (groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS)
      return true;
  return false;
}

inline void print_lack(bool lacks, const std::string &what, const char *costs) {
  if (lacks)
    std::printf("  lacks                  %s: %s\n", what.c_str(), costs);
}

inline void print_lacks(int number) {
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  HIP_CHECK(chipDeviceGetNative(number, &driver, &device, &context));

  auto properties = asked_for<ze_device_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2);
  auto compute =
      asked_for<ze_device_compute_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES);
  auto module =
      asked_for<ze_device_module_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES);
  auto atomics =
      asked_for<ze_float_atomic_ext_properties_t>(ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES);
  auto access = asked_for<ze_device_memory_access_properties_t>(
      ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES);
  module.pNext = &atomics;
  if (zeDeviceGetProperties(device, &properties) != ZE_RESULT_SUCCESS ||
      zeDeviceGetComputeProperties(device, &compute) != ZE_RESULT_SUCCESS ||
      zeDeviceGetModuleProperties(device, &module) != ZE_RESULT_SUCCESS ||
      zeDeviceGetMemoryAccessProperties(device, &access) != ZE_RESULT_SUCCESS) {
    std::puts("  lacks                  what can be told of it: Level Zero does not answer");
    return;
  }

  constexpr uint32_t warp = 32; // what kernels are compiled for
  bool has_warps = false;
  std::string widths;
  for (uint32_t i = 0; i < compute.numSubGroupSizes; ++i) {
    has_warps = has_warps || compute.subGroupSizes[i] == warp;
    widths += (widths.empty() ? ", but of " : " and ") + std::to_string(compute.subGroupSizes[i]);
  }
  print_lack(!has_warps, widths.empty() ? "no sub-groups" : "no sub-groups of 32" + widths,
             "__shfl, __ballot, __any, __all and tiles of cooperative groups, at least where not "
             "all threads of a block come to them");
  print_lack(!(module.flags & ZE_DEVICE_MODULE_FLAG_FP64), "no double precision",
             "kernels that compute with double");
  print_lack(!(module.flags & ZE_DEVICE_MODULE_FLAG_FP16), "no half precision",
             "kernels that compute with __half");
  print_lack(!(module.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS),
             "no atomic operations on 64 bits", "atomicAdd and the like on long long and double");
  print_lack(!(atomics.fp32Flags & ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD),
             "no atomic addition of float",
             "atomicAdd on float is a loop, which is right and slower");
  print_lack(compute.maxSharedLocalMemory == 0, "no memory of work-groups", "__shared__");
  print_lack(compute.maxTotalGroupSize < 1024, "no blocks of 1,024 threads",
             ("blocks of more than " + std::to_string(compute.maxTotalGroupSize)).c_str());
  print_lack(module.maxArgumentsSize < 1024,
             "arguments of " + std::to_string(module.maxArgumentsSize) + " bytes",
             "launches with larger ones pass them through memory, which is right and slower");
  print_lack(!(access.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW), "no host allocations",
             "hipHostMalloc; printf, assert and malloc in kernels");
  print_lack(!(access.sharedSingleDeviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW),
             "no shared allocations", "hipMallocManaged and __managed__");
  print_lack(!(access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW),
             "no access to the program's own memory",
             "kernels cannot follow pointers of malloc; hipHostRegister where the driver cannot "
             "import memory");
  print_lack(!has_cooperative_launches(device), "no cooperative launches",
             "hipLaunchCooperativeKernel, and grid_group::sync with it");
  print_lack(properties.timerResolution == 0 || properties.timestampValidBits == 0,
             "no time stamps", "hipEventElapsedTime, and times of kernels in profilers");
  print_lack(!has_images(device), "no images",
             "costs nothing of HIP, whose textures are memory that kernels read");
}
