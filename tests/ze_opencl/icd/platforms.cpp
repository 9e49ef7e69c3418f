// A second platform, with an object of its own for each of PoCL's devices. Contexts and what is made in them are PoCL's.
#include "shim.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace shim {
namespace {

/// How objects of implementations begin (cl_khr_icd 2.0).
struct Header {
  const void *tag;
  void *dispatch_data;
};

struct Device {
  Header header;
  cl_device_id real;
};

struct Platform {
  Header header{};
  cl_platform_id real = nullptr;
  std::mutex mutex;
  std::vector<Device *> devices; // they live as long as the process
} second;

bool has_second() { return !variable("SHIM_TWO").empty() && second.real; }

cl_device_id device_for(cl_device_id real) {
  const std::lock_guard lock(second.mutex);
  for (Device *device : second.devices)
    if (device->real == real)
      return reinterpret_cast<cl_device_id>(device);
  second.devices.push_back(new Device{second.header, real});
  return reinterpret_cast<cl_device_id>(second.devices.back());
}

std::vector<cl_device_id> real_devices(cl_uint count, const cl_device_id *devices) {
  std::vector<cl_device_id> ids;
  for (cl_uint i = 0; i < count; ++i)
    ids.push_back(real(devices[i]));
  return ids;
}

clGetDeviceIDs_t *get_devices_before;

cl_int CL_API_CALL get_devices(cl_platform_id platform, cl_device_type type, cl_uint count,
                               cl_device_id *devices, cl_uint *available) {
  cl_uint found = 0;
  const cl_int error = get_devices_before(real(platform), type, count, devices, &found);
  if (available)
    *available = found;
  if (error == CL_SUCCESS && devices && is_second(platform))
    for (cl_uint i = 0; i < std::min(count, found); ++i)
      devices[i] = device_for(devices[i]);
  return error;
}

cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                      const cl_device_id *devices,
                                      void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                                void *),
                                      void *data, cl_int *error) {
  std::vector<cl_context_properties> changed;
  for (size_t i = 0; properties && properties[i]; i += 2) {
    const bool is_platform = properties[i] == CL_CONTEXT_PLATFORM;
    changed.push_back(properties[i]);
    changed.push_back(is_platform ? reinterpret_cast<cl_context_properties>(
                                        real(reinterpret_cast<cl_platform_id>(properties[i + 1])))
                                  : properties[i + 1]);
  }
  changed.push_back(0);
  const auto ids = real_devices(count, devices);
  return original.clCreateContext(changed.data(), count, ids.data(), notify, data, error);
}

cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                          const cl_queue_properties *properties, cl_int *error) {
  return original.clCreateCommandQueueWithProperties(context, real(device), properties, error);
}

cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices,
                         const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                         void *data) {
  const auto ids = real_devices(count, devices);
  return original.clBuildProgram(program, count, ids.empty() ? nullptr : ids.data(), options,
                                 notify, data);
}

cl_int CL_API_CALL get_build_info(cl_program program, cl_device_id device,
                                  cl_program_build_info which, size_t size, void *value,
                                  size_t *needed) {
  return original.clGetProgramBuildInfo(program, real(device), which, size, value, needed);
}

cl_int CL_API_CALL get_work_group_info(cl_kernel kernel, cl_device_id device,
                                       cl_kernel_work_group_info which, size_t size, void *value,
                                       size_t *needed) {
  return original.clGetKernelWorkGroupInfo(kernel, real(device), which, size, value, needed);
}

void *CL_API_CALL allocate_device(cl_context context, cl_device_id device,
                                  const cl_mem_properties_intel *properties, size_t bytes,
                                  cl_uint alignment, cl_int *error) {
  return original_unified.clDeviceMemAllocINTEL(context, real(device), properties, bytes, alignment,
                                                error);
}

void *CL_API_CALL allocate_shared(cl_context context, cl_device_id device,
                                  const cl_mem_properties_intel *properties, size_t bytes,
                                  cl_uint alignment, cl_int *error) {
  return original_unified.clSharedMemAllocINTEL(context, real(device), properties, bytes, alignment,
                                                error);
}

} // namespace

bool is_second(cl_platform_id platform) {
  return platform && platform == reinterpret_cast<cl_platform_id>(&second);
}

bool is_second(cl_device_id device) {
  const std::lock_guard lock(second.mutex);
  for (const Device *known : second.devices)
    if (device == reinterpret_cast<cl_device_id>(const_cast<Device *>(known)))
      return true;
  return false;
}

cl_platform_id real(cl_platform_id platform) {
  return is_second(platform) ? second.real : platform;
}

cl_device_id real(cl_device_id device) {
  return is_second(device) ? reinterpret_cast<Device *>(device)->real : device;
}

bool set_dispatch_data(cl_platform_id platform, void *data) {
  if (!is_second(platform))
    return false;
  second.header.dispatch_data = data;
  return true;
}

cl_int list_platforms(cl_uint count, cl_platform_id *platforms, cl_uint *available,
                      clGetPlatformIDs_t *get) {
  if (lists("SHIM_LIE", "no_platforms")) {
    if (available)
      *available = 0;
    return platforms ? CL_INVALID_VALUE : CL_PLATFORM_NOT_FOUND_KHR;
  }
  cl_platform_id first = nullptr;
  if (const cl_int error = get(1, &first, nullptr))
    return error;
  if (first && !second.real) {
    second.header.tag = reinterpret_cast<const Header *>(first)->tag;
    second.real = first;
  }
  const cl_platform_id all[] = {first, reinterpret_cast<cl_platform_id>(&second)};
  const cl_uint total = has_second() ? 2 : 1;
  for (cl_uint i = 0; platforms && i < std::min(count, total); ++i)
    platforms[i] = all[i];
  if (available)
    *available = total;
  return CL_SUCCESS;
}

void change_platforms(cl_icd_dispatch &table, UnifiedFunctions &unified) {
  get_devices_before = table.clGetDeviceIDs;
  table.clGetDeviceIDs = &get_devices;
  table.clCreateContext = &create_context;
  table.clBuildProgram = &build;
  table.clGetProgramBuildInfo = &get_build_info;
  table.clGetKernelWorkGroupInfo = &get_work_group_info;
  unified.clDeviceMemAllocINTEL = &allocate_device;
  unified.clSharedMemAllocINTEL = &allocate_shared;
  table.clCreateCommandQueueWithProperties = &create_queue;
}

} // namespace shim
