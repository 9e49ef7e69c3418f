#include "platform.h"

#include "../memory/access.h"
#include "error.h"
#include "facts.h"

#include <algorithm>
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

/// The best that all devices have.
MemoryModel memory_model_of(std::span<const cl_device_id> devices) {
  const auto all = [&](auto has) { return std::ranges::all_of(devices, has); };
  const auto svm = [](cl_device_svm_capabilities wanted) {
    return [=](cl_device_id device) { return (svm_capabilities(device) & wanted) == wanted; };
  };
  if (all(svm(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS)))
    return MemoryModel::system;
  const auto has = [](std::string_view name) {
    return [=](cl_device_id device) {
      return has_extension(ze_opencl::text_of(device, CL_DEVICE_EXTENSIONS), name);
    };
  };
  return all(has("cl_intel_unified_shared_memory")) ? MemoryModel::unified : MemoryModel::fine_svm;
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
    platform->memory_model = memory_model_of(ids);
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
