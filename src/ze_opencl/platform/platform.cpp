#include "platform.h"

#include "../memory/access.h"
#include "error.h"
#include "facts.h"

#include <cstdio>

namespace ze_opencl {
namespace {

std::string text_of(cl_platform_id platform, cl_platform_info which) {
  size_t bytes = 0;
  if (api().GetPlatformInfo(platform, which, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0)
    return {};
  std::string text(bytes, '\0');
  if (api().GetPlatformInfo(platform, which, bytes, text.data(), nullptr) != CL_SUCCESS)
    return {};
  text.resize(bytes - 1);
  return text;
}

template <class Id, class Get> std::vector<Id> list_of(Get get) {
  cl_uint count = 0;
  if (get(0, nullptr, &count) != CL_SUCCESS || count == 0)
    return {};
  std::vector<Id> ids(count);
  if (get(count, ids.data(), nullptr) != CL_SUCCESS)
    return {};
  return ids;
}

std::vector<std::unique_ptr<Device>> find_devices() {
  std::vector<std::unique_ptr<Device>> devices;
  const char *reason = nullptr;
  if (!open_api(reason)) {
    std::fprintf(stderr, "ze_opencl: no OpenCL: %s\n", reason);
    return devices;
  }
  for (const cl_platform_id id :
       list_of<cl_platform_id>([](auto... args) { return api().GetPlatformIDs(args...); })) {
    auto platform = std::make_unique<Platform>();
    platform->id = id;
    platform->name = text_of(id, CL_PLATFORM_NAME);
    platform->version = text_of(id, CL_PLATFORM_VERSION);
    std::vector<std::unique_ptr<Device>> found;
    std::vector<cl_device_id> ids;
    for (const cl_device_id device_id : list_of<cl_device_id>(
             [&](auto... args) { return api().GetDeviceIDs(id, CL_DEVICE_TYPE_ALL, args...); })) {
      auto device = std::make_unique<Device>();
      device->id = device_id;
      device->platform = platform.get();
      if (!describe(*device, static_cast<unsigned>(devices.size() + found.size())))
        continue;
      ids.push_back(device_id);
      found.push_back(std::move(device));
    }
    if (ids.empty())
      continue;
    cl_int error = CL_SUCCESS;
    platform->context = api().CreateContext(nullptr, static_cast<cl_uint>(ids.size()), ids.data(),
                                            nullptr, nullptr, &error);
    if (error != CL_SUCCESS) {
      std::fprintf(stderr, "ze_opencl: platform %s makes no context: %s\n", platform->name.c_str(),
                   error_name(error).c_str());
      continue;
    }
    const std::string extensions = ze_opencl::text_of(ids.front(), CL_DEVICE_EXTENSIONS);
    platform->memory_model = has_extension(extensions, "cl_intel_unified_shared_memory")
                                 ? MemoryModel::unified
                                 : MemoryModel::system;
    platform->memory = make_memory_access(*platform, ids);
    platform.release(); // lives as long as the process
    for (auto &device : found)
      devices.push_back(std::move(device));
  }
  return devices;
}

} // namespace

const std::vector<std::unique_ptr<Device>> &devices() {
  static const auto *const all = new std::vector<std::unique_ptr<Device>>(find_devices());
  return *all;
}

} // namespace ze_opencl
