// Device memory of other processes: what handles of hipIpcGetMemHandle and pointers of exported pools name, mapped here. Each of
// the driver's allocations is mapped once, for all that is open of it, and stays, whatever becomes of the other process.
#pragma once

#include "../../ze/shared_memory.h"
#include "memory.h"

#include <cstdint>
#include <functional>

namespace chip {

/// Whether the program has opened memory by a handle or by a pool: what closes it.
enum class OpenedBy : uint8_t { handle, pool };

/// Memory in one of the driver's allocations in another process.
struct ForeignBlock {
  uint64_t
      exporter; // the process, or one of its pools: the same handles of others name other memory
  pid_t process;
  ze::MemoryHandle chunk;
  size_t chunk_bytes;
  size_t begin, bytes; // in the chunk
};

/// Its address in this process, on the device: the same each time. `check()` is called when the driver has the memory open, and
/// throws if that may be another's by now. Throws hipErrorInvalidDevicePointer if the driver cannot open it.
std::byte *open_block(const ForeignBlock &block, OpenedBy by, Device &device,
                      const std::function<void()> &check);
/// Undoes one open_block(). The driver's allocation goes with the last one: when the stream has done its work or, without a
/// stream, at once: the caller has waited. False if nothing that was opened so begins at `pointer`.
bool close_block(void *pointer, OpenedBy by, const StreamTarget *stream);

/// The address that a handle of hipIpcGetMemHandle was made for. Throws hipErrorInvalidValue for what is no handle,
/// hipErrorInvalidContext for one of this process, hipErrorInvalidDevicePointer if the driver cannot open it: the memory or the
/// process is gone, or the current device has another driver.
void *open_memory(const hipIpcMemHandle_t &handle);
/// Once for each open_memory(). Waits for all work that may use the memory. Throws hipErrorInvalidValue for an address that
/// open_memory() did not return.
void close_memory(void *pointer);

/// Closes what is open on a device; the caller has waited for its work.
void close_opened_memory(const Device &device);
void close_all_opened_memory();

} // namespace chip
