#include "models.h"

namespace ze_opencl {

std::unique_ptr<MemoryAccess> make_memory_access(const Platform &platform,
                                                 std::span<const cl_device_id> devices) {
  switch (platform.memory_model) {
  case MemoryModel::unified:
    return make_unified_memory(platform, devices);
  case MemoryModel::buffers:
    return make_buffer_memory(platform, devices);
  default:
    return make_svm_memory(platform, devices);
  }
}

} // namespace ze_opencl
