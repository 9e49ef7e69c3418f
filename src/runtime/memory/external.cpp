#include "external.h"
#include "../../common/handle_table.h"
#include "../platform/platform.h"

#include <unistd.h>

namespace chip {
namespace {

/// Never destroyed: destructors of the program may still call.
common::HandleTable<ExternalMemory> &external_memories() {
  static auto &table = *new common::HandleTable<ExternalMemory>;
  return table;
}

[[noreturn]] void refuse_external_memory() {
  throw Error(hipErrorInvalidValue, "`memory` is not a live hipExternalMemory_t");
}

} // namespace

ExternalMemory::ExternalMemory(int descriptor, size_t bytes)
    : device_(Platform::current_device()), descriptor_(descriptor), bytes_(bytes) {
  device_.scheduler().check_alive();
  device_.scheduler().noticing_loss([&] {
    if (!ze::can_import_files(device_.info()))
      throw Error(hipErrorNotSupported, "the device cannot import memory by file descriptors");
    // What cannot be mapped is refused here, where the program still owns the descriptor.
    whole_ = ze::import_file(device_.driver(), device_.info(), descriptor, bytes);
  });
}

ExternalMemory::~ExternalMemory() {
  ze::discard_memory(device_.driver(), whole_);
  if (owns_descriptor_)
    close(descriptor_);
}

void *ExternalMemory::map(size_t offset, size_t bytes) const {
  if (bytes == 0 || offset > bytes_ || bytes > bytes_ - offset)
    throw Error(hipErrorInvalidValue,
                "`description` has no bytes, or goes past the end of the memory");
  return map_file(device_, descriptor_, offset, bytes);
}

hipExternalMemory_t import_external_memory(int descriptor, size_t bytes) {
  const auto memory = std::make_shared<ExternalMemory>(descriptor, bytes);
  ExternalMemory *const handle = external_memories().add(memory);
  memory->own_descriptor();
  return handle;
}

std::shared_ptr<ExternalMemory> find_external_memory(hipExternalMemory_t handle) {
  auto memory = external_memories().find(handle);
  if (!memory)
    refuse_external_memory();
  return memory;
}

void destroy_external_memory(hipExternalMemory_t handle) {
  if (!external_memories().take(handle))
    refuse_external_memory();
}

} // namespace chip
