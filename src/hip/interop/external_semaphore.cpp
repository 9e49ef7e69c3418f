// HIP API reference: External resource interoperability, semaphores. None can be imported: Level Zero's extension for them
// (ZE_extension_external_semaphores) is refused where there is no real GPU, so that no use of it could be tried. So no handle of a
// semaphore is ever live, which all functions that take one say.
#include "../entry.h"

#include <span>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

[[noreturn]] void refuse_semaphore() {
  throw Error(hipErrorInvalidValue, "there is no live hipExternalSemaphore_t");
}

template <class Parameters>
hipError_t use_semaphores(const hipExternalSemaphore_t *semaphores, const Parameters *params,
                          unsigned count, hipStream_t stream,
                          const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    resolve(stream);
    required(semaphores);
    required(params);
    if (count != 0)
      refuse_semaphore();
  });
}

} // namespace

hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t *semaphore,
                                      const hipExternalSemaphoreHandleDesc *description) {
  return entry([&] {
    required(semaphore);
    const hipExternalSemaphoreHandleDesc &wanted = required(description);
    Platform::get();
    if (wanted.type < hipExternalSemaphoreHandleTypeOpaqueFd ||
        wanted.type > hipExternalSemaphoreHandleTypeTimelineSemaphoreWin32)
      throw Error(hipErrorInvalidValue, "`type` of `description` is not known");
    if (wanted.flags != 0)
      throw Error(hipErrorInvalidValue, "`flags` of `description` is not 0");
    if ((wanted.type == hipExternalSemaphoreHandleTypeOpaqueFd ||
         wanted.type == hipExternalSemaphoreHandleTypeTimelineSemaphoreFd) &&
        wanted.handle.fd < 0)
      throw Error(hipErrorInvalidValue, "`fd` of `description` is no descriptor");
    throw Error(hipErrorNotSupported, "semaphores of other interfaces cannot be imported");
  });
}

hipError_t hipDestroyExternalSemaphore(hipExternalSemaphore_t) {
  return entry([] { refuse_semaphore(); });
}

hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t *semaphores,
                                            const hipExternalSemaphoreSignalParams *params,
                                            unsigned int count, hipStream_t stream) {
  return use_semaphores(semaphores, params, count, stream);
}

hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t *semaphores,
                                          const hipExternalSemaphoreWaitParams *params,
                                          unsigned int count, hipStream_t stream) {
  return use_semaphores(semaphores, params, count, stream);
}
