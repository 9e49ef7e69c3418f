// What the loader finds: it asks an implementation for each function by its name (cl_khr_icd 2.0), and gets others than PoCL's.
#include "failing.h"

#include <dlfcn.h>
#include <unistd.h>

namespace shim {

cl_icd_dispatch original;
UnifiedFunctions original_unified;

std::string_view variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

bool lists(const char *name, std::string_view entry) {
  const std::string list = "," + std::string(variable(name)) + ",";
  return list.contains("," + std::string(entry) + ",");
}

std::optional<uint64_t> said(std::string_view name) {
  const std::string list = "," + std::string(variable("SHIM_SAY"));
  const std::string key = "," + std::string(name) + "=";
  const size_t at = list.find(key);
  if (at == list.npos)
    return std::nullopt;
  return std::strtoull(list.c_str() + at + key.size(), nullptr, 0);
}

bool is_hidden(cl_device_id device, std::string_view what) {
  return lists(is_second(device) ? "SHIM_HIDE_2" : "SHIM_HIDE", what);
}

namespace {

using GetFunction = void *(CL_API_CALL *)(const char *);
using GetFunctionOf = void *(CL_API_CALL *)(cl_platform_id, const char *);
using SetDispatchData = cl_int(CL_API_CALL *)(cl_platform_id, void *);

GetFunction pocl_function() {
  static void *const library = dlopen(SHIM_POCL, RTLD_NOW | RTLD_LOCAL);
  return library ? reinterpret_cast<GetFunction>(dlsym(library, "clGetExtensionFunctionAddress"))
                 : nullptr;
}

template <class Function> Function pocl_function(const char *name) {
  return pocl_function() ? reinterpret_cast<Function>(pocl_function()(name)) : nullptr;
}

struct Functions {
  cl_icd_dispatch table{};
  UnifiedFunctions unified{};
};

const Functions &functions();

/// Functions of extensions that are hidden, or only claimed, are not to be had.
void *CL_API_CALL get_extension_function(cl_platform_id platform, const char *name) {
  constexpr const char *unified = "cl_intel_unified_shared_memory";
  if (lists("SHIM_LACK", name))
    return nullptr;
  const char *const hidden = is_second(platform) ? "SHIM_HIDE_2" : "SHIM_HIDE";
  if (std::string_view(name).ends_with("INTEL") &&
      (lists(hidden, unified) || lists("SHIM_CLAIM", unified)))
    return nullptr;
#define SHIM_FIND(function)                                                                        \
  if (std::string_view(name) == #function)                                                         \
    return reinterpret_cast<void *>(functions().unified.function);
  SHIM_UNIFIED_FUNCTIONS(SHIM_FIND)
#undef SHIM_FIND
  return original.clGetExtensionFunctionAddressForPlatform(real(platform), name);
}

/// PoCL's functions with those that are changed.
const Functions &functions() {
  static const Functions changed = [] {
    cl_platform_id platform = nullptr;
    if (const auto get = pocl_function<clGetPlatformIDs_t *>("clIcdGetPlatformIDsKHR"))
      get(1, &platform, nullptr);
    const auto get_of = pocl_function<GetFunctionOf>("clIcdGetFunctionAddressForPlatformKHR");
    const auto find = [&]<class Function>(Function &function, const char *name) {
      function = reinterpret_cast<Function>(get_of(platform, name));
    };
#define SHIM_FAIL_ENTRY(name) find(original.name, #name);
#include "shim_functions.inc"
#undef SHIM_FAIL_ENTRY
#define SHIM_FIND(name)                                                                            \
  original_unified.name = reinterpret_cast<decltype(original_unified.name)>(                       \
      original.clGetExtensionFunctionAddressForPlatform(platform, #name));
    SHIM_UNIFIED_FUNCTIONS(SHIM_FIND)
#undef SHIM_FIND
    Functions made{original, original_unified};
    change_answers(made.table);
    change_modules(made.table);
    change_commands(made.table, made.unified);
    change_platforms(made.table, made.unified);
    drop_newer_functions(made.table);
    made.table.clGetExtensionFunctionAddressForPlatform = &get_extension_function;
#define SHIM_FAIL_ENTRY(name) fail_if_asked(made.table.name, #name);
#include "shim_functions.inc"
#undef SHIM_FAIL_ENTRY
#define SHIM_FAIL_UNIFIED(name) fail_if_asked(made.unified.name, #name);
    SHIM_UNIFIED_FUNCTIONS(SHIM_FAIL_UNIFIED)
#undef SHIM_FAIL_UNIFIED
    return made;
  }();
  return changed;
}

void *CL_API_CALL get_function_of(cl_platform_id platform, const char *name) {
  const Functions &changed = functions();
#define SHIM_FAIL_ENTRY(function)                                                                  \
  if (std::string_view(name) == #function)                                                         \
    return reinterpret_cast<void *>(changed.table.function);
#include "shim_functions.inc"
#undef SHIM_FAIL_ENTRY
  return pocl_function<GetFunctionOf>("clIcdGetFunctionAddressForPlatformKHR")(real(platform),
                                                                               name);
}

cl_int CL_API_CALL set_data(cl_platform_id platform, void *data) {
  return set_dispatch_data(platform, data)
             ? CL_SUCCESS
             : pocl_function<SetDispatchData>("clIcdSetPlatformDispatchDataKHR")(platform, data);
}

} // namespace
} // namespace shim

using namespace shim;

extern "C" {

[[gnu::visibility("default")]] cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint count,
                                                                         cl_platform_id *platforms,
                                                                         cl_uint *available) {
  while (!variable("SHIM_HANG").empty())
    pause();
  const auto get = pocl_function<clGetPlatformIDs_t *>("clIcdGetPlatformIDsKHR");
  return get ? list_platforms(count, platforms, available, get) : CL_PLATFORM_NOT_FOUND_KHR;
}

[[gnu::visibility("default")]] void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
  const std::string_view wanted = name;
  if (!pocl_function())
    return nullptr;
  if (wanted == "clIcdGetPlatformIDsKHR")
    return reinterpret_cast<void *>(&clIcdGetPlatformIDsKHR);
  if (wanted == "clIcdGetFunctionAddressForPlatformKHR")
    return reinterpret_cast<void *>(&get_function_of);
  if (wanted == "clIcdSetPlatformDispatchDataKHR")
    return reinterpret_cast<void *>(&set_data);
  if (wanted == "clGetPlatformInfo") // loaders ask with it for extensions before all else
    return reinterpret_cast<void *>(functions().table.clGetPlatformInfo);
  return pocl_function()(name);
}
}
