#include "api.h"

#include <dlfcn.h>
#include <type_traits>

namespace ze_opencl {
namespace {

Api table;

} // namespace

const Api &api() { return table; }

bool open_api(const char *&reason) {
  void *const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    reason = dlerror();
    return false;
  }
  reason = nullptr;
  const auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function)
      reason = name;
  };
#define ZE_OPENCL_FIND(name) find(table.name, "cl" #name);
  ZE_OPENCL_FUNCTIONS(ZE_OPENCL_FIND)
#undef ZE_OPENCL_FIND
  return !reason;
}

} // namespace ze_opencl
