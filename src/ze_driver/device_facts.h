// What a device says of itself, in Level Zero's words.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace ze_driver {

struct ImageLimits {
  uint32_t max_1d = 0, max_2d = 0, max_3d = 0, max_layers = 0; // texels
  uint64_t max_buffer_bytes = 0;
  size_t pitch_alignment = 1; // of zeMemGetPitchFor2dImage
};

struct DeviceFacts {
  std::string name;
  uint8_t uuid[ZE_MAX_DEVICE_UUID_SIZE] = {};
  uint32_t vendor_id = 0; // PCI's
  ze_device_property_flags_t flags = 0;
  uint32_t clock_mhz = 0;
  /// In the end these are multiplied: threads of sub-groups that the device holds at once.
  uint32_t slices = 1, subslices = 1, execution_units = 1, threads_per_unit = 1;

  uint32_t sub_group_size = 32;
  bool has_sub_groups = true; // that kernels can pass values in
  bool cooperative_launches = true;
  uint32_t max_group_size = 0; // work-items
  uint32_t max_local_bytes = 0;
  uint32_t max_argument_bytes = 0;
  uint32_t vector_bytes = 16; // of its registers, that every kernel can count on

  uint32_t spirv_version = 0;
  ze_device_module_flags_t module_flags = 0;
  ze_device_fp_flags_t fp16 = 0, fp32 = 0, fp64 = 0;
  ze_device_fp_atomic_ext_flags_t fp16_atomics = 0, fp32_atomics = 0, fp64_atomics = 0;

  std::string memory_name;
  uint64_t memory_bytes = 0;
  uint32_t memory_bus_bits = 0;
  uint64_t cache_bytes = 0;
  uint64_t max_allocation_bytes = 0; // at once; 0: all that there is
  // To what the driver allocates, by its kind. None to a kind: there is no such memory.
  ze_memory_access_cap_flags_t device_access = 0, host_access = 0, shared_access = 0;
  ze_memory_access_cap_flags_t system_access = 0; // to the program's own memory
  bool reaches_imported_memory = true;            // the program's own, once it was imported
  ze_device_p2p_property_flags_t peer = 0;        // to memory of other devices of the driver
  bool enforces_read_only = false;                // of mapped memory

  ImageLimits images;
};

} // namespace ze_driver
