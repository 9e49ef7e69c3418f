#include "../../common/probe.h"
#include "../platform/platform.h"
#include "memory.h"
#include "route.h"

#include <cstring>
#include <format>

namespace chip {
namespace {

[[noreturn]] void refuse(const char *argument, const char *use, const void *memory, size_t bytes) {
  throw Error(hipErrorInvalidValue,
              std::format("`{}`: the host cannot {} all of the {} bytes at {}", argument, use,
                          bytes, memory));
}

} // namespace

bool is_host_source(const void *source, size_t bytes, Device &device) {
  if (common::is_readable(source, bytes)) [[likely]]
    return true;
  if (!ze::allocation_base(device.driver(), source))
    refuse("src", "read", source, bytes);
  return false;
}

bool is_host_destination(void *destination, size_t bytes, Device &device) {
  if (common::is_writable(destination, bytes)) [[likely]]
    return true;
  if (!ze::allocation_base(device.driver(), destination))
    refuse("dst", "write", destination, bytes);
  return false;
}

bool is_ordinary_memory(const void *address, const Device &device) {
  return !find_allocation(address) && !ze::allocation_base(device.driver(), address);
}

void copy_memory(void *destination, const void *source, size_t bytes, hipMemcpyKind kind,
                 const StreamTarget &stream, Completion completion) {
  if (kind < hipMemcpyHostToHost ||
      (kind > hipMemcpyDefault && kind != hipMemcpyDeviceToDeviceNoCU))
    throw Error(hipErrorInvalidMemcpyDirection, "`kind` is not a hipMemcpyKind");
  if (bytes == 0)
    return;
  if (!destination || !source)
    throw Error(hipErrorInvalidValue, destination ? "`src` is null" : "`dst` is null");
  auto to = find_allocation(destination), from = find_allocation(source);
  if (to)
    check_target(*to, destination, bytes);
  if (from)
    check_range(*from, source, bytes);
  const bool from_host = !from && is_host_source(source, bytes, *stream.device);
  const bool to_host = !to && is_host_destination(destination, bytes, *stream.device);
  if (from_host && to_host && !stream.capture) {
    // Both are ordinary memory: the host copies in the stream's place.
    synchronize(stream);
    std::memcpy(destination, source, bytes);
    return;
  }
  Device *const device = copying_device(*stream.device, to, from);
  if (!device) {
    const BoxSide source_side{static_cast<std::byte *>(const_cast<void *>(source))};
    copy_through_host(stream, *to->device, {static_cast<std::byte *>(destination)}, *from->device,
                      source_side, {bytes});
    return;
  }
  if (from_host && completion == Completion::async && bytes <= operations::most_staged_bytes &&
      device == stream.device) {
    enqueue(stream, operations::StagedCopy{destination, source, bytes, kind});
    return;
  }
  const auto copy = [&] {
    enqueue_on(*device, stream, operations::Copy{destination, source, bytes, kind});
  };
  // Ordinary memory may change or be unmapped as soon as the call returns, so what comes from or goes there is waited for.
  if (completion == Completion::wait || !to || from_host)
    enqueue_and_finish(stream, copy);
  else
    copy();
}

void fill_memory(void *destination, uint32_t value, size_t element_bytes, size_t count,
                 const StreamTarget &stream, Completion completion) {
  if (count == 0)
    return;
  if (!destination || count > SIZE_MAX / element_bytes)
    throw Error(hipErrorInvalidValue,
                "`dst` is null, or `count` elements pass the end of the address space");
  size_t bytes = count * element_bytes;
  auto allocation = find_allocation(destination);
  if (!allocation)
    throw Error(hipErrorInvalidValue, "`dst` is not in memory that HIP allocated or registered");
  check_target(*allocation, destination, bytes);
  if (reinterpret_cast<uintptr_t>(destination) % element_bytes)
    throw Error(hipErrorInvalidValue, "`dst` is not aligned to the size of an element");
  const auto fill = [&] {
    enqueue_on(*allocation->device, stream,
               operations::Fill{destination, value, element_bytes, bytes});
  };
  if (completion == Completion::wait)
    enqueue_and_finish(stream, fill);
  else
    fill();
}

} // namespace chip
