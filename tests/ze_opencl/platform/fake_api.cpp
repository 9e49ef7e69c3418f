#include "fake_api.h"

#include "../../../src/ze_opencl/memory/access.h"

using namespace ze_opencl;

namespace {

FakeDevice *asked = nullptr;

cl_int answer(cl_uint which, size_t size, void *value, size_t *needed) {
  const auto found = asked->answers.find(which);
  if (found == asked->answers.end())
    return CL_INVALID_VALUE;
  const std::vector<char> &bytes = found->second;
  if (needed)
    *needed = asked->claimed_bytes ? asked->claimed_bytes : bytes.size();
  if (value && size < bytes.size())
    return CL_INVALID_VALUE;
  if (value)
    std::memcpy(value, bytes.data(), bytes.size());
  return CL_SUCCESS;
}

cl_int CL_API_CALL get_device_info(cl_device_id, cl_device_info which, size_t size, void *value,
                                   size_t *needed) {
  return answer(which, size, value, needed);
}

cl_int CL_API_CALL get_platform_info(cl_platform_id, cl_platform_info which, size_t size,
                                     void *value, size_t *needed) {
  return answer(which, size, value, needed);
}

} // namespace

const Api &ze_opencl::api() {
  static const Api fake = [] {
    Api made{};
    made.GetDeviceInfo = &get_device_info;
    made.GetPlatformInfo = &get_platform_info;
    return made;
  }();
  return fake;
}

FakeDevice::FakeDevice() {
  asked = this;
  device.platform = &platform;
}

FakeDevice::~FakeDevice() { asked = nullptr; }

void FakeDevice::set_least() {
  set_text(CL_DEVICE_NAME, "fake");
  set_text(CL_DEVICE_VERSION, "OpenCL 3.0 fake");
  set_text(CL_DEVICE_IL_VERSION, "SPIR-V_1.0");
  set_text(CL_DEVICE_EXTENSIONS, "");
  set(CL_DEVICE_AVAILABLE, cl_bool{CL_TRUE});
  set(CL_DEVICE_COMPILER_AVAILABLE, cl_bool{CL_TRUE});
  set(CL_DEVICE_ADDRESS_BITS, cl_uint{64});
  set(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t{128});
  set(CL_DEVICE_MAX_PARAMETER_SIZE, size_t{1024});
  set(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong{1 << 20});
}
