#include "device_lacks.h"

#include "../common/driver_contract.h"

#include <dlfcn.h>
#include <string_view>

namespace chip::hipcc {
namespace {

/// A function of the loader's: where that is missing, this program still says so.
template <class Function> Function *loaded(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
}

/// Calls a function of Level Zero's.
#define ASK(name, ...)                                                                             \
  [&] {                                                                                            \
    auto *const found = loaded<decltype(name)>(#name);                                             \
    return found ? found(__VA_ARGS__) : ZE_RESULT_ERROR_UNINITIALIZED;                             \
  }()

template <class Properties> Properties asked_for(ze_structure_type_t type) {
  Properties properties{};
  properties.stype = type;
  return properties;
}

bool has_images(ze_device_handle_t device) {
  auto images = asked_for<ze_device_image_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES);
  return ASK(zeDeviceGetImageProperties, device, &images) == ZE_RESULT_SUCCESS &&
         images.maxImageDims2D != 0;
}

bool has_cooperative_launches(ze_device_handle_t device) {
  ze_command_queue_group_properties_t groups[16];
  for (auto &group : groups)
    group = asked_for<ze_command_queue_group_properties_t>(
        ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES);
  uint32_t count = 16;
  if (ASK(zeDeviceGetCommandQueueGroupProperties, device, &count, groups) != ZE_RESULT_SUCCESS)
    return false;
  for (uint32_t i = 0; i < count; ++i)
    if (groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS)
      return true;
  return false;
}

bool is_of_opencl(ze_driver_handle_t driver) {
  auto properties = asked_for<ze_driver_properties_t>(ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES);
  return ASK(zeDriverGetProperties, driver, &properties) == ZE_RESULT_SUCCESS &&
         std::string_view(reinterpret_cast<const char *>(properties.uuid.id),
                          sizeof properties.uuid.id)
             .starts_with(driver_contract::opencl_uuid_prefix);
}

} // namespace

std::vector<std::string> lacks_of(ze_driver_handle_t driver, ze_device_handle_t device) {
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
  if (ASK(zeDeviceGetProperties, device, &properties) != ZE_RESULT_SUCCESS ||
      ASK(zeDeviceGetComputeProperties, device, &compute) != ZE_RESULT_SUCCESS ||
      ASK(zeDeviceGetModuleProperties, device, &module) != ZE_RESULT_SUCCESS ||
      ASK(zeDeviceGetMemoryAccessProperties, device, &access) != ZE_RESULT_SUCCESS)
    return {"what can be told of it: Level Zero does not answer"};

  std::vector<std::string> lacks;
  const auto add = [&](bool is_lacking, const std::string &what, const std::string &costs) {
    if (is_lacking)
      lacks.push_back(what + ": " + costs);
  };
  constexpr uint32_t warp = 32; // what kernels are compiled for
  bool has_warps = false;
  std::string widths;
  for (uint32_t i = 0; i < compute.numSubGroupSizes; ++i) {
    has_warps = has_warps || compute.subGroupSizes[i] == warp;
    widths += (widths.empty() ? ", but of " : " and ") + std::to_string(compute.subGroupSizes[i]);
  }
  add(!has_warps, widths.empty() ? "no sub-groups" : "no sub-groups of 32" + widths,
      "__shfl, __ballot, __any, __all and tiles of cooperative groups, at least where not "
      "all threads of a block come to them");
  add(!(module.flags & ZE_DEVICE_MODULE_FLAG_FP64), "no double precision",
      "kernels that compute with double");
  add(!(module.flags & ZE_DEVICE_MODULE_FLAG_FP16), "no half precision announced",
      "kernels that compute with __half, where the implementation does not build them all the "
      "same");
  add(!(module.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS), "no atomic operations on 64 bits",
      "atomicAdd and the like on long long and double");
  add(!(atomics.fp32Flags & ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD), "no atomic addition of float",
      "atomicAdd on float is a loop, which is right and slower");
  add(compute.maxSharedLocalMemory == 0, "no memory of work-groups", "__shared__");
  add(compute.maxTotalGroupSize < 1024, "no blocks of 1,024 threads",
      "blocks of more than " + std::to_string(compute.maxTotalGroupSize));
  add(module.maxArgumentsSize < 1024,
      "arguments of " + std::to_string(module.maxArgumentsSize) + " bytes",
      "launches with larger ones pass them through memory, which is right and slower");
  add(!(access.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW), "no host allocations",
      "hipHostMalloc; printf, assert and malloc in kernels");
  add(!(access.sharedSingleDeviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW),
      "no shared allocations", "hipMallocManaged and __managed__");
  add(!(access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW),
      "no access to the program's own memory",
      "kernels cannot follow pointers of malloc; hipHostRegister where the driver cannot "
      "import memory");
  add(!has_cooperative_launches(device), "no cooperative launches",
      "hipLaunchCooperativeKernel, and grid_group::sync with it");
  add(properties.timerResolution == 0 || properties.timestampValidBits == 0, "no time stamps",
      "hipEventElapsedTime, and times of kernels in profilers");
  add(!has_images(device), "no images",
      "costs nothing of HIP, whose textures are memory that kernels read");
  // OpenCL has none, and Level Zero has no property for it.
  add(is_of_opencl(driver), "no calls of functions by address, and no recursion",
      "virtual functions and pointers to functions in kernels");
  return lacks;
}

} // namespace chip::hipcc
