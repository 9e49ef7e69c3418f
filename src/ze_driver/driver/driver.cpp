// Initialization, the driver handle, extensions.
#include "../api/entry_points.h"
#include "../api/objects.h"

#include "../../common/driver_contract.h"
#include "../../common/per_thread.h"
#include "../backend.h"
#include "../events/failure_observers.h"
#include "../memory/allocations.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace ze_driver {

constinit std::atomic<bool> driver_is_up{true};

namespace {

/// First thing that goes when the process ends or the loader unloads us. The code stays mapped
/// (linked with -z nodelete), so that late calls and threads that are stuck in a kernel do no harm.
struct ShutDown {
  ~ShutDown() {
    driver_is_up = false;
    backend().stop();
  }
};

void initialize() { static ShutDown at_exit; }

struct LastError {
  std::string description;
};

struct Extension {
  const char *name;
  uint32_t version;
};

constexpr Extension extensions[] = {
    {ZE_DRIVER_DDI_HANDLES_EXT_NAME, ZE_DRIVER_DDI_HANDLES_EXT_VERSION_1_1},
    {ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME, ZE_EVENT_POOL_COUNTER_BASED_EXP_VERSION_1_0},
    {ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME, ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_VERSION_1_0},
    {ZE_GLOBAL_OFFSET_EXP_NAME, ZE_GLOBAL_OFFSET_EXP_VERSION_1_0},
    {ZE_KERNEL_SCHEDULING_HINTS_EXP_NAME, ZE_SCHEDULING_HINTS_EXP_VERSION_1_0},
    {ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME, ZE_EVENT_QUERY_TIMESTAMPS_EXP_VERSION_1_0},
    {ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME, ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_VERSION_1_0},
    {ZE_MEMORY_FREE_POLICIES_EXT_NAME, ZE_MEMORY_FREE_POLICIES_EXT_VERSION_1_0},
    {ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME, ZE_RELAXED_ALLOCATION_LIMITS_EXP_VERSION_1_0},
    {ZE_FLOAT_ATOMICS_EXT_NAME, ZE_FLOAT_ATOMICS_EXT_VERSION_1_0},
    {ZE_BINDLESS_IMAGE_EXP_NAME, ZE_BINDLESS_IMAGE_EXP_VERSION_1_0},
    {ZE_IMAGE_COPY_EXT_NAME, ZE_IMAGE_COPY_EXT_VERSION_1_0},
    {ZE_IMAGE_FORMAT_SUPPORT_EXT_NAME, ZE_IMAGE_FORMAT_SUPPORT_EXT_VERSION_1_0},
    {ZE_IMAGE_MEMORY_PROPERTIES_EXP_NAME, ZE_IMAGE_MEMORY_PROPERTIES_EXP_VERSION_1_0},
    {ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_NAME, ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_VERSION_1_0},
    {ZE_IMAGE_VIEW_EXP_NAME, ZE_IMAGE_VIEW_EXP_VERSION_1_0},
    {ZE_IMAGE_VIEW_EXT_NAME, ZE_IMAGE_VIEW_EXT_VERSION_1_0},
    {ZE_SUBGROUPS_EXT_NAME, ZE_SUBGROUP_EXT_VERSION_1_0},
    {ZE_MODULE_PROGRAM_EXP_NAME, ZE_MODULE_PROGRAM_EXP_VERSION_1_0},
    {ZE_LINKAGE_INSPECTION_EXT_NAME, ZE_LINKAGE_INSPECTION_EXT_VERSION_1_0},
    {ZE_DEVICE_VECTOR_SIZES_EXT_NAME, ZE_DEVICE_VECTOR_SIZES_EXT_VERSION_1_0},
    {ZE_GET_KERNEL_ALLOCATION_PROPERTIES_EXP_NAME,
     ZE_KERNEL_GET_ALLOCATION_PROPERTIES_EXP_VERSION_1_0},
    {ZE_MUTABLE_COMMAND_LIST_EXP_NAME, ZE_MUTABLE_COMMAND_LIST_EXP_VERSION_1_1},
    {ZE_RECORD_REPLAY_GRAPH_EXT_NAME, ZE_RECORD_REPLAY_GRAPH_EXT_VERSION_1_0},
    {ZE_VIRTUAL_MEM_READONLY_PROPERTIES_EXT_NAME,
     ZE_VIRTUAL_MEM_READONLY_PROPERTIES_EXT_VERSION_1_0},
    {ZE_IPC_MEM_HANDLE_TYPE_EXT_NAME, ZE_IPC_MEM_HANDLE_TYPE_EXT_VERSION_1_0},
};

// Intel's extension by which kernels may use memory of the program. Where devices can as it is, what is imported is known to
// the checks of guarded memory.

ze_result_t ZE_APICALL import_pointer(ze_driver_handle_t driver, void *pointer, size_t size) {
  return entry(required(driver, pointer), [&]() -> ze_result_t {
    if (size == 0)
      return ZE_RESULT_ERROR_INVALID_SIZE;
    for (const DeviceBackend *device : backend().devices())
      if (!device->facts().reaches_imported_memory)
        return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    Allocations::instance().add_imported(pointer, size);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL release_imported_pointer(ze_driver_handle_t driver, void *pointer) {
  return entry(required(driver, pointer), [&]() -> ze_result_t {
    Allocations::instance().remove_variable(pointer);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL base_of_imported_pointer(ze_driver_handle_t driver, void *pointer,
                                                void **base) {
  return entry(required(driver, pointer, base), [&]() -> ze_result_t {
    const auto found = Allocations::instance().imported(pointer);
    if (!found)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *base = reinterpret_cast<void *>(*found);
    return ZE_RESULT_SUCCESS;
  });
}

// An extension of our drivers: the address that kernels write to when they give up.

ze_result_t ZE_APICALL get_trap_address(ze_driver_handle_t driver, void **address) {
  return entry(required(driver, address), [&]() -> ze_result_t {
    *address = backend().trap_address();
    return *address ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  });
}

// Another: who is to be told before the program's user that a kernel failed.
ze_result_t ZE_APICALL observe_failures(ze_driver_handle_t driver,
                                        driver_contract::FailureObserver *observer, void *data) {
  return entry(required(driver), [&]() -> ze_result_t {
    observer ? add_failure_observer(observer, data) : remove_failure_observer(data);
    return ZE_RESULT_SUCCESS;
  });
}

// Another: what waits for the event learns that what it waits for was not done.
ze_result_t ZE_APICALL signal_loss(ze_event_handle_t event) {
  return entry([&]() -> ze_result_t {
    if (!event)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    Event &self = object<Event>(event);
    if (self.is_counter_based())
      return ZE_RESULT_ERROR_INVALID_ARGUMENT; // only lists signal these
    self.counter().assign(1, true);
    return ZE_RESULT_SUCCESS;
  });
}

// Another: whether memory that a program keeps for later would hide wrong accesses.
ze_result_t ZE_APICALL guards_memory(ze_driver_handle_t driver, ze_bool_t *is_guarded) {
  return entry(required(driver, is_guarded), [&]() -> ze_result_t {
    *is_guarded = backend().memory().is_guarded();
    return ZE_RESULT_SUCCESS;
  });
}

// Another: for a runtime that frees everything as the program ends.
ze_result_t ZE_APICALL tell_leak(ze_driver_handle_t driver, const void *memory, size_t bytes) {
  return entry(required(driver, memory), [&]() -> ze_result_t {
    backend().memory().was_leaked(memory, bytes);
    return ZE_RESULT_SUCCESS;
  });
}

/// Functions that programs look up by name because the loader they were built with may not have
/// them.
struct NamedFunction {
  const char *name;
  void *function;
};
template <class Function> void *address(Function *function) {
  return reinterpret_cast<void *>(function);
}

#define ZE_DRIVER_NAMED(name) {#name, address(name)}
const NamedFunction named_functions[] = {
    ZE_DRIVER_NAMED(zeCommandListAppendGraphExt),
    ZE_DRIVER_NAMED(zeCommandListAppendHostFunction),
    ZE_DRIVER_NAMED(zeCommandListAppendLaunchKernelWithArguments),
    ZE_DRIVER_NAMED(zeCommandListAppendLaunchKernelWithParameters),
    ZE_DRIVER_NAMED(zeCommandListAppendMemoryCopyWithParameters),
    ZE_DRIVER_NAMED(zeCommandListAppendMemoryFillWithParameters),
    ZE_DRIVER_NAMED(zeCommandListBeginCaptureIntoGraphExt),
    ZE_DRIVER_NAMED(zeCommandListBeginGraphCaptureExt),
    ZE_DRIVER_NAMED(zeCommandListEndGraphCaptureExt),
    ZE_DRIVER_NAMED(zeCommandListGetGraphExt),
    ZE_DRIVER_NAMED(zeCommandListGetNextCommandIdExp),
    ZE_DRIVER_NAMED(zeCommandListGetNextCommandIdWithKernelsExp),
    ZE_DRIVER_NAMED(zeCommandListHostSynchronize),
    ZE_DRIVER_NAMED(zeCommandListImmediateAppendCommandListsExp),
    ZE_DRIVER_NAMED(zeCommandListImmediateAppendCommandListsWithParameters),
    ZE_DRIVER_NAMED(zeCommandListIsGraphCaptureEnabledExt),
    ZE_DRIVER_NAMED(zeCommandListIsMutableExp),
    ZE_DRIVER_NAMED(zeCommandListUpdateMutableCommandKernelsExp),
    ZE_DRIVER_NAMED(zeCommandListUpdateMutableCommandSignalEventExp),
    ZE_DRIVER_NAMED(zeCommandListUpdateMutableCommandWaitEventsExp),
    ZE_DRIVER_NAMED(zeCommandListUpdateMutableCommandsExp),
    ZE_DRIVER_NAMED(zeDeviceSynchronize),
    ZE_DRIVER_NAMED(zeDriverGetDefaultContext),
    ZE_DRIVER_NAMED(zeDriverGetLastErrorDescription),
    ZE_DRIVER_NAMED(zeEventCounterBasedCloseIpcHandle),
    ZE_DRIVER_NAMED(zeEventCounterBasedCreate),
    ZE_DRIVER_NAMED(zeEventCounterBasedGetDeviceAddress),
    ZE_DRIVER_NAMED(zeEventCounterBasedGetIpcHandle),
    ZE_DRIVER_NAMED(zeEventCounterBasedOpenIpcHandle),
    ZE_DRIVER_NAMED(zeEventGetCounterBasedFlags),
    ZE_DRIVER_NAMED(zeEventQueryKernelTimestampsExt),
    ZE_DRIVER_NAMED(zeEventQueryTimestampsExp),
    ZE_DRIVER_NAMED(zeExecutableGraphDestroyExt),
    ZE_DRIVER_NAMED(zeExecutableGraphGetSourceGraphExt),
    ZE_DRIVER_NAMED(zeGraphCreateExt),
    ZE_DRIVER_NAMED(zeGraphDestroyExt),
    ZE_DRIVER_NAMED(zeGraphDumpContentsExt),
    ZE_DRIVER_NAMED(zeGraphGetPrimaryCommandListExt),
    ZE_DRIVER_NAMED(zeGraphInstantiateExt),
    ZE_DRIVER_NAMED(zeGraphIsEmptyExt),
    ZE_DRIVER_NAMED(zeGraphSetDestructionCallbackExt),
    ZE_DRIVER_NAMED(zeImageGetDeviceOffsetExp),
    ZE_DRIVER_NAMED(zeImageGetMemoryPropertiesExp),
    ZE_DRIVER_NAMED(zeImageViewCreateExp),
    ZE_DRIVER_NAMED(zeImageViewCreateExt),
    ZE_DRIVER_NAMED(zeKernelGetAllocationPropertiesExp),
    ZE_DRIVER_NAMED(zeKernelSchedulingHintExp),
    ZE_DRIVER_NAMED(zeKernelSetGlobalOffsetExp),
    ZE_DRIVER_NAMED(zeMemFreeExt),
    ZE_DRIVER_NAMED(zeMemGetAtomicAccessAttributeExp),
    ZE_DRIVER_NAMED(zeMemGetIpcHandleWithProperties),
    ZE_DRIVER_NAMED(zeMemGetPitchFor2dImage),
    ZE_DRIVER_NAMED(zeMemSetAtomicAccessAttributeExp),
    ZE_DRIVER_NAMED(zeModuleInspectLinkageExt),
    ZE_DRIVER_NAMED(zePhysicalMemGetProperties),
    {"chipDriverGetTrapAddress", address(get_trap_address)},
    {driver_contract::signal_loss_function, address(signal_loss)},
    {driver_contract::observe_failures_function, address(observe_failures)},
    {driver_contract::guards_memory_function, address(guards_memory)},
    {driver_contract::tell_leak_function, address(tell_leak)},
    {driver_contract::append_host_timestamp_function, address(append_host_timestamp)},
    {"zexDriverGetHostPointerBaseAddress", address(base_of_imported_pointer)},
    {"zexDriverImportExternalPointer", address(import_pointer)},
    {"zexDriverReleaseImportedPointer", address(release_imported_pointer)},
};
#undef ZE_DRIVER_NAMED

} // namespace

// The handles live in memory that is never freed: programs use them in their own static
// destructors.
Driver &the_driver() {
  static Driver *driver = new Driver;
  return *driver;
}

std::span<Device> devices() {
  // By the list itself: where a program is checked for leaks, its elements alone would not hold it.
  static std::vector<Device> &all = *[] {
    auto *list = new std::vector<Device>;
    const std::span<DeviceBackend *const> backends = backend().devices();
    list->reserve(backends.size());
    for (DeviceBackend *device : backends)
      list->emplace_back(static_cast<unsigned>(list->size()), *device);
    return list;
  }();
  return all;
}

Context &default_context() {
  static Context *context = new Context;
  return *context;
}

void describe_last_error(std::string description) noexcept {
  try {
    common::of_this_thread<LastError>().description = std::move(description);
  } catch (const std::bad_alloc &) {
    // The description before this one stays.
  }
}

ze_result_t zeInit(ze_init_flags_t flags) {
  return entry([&]() -> ze_result_t {
    if (flags & ~uint32_t{ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY})
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    if (flags == ZE_INIT_FLAG_VPU_ONLY)
      return ZE_RESULT_ERROR_UNINITIALIZED; // this device presents itself as a GPU
    initialize();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeInitDrivers(uint32_t *count, ze_driver_handle_t *drivers,
                          ze_init_driver_type_desc_t *desc) {
  return entry(required(count, desc), [&]() -> ze_result_t {
    if (desc->flags == 0)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    initialize();
    // With a single driver the loader passes the call straight on, so the selection by type is
    // ours.
    if (!(desc->flags & ZE_INIT_DRIVER_TYPE_FLAG_GPU)) {
      *count = 0;
      return ZE_RESULT_SUCCESS;
    }
    return enumerate(1, count, drivers,
                     [](uint32_t, auto &driver) { driver = handle_of(the_driver()); });
  });
}

ze_result_t zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers) {
  return entry(required(count), [&]() -> ze_result_t {
    return enumerate(1, count, drivers,
                     [](uint32_t, auto &driver) { driver = handle_of(the_driver()); });
  });
}

ze_result_t zeDriverGetApiVersion(ze_driver_handle_t driver, ze_api_version_t *version) {
  return entry(required(driver, version), [&]() -> ze_result_t {
    *version = ZE_API_VERSION_1_17;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeDriverGetProperties(ze_driver_handle_t driver, ze_driver_properties_t *properties) {
  return entry(required(driver, properties), [&]() -> ze_result_t {
    const Identity &self = identity();
    std::memcpy(properties->uuid.id, self.uuid, sizeof self.uuid);
    properties->driverVersion = self.version;
    if (auto *handles = find_output<ze_driver_ddi_handles_ext_properties_t>(
            properties->pNext, ZE_STRUCTURE_TYPE_DRIVER_DDI_HANDLES_EXT_PROPERTIES))
      handles->flags = ZE_DRIVER_DDI_HANDLE_EXT_FLAG_DDI_HANDLE_EXT_SUPPORTED;
    if (auto *free = find_output<ze_driver_memory_free_ext_properties_t>(
            properties->pNext, ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES))
      free->freePolicies = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE |
                           ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeDriverGetIpcProperties(ze_driver_handle_t driver,
                                     ze_driver_ipc_properties_t *properties) {
  return entry(required(driver, properties), [&]() -> ze_result_t {
    properties->flags = ZE_IPC_PROPERTY_FLAG_MEMORY | ZE_IPC_PROPERTY_FLAG_EVENT_POOL;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeDriverGetExtensionProperties(ze_driver_handle_t driver, uint32_t *count,
                                           ze_driver_extension_properties_t *properties) {
  return entry(required(driver, count), [&]() -> ze_result_t {
    return enumerate(std::size(extensions), count, properties, [](uint32_t i, auto &item) {
      std::memset(item.name, 0, sizeof item.name);
      std::strncpy(item.name, extensions[i].name, sizeof item.name - 1);
      item.version = extensions[i].version;
    });
  });
}

ze_result_t zeDriverGetExtensionFunctionAddress(ze_driver_handle_t driver, const char *name,
                                                void **function) {
  return entry(required(driver, name, function), [&]() -> ze_result_t {
    const auto *found =
        std::find_if(std::begin(named_functions), std::end(named_functions),
                     [&](const NamedFunction &known) { return !std::strcmp(known.name, name); });
    if (found == std::end(named_functions))
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    if (found->function == address(append_host_timestamp) && !backend().tells_times_afterwards())
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    *function = found->function;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeDriverGetLastErrorDescription(ze_driver_handle_t driver, const char **text) {
  return entry(required(driver, text), [&]() -> ze_result_t {
    *text = common::of_this_thread<LastError>().description.c_str();
    return ZE_RESULT_SUCCESS;
  });
}

ze_context_handle_t zeDriverGetDefaultContext(ze_driver_handle_t driver) {
  return driver ? handle_of(default_context()) : nullptr;
}

ze_result_t zerGetLastErrorDescription(const char **text) {
  return ze_driver::zeDriverGetLastErrorDescription(handle_of(the_driver()), text);
}

uint32_t zerTranslateDeviceHandleToIdentifier(ze_device_handle_t device) {
  for (Device &known : devices())
    if (device == handle_of(known))
      return known.index;
  return UINT32_MAX;
}

ze_device_handle_t zerTranslateIdentifierToDeviceHandle(uint32_t identifier) {
  return identifier < devices().size() ? handle_of(devices()[identifier]) : nullptr;
}

ze_context_handle_t zerGetDefaultContext() { return handle_of(default_context()); }

} // namespace ze_driver
