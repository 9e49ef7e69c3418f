// HIP API reference: External resource interoperability, memory.
#include "../../runtime/memory/array.h"
#include "../../runtime/memory/external.h"
#include "../entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

void check_description(const hipExternalMemoryHandleDesc &description) {
  if (description.type < hipExternalMemoryHandleTypeOpaqueFd ||
      description.type > hipExternalMemoryHandleTypeNvSciBuf)
    throw Error(hipErrorInvalidValue, "`type` of `description` is not known");
  if (description.flags & ~unsigned{hipExternalMemoryDedicated})
    throw Error(hipErrorInvalidValue, "`flags` of `description` is unknown");
  if (description.size == 0)
    throw Error(hipErrorInvalidValue, "`size` of `description` is 0");
  if (description.type != hipExternalMemoryHandleTypeOpaqueFd)
    throw Error(hipErrorNotSupported, "handles of this type are those of other systems");
  if (description.handle.fd < 0)
    throw Error(hipErrorInvalidValue, "`fd` of `description` is no descriptor");
}

} // namespace

hipError_t hipImportExternalMemory(hipExternalMemory_t *memory,
                                   const hipExternalMemoryHandleDesc *description) {
  return entry([&] {
    required(memory);
    check_description(required(description));
    *memory = import_external_memory(description->handle.fd, description->size);
  });
}

hipError_t hipDestroyExternalMemory(hipExternalMemory_t memory) {
  return entry(CaptureRule::unsafe, [&] { destroy_external_memory(memory); });
}

hipError_t hipExternalMemoryGetMappedBuffer(void **address, hipExternalMemory_t memory,
                                            const hipExternalMemoryBufferDesc *description) {
  return entry([&] {
    required(address);
    const auto found = find_external_memory(memory);
    if (required(description).flags != 0)
      throw Error(hipErrorInvalidValue, "`flags` of `description` is not 0");
    *address = found->map(description->offset, description->size);
  });
}

// How others lay out images is known to the driver of the GPU that made them.
hipError_t
hipExternalMemoryGetMappedMipmappedArray(hipMipmappedArray_t *array, hipExternalMemory_t memory,
                                         const hipExternalMemoryMipmappedArrayDesc *description) {
  return entry(CaptureRule::unsafe, [&] {
    required(array);
    find_external_memory(memory);
    channel_count(required(description).formatDesc);
    if (description->numLevels == 0 || description->extent.width == 0)
      throw Error(hipErrorInvalidValue, "`description` has no levels, or no elements");
    throw Error(hipErrorNotSupported, "images of other interfaces cannot be mapped");
  });
}
