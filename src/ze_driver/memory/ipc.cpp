// Memory between processes: handles that name a descriptor of a process, and descriptors as such.
#include "../api/entry_points.h"
#include "../api/objects.h"
#include "../ipc/ipc_handle.h"
#include "external_memory.h"

#include "../backend.h"
#include "allocations.h"
#include "physical_memory.h"

#include <fcntl.h>

namespace ze_driver {
namespace {

static_assert(static_cast<uint32_t>(MemoryKind::host) == uint32_t(IpcType::host_memory) &&
              static_cast<uint32_t>(MemoryKind::device) == uint32_t(IpcType::device_memory) &&
              static_cast<uint32_t>(MemoryKind::shared) == uint32_t(IpcType::shared_memory));

std::optional<ze_ipc_mem_handle_t> write_handle(int descriptor, size_t offset, size_t size,
                                                MemoryKind kind) {
  const auto content = ipc_content(descriptor, offset, size, static_cast<IpcType>(kind));
  return content ? std::optional(to_ipc_handle<ze_ipc_mem_handle_t>(*content)) : std::nullopt;
}

std::optional<IpcContent> read_handle(const ze_ipc_mem_handle_t &handle) {
  const auto content = read_ipc_handle(handle);
  return content && content->type <= IpcType::shared_memory ? content : std::nullopt;
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
  return entry(required(context, pointer, handle), [&]() -> ze_result_t {
    if (const auto memory = physical_memory(pointer)) {
      *handle = write_handle(memory->file->descriptor(), 0, memory->size, memory->kind).value();
      return ZE_RESULT_SUCCESS;
    }
    auto allocation = Allocations::instance().find(pointer);
    if (!allocation || allocation->owner != context)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    if (!allocation->file.file) {
      // A child would have what is in the file by then only.
      backend().without_forks(
          [&] { allocation = Allocations::instance().share(pointer, context); });
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
  return ze_driver::zeMemGetIpcHandle(context, pointer, handle);
}

ze_result_t zeMemPutIpcHandle(ze_context_handle_t context, ze_ipc_mem_handle_t handle) {
  // The descriptor stays with the memory: other handles may name it.
  return entry(required(context), [&]() -> ze_result_t {
    return read_handle(handle) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

ze_result_t zeMemOpenIpcHandle(ze_context_handle_t context, ze_device_handle_t device,
                               ze_ipc_mem_handle_t handle, ze_ipc_memory_flags_t flags,
                               void **pointer) {
  return entry(required(context, device, pointer), [&]() -> ze_result_t {
    if (flags > 0x3)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    const auto content = read_handle(handle);
    if (!content)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    auto file = file_of(*content);
    if (!file)
      return file.error();
    const size_t skip = content->offset % backend().memory().page_bytes();
    *pointer = Allocations::instance().open({std::move(*file), content->offset - skip}, skip,
                                            content->size, static_cast<MemoryKind>(content->type),
                                            context, device);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeMemCloseIpcHandle(ze_context_handle_t context, const void *pointer) {
  return entry(required(context, pointer), [&]() -> ze_result_t {
    return Allocations::instance().free(const_cast<void *>(pointer), context, Origin::opened)
               ? ZE_RESULT_SUCCESS
               : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

ze_result_t zeMemGetIpcHandleFromFileDescriptorExp(ze_context_handle_t context, uint64_t descriptor,
                                                   ze_ipc_mem_handle_t *handle) {
  return entry(required(context, handle), [&]() -> ze_result_t {
    if (descriptor > INT32_MAX)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    const int duplicate = fcntl(static_cast<int>(descriptor), F_DUPFD_CLOEXEC, 0);
    if (duplicate < 0)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    const uint64_t bytes = SharedFile::adopt(duplicate)->bytes();
    const auto written = write_handle(static_cast<int>(descriptor), 0, bytes, MemoryKind::device);
    if (bytes == 0 || !written)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *handle = *written;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeMemGetFileDescriptorFromIpcHandleExp(ze_context_handle_t context,
                                                   ze_ipc_mem_handle_t handle,
                                                   uint64_t *descriptor) {
  return entry(required(context, descriptor), [&]() -> ze_result_t {
    const auto content = read_handle(handle);
    if (!content)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *descriptor = static_cast<uint64_t>(content->descriptor);
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_driver
