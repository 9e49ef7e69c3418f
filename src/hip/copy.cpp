// HIP API reference: Memory management, copies and fills of bytes.
#include "../runtime/memory/memory.h"
#include "entry.h"

using namespace chip;
using chip::hip::entry;

namespace {

hipError_t copy(void *dst, const void *src, size_t bytes, hipMemcpyKind kind, hipStream_t stream,
                bool per_thread, Completion completion,
                const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    copy_memory(dst, src, bytes, kind, resolve(stream, per_thread), completion);
  });
}

hipError_t fill(void *dst, uint32_t value, size_t element_bytes, size_t count, hipStream_t stream,
                bool per_thread, Completion completion,
                const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    fill_memory(dst, value, element_bytes, count, resolve(stream, per_thread), completion);
  });
}

} // namespace

hipError_t hipMemcpy(void *dst, const void *src, size_t bytes, hipMemcpyKind kind) {
  return copy(dst, src, bytes, kind, nullptr, false, Completion::wait);
}
hipError_t hipMemcpy_spt(void *dst, const void *src, size_t bytes, hipMemcpyKind kind) {
  return copy(dst, src, bytes, kind, nullptr, true, Completion::wait);
}

hipError_t hipMemcpyAsync(void *dst, const void *src, size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream) {
  return copy(dst, src, bytes, kind, stream, false, Completion::async);
}
hipError_t hipMemcpyAsync_spt(void *dst, const void *src, size_t bytes, hipMemcpyKind kind,
                              hipStream_t stream) {
  return copy(dst, src, bytes, kind, stream, true, Completion::async);
}

hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t bytes, hipMemcpyKind kind,
                               hipStream_t stream) {
  // Captured as any other copy of a stream.
  return entry([&] { copy_memory(dst, src, bytes, kind, resolve(stream), Completion::wait); });
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, void *src, size_t bytes) {
  return copy(dst, src, bytes, hipMemcpyHostToDevice, nullptr, false, Completion::wait);
}
hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t bytes) {
  return copy(dst, src, bytes, hipMemcpyDeviceToHost, nullptr, false, Completion::wait);
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes) {
  return copy(dst, src, bytes, hipMemcpyDeviceToDevice, nullptr, false, Completion::wait);
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, void *src, size_t bytes, hipStream_t stream) {
  return copy(dst, src, bytes, hipMemcpyHostToDevice, stream, false, Completion::async);
}
hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t bytes, hipStream_t stream) {
  return copy(dst, src, bytes, hipMemcpyDeviceToHost, stream, false, Completion::async);
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes,
                              hipStream_t stream) {
  return copy(dst, src, bytes, hipMemcpyDeviceToDevice, stream, false, Completion::async);
}

hipError_t hipMemset(void *dst, int value, size_t bytes) {
  return fill(dst, uint32_t(value), 1, bytes, nullptr, false, Completion::wait);
}
hipError_t hipMemset_spt(void *dst, int value, size_t bytes) {
  return fill(dst, uint32_t(value), 1, bytes, nullptr, true, Completion::wait);
}
hipError_t hipMemsetAsync(void *dst, int value, size_t bytes, hipStream_t stream) {
  return fill(dst, uint32_t(value), 1, bytes, stream, false, Completion::async);
}
hipError_t hipMemsetAsync_spt(void *dst, int value, size_t bytes, hipStream_t stream) {
  return fill(dst, uint32_t(value), 1, bytes, stream, true, Completion::async);
}

hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count) {
  return fill(dst, value, 1, count, nullptr, false, Completion::wait);
}
hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count,
                            hipStream_t stream) {
  return fill(dst, value, 1, count, stream, false, Completion::async);
}
hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count) {
  return fill(dst, value, 2, count, nullptr, false, Completion::wait);
}
hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count,
                             hipStream_t stream) {
  return fill(dst, value, 2, count, stream, false, Completion::async);
}
hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t count) {
  return fill(dst, uint32_t(value), 4, count, nullptr, false, Completion::wait);
}
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
  return fill(dst, uint32_t(value), 4, count, stream, false, Completion::async);
}
