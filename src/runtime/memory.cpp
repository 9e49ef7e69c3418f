#include "memory.h"
#include "platform.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <map>
#include <shared_mutex>

namespace chip {
namespace {

/// All allocations by address. Readers share the lock; who holds it makes no call that can block.
struct Allocations {
  std::shared_mutex mutex;
  std::map<uintptr_t, Allocation> by_address;

  static Allocations &all() {
    static Allocations *const allocations = new Allocations; // freed memory may come after static destructors
    return *allocations;
  }
};

uintptr_t address(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

} // namespace

void *allocate(AllocationKind kind, size_t bytes, unsigned flags, size_t alignment) {
  Device &device = Platform::current_device();
  device.scheduler().check_alive();
  alignment = std::max<size_t>(alignment, 256);
  const ze::Driver &driver = device.driver();
  void *pointer = kind == AllocationKind::device    ? ze::allocate_device(driver, device.info(), bytes, alignment)
                  : kind == AllocationKind::managed ? ze::allocate_shared(driver, device.info(), bytes, alignment)
                                                    : ze::allocate_host(driver, bytes, alignment);
  try {
    std::unique_lock lock(Allocations::all().mutex);
    Allocations::all().by_address.emplace(
        address(pointer),
        Allocation{.base = pointer, .bytes = bytes, .kind = kind, .device = &device, .flags = flags});
  } catch (...) {
    ze::free_memory(driver, pointer);
    throw;
  }
  if (kind == AllocationKind::device)
    device.allocated_bytes += bytes;
  return pointer;
}

void free_allocation(void *pointer) {
  free_allocation(pointer, {AllocationKind::device, AllocationKind::host, AllocationKind::managed,
                            AllocationKind::signal});
}

void free_allocation(void *pointer, std::initializer_list<AllocationKind> kinds) {
  Allocation allocation;
  {
    auto &all = Allocations::all();
    std::unique_lock lock(all.mutex);
    auto found = all.by_address.find(address(pointer));
    if (found == all.by_address.end() ||
        std::find(kinds.begin(), kinds.end(), found->second.kind) == kinds.end())
      throw Error(hipErrorInvalidValue, "the pointer is not the beginning of an allocation of this kind");
    allocation = found->second;
    all.by_address.erase(found);
  }
  // Pending work may still use the memory.
  Platform &platform = Platform::get();
  for (int i = 0; i < platform.device_count(); ++i)
    if (allocation.kind != AllocationKind::device || &platform.device(i) == allocation.device)
      platform.device(i).scheduler().synchronize();
  ze::free_memory(allocation.device->driver(), pointer);
  if (allocation.kind == AllocationKind::device)
    allocation.device->allocated_bytes -= allocation.bytes;
}

void add_variable(Device &device, void *pointer, size_t bytes) {
  auto &all = Allocations::all();
  std::unique_lock lock(all.mutex);
  all.by_address.try_emplace(
      address(pointer),
      Allocation{.base = pointer, .bytes = bytes, .kind = AllocationKind::variable, .device = &device});
}

void remove_variable(void *pointer) {
  auto &all = Allocations::all();
  std::unique_lock lock(all.mutex);
  all.by_address.erase(address(pointer));
}

std::optional<Allocation> find_allocation(const void *pointer) {
  auto &all = Allocations::all();
  std::shared_lock lock(all.mutex);
  auto next = all.by_address.upper_bound(address(pointer));
  if (next == all.by_address.begin())
    return std::nullopt;
  const Allocation &allocation = std::prev(next)->second;
  if (address(pointer) - address(allocation.base) >= std::max<size_t>(allocation.bytes, 1))
    return std::nullopt;
  return allocation;
}

void check_range(const Allocation &allocation, const void *pointer, size_t bytes) {
  size_t offset = address(pointer) - address(allocation.base);
  if (bytes > allocation.bytes - offset)
    throw Error(hipErrorInvalidValue,
                std::format("{} bytes from offset {} go past the end of an allocation of {} bytes",
                            bytes, offset, allocation.bytes));
}

void release_all_memory() {
  auto &all = Allocations::all();
  std::unique_lock lock(all.mutex);
  for (auto &[key, allocation] : all.by_address)
    if (allocation.kind != AllocationKind::variable)
      ze::free_memory(allocation.device->driver(), allocation.base);
  all.by_address.clear();
}

void copy_memory(void *destination, const void *source, size_t bytes, hipMemcpyKind kind,
                 const StreamTarget &stream, Completion completion) {
  if (kind < hipMemcpyHostToHost ||
      (kind > hipMemcpyDefault && kind != hipMemcpyDeviceToDeviceNoCU))
    throw Error(hipErrorInvalidMemcpyDirection);
  if (bytes == 0)
    return;
  if (!destination || !source)
    throw Error(hipErrorInvalidValue, "a copy from or to a null pointer");
  auto to = find_allocation(destination), from = find_allocation(source);
  if (to)
    check_range(*to, destination, bytes);
  if (from)
    check_range(*from, source, bytes);
  Queue &queue = *stream.queue;
  if (!to && !from) {
    // Both are ordinary memory: the host copies in the stream's place.
    synchronize(stream);
    std::memcpy(destination, source, bytes);
    return;
  }
  if (!from && completion == Completion::submit) {
    queue.copy_from_pageable(destination, source, bytes);
    return;
  }
  queue.submit([&](ze::CommandList &list, ze::Waits waits) {
    list.copy(destination, source, bytes, waits);
  });
  // Ordinary memory may be unmapped as soon as the call returns, so what goes there is waited for.
  if (completion == Completion::wait || !to)
    queue.finish();
}

void fill_memory(void *destination, uint32_t value, size_t element_bytes, size_t count,
                 const StreamTarget &stream, Completion completion) {
  if (count == 0)
    return;
  if (!destination || count > SIZE_MAX / element_bytes)
    throw Error(hipErrorInvalidValue, "a fill of a null pointer or of too many elements");
  size_t bytes = count * element_bytes;
  auto allocation = find_allocation(destination);
  if (!allocation)
    throw Error(hipErrorInvalidValue, "the memory to fill was not allocated by HIP");
  check_range(*allocation, destination, bytes);
  if (address(destination) % element_bytes)
    throw Error(hipErrorInvalidValue, "the memory to fill is not aligned to its elements");
  stream.queue->submit([&](ze::CommandList &list, ze::Waits waits) {
    list.fill(destination, &value, element_bytes, bytes, waits);
  });
  if (completion == Completion::wait)
    stream.queue->finish();
}

} // namespace chip
