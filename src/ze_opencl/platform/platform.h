// The OpenCL devices that the driver offers, and the platforms that they belong to. Found once, when the driver is initialised.
#pragma once

#include "../../ze_driver/device_facts.h"
#include "../spirv/abilities.h"
#include "api.h"

#include <memory>
#include <string>
#include <vector>

namespace ze_opencl {

class MemoryAccess;

/// How the devices of a platform share memory with kernels that follow pointers. In the order of preference.
enum class MemoryModel : uint8_t {
  system,     // fine-grained system SVM: all memory of the process
  unified,    // cl_intel_unified_shared_memory
  fine_svm,   // fine-grained buffer SVM
  buffers,    // cl_ext_buffer_device_address: no memory that host and device share
  coarse_svm, // coarse-grained SVM: no memory that host and device share
};

/// A platform, with one context for those of its devices that are used.
struct Platform {
  cl_platform_id id;
  std::string name;
  std::string names; // and what else a selection may name it by
  cl_context context;
  MemoryModel memory_model;
  std::unique_ptr<MemoryAccess> memory; // memory/access.h
};

struct Device {
  cl_device_id id;
  Platform *platform;
  ze_driver::DeviceFacts facts;
  Abilities abilities;      // what SPIR-V it takes
  bool has_profiling_timer; // clGetDeviceAndHostTimer may work
};

/// All of them, in an order that does not change; empty if there are none, after a line on stderr that says why for each platform
/// or device that was left out. They live as long as the process.
const std::vector<std::unique_ptr<Device>> &devices();

} // namespace ze_opencl
