// What other processes may open of this one's memory. Handles name an entry of a file in memory, which has one for each
// allocation that a handle was made of, for as long as that lives; they fetch the file by its descriptor.
#pragma once

#include "../../ze/shared_memory.h"
#include "memory.h"

#include <cstdint>

namespace chip {

/// An entry: a block of hipMalloc, and the driver's allocation that it lies in.
struct ExportedEntry {
  uint64_t number = 0; // no other entry in its place has it; 0: there is none
  uint64_t chunk_bytes = 0;
  uint64_t begin = 0, bytes = 0; // of the block
  ze::MemoryHandle chunk{};
};

/// What a hipIpcMemHandle_t says.
struct MemoryHandleContent {
  static constexpr char expected_magic[4] = {'H', 'I', 'M', '1'};

  char magic[4];
  int32_t process;
  uint64_t exporter; // the process, and none that has its number later
  int32_t descriptor;
  uint32_t place;
  uint64_t number;
  uint64_t offset;      // of the address in the block
  uint32_t driver_kind; // ze::DeviceKind
  char rest[20];
};
static_assert(sizeof(MemoryHandleContent) == sizeof(hipIpcMemHandle_t));

/// For any address in memory of hipMalloc. Throws hipErrorInvalidValue for other memory, hipErrorNotSupported where the driver
/// cannot share it.
hipIpcMemHandle_t handle_of_memory(void *pointer);
/// What it says. Throws hipErrorInvalidValue for bytes that no process of this version makes.
MemoryHandleContent read_handle(const hipIpcMemHandle_t &handle);

/// The file of another process that a handle names an entry of.
class ForeignEntry {
public:
  /// Throws hipErrorInvalidDevicePointer if the memory or the process is gone.
  explicit ForeignEntry(const MemoryHandleContent &content);
  ForeignEntry(const ForeignEntry &) = delete;
  ~ForeignEntry();

  const ExportedEntry &operator*() const { return entry_; }
  /// Throws hipErrorInvalidDevicePointer if the memory was freed meanwhile: its handle may have become another's.
  void check_is_there() const;

private:
  const MemoryHandleContent content_;
  const int descriptor_;
  ExportedEntry entry_;
};

} // namespace chip
