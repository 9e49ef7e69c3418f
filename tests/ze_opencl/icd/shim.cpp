// An implementation of OpenCL that is PoCL but for what the environment says:
//   SHIM_HANG=1            never comes back from the loader's first call
//   SHIM_FAIL=clName       that function fails (SHIM_CODE, else CL_OUT_OF_RESOURCES); clName@n: from its n-th call on
//   SHIM_HIDE=a,b          extensions, or system_svm, fine_svm, coarse_svm, il, that devices do not have
//   SHIM_IGNORE=1          copies of shared virtual memory succeed, and copy nothing
//   SHIM_CLAIM=a           an extension that devices claim, and whose functions are not to be had
// The loader asks an implementation for each function by its name (cl_khr_icd 2.0), and gets others than PoCL's.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unistd.h>

namespace {

std::string_view variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

bool lists(const char *name, std::string_view entry) {
  const std::string list = "," + std::string(variable(name)) + ",";
  return list.contains("," + std::string(entry) + ",");
}

cl_icd_dispatch original;

cl_int failure_code() {
  const std::string_view code = variable("SHIM_CODE");
  return code.empty() ? CL_OUT_OF_RESOURCES : std::atoi(code.data());
}

/// Puts a function in the place of `entry` that fails, from the call on that SHIM_FAIL says.
template <class Result, class... Arguments>
void fail(Result(CL_API_CALL *&entry)(Arguments...), const char *name) {
  static std::string_view wanted;
  static long first = 1;
  static std::atomic<long> calls{0};
  static Result(CL_API_CALL * before)(Arguments...);
  const std::string_view spec = variable("SHIM_FAIL");
  const size_t at = spec.find('@');
  wanted = spec.substr(0, at);
  if (wanted != name || !entry)
    return;
  if (at != spec.npos)
    first = std::atol(spec.data() + at + 1);
  before = entry;
  entry = [](Arguments... arguments) -> Result {
    if (++calls < first)
      return before(arguments...);
    if constexpr (std::is_same_v<Result, cl_int>) {
      return failure_code();
    } else if constexpr (std::is_void_v<Result>) {
      return;
    } else {
      const auto last = std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(last)>, cl_int *>)
        if (last)
          *last = failure_code();
      return Result{};
    }
  };
}

void change_extensions(std::string &list) {
  std::string kept;
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find(' ', at), list.size());
    const std::string extension = list.substr(at, end - at);
    if (!extension.empty() && !lists("SHIM_HIDE", extension))
      kept += extension + " ";
    at = end + 1;
  }
  list = kept + std::string(variable("SHIM_CLAIM"));
}

cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info which, size_t size,
                                   void *value, size_t *needed) {
  if (which == CL_DEVICE_EXTENSIONS ||
      (which == CL_DEVICE_IL_VERSION && lists("SHIM_HIDE", "il"))) {
    size_t bytes = 0;
    if (const cl_int error = original.clGetDeviceInfo(device, which, 0, nullptr, &bytes))
      return error;
    std::string text(bytes, '\0');
    if (const cl_int error = original.clGetDeviceInfo(device, which, bytes, text.data(), nullptr))
      return error;
    text.resize(std::strlen(text.c_str()));
    if (which == CL_DEVICE_EXTENSIONS)
      change_extensions(text);
    else
      text.clear();
    if (needed)
      *needed = text.size() + 1;
    if (value && size < text.size() + 1)
      return CL_INVALID_VALUE;
    if (value)
      std::memcpy(value, text.c_str(), text.size() + 1);
    return CL_SUCCESS;
  }
  const cl_int error = original.clGetDeviceInfo(device, which, size, value, needed);
  if (which == CL_DEVICE_SVM_CAPABILITIES && error == CL_SUCCESS && value) {
    auto &capabilities = *static_cast<cl_device_svm_capabilities *>(value);
    if (lists("SHIM_HIDE", "system_svm"))
      capabilities &= ~cl_device_svm_capabilities{CL_DEVICE_SVM_FINE_GRAIN_SYSTEM};
    if (lists("SHIM_HIDE", "fine_svm"))
      capabilities &= ~cl_device_svm_capabilities{CL_DEVICE_SVM_FINE_GRAIN_BUFFER};
    if (lists("SHIM_HIDE", "coarse_svm"))
      capabilities &= ~cl_device_svm_capabilities{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER};
  }
  return error;
}

cl_int CL_API_CALL copy_nothing(cl_command_queue queue, cl_bool, void *, const void *, size_t,
                                cl_uint count, const cl_event *waits, cl_event *event) {
  return original.clEnqueueMarkerWithWaitList(queue, count, waits, event);
}

/// Functions of extensions that are hidden, or only claimed, are not to be had.
void *CL_API_CALL get_extension_function(cl_platform_id platform, const char *name) {
  const bool is_unified = std::string_view(name).ends_with("INTEL");
  if (is_unified && (lists("SHIM_HIDE", "cl_intel_unified_shared_memory") ||
                     lists("SHIM_CLAIM", "cl_intel_unified_shared_memory")))
    return nullptr;
  return original.clGetExtensionFunctionAddressForPlatform(platform, name);
}

using GetPlatforms = cl_int(CL_API_CALL *)(cl_uint, cl_platform_id *, cl_uint *);
using GetFunction = void *(CL_API_CALL *)(const char *);

void *pocl() {
  static void *const library = dlopen(SHIM_POCL, RTLD_NOW | RTLD_LOCAL);
  return library;
}

GetFunction pocl_function() {
  return pocl() ? reinterpret_cast<GetFunction>(dlsym(pocl(), "clGetExtensionFunctionAddress"))
                : nullptr;
}

using GetFunctionOf = void *(CL_API_CALL *)(cl_platform_id, const char *);

GetFunctionOf pocl_function_of() {
  return reinterpret_cast<GetFunctionOf>(pocl_function()("clIcdGetFunctionAddressForPlatformKHR"));
}

/// PoCL's functions with those that are changed.
const cl_icd_dispatch &table_of(cl_platform_id platform) {
  static const cl_icd_dispatch changed = [&] {
    const auto find = [&]<class Function>(Function &function, const char *name) {
      function = reinterpret_cast<Function>(pocl_function_of()(platform, name));
    };
    cl_icd_dispatch table{};
#define SHIM_FAIL_ENTRY(name) find(table.name, #name);
#include "shim_functions.inc"
#undef SHIM_FAIL_ENTRY
    original = table;
    table.clGetDeviceInfo = &get_device_info;
    table.clGetExtensionFunctionAddressForPlatform = &get_extension_function;
    if (!variable("SHIM_IGNORE").empty())
      table.clEnqueueSVMMemcpy = &copy_nothing;
#define SHIM_FAIL_ENTRY(name) fail(table.name, #name);
#include "shim_functions.inc"
#undef SHIM_FAIL_ENTRY
    return table;
  }();
  return changed;
}

void *CL_API_CALL get_function_of(cl_platform_id platform, const char *name) {
  const cl_icd_dispatch &table = table_of(platform);
#define SHIM_FAIL_ENTRY(function)                                                                  \
  if (std::string_view(name) == #function)                                                         \
    return reinterpret_cast<void *>(table.function);
#include "shim_functions.inc"
#undef SHIM_FAIL_ENTRY
  return pocl_function_of()(platform, name);
}

} // namespace

extern "C" {

[[gnu::visibility("default")]] cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint count,
                                                                         cl_platform_id *platforms,
                                                                         cl_uint *available) {
  while (!variable("SHIM_HANG").empty())
    pause();
  const auto get = pocl_function()
                       ? reinterpret_cast<GetPlatforms>(pocl_function()("clIcdGetPlatformIDsKHR"))
                       : nullptr;
  return get ? get(count, platforms, available) : CL_PLATFORM_NOT_FOUND_KHR;
}

[[gnu::visibility("default")]] void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
  if (std::string_view(name) == "clIcdGetPlatformIDsKHR")
    return reinterpret_cast<void *>(&clIcdGetPlatformIDsKHR);
  if (std::string_view(name) == "clIcdGetFunctionAddressForPlatformKHR")
    return pocl_function() ? reinterpret_cast<void *>(&get_function_of) : nullptr;
  return pocl_function() ? pocl_function()(name) : nullptr;
}
}
