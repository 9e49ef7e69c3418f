#include "kernel.h"

#include <algorithm>
#include <format>

namespace chip::ze {
namespace {

std::string text_of(const BuildLog &log) {
  size_t size = 0;
  if (!log || zeModuleBuildLogGetString(log.get(), &size, nullptr) != ZE_RESULT_SUCCESS ||
      size == 0)
    return {};
  std::string text(size, '\0');
  if (zeModuleBuildLogGetString(log.get(), &size, text.data()) != ZE_RESULT_SUCCESS)
    return {};
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

} // namespace

Module build_module(const Driver &driver, const DeviceInfo &device,
                    std::span<const std::byte> spirv, const std::string &build_flags) {
  ze_module_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = spirv.size();
  desc.pInputModule = reinterpret_cast<const uint8_t *>(spirv.data());
  desc.pBuildFlags = build_flags.c_str();
  ze_module_handle_t module = nullptr;
  ze_module_build_log_handle_t raw_log = nullptr;
  ze_result_t result = zeModuleCreate(driver.context(), device.handle, &desc, &module, &raw_log);
  BuildLog log(raw_log);
  if (result != ZE_RESULT_SUCCESS)
    throw_ze(result, std::format("the device code does not build (0x{:x}): {}", unsigned(result),
                                 text_of(log)));
  Module built(module);
  // The driver hopes for zeModuleDynamicLink; HIP has no such thing.
  ze_module_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES;
  check(zeModuleGetProperties(module, &properties), "zeModuleGetProperties");
  if (properties.flags & ZE_MODULE_PROPERTY_FLAG_IMPORTS)
    throw Error(hipErrorSharedObjectInitFailed,
                std::format("the device code uses what it does not have: {}", text_of(log)));
  return built;
}

namespace {

ze_result_t create(ze_module_handle_t module, const std::string &name, ze_kernel_handle_t &kernel) {
  ze_kernel_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  desc.pKernelName = name.c_str();
  return zeKernelCreate(module, &desc, &kernel);
}

Kernel with_indirect_access(ze_kernel_handle_t raw) {
  Kernel kernel(raw);
  // A HIP kernel may follow pointers that it finds in memory or in a struct: all allocations must be resident.
  check(zeKernelSetIndirectAccess(raw, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST |
                                           ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                                           ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED),
        "zeKernelSetIndirectAccess");
  return kernel;
}

} // namespace

Kernel create_kernel(ze_module_handle_t module, const std::string &name) {
  ze_kernel_handle_t kernel = nullptr;
  check(create(module, name, kernel), "zeKernelCreate");
  return with_indirect_access(kernel);
}

Kernel create_kernel(const Driver &driver, ze_module_handle_t module, const std::string &name) {
  ze_kernel_handle_t kernel = nullptr;
  const ze_result_t result = create(module, name, kernel);
  const char *reason = nullptr;
  // Drivers that tell anything tell it of the call before.
  if (result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE &&
      zeDriverGetLastErrorDescription(driver.handle(), &reason) == ZE_RESULT_SUCCESS && reason &&
      *reason)
    throw_ze(result, std::format("the device cannot run this kernel: {}", reason));
  check(result, "zeKernelCreate");
  return with_indirect_access(kernel);
}

KernelProperties kernel_properties(const DeviceInfo &device, ze_kernel_handle_t kernel) {
  ze_kernel_max_group_size_properties_ext_t limit{};
  limit.stype = ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES;
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  properties.pNext = &limit;
  check(zeKernelGetProperties(kernel, &properties), "zeKernelGetProperties");
  return {.registers_spill = properties.spillMemSize,
          .local_bytes = properties.localMemSize,
          .private_bytes = properties.privateMemSize,
          .max_group_size =
              limit.maxGroupSize ? limit.maxGroupSize : device.compute.maxTotalGroupSize};
}

Variable find_variable(ze_module_handle_t module, const char *name) {
  Variable variable;
  ze_result_t result = zeModuleGetGlobalPointer(module, name, &variable.bytes, &variable.address);
  // Intel's driver answers the second where the module exports no variable of any name.
  if (result == ZE_RESULT_ERROR_INVALID_GLOBAL_NAME ||
      result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
    return {};
  check(result, "zeModuleGetGlobalPointer");
  return variable;
}

} // namespace chip::ze
