// Device memory between processes that have nothing to do with each other: handles, which are bytes, and what they open
// (hipIpcGetMemHandle, hipIpcOpenMemHandle).
#pragma once

#include "memory.h"

namespace chip {

/// For any address in memory of hipMalloc. Throws hipErrorInvalidValue for other memory, hipErrorNotSupported where the driver
/// cannot share it.
hipIpcMemHandle_t handle_of_memory(void *pointer);

/// The address that the handle was made for, in this process: on the current device, and the same each time. What is open stays,
/// whatever becomes of the process that has allocated it. Throws hipErrorInvalidValue for what is no handle,
/// hipErrorInvalidContext for one of this process, hipErrorInvalidDevicePointer if the driver cannot open it: the memory or the
/// process is gone, or the current device has another driver.
void *open_memory(const hipIpcMemHandle_t &handle);
/// Once for each open_memory(). The last one waits for all work that may use the memory. Throws hipErrorInvalidValue for an
/// address that open_memory() did not return.
void close_memory(void *pointer);

/// Closes what is open on a device; the caller has waited for its work.
void close_opened_memory(Device &device);
void close_all_opened_memory();

} // namespace chip
