// Memory that comes from, or is given to, others as a file descriptor.
#pragma once

#include "../ipc/shared_file.h"

#include <level_zero/ze_api.h>

#include <expected>
#include <memory>

namespace ze_driver {

/// The only type of handle there is.
inline constexpr ze_external_memory_type_flags_t file_types =
    ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;

/// What ze_external_memory_import_fd_t in a chain names, for at least `bytes`; nullptr if nothing
/// is to be imported. The program keeps its own descriptor.
std::expected<std::shared_ptr<SharedFile>, ze_result_t> imported_file(const void *next,
                                                                      size_t bytes);
/// Whether ze_external_memory_export_desc_t in a chain asks for memory that can be given away.
std::expected<bool, ze_result_t> is_exportable(const void *next);
/// Fills in ze_external_memory_export_fd_t, if the chain has one, with a new descriptor. `file`
/// may be nullptr: there is none to give.
ze_result_t export_file(void *next, const SharedFile *file);

} // namespace ze_driver
