// To be loaded before a program: what Level Zero says of devices, made less by a comma-separated list in ZE_LESSER. Nothing else
// changes: the device does what it did.
//
//   opencl: the driver's UUID is that of the driver over OpenCL; warp_N: sub-groups of N only; sub_groups, fp64, fp16, atomics64,
//   float_atomics, shared_memory, managed, host, pageable, images, cooperative, timestamps: without those; small_blocks, small_arguments.
#include "../../src/common/driver_contract.h"
#include "../../src/common/environment.h"

#include <level_zero/ze_api.h>

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace {

bool lacks(std::string_view word) {
  return std::ranges::contains(common::list_entries(common::variable("ZE_LESSER")), word);
}

template <class Function> Function *real(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

} // namespace

#define REAL(name) real<decltype(name)>(#name)
#define EXPORTED extern "C" [[gnu::visibility("default")]] ze_result_t ZE_APICALL

EXPORTED zeDriverGetProperties(ze_driver_handle_t driver, ze_driver_properties_t *properties) {
  const ze_result_t result = REAL(zeDriverGetProperties)(driver, properties);
  if (lacks("opencl"))
    std::memcpy(properties->uuid.id, driver_contract::opencl_uuid_prefix.data(),
                driver_contract::opencl_uuid_prefix.size());
  return result;
}

EXPORTED zeDeviceGetProperties(ze_device_handle_t device, ze_device_properties_t *properties) {
  const ze_result_t result = REAL(zeDeviceGetProperties)(device, properties);
  if (lacks("timestamps"))
    properties->timerResolution = 0, properties->timestampValidBits = 0;
  return result;
}

EXPORTED zeDeviceGetComputeProperties(ze_device_handle_t device,
                                      ze_device_compute_properties_t *properties) {
  const ze_result_t result = REAL(zeDeviceGetComputeProperties)(device, properties);
  for (const uint32_t width : {8u, 16u, 64u})
    if (lacks("warp_" + std::to_string(width)))
      properties->numSubGroupSizes = 1, properties->subGroupSizes[0] = width;
  if (lacks("sub_groups"))
    properties->numSubGroupSizes = 0;
  if (lacks("shared_memory"))
    properties->maxSharedLocalMemory = 0;
  if (lacks("small_blocks"))
    properties->maxTotalGroupSize = 256;
  return result;
}

EXPORTED zeDeviceGetModuleProperties(ze_device_handle_t device,
                                     ze_device_module_properties_t *properties) {
  const ze_result_t result = REAL(zeDeviceGetModuleProperties)(device, properties);
  if (lacks("fp64"))
    properties->flags &= ~uint32_t(ZE_DEVICE_MODULE_FLAG_FP64);
  if (lacks("fp16"))
    properties->flags &= ~uint32_t(ZE_DEVICE_MODULE_FLAG_FP16);
  if (lacks("atomics64"))
    properties->flags &= ~uint32_t(ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS);
  if (lacks("small_arguments"))
    properties->maxArgumentsSize = 256;
  if (lacks("float_atomics") && properties->pNext)
    static_cast<ze_float_atomic_ext_properties_t *>(properties->pNext)->fp32Flags = 0;
  return result;
}

EXPORTED zeDeviceGetMemoryAccessProperties(ze_device_handle_t device,
                                           ze_device_memory_access_properties_t *properties) {
  const ze_result_t result = REAL(zeDeviceGetMemoryAccessProperties)(device, properties);
  if (lacks("managed"))
    properties->sharedSingleDeviceAllocCapabilities = 0;
  if (lacks("host"))
    properties->hostAllocCapabilities = 0;
  if (lacks("pageable"))
    properties->sharedSystemAllocCapabilities = 0;
  return result;
}

EXPORTED zeDeviceGetImageProperties(ze_device_handle_t device,
                                    ze_device_image_properties_t *properties) {
  return lacks("images") ? ZE_RESULT_ERROR_UNSUPPORTED_FEATURE
                         : REAL(zeDeviceGetImageProperties)(device, properties);
}

EXPORTED zeDeviceGetCommandQueueGroupProperties(ze_device_handle_t device, uint32_t *count,
                                                ze_command_queue_group_properties_t *groups) {
  const ze_result_t result = REAL(zeDeviceGetCommandQueueGroupProperties)(device, count, groups);
  if (groups && lacks("cooperative"))
    for (uint32_t i = 0; i < *count; ++i)
      groups[i].flags &= ~uint32_t(ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS);
  return result;
}
