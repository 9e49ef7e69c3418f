// Memory of a device that other processes open: by handles of the driver, which are bytes.
#pragma once

#include "driver.h"

#include <cstddef>
#include <sys/types.h>

namespace chip::ze {

/// What another process needs to open memory.
struct MemoryHandle {
  ze_ipc_mem_handle_t bytes;
  /// The handle names a descriptor of this process without saying of which process it is: whoever opens the memory has to
  /// put one of its own in its place.
  bool needs_descriptor;
  /// Of the allocation, in the process that made the handle: it tells later ones from it that get the same bytes. 0 in others.
  uint64_t allocation = 0;
};

/// A handle for the driver's allocation that `pointer` lies in, for as long as that is not freed. Throws hipErrorNotSupported.
MemoryHandle export_memory(const Driver &driver, const void *pointer);
/// Maps the memory of a handle that `process` made, which stays until it is closed, whatever becomes of that process. Throws
/// hipErrorInvalidValue for what is no handle, or one of memory that is gone.
void *open_memory(const Driver &driver, const DeviceInfo &device, const MemoryHandle &handle,
                  pid_t process);
/// No work uses the memory.
void close_memory(const Driver &driver, void *pointer) noexcept;
/// Bytes from `pointer` to the end of the driver's allocation that it lies in; 0 if the driver cannot tell.
size_t bytes_behind(const Driver &driver, const void *pointer);

} // namespace chip::ze
