// Modules and kernels of the driver.
#pragma once

#include "driver.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace chip::ze {

struct KernelProperties {
  uint32_t registers_spill = 0; // bytes
  uint32_t local_bytes = 0;     // static work-group memory
  uint32_t private_bytes = 0;   // per work-item
  uint32_t max_group_size = 0;
};

/// Builds SPIR-V for a device. On failure throws with the driver's build log as the message.
Module build_module(const Driver &driver, const DeviceInfo &device,
                    std::span<const std::byte> spirv, const std::string &build_flags);

/// Throws hipErrorNotFound where the module has no kernel of that name. The kernel may follow pointers to any memory.
Kernel create_kernel(ze_module_handle_t module, const std::string &name);
/// The same; the error says why the driver refuses the kernel, where it tells.
Kernel create_kernel(const Driver &driver, ze_module_handle_t module, const std::string &name);
KernelProperties kernel_properties(const DeviceInfo &device, ze_kernel_handle_t kernel);

inline void set_group_size(ze_kernel_handle_t kernel, const ze_group_size_t &size) {
  check(zeKernelSetGroupSize(kernel, size.groupSizeX, size.groupSizeY, size.groupSizeZ),
        "zeKernelSetGroupSize");
}
/// A null `value` with a size asks for that much work-group memory.
inline void set_argument(ze_kernel_handle_t kernel, uint32_t index, size_t bytes,
                         const void *value) {
  check(zeKernelSetArgumentValue(kernel, index, bytes, value), "zeKernelSetArgumentValue");
}

/// Groups that can run at once, with the group size and work-group memory that the handle has been given.
inline uint32_t max_cooperative_groups(ze_kernel_handle_t kernel) {
  uint32_t count = 0;
  check(zeKernelSuggestMaxCooperativeGroupCount(kernel, &count),
        "zeKernelSuggestMaxCooperativeGroupCount");
  return count;
}

struct Variable {
  void *address = nullptr;
  size_t bytes = 0;
};
/// A program-scope variable; a null address where the module has none of that name.
Variable find_variable(ze_module_handle_t module, const char *name);

} // namespace chip::ze
