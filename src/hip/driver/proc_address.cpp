// HIP API reference: Module management, functions of HIP by name.
#include "../entry.h"
#include "functions_by_name.h"

#include <algorithm>
#include <format>
#include <string>
#include <utility>

using namespace chip;
using chip::hip::entry;
using chip::hip::NamedFunction;
using chip::hip::required;

namespace {

/// The major number of a version that is encoded as HIP_VERSION is, or in hundreds.
int major_version(int version) { return version < 10000 ? version / 100 : version / 10'000'000; }

/// Null if no function has the name.
const NamedFunction *find_named(std::string_view name) {
  const auto all = chip::hip::functions_by_name();
  const auto found = std::ranges::lower_bound(all, name, {}, &NamedFunction::name);
  return found != all.end() && found->name == name ? &*found : nullptr;
}

/// The function that a name stood for in a version.
std::pair<const NamedFunction *, hipDriverProcAddressQueryResult> look_up(std::string_view name,
                                                                          int version) {
  const NamedFunction *found = find_named(name);
  if (!found)
    return {nullptr, HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND};
  if (major_version(version) < 6) {
    if (name.ends_with("R0600"))
      return {nullptr, HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT};
    if (const NamedFunction *older = find_named(std::string(name) + "R0000"))
      found = older;
  }
  return {found, HIP_GET_PROC_ADDRESS_SUCCESS};
}

} // namespace

hipError_t hipGetProcAddress(const char *symbol, void **function, int version, uint64_t flags,
                             hipDriverProcAddressQueryResult *status) {
  return entry([&] {
    constexpr uint64_t per_thread = 2;
    const std::string_view name = &required(symbol);
    required(function) = nullptr;
    if (name.empty() || flags > per_thread)
      throw Error(hipErrorInvalidValue, "`symbol` is empty, or `flags` is unknown");
    const auto [found, result] = look_up(name, version);
    if (status)
      *status = result;
    if (!found)
      throw Error(hipErrorInvalidValue,
                  std::format("there is no function {} in version {}", name, version));
    *function = flags == per_thread && found->per_thread ? found->per_thread : found->address;
  });
}
