// Memory between processes: handles that name a descriptor of a process, and descriptors as such.
#include "entry_points.h"
#include "external_memory.h"
#include "objects.h"

#include "../memory/allocations.h"
#include "../queue/execution_gate.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <compare>
#include <cstring>
#include <format>
#include <map>
#include <mutex>

namespace ze_cpu {
namespace {

struct IpcContent {
  // First, where programs look for it that pass the descriptor on themselves, through a socket, and
  // put the number they receive in its place.
  int32_t descriptor;
  char magic[4];
  int32_t process;
  uint32_t kind;
  uint64_t file_system, inode; // to recognize the file by: numbers of descriptors are used again
  uint64_t offset;             // of the first byte in the file
  uint64_t size;
};
static_assert(sizeof(IpcContent) <= sizeof(ze_ipc_mem_handle_t));
constexpr char magic[4] = {'z', 'c', 'p', 'm'};

struct Identity {
  uint64_t file_system, inode;
  auto operator<=>(const Identity &) const = default;
};

std::optional<Identity> identity_of(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

/// `size` bytes from `offset` on, in the file behind `descriptor`.
std::optional<ze_ipc_mem_handle_t> write_handle(int descriptor, size_t offset, size_t size,
                                                MemoryKind kind) {
  const auto identity = identity_of(descriptor);
  if (!identity)
    return std::nullopt;
  IpcContent content{.descriptor = descriptor,
                     .magic = {},
                     .process = getpid(),
                     .kind = static_cast<uint32_t>(kind),
                     .file_system = identity->file_system,
                     .inode = identity->inode,
                     .offset = offset,
                     .size = size};
  std::memcpy(content.magic, magic, sizeof magic);
  ze_ipc_mem_handle_t handle{};
  std::memcpy(handle.data, &content, sizeof content);
  return handle;
}

std::optional<IpcContent> read_handle(const ze_ipc_mem_handle_t &handle) {
  IpcContent content;
  std::memcpy(&content, handle.data, sizeof content);
  const bool ours = !std::memcmp(content.magic, magic, sizeof magic) && content.size != 0 &&
                    content.kind <= static_cast<uint32_t>(MemoryKind::shared);
  return ours ? std::optional(content) : std::nullopt;
}

int duplicate_own(const IpcContent &content) {
  return fcntl(content.descriptor, F_DUPFD_CLOEXEC, 0);
}

int open_at(const IpcContent &content) {
  const std::string path = std::format("/proc/{}/fd/{}", content.process, content.descriptor);
  return open(path.c_str(), O_RDWR | O_CLOEXEC);
}

/// Where /proc is not mounted, or shows others only as a debugger may see them.
int fetch_from(const IpcContent &content) {
#if defined(SYS_pidfd_open) && defined(SYS_pidfd_getfd)
  const auto process = static_cast<int>(syscall(SYS_pidfd_open, content.process, 0));
  if (process < 0)
    return -1;
  const auto fetched = static_cast<int>(syscall(SYS_pidfd_getfd, process, content.descriptor, 0));
  const int error = errno;
  close(process);
  errno = error;
  return fetched;
#else
  return -1;
#endif
}

/// `file`, or the same one that is in use already: a program that opens a handle often has one
/// descriptor of it.
std::shared_ptr<SharedFile> only_one(const Identity &identity, std::shared_ptr<SharedFile> file) {
  struct Known {
    std::mutex mutex;
    std::map<Identity, std::weak_ptr<SharedFile>> files;
  };
  static Known &known = *new Known; // threads may outlive static objects
  std::lock_guard lock(known.mutex);
  std::erase_if(known.files, [](const auto &entry) { return entry.second.expired(); });
  auto &kept = known.files[identity];
  if (auto same = kept.lock())
    return same;
  kept = file;
  return file;
}

/// The handle's file: with a descriptor that this process has already (its own, one that was passed
/// on, or inherited), or with one of the process that made the handle.
std::expected<std::shared_ptr<SharedFile>, ze_result_t> file_of(const IpcContent &content) {
  const Identity wanted{content.file_system, content.inode};
  bool denied = false;
  for (const auto &get : {&duplicate_own, &open_at, &fetch_from}) {
    errno = 0;
    const int descriptor = get(content);
    if (descriptor < 0) {
      denied = denied || errno == EACCES || errno == EPERM;
      continue;
    }
    auto file = SharedFile::adopt(descriptor);
    const uint64_t bytes = file->bytes();
    if (identity_of(descriptor) == wanted && content.offset < bytes &&
        content.size <= bytes - content.offset)
      return only_one(wanted, std::move(file));
  }
  return std::unexpected(denied ? ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS
                                : ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

} // namespace

std::expected<std::shared_ptr<SharedFile>, ze_result_t> imported_file(const void *next,
                                                                      size_t bytes) {
  const auto *import = find_extension<ze_external_memory_import_fd_t>(
      next, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD);
  if (!import)
    return nullptr;
  if (import->flags != file_types)
    return std::unexpected(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  const int descriptor = fcntl(import->fd, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  auto file = SharedFile::adopt(descriptor);
  if (file->bytes() < bytes)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return file;
}

std::expected<bool, ze_result_t> is_exportable(const void *next) {
  const auto *wanted = find_extension<ze_external_memory_export_desc_t>(
      next, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC);
  if (!wanted || wanted->flags == 0)
    return false;
  if (wanted->flags & ~file_types)
    return std::unexpected(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  return true;
}

ze_result_t export_file(void *next, const SharedFile *file) {
  auto *wanted = find_output<ze_external_memory_export_fd_t>(
      next, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD);
  if (!wanted)
    return ZE_RESULT_SUCCESS;
  if (wanted->flags & ~file_types)
    return ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION;
  if (!file)
    return ZE_RESULT_ERROR_INVALID_ARGUMENT; // it was not made to be exported
  wanted->fd = fcntl(file->descriptor(), F_DUPFD_CLOEXEC, 0);
  return wanted->fd < 0 ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetIpcHandle(ze_context_handle_t context, const void *pointer,
                              ze_ipc_mem_handle_t *handle) {
  return entry([&]() -> ze_result_t {
    if (!context)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (any_null(pointer) || !handle)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (const auto memory = physical_memory(pointer)) {
      *handle = write_handle(memory->file->descriptor(), 0, memory->size, memory->kind).value();
      return ZE_RESULT_SUCCESS;
    }
    auto allocation = Allocations::instance().find(pointer);
    if (!allocation || allocation->owner != context)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    if (!allocation->file.file) {
      // Nothing may be written while the contents move.
      ExecutionGate::Pause pause;
      allocation = Allocations::instance().share(pointer, context);
      if (!allocation)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    *handle = write_handle(allocation->file.file->descriptor(), allocation->file.offset,
                           allocation->size, allocation->kind)
                  .value();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeMemGetIpcHandleWithProperties(ze_context_handle_t context, const void *pointer,
                                            void *next, ze_ipc_mem_handle_t *handle) {
  const auto *type = find_extension<ze_ipc_mem_handle_type_ext_desc_t>(
      next, ZE_STRUCTURE_TYPE_IPC_MEM_HANDLE_TYPE_EXT_DESC);
  if (type && (type->typeFlags & ~uint32_t{ZE_IPC_MEM_HANDLE_TYPE_FLAG_DEFAULT}))
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  return ze_cpu::zeMemGetIpcHandle(context, pointer, handle);
}

ze_result_t zeMemPutIpcHandle(ze_context_handle_t context, ze_ipc_mem_handle_t handle) {
  // The descriptor stays with the memory: other handles may name it.
  return entry([&]() -> ze_result_t {
    if (!context)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    return read_handle(handle) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

ze_result_t zeMemOpenIpcHandle(ze_context_handle_t context, ze_device_handle_t device,
                               ze_ipc_mem_handle_t handle, ze_ipc_memory_flags_t flags,
                               void **pointer) {
  return entry([&]() -> ze_result_t {
    if (any_null(context, device))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!pointer)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (flags > 0x3)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    const auto content = read_handle(handle);
    if (!content)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    auto file = file_of(*content);
    if (!file)
      return file.error();
    const size_t skip = content->offset % page_bytes();
    *pointer = Allocations::instance().open({std::move(*file), content->offset - skip}, skip,
                                            content->size, static_cast<MemoryKind>(content->kind),
                                            context, device);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeMemCloseIpcHandle(ze_context_handle_t context, const void *pointer) {
  return entry([&]() -> ze_result_t {
    if (!context)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!pointer)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    return Allocations::instance().free(const_cast<void *>(pointer), context, Origin::opened)
               ? ZE_RESULT_SUCCESS
               : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

ze_result_t zeMemGetIpcHandleFromFileDescriptorExp(ze_context_handle_t context,
                                                   uint64_t descriptor,
                                                   ze_ipc_mem_handle_t *handle) {
  return entry([&]() -> ze_result_t {
    if (!context)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!handle)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (descriptor > INT32_MAX)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    const int duplicate = fcntl(static_cast<int>(descriptor), F_DUPFD_CLOEXEC, 0);
    if (duplicate < 0)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    const uint64_t bytes = SharedFile::adopt(duplicate)->bytes();
    const auto written =
        write_handle(static_cast<int>(descriptor), 0, bytes, MemoryKind::device);
    if (bytes == 0 || !written)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *handle = *written;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeMemGetFileDescriptorFromIpcHandleExp(ze_context_handle_t context,
                                                   ze_ipc_mem_handle_t handle,
                                                   uint64_t *descriptor) {
  return entry([&]() -> ze_result_t {
    if (!context)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!descriptor)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    const auto content = read_handle(handle);
    if (!content)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *descriptor = static_cast<uint64_t>(content->descriptor);
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_cpu
