// HIP API reference: Module management, functions of HIP by name.
#include "../entry.h"
#include "function_by_name.h"

#include <dlfcn.h>
#include <format>
#include <string>

using namespace chip;
using chip::hip::entry;
using chip::hip::function_by_name;
using chip::hip::required;

namespace {

/// The major number of a version that is encoded as HIP_VERSION is, or in hundreds.
int major_version(int version) { return version < 10000 ? version / 100 : version / 10'000'000; }

/// What this library exports by a name, also where the program does not export it to others; null
/// if there is nothing of this name.
void *exported(const std::string &name) {
  static void *const self = [] {
    Dl_info info;
    return dladdr(reinterpret_cast<void *>(&exported), &info)
               ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
               : nullptr;
  }();
  return dlsym(self, name.c_str()); // null asks the program and all that it has loaded
}

/// Whether a name is that of a version above `major_version` of a function.
bool is_of_later_version(std::string_view name, int major_version) {
  return (name.ends_with("R0600") && major_version < 6) ||
         (name.ends_with("R0700") && major_version < 7);
}

} // namespace

void *chip::hip::function_by_name(std::string_view name, int major_version, bool per_thread) {
  // Libraries below this one have functions as well, which are not asked for.
  if (!name.starts_with("hip") && !name.starts_with("__hip"))
    return nullptr;
  const std::string plain(name);
  if (void *function = per_thread ? exported(plain + "_spt") : nullptr)
    return function;
  if (void *function = major_version >= 7 ? exported(plain + "R0700") : nullptr)
    return function;
  if (void *function = exported(plain + (major_version >= 6 ? "R0600" : "R0000")))
    return function;
  return exported(plain);
}

namespace {

hipError_t find_function(const char *symbol, void **function, int version, uint64_t flags,
                         hipDriverProcAddressQueryResult *status, bool per_thread,
                         const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    constexpr uint64_t by_default = 0, of_thread = 2;
    const std::string_view name = &required(symbol);
    required(function) = nullptr;
    if (name.empty() || flags > of_thread)
      throw Error(hipErrorInvalidValue, "`symbol` is empty, or `flags` is unknown");
    if (flags != by_default)
      per_thread = flags == of_thread;
    const int major = major_version(version);
    auto result = HIP_GET_PROC_ADDRESS_SUCCESS;
    if (is_of_later_version(name, major))
      result = HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
    else if (!(*function = function_by_name(name, major, per_thread)))
      result = HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (status)
      *status = result;
    if (!*function)
      throw Error(hipErrorInvalidValue,
                  std::format("there is no function {} in version {}", name, version));
  });
}

} // namespace

hipError_t hipGetProcAddress(const char *symbol, void **function, int version, uint64_t flags,
                             hipDriverProcAddressQueryResult *status) {
  return find_function(symbol, function, version, flags, status, false);
}

hipError_t hipGetProcAddress_spt(const char *symbol, void **function, int version, uint64_t flags,
                                 hipDriverProcAddressQueryResult *status) {
  return find_function(symbol, function, version, flags, status, true);
}
