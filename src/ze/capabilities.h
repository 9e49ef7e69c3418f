// What the driver at hand can do, asked once. Functions newer than Level Zero 1.9 are resolved by name: libraries that stand
// in for the loader (profilers) know only older ones, and a program must not fail to start under them.
#pragma once

#include "../common/driver_contract.h"
#include "environment.h"

#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>

namespace chip::ze {

struct Capabilities {
  ze_pfnCommandListAppendLaunchKernelWithArguments_t append_launch_with_arguments = nullptr;
  ze_pfnEventCounterBasedCreate_t counter_based_event_create = nullptr; // else by event pool
  ze_pfnDeviceSynchronize_t device_synchronize = nullptr;
  ze_pfnCommandListAppendHostFunction_t append_host_function = nullptr;
  ze_pfnCommandListImmediateAppendCommandListsExp_t append_command_lists = nullptr;
  ze_pfnPhysicalMemGetProperties_t physical_memory_properties = nullptr;
  /// Intel's extension that lets devices reach memory which the driver did not allocate.
  ze_result_t(ZE_APICALL *import_external_pointer)(ze_driver_handle_t, void *, size_t) = nullptr;
  ze_result_t(ZE_APICALL *release_imported_pointer)(ze_driver_handle_t, void *) = nullptr;
  /// The address that a kernel writes to in order to end as a fault does, an extension of the CPU driver.
  void *trap_address = nullptr;
  /// Signals an event for work that was lost (driver_contract), an extension of the CPU driver.
  ze_result_t(ZE_APICALL *signal_loss)(ze_event_handle_t) = nullptr;
  /// Calls a function before the driver reports that a kernel failed (driver_contract), an extension of the CPU driver.
  ze_result_t(ZE_APICALL *observe_failures)(ze_driver_handle_t, driver_contract::FailureObserver *,
                                            void *) = nullptr;
  /// Tells the driver of memory that the program has not freed (driver_contract), an extension of the CPU driver.
  ze_result_t(ZE_APICALL *tell_leak)(ze_driver_handle_t, const void *, size_t) = nullptr;
  /// Writes the device's time for the host alone (driver_contract), an extension of the driver for OpenCL devices.
  ze_pfnCommandListAppendWriteGlobalTimestamp_t append_host_timestamp = nullptr;
  /// The host reaches what is allocated on a device, and so do the lists of other drivers.
  bool device_memory_is_host_memory = false;
  /// Physical memory may be mapped in part and in several places, and mapped pages get the access that is asked for. Intel's
  /// driver maps the whole of an object, which has one address, and remembers one access for all of a reservation.
  bool maps_freely = false;
  /// A descriptor that the driver exports memory as is the caller's; else it is the driver's, and goes with the memory.
  bool gives_descriptors_away = false;
  /// The driver fetches what its handles for other processes name from the process that made them, where they say which one
  /// that is. Before 2025 Intel's did not.
  bool opens_foreign_handles = false;
  /// The driver looks for accesses around what it has allocated, and to what was freed.
  bool guards_memory = false;
  /// A host function that does not return ends the process, which says so.
  bool guards_host_functions = false;
  /// CHIP_EMPTY_BY_QUERY=1: work may have ended without the counters showing it; ask the driver.
  bool empty_by_query = false;

  /// Looks the functions up and honours CHIP_WITHOUT, a comma-separated list of: arguments, counter_events,
  /// device_synchronize, host_functions, command_lists, losses, guards, host_memory, free_mappings,
  /// foreign_handles (to test the other path).
  static Capabilities query(ze_driver_handle_t driver, DeviceKind kind);
};

/// A function of the loader by name, or nullptr where this loader lacks it.
void *loader_function(const char *name);

} // namespace chip::ze
