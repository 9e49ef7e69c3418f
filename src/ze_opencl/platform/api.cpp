#include "api.h"

#include <cstdlib>
#include <dlfcn.h>
#include <type_traits>

namespace ze_opencl {
namespace {

Api table;

/// PoCL's usual way to run work-groups gives wrong results where a barrier comes behind a branch that all work-items take alike
/// (7.1: "if (uniform) return; barrier()"); this one does not. When the library is loaded, since later other threads may read
/// the environment.
[[gnu::constructor]] void choose_work_group_method() { setenv("POCL_WORK_GROUP_METHOD", "cbs", 0); }

} // namespace

const Api &api() { return table; }

bool open_api(std::string &reason) {
  void *const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *const why = dlerror();
    reason = std::string(why ? why : "libOpenCL.so.1 cannot be opened") +
             ": install OpenCL's loader (Debian: ocl-icd-libopencl1)";
    return false;
  }
  const auto find = [&](auto &function, const char *name, bool is_needed = true) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function && is_needed && reason.empty())
      reason = std::string("libOpenCL.so.1 lacks ") + name + ", which OpenCL 2.1 has";
  };
#define ZE_OPENCL_FIND(name) find(table.name, "cl" #name);
  ZE_OPENCL_FUNCTIONS(ZE_OPENCL_FIND)
#undef ZE_OPENCL_FIND
#define ZE_OPENCL_FIND(name) find(table.name, "cl" #name, false);
  ZE_OPENCL_NEWER_FUNCTIONS(ZE_OPENCL_FIND)
#undef ZE_OPENCL_FIND
  return reason.empty();
}

} // namespace ze_opencl
