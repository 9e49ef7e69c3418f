#include "capabilities.h"
#include "../common/driver_contract.h"
#include "error.h"
#include "handles.h"

#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <string_view>
#include <type_traits>
#include <vector>

namespace chip::ze {
namespace {

std::atomic<bool> alive{true};

/// What CHIP_WITHOUT lists.
std::vector<std::string_view> left_out() {
  constexpr const char *name = "CHIP_WITHOUT";
  constexpr std::string_view known[] = {
      "arguments", "counter_events", "device_synchronize", "host_functions", "command_lists",
      "losses",    "guards",         "host_memory",        "free_mappings",  "foreign_handles"};
  const std::string_view list = common::variable(name);
  if (list.empty())
    return {};
  const auto words = common::list_entries(list);
  if (!std::ranges::all_of(
          words, [&](std::string_view word) { return std::ranges::contains(known, word); }))
    settings.complain(name, "lists what is no function to leave out",
                      "a comma-separated list of arguments, counter_events, device_synchronize, "
                      "host_functions, command_lists, losses, guards, host_memory, free_mappings "
                      "and foreign_handles");
  return words;
}

} // namespace

bool loader_alive() { return alive.load(std::memory_order_relaxed); }
void loader_is_gone() { alive.store(false, std::memory_order_relaxed); }

void *loader_function(const char *name) {
  // The library that provides zeInit to us, be it the loader or a profiler in its place.
  static void *const library = [] {
    Dl_info info{};
    void *handle = nullptr;
    if (dladdr(reinterpret_cast<void *>(&zeInit), &info) && info.dli_fname)
      handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return handle ? handle : dlopen("libze_loader.so.1", RTLD_LAZY | RTLD_LOCAL);
  }();
  return library ? dlsym(library, name) : nullptr;
}

Capabilities Capabilities::query(ze_driver_handle_t driver, DeviceKind kind) {
  ze_api_version_t version = ZE_API_VERSION_1_0;
  check(zeDriverGetApiVersion(driver, &version), "zeDriverGetApiVersion");
  const auto without = left_out();
  const auto has = [&](std::string_view word) { return !std::ranges::contains(without, word); };

  Capabilities caps;
  // A loader that knows a function still answers UNSUPPORTED_FEATURE where the driver is older: the driver's version decides.
  auto resolve = [&](auto &function, const char *name, const char *word, ze_api_version_t since) {
    if (version >= since && has(word))
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(loader_function(name));
  };
  resolve(caps.append_launch_with_arguments, "zeCommandListAppendLaunchKernelWithArguments",
          "arguments", ZE_API_VERSION_1_14);
  resolve(caps.counter_based_event_create, "zeEventCounterBasedCreate", "counter_events",
          ZE_API_VERSION_1_15);
  resolve(caps.device_synchronize, "zeDeviceSynchronize", "device_synchronize",
          ZE_API_VERSION_1_14);
  // Extensions, not tied to a version of the core.
  resolve(caps.append_host_function, "zeCommandListAppendHostFunction", "host_functions",
          ZE_API_VERSION_1_0);
  resolve(caps.append_command_lists, "zeCommandListImmediateAppendCommandListsExp", "command_lists",
          ZE_API_VERSION_1_0);
  // Drivers have it that are older than the version of the core in which it came; others answer that they do not support it.
  resolve(caps.physical_memory_properties, "zePhysicalMemGetProperties", "", ZE_API_VERSION_1_0);
  auto resolve_extension = [&](auto &function, const char *name) {
    void *address = nullptr;
    if (zeDriverGetExtensionFunctionAddress(driver, name, &address) == ZE_RESULT_SUCCESS)
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address);
  };
  resolve_extension(caps.import_external_pointer, "zexDriverImportExternalPointer");
  resolve_extension(caps.release_imported_pointer, "zexDriverReleaseImportedPointer");
  ze_result_t(ZE_APICALL * get_trap_address)(ze_driver_handle_t, void **) = nullptr;
  resolve_extension(get_trap_address, "chipDriverGetTrapAddress");
  if (get_trap_address && get_trap_address(driver, &caps.trap_address) != ZE_RESULT_SUCCESS)
    caps.trap_address = nullptr;
  resolve_extension(caps.observe_failures, driver_contract::observe_failures_function);
  resolve_extension(caps.tell_leak, driver_contract::tell_leak_function);
  resolve_extension(caps.append_host_timestamp, driver_contract::append_host_timestamp_function);
  ze_result_t(ZE_APICALL * guards_memory)(ze_driver_handle_t, ze_bool_t *) = nullptr;
  resolve_extension(guards_memory, driver_contract::guards_memory_function);
  ze_bool_t is_guarded = false;
  caps.guards_memory =
      guards_memory && guards_memory(driver, &is_guarded) == ZE_RESULT_SUCCESS && is_guarded;
  if (has("losses"))
    resolve_extension(caps.signal_loss, driver_contract::signal_loss_function);
  caps.device_memory_is_host_memory = kind == DeviceKind::cpu && has("host_memory");
  caps.guards_host_functions = kind == DeviceKind::cpu && has("guards");
  caps.maps_freely = kind == DeviceKind::cpu && has("free_mappings");
  caps.gives_descriptors_away = kind == DeviceKind::cpu;
  caps.opens_foreign_handles = has("foreign_handles");
  caps.empty_by_query = settings.is_on("CHIP_EMPTY_BY_QUERY");
  return caps;
}

} // namespace chip::ze
