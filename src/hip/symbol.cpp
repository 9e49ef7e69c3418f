// HIP API reference: Memory management, variables of kernels (symbols).
#include "../runtime/code/program.h"
#include "../runtime/memory/memory.h"
#include "entry.h"
#include "stream_work.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

/// The place `offset` bytes into a symbol where `bytes` fit.
void *place_in(const void *symbol, const StreamTarget &stream, size_t bytes, size_t offset) {
  ze::Variable variable = find_variable(symbol, *stream.device);
  if (offset > variable.bytes || bytes > variable.bytes - offset)
    throw Error(hipErrorInvalidValue, "the copy goes past the end of `symbol`");
  return static_cast<char *>(variable.address) + offset;
}

hipError_t copy_to(const void *symbol, const void *src, size_t bytes, size_t offset,
                   hipMemcpyKind kind, hipStream_t stream, bool per_thread, Completion completion,
                   const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    chip::hip::check_to_symbol(kind);
    chip::hip::copy_to_symbol(symbol, src, bytes, offset, kind, resolve(stream, per_thread),
                              completion);
  });
}

hipError_t copy_from(void *dst, const void *symbol, size_t bytes, size_t offset, hipMemcpyKind kind,
                     hipStream_t stream, bool per_thread, Completion completion,
                     const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    chip::hip::check_from_symbol(kind);
    chip::hip::copy_from_symbol(dst, symbol, bytes, offset, kind, resolve(stream, per_thread),
                                completion);
  });
}

} // namespace

void chip::hip::check_to_symbol(hipMemcpyKind kind) {
  if (kind != hipMemcpyHostToDevice && kind != hipMemcpyDeviceToDevice && kind != hipMemcpyDefault)
    throw Error(hipErrorInvalidMemcpyDirection, "`kind` does not copy to the device");
}

void chip::hip::check_from_symbol(hipMemcpyKind kind) {
  if (kind != hipMemcpyDeviceToHost && kind != hipMemcpyDeviceToDevice && kind != hipMemcpyDefault)
    throw Error(hipErrorInvalidMemcpyDirection, "`kind` does not copy from the device");
}

void chip::hip::copy_to_symbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                               hipMemcpyKind kind, const StreamTarget &stream,
                               Completion completion) {
  copy_memory(place_in(symbol, stream, bytes, offset), src, bytes, kind, stream, completion);
}

void chip::hip::copy_from_symbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                                 hipMemcpyKind kind, const StreamTarget &stream,
                                 Completion completion) {
  copy_memory(dst, place_in(symbol, stream, bytes, offset), bytes, kind, stream, completion);
}

hipError_t hipGetSymbolAddress(void **address, const void *symbol) {
  return entry(
      [&] { required(address) = find_variable(symbol, Platform::current_device()).address; });
}

hipError_t hipGetSymbolSize(size_t *size, const void *symbol) {
  return entry([&] { required(size) = find_variable(symbol, Platform::current_device()).bytes; });
}

hipError_t hipMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                             hipMemcpyKind kind) {
  return copy_to(symbol, src, bytes, offset, kind, nullptr, false, Completion::wait);
}
hipError_t hipMemcpyToSymbol_spt(const void *symbol, const void *src, size_t bytes, size_t offset,
                                 hipMemcpyKind kind) {
  return copy_to(symbol, src, bytes, offset, kind, nullptr, true, Completion::wait);
}
hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream) {
  return copy_to(symbol, src, bytes, offset, kind, stream, false, Completion::async);
}
hipError_t hipMemcpyToSymbolAsync_spt(const void *symbol, const void *src, size_t bytes,
                                      size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  return copy_to(symbol, src, bytes, offset, kind, stream, true, Completion::async);
}

hipError_t hipMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                               hipMemcpyKind kind) {
  return copy_from(dst, symbol, bytes, offset, kind, nullptr, false, Completion::wait);
}
hipError_t hipMemcpyFromSymbol_spt(void *dst, const void *symbol, size_t bytes, size_t offset,
                                   hipMemcpyKind kind) {
  return copy_from(dst, symbol, bytes, offset, kind, nullptr, true, Completion::wait);
}
hipError_t hipMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream) {
  return copy_from(dst, symbol, bytes, offset, kind, stream, false, Completion::async);
}
hipError_t hipMemcpyFromSymbolAsync_spt(void *dst, const void *symbol, size_t bytes, size_t offset,
                                        hipMemcpyKind kind, hipStream_t stream) {
  return copy_from(dst, symbol, bytes, offset, kind, stream, true, Completion::async);
}
