// What libCHIP and Level Zero drivers of ours know of each other beyond Level Zero itself.
#pragma once

#include <string_view>

namespace driver_contract {

/// What the driver UUID of the CPU driver begins with: Level Zero has no names of drivers.
inline constexpr std::string_view cpu_uuid_prefix = "ze_cpu";
/// The same of the driver for OpenCL devices.
inline constexpr std::string_view opencl_uuid_prefix = "ze_opencl";

/// ze_result_t (ze_event_handle_t), to be found by zeDriverGetExtensionFunctionAddress: signals an event of a pool for work that
/// was lost. Whoever waits for the event is told so, or lost as well.
inline constexpr char signal_loss_function[] = "chipEventHostSignalLoss";

/// Called before a driver reports that a kernel failed, on the thread that executed it, when nothing of the kernel runs any
/// more. Returns why threads of it gave up, for the report, and null if it does not know.
using FailureObserver = const char *(void *data);
/// ze_result_t (ze_driver_handle_t, FailureObserver *, void *data), found in the same way: from now on the observer is called.
/// Without an observer: that of `data` is not called any more once the function has returned.
inline constexpr char observe_failures_function[] = "chipDriverObserveFailures";

/// ze_result_t (ze_driver_handle_t, ze_bool_t *), found in the same way: whether the driver looks for accesses around what it has
/// allocated, and to what was freed. Memory that is cut up, or kept for later, keeps it from finding them.
inline constexpr char guards_memory_function[] = "chipDriverGuardsMemory";

/// ze_result_t (ze_driver_handle_t, const void *, size_t), found in the same way: the program has ended and not freed so many bytes
/// that it had in the memory at that address, as whoever calls will. The driver tells of it, if the user wants to know.
inline constexpr char tell_leak_function[] = "chipDriverTellLeak";

/// As zeCommandListAppendWriteGlobalTimestamp, for a time that only the host reads, and only when it knows that the signalled event,
/// or something appended later, is complete. Found in the same way, where the device has no command that writes its time: then
/// the other function holds the list up until the host has written it.
inline constexpr char append_host_timestamp_function[] = "chipCommandListAppendWriteHostTimestamp";

} // namespace driver_contract
