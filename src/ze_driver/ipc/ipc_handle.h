// What the handles of memory and events say that one process gives to another: in which file it
// lies.
#pragma once

#include "../api/identity.h"
#include "shared_file.h"

#include <level_zero/ze_api.h>

#include <cstring>
#include <expected>
#include <memory>
#include <optional>

namespace ze_driver {

/// What lies in the file: memory, by its kind, or events.
enum class IpcType : uint32_t { device_memory, host_memory, shared_memory, event_pool, event };

struct IpcContent {
  // First, where programs look for it that pass the descriptor on themselves, through a socket, and
  // put the number they receive in its place.
  int32_t descriptor;
  char magic[4];
  int32_t process;
  IpcType type;
  uint64_t file_system, inode; // to recognize the file by: numbers of descriptors are used again
  uint64_t offset;             // of the first byte in the file
  uint64_t size;
};
/// A handle of type `Handle` for `size` bytes from `offset` on, in the file behind `descriptor`.
/// Nothing if that is no file.
std::optional<IpcContent> ipc_content(int descriptor, size_t offset, size_t size, IpcType type);

template <class Handle> Handle to_ipc_handle(const IpcContent &content) {
  static_assert(sizeof content <= sizeof(Handle));
  Handle handle{};
  std::memcpy(handle.data, &content, sizeof content);
  return handle;
}

/// What a handle says; nothing if it is none of this driver's.
template <class Handle> std::optional<IpcContent> read_ipc_handle(const Handle &handle) {
  IpcContent content;
  std::memcpy(&content, handle.data, sizeof content);
  const bool ours = !std::memcmp(content.magic, identity().ipc_magic, sizeof content.magic) &&
                    content.size != 0 && content.type <= IpcType::event;
  return ours ? std::optional(content) : std::nullopt;
}

/// The handle's file: with a descriptor that this process has already (its own, one that was passed
/// on, or inherited), or with one of the process that made the handle.
std::expected<std::shared_ptr<SharedFile>, ze_result_t> file_of(const IpcContent &content);

} // namespace ze_driver
