// What platforms and devices say of themselves.
//   SHIM_HIDE: system_svm, fine_svm, coarse_svm, il, fp64, generic, timer, host_timer, uuid
//   SHIM_SAY: version=12 (OpenCL 1.2), spirv=3 (SPIR-V 1.0 to 1.3), group, parameters, local, allocation
//   SHIM_LIE: long_texts, no_texts, open_texts (without an end), garbage_texts, huge_sizes, growing_sizes; no_platforms,
//     no_devices, zero_devices, many_devices, null_devices
#include "shim.h"

#include <cstring>
#include <functional>
#include <vector>

namespace shim {
namespace {

bool lies(std::string_view how) { return lists("SHIM_LIE", how); }

void change_extensions(cl_device_id device, std::string &list) {
  std::string kept;
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find(' ', at), list.size());
    const std::string extension = list.substr(at, end - at);
    const bool is_il = extension == "cl_khr_il_program" && is_hidden(device, "il");
    const bool is_fp64 = extension == "cl_khr_fp64" && is_hidden(device, "fp64");
    if (!extension.empty() && !is_il && !is_fp64 && !is_hidden(device, extension))
      kept += extension + " ";
    at = end + 1;
  }
  list = kept + std::string(variable("SHIM_CLAIM"));
}

std::string spirv_list(uint64_t newest_minor) {
  std::string list;
  for (uint64_t minor = 0; minor <= newest_minor; ++minor)
    list += "SPIR-V_1." + std::to_string(minor) + " ";
  return list;
}

void change_version(std::string &text) {
  if (const auto version = said("version"))
    text =
        "OpenCL " + std::to_string(*version / 10) + "." + std::to_string(*version % 10) + " shim";
}

/// A query as OpenCL has them: the size, the value, or both.
cl_int answer(std::string_view value, size_t size, void *to, size_t *needed) {
  if (needed)
    *needed = lies("huge_sizes") ? SIZE_MAX / 2 : value.size();
  const size_t claimed = value.size() + (lies("growing_sizes") && to ? 100 : 0);
  if (to && size < claimed)
    return CL_INVALID_VALUE;
  if (to)
    std::memcpy(to, value.data(), value.size());
  return CL_SUCCESS;
}

cl_int answer_text(std::string text, size_t size, void *to, size_t *needed) {
  if (lies("long_texts"))
    text += std::string(1'000'000, 'x');
  if (lies("no_texts"))
    return answer({}, size, to, needed);
  if (lies("garbage_texts"))
    text = "\xff\x01%s%n\n";
  if (!lies("open_texts"))
    text.push_back('\0');
  return answer(text, size, to, needed);
}

template <class Ask> cl_int text_of(Ask ask, std::string &text) {
  size_t bytes = 0;
  if (const cl_int error = ask(size_t{0}, nullptr, &bytes))
    return error;
  text.assign(bytes, '\0');
  const cl_int error = ask(bytes, text.data(), nullptr);
  text.resize(std::strlen(text.c_str()));
  return error;
}

cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info which, size_t size,
                                     void *value, size_t *needed) {
  if (which != CL_PLATFORM_NAME && which != CL_PLATFORM_VERSION)
    return original.clGetPlatformInfo(real(platform), which, size, value, needed);
  std::string text;
  if (const cl_int error = text_of(
          [&](auto... args) { return original.clGetPlatformInfo(real(platform), which, args...); },
          text))
    return error;
  if (which == CL_PLATFORM_VERSION)
    change_version(text);
  else if (is_second(platform))
    text = "Second platform";
  return answer_text(text, size, value, needed);
}

cl_int device_text(cl_device_id device, cl_device_info which, size_t size, void *value,
                   size_t *needed) {
  std::string text;
  if (const cl_int error = text_of(
          [&](auto... args) { return original.clGetDeviceInfo(real(device), which, args...); },
          text))
    return error;
  if (which == CL_DEVICE_NAME && is_second(device))
    text = "Second device";
  else if (which == CL_DEVICE_EXTENSIONS)
    change_extensions(device, text);
  else if (which == CL_DEVICE_VERSION)
    change_version(text);
  else if (which == CL_DEVICE_IL_VERSION && is_hidden(device, "il"))
    text.clear();
  else if (which == CL_DEVICE_IL_VERSION)
    if (const auto minor = said("spirv"))
      text = spirv_list(*minor);
  return answer_text(text, size, value, needed);
}

template <class Number> cl_int number(Number value, size_t size, void *to, size_t *needed) {
  return answer({reinterpret_cast<const char *>(&value), sizeof value}, size, to, needed);
}

cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info which, size_t size,
                                   void *value, size_t *needed) {
  const auto hides = [&](std::string_view what) { return is_hidden(device, what); };
  const auto ask = [&] {
    return original.clGetDeviceInfo(real(device), which, size, value, needed);
  };
  switch (which) {
  case CL_DEVICE_EXTENSIONS:
  case CL_DEVICE_IL_VERSION:
  case CL_DEVICE_NAME:
  case CL_DEVICE_VERSION:
    return device_text(device, which, size, value, needed);
  case CL_DEVICE_SVM_CAPABILITIES: {
    cl_device_svm_capabilities capabilities = 0;
    if (const cl_int error = original.clGetDeviceInfo(real(device), which, sizeof capabilities,
                                                      &capabilities, nullptr))
      return error;
    if (hides("system_svm"))
      capabilities &= ~cl_device_svm_capabilities{CL_DEVICE_SVM_FINE_GRAIN_SYSTEM};
    if (hides("fine_svm"))
      capabilities &= ~cl_device_svm_capabilities{CL_DEVICE_SVM_FINE_GRAIN_BUFFER};
    if (hides("coarse_svm"))
      capabilities &= ~cl_device_svm_capabilities{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER};
    return number(capabilities, size, value, needed);
  }
  case CL_DEVICE_DOUBLE_FP_CONFIG:
    return hides("fp64") ? number(cl_device_fp_config{0}, size, value, needed) : ask();
  case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
    return hides("generic") ? number(cl_bool{CL_FALSE}, size, value, needed) : ask();
  case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
    return hides("timer") ? number(size_t{0}, size, value, needed) : ask();
  case CL_DEVICE_UUID_KHR:
    return hides("uuid") || is_second(device) ? CL_INVALID_VALUE : ask();
  case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    return said("group") ? number(size_t(*said("group")), size, value, needed) : ask();
  case CL_DEVICE_MAX_PARAMETER_SIZE:
    return said("parameters") ? number(size_t(*said("parameters")), size, value, needed) : ask();
  case CL_DEVICE_LOCAL_MEM_SIZE:
    return said("local") ? number(cl_ulong(*said("local")), size, value, needed) : ask();
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    return said("allocation") ? number(cl_ulong(*said("allocation")), size, value, needed) : ask();
  default:
    return ask();
  }
}

cl_int CL_API_CALL get_devices(cl_platform_id platform, cl_device_type type, cl_uint count,
                               cl_device_id *devices, cl_uint *available) {
  if (lies("no_devices"))
    return CL_DEVICE_NOT_FOUND;
  if (lies("zero_devices") || lies("many_devices")) {
    if (available)
      *available = lies("many_devices") ? UINT32_MAX : 0;
    return devices ? CL_INVALID_VALUE : CL_SUCCESS;
  }
  if (!lies("null_devices"))
    return original.clGetDeviceIDs(platform, type, count, devices, available);
  // One that is none before the others.
  cl_uint real_count = 0;
  if (const cl_int error = original.clGetDeviceIDs(platform, type, count > 0 ? count - 1 : 0,
                                                   count > 1 ? devices + 1 : nullptr, &real_count))
    return error;
  if (devices)
    devices[0] = nullptr;
  if (available)
    *available = real_count + 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL get_timers(cl_device_id device, cl_ulong *device_time, cl_ulong *host_time) {
  if (is_hidden(device, "host_timer"))
    return CL_INVALID_OPERATION;
  return original.clGetDeviceAndHostTimer(real(device), device_time, host_time);
}

cl_int CL_API_CALL get_profile(cl_event event, cl_profiling_info which, size_t size, void *value,
                               size_t *needed) {
  if (lists("SHIM_HIDE", "timer"))
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  return original.clGetEventProfilingInfo(event, which, size, value, needed);
}

} // namespace

void change_answers(cl_icd_dispatch &table) {
  table.clGetPlatformInfo = &get_platform_info;
  table.clGetDeviceIDs = &get_devices;
  table.clGetDeviceInfo = &get_device_info;
  table.clGetDeviceAndHostTimer = &get_timers;
  table.clGetEventProfilingInfo = &get_profile;
}

void drop_newer_functions(cl_icd_dispatch &table) {
  const uint64_t version = said("version").value_or(30);
  if (version < 21) {
    table.clCreateProgramWithIL = nullptr;
    table.clGetDeviceAndHostTimer = nullptr;
  }
  if (version < 20) {
    table.clCreateCommandQueueWithProperties = nullptr;
    table.clSVMAlloc = nullptr;
    table.clSVMFree = nullptr;
    table.clSetKernelArgSVMPointer = nullptr;
    table.clSetKernelExecInfo = nullptr;
    table.clEnqueueSVMMemcpy = nullptr;
    table.clEnqueueSVMMemFill = nullptr;
  }
}

} // namespace shim
