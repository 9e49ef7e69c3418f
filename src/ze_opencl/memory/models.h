// The ways of OpenCL to have memory (access.h), each in a file of its own.
#pragma once

#include "access.h"

namespace ze_opencl {

/// cl_intel_unified_shared_memory.
std::unique_ptr<MemoryAccess> make_unified_memory(const Platform &platform,
                                                  std::span<const cl_device_id> devices);
/// cl_ext_buffer_device_address. The context has one device: others have the same buffers at addresses of their own.
std::unique_ptr<MemoryAccess> make_buffer_memory(const Platform &platform,
                                                 std::span<const cl_device_id> devices);
/// Shared virtual memory.
std::unique_ptr<MemoryAccess> make_svm_memory(const Platform &platform,
                                              std::span<const cl_device_id> devices);

} // namespace ze_opencl
