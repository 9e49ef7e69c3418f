#include "memory.h"
#include "../../common/probe.h"
#include "../code/program.h"
#include "../graphs/graph_memory.h"
#include "../platform/platform.h"
#include "route.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <format>
#include <map>
#include <shared_mutex>
#include <tuple>

namespace chip {
namespace {

struct KnownAllocation : Allocation {
  KnownAllocation(const Allocation &allocation) : Allocation(allocation) {}
  AllocationTraits traits;
  std::map<const void *, AllocationTraits> blocks; // those of a chunk that somebody has looked at
};

/// Whether any block of a pool may have traits.
constinit std::atomic<bool> blocks_have_traits{false};

/// All allocations by address. Readers share the lock; who holds it makes no call that can block.
struct Allocations {
  std::shared_mutex mutex;
  std::map<uintptr_t, KnownAllocation> by_address;

  /// Finds the allocation that `pointer` lies in; by_address.end() if there is none.
  std::map<uintptr_t, KnownAllocation>::iterator find(const void *pointer) {
    const auto key = reinterpret_cast<uintptr_t>(pointer);
    auto next = by_address.upper_bound(key);
    if (next == by_address.begin())
      return by_address.end();
    auto found = std::prev(next);
    return key - found->first < std::max<size_t>(found->second.bytes, 1) ? found : by_address.end();
  }

  static Allocations &all() {
    // Freed memory may come after static destructors.
    static Allocations *const allocations = new Allocations;
    return *allocations;
  }
};

uintptr_t address(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

[[noreturn]] void refuse(const char *argument, const char *use, const void *memory, size_t bytes) {
  throw Error(hipErrorInvalidValue,
              std::format("`{}`: the host cannot {} all of the {} bytes at {}", argument, use,
                          bytes, memory));
}

/// The allocation itself; of a chunk, the block in use that `pointer` lies in, if there is one.
std::optional<Allocation> as_seen_from(const void *pointer, Allocation allocation) {
  if (allocation.chunk) {
    const auto block = allocation.chunk->find(pointer);
    if (!block)
      return std::nullopt;
    std::tie(allocation.base, allocation.bytes) = *block;
  }
  return allocation;
}

/// Makes known what the driver has allocated; frees it if that cannot be.
void *make_known(const Allocation &allocation) {
  try {
    std::unique_lock lock(Allocations::all().mutex);
    Allocations::all().by_address.emplace(address(allocation.base), allocation);
  } catch (...) {
    ze::discard_memory(allocation.device->driver(), allocation.driver_base());
    throw;
  }
  if (is_device_memory(allocation.kind))
    allocation.device->allocated_bytes += allocation.bytes;
  return allocation.base;
}

/// Allocates what `wanted` describes but for its address, and makes it known.
void *allocate(Allocation wanted, size_t alignment) {
  Device &device = *wanted.device;
  device.scheduler().check_alive();
  const ze::Driver &driver = device.driver();
  wanted.base = device.scheduler().noticing_loss([&] {
    switch (wanted.kind) {
    case AllocationKind::device:
    case AllocationKind::graph:
      return ze::allocate_device(driver, device.info(), wanted.bytes, alignment);
    case AllocationKind::managed:
      if (Platform::get().has_one_driver()) [[likely]]
        return ze::allocate_shared(driver, device.info(), wanted.bytes, alignment);
      // A driver may take away the pages that its devices use, and bring them back when the program faults at one. Work of
      // another driver cannot rely on that.
      return ze::allocate_host(driver, wanted.bytes, alignment);
    default:
      return ze::allocate_host(driver, wanted.bytes, alignment);
    }
  });
  return make_known(wanted);
}

/// Whether freeing the memory waits for work of the device. Other drivers' lists copy a device's memory where it is the host's.
bool may_use(const Device &device, const Allocation &allocation) {
  if (!is_device_memory(allocation.kind) || &device == allocation.device)
    return true;
  return !have_one_driver(device, *allocation.device) &&
         allocation.device->driver().capabilities().device_memory_is_host_memory;
}

/// Waits until no pending work can use the memory. A lost device is no reason to keep it: that error is returned if it is the
/// device that the memory was allocated for. Others say it in calls of their own.
std::optional<Error> wait_for_users(const Allocation &allocation) {
  std::optional<Error> lost;
  Platform &platform = Platform::get();
  for (int i = 0; i < platform.device_count(); ++i)
    if (may_use(platform.device(i), allocation))
      if (auto error = platform.device(i).scheduler().synchronize_for_release();
          &platform.device(i) == allocation.device)
        lost = std::move(error);
  return lost;
}

/// What a launch of a graph has left allocated. Others may still own the memory.
void free_graph_memory(const void *pointer) {
  const auto memory = GraphMemory::find(pointer);
  if (!memory || !memory->is_used())
    throw Error(hipErrorInvalidValue, "`address` is memory of a graph, which is not allocated now");
  memory->end_use();
}

} // namespace

uint32_t AllocationTraits::next_number() {
  static constinit std::atomic<uint32_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

void *allocate(AllocationKind kind, size_t bytes, unsigned flags, size_t alignment) {
  return allocate(
      {.bytes = bytes, .kind = kind, .device = &Platform::current_device(), .flags = flags},
      std::max<size_t>(alignment, 256));
}

void *allocate_for_graph(Device &device, size_t bytes) {
  return allocate({.bytes = bytes, .kind = AllocationKind::graph, .device = &device}, 256);
}

void *map_file(Device &device, int descriptor, size_t offset, size_t bytes) {
  device.scheduler().check_alive();
  void *const base = device.scheduler().noticing_loss(
      [&] { return ze::import_file(device.driver(), device.info(), descriptor, offset + bytes); });
  return make_known({.base = static_cast<std::byte *>(base) + offset,
                     .bytes = bytes,
                     .device = &device,
                     .lead = offset});
}

void free_allocation(void *pointer) {
  free_allocation(pointer, {AllocationKind::device, AllocationKind::host, AllocationKind::managed,
                            AllocationKind::signal});
}

void free_allocation(void *pointer, std::initializer_list<AllocationKind> kinds) {
  auto &all = Allocations::all();
  Allocation allocation;
  // Taken out before it is freed, since its address may be given out again at once; back in if it cannot be freed.
  decltype(all.by_address)::node_type entry;
  {
    std::unique_lock lock(all.mutex);
    auto found = all.find(pointer);
    if (found != all.by_address.end() && found->second.kind == AllocationKind::graph &&
        !std::ranges::contains(kinds, AllocationKind::graph)) {
      lock.unlock();
      return free_graph_memory(pointer);
    }
    if (found == all.by_address.end() || !std::ranges::contains(kinds, found->second.kind) ||
        (found->second.base != pointer && !found->second.chunk))
      throw Error(hipErrorInvalidValue,
                  "`address` is not the beginning of memory that this function frees");
    allocation = found->second;
    if (!allocation.chunk)
      entry = all.by_address.extract(found);
  }
  std::optional<Error> lost;
  try {
    lost = wait_for_users(allocation);
    if (allocation.chunk) {
      forget_block(pointer);
      allocation.chunk->pool->free(*allocation.chunk, pointer, nullptr);
    } else {
      allocation.device->scheduler().noticing_loss(
          [&] { ze::free_memory(allocation.device->driver(), allocation.driver_base()); });
    }
  } catch (...) {
    std::unique_lock lock(all.mutex);
    all.by_address.insert(std::move(entry));
    throw;
  }
  if (!allocation.chunk && is_device_memory(allocation.kind))
    allocation.device->allocated_bytes -= allocation.bytes;
  if (lost)
    throw *lost;
}

void *allocate_in_order(const StreamTarget &stream, size_t bytes) {
  return enqueue(stream, operations::Allocate{&stream.device->default_pool(), bytes});
}

void free_in_order(const StreamTarget &stream, void *pointer) {
  enqueue(stream, operations::Free{pointer});
}

void free_now(const StreamTarget &stream, void *pointer) {
  PoolChunk *chunk = nullptr;
  {
    auto &all = Allocations::all();
    std::shared_lock lock(all.mutex);
    if (auto found = all.find(pointer); found != all.by_address.end())
      chunk = found->second.chunk;
  }
  if (!chunk)
    return free_allocation(pointer, {AllocationKind::device, AllocationKind::managed});
  forget_block(pointer);
  try {
    chunk->pool->free(*chunk, pointer, stream.queue);
  } catch (const Error &error) {
    if (!tells_of_loss(error.code()))
      throw;
    // As in free_allocation(), a lost device is no reason to keep the memory, once nothing can use it.
    stream.device->scheduler().settle();
    chunk->pool->free(*chunk, pointer, nullptr);
    throw;
  }
}

void *allocate_chunk(Device &device, size_t bytes, PoolChunk &chunk) {
  return allocate({.bytes = bytes, .device = &device, .chunk = &chunk}, 64 << 10);
}

void free_chunk(Device &device, PoolChunk &chunk) {
  {
    std::unique_lock lock(Allocations::all().mutex);
    Allocations::all().by_address.erase(address(chunk.base));
  }
  ze::discard_memory(device.driver(), chunk.base);
  device.allocated_bytes -= chunk.bytes();
}

void register_memory(void *pointer, size_t bytes, unsigned flags) {
  Device &device = Platform::current_device();
  auto &all = Allocations::all();
  std::unique_lock lock(all.mutex);
  auto next = all.by_address.lower_bound(address(pointer));
  // As with AMD's run time, memory may be registered again: programs free it without unregistering it, and get it again.
  if (next != all.by_address.end() && next->first == address(pointer) &&
      next->second.kind == AllocationKind::registered) {
    ze::release_imported_memory(next->second.device->driver(), pointer);
    next = all.by_address.erase(next);
  }
  if (all.find(pointer) != all.by_address.end() ||
      (next != all.by_address.end() && next->first - address(pointer) < bytes))
    throw Error(hipErrorHostMemoryAlreadyRegistered,
                "`address` and `bytes` overlap memory that HIP allocated or registered before");
  if (!common::is_readable(pointer, bytes))
    refuse("address", "read", pointer, bytes);
  auto entry = all.by_address.emplace_hint(next, address(pointer),
                                           Allocation{.base = pointer,
                                                      .bytes = bytes,
                                                      .kind = AllocationKind::registered,
                                                      .device = &device,
                                                      .flags = flags});
  try {
    device.scheduler().noticing_loss([&] { ze::import_memory(device.driver(), pointer, bytes); });
  } catch (...) {
    all.by_address.erase(entry);
    throw;
  }
}

void unregister_memory(void *pointer) {
  auto &all = Allocations::all();
  Allocation allocation;
  {
    std::unique_lock lock(all.mutex);
    auto found = all.by_address.find(address(pointer));
    if (found == all.by_address.end() || found->second.kind != AllocationKind::registered)
      throw Error(hipErrorHostMemoryNotRegistered,
                  "`address` is not the beginning of registered memory");
    allocation = found->second;
    all.by_address.erase(found);
  }
  std::optional<Error> lost = wait_for_users(allocation);
  ze::release_imported_memory(allocation.device->driver(), pointer);
  if (lost)
    throw *lost;
}

void free_all_memory(Device &device) {
  std::vector<Allocation> freed;
  {
    auto &all = Allocations::all();
    std::unique_lock lock(all.mutex);
    std::erase_if(all.by_address, [&](auto &entry) {
      const Allocation &allocation = entry.second;
      if (allocation.device == &device)
        entry.second.blocks.clear();
      if (allocation.device != &device || allocation.chunk ||
          allocation.kind == AllocationKind::variable || allocation.kind == AllocationKind::graph ||
          is_managed_variable(allocation.base))
        return false;
      freed.push_back(allocation);
      return true;
    });
  }
  for (const Allocation &allocation : freed) {
    if (allocation.kind == AllocationKind::registered)
      ze::release_imported_memory(device.driver(), allocation.base);
    else
      ze::discard_memory(device.driver(), allocation.driver_base());
    if (is_device_memory(allocation.kind))
      device.allocated_bytes -= allocation.bytes;
  }
  device.default_pool().free_all();
}

void add_variable(Device &device, void *pointer, size_t bytes) {
  auto &all = Allocations::all();
  std::unique_lock lock(all.mutex);
  all.by_address.try_emplace(address(pointer), Allocation{.base = pointer,
                                                          .bytes = bytes,
                                                          .kind = AllocationKind::variable,
                                                          .device = &device});
}

void remove_variable(void *pointer) {
  auto &all = Allocations::all();
  std::unique_lock lock(all.mutex);
  all.by_address.erase(address(pointer));
}

std::optional<Allocation> find_allocation(const void *pointer) {
  auto &all = Allocations::all();
  std::shared_lock lock(all.mutex);
  auto found = all.find(pointer);
  if (found == all.by_address.end())
    return std::nullopt;
  return as_seen_from(pointer, found->second);
}

bool look_at_allocation(const void *pointer,
                        const std::function<void(const Allocation &, AllocationTraits &)> &look) {
  auto &all = Allocations::all();
  std::unique_lock lock(all.mutex);
  auto found = all.find(pointer);
  if (found == all.by_address.end())
    return false;
  KnownAllocation &known = found->second;
  const auto allocation = as_seen_from(pointer, known);
  if (!allocation)
    return false;
  if (known.chunk)
    blocks_have_traits.store(true, std::memory_order_relaxed);
  look(*allocation, known.chunk ? known.blocks[allocation->base] : known.traits);
  return true;
}

void forget_block(const void *pointer) {
  if (!blocks_have_traits.load(std::memory_order_relaxed)) [[likely]]
    return;
  auto &all = Allocations::all();
  std::unique_lock lock(all.mutex);
  if (auto found = all.find(pointer); found != all.by_address.end())
    found->second.blocks.erase(pointer);
}

void check_range(const Allocation &allocation, const void *pointer, size_t bytes) {
  size_t offset = address(pointer) - address(allocation.base);
  if (bytes > allocation.bytes - offset)
    throw Error(hipErrorInvalidValue,
                std::format("{} bytes from {} pass the end of the {} bytes allocated at {}", bytes,
                            pointer, allocation.bytes, allocation.base));
}

void release_all_memory() {
  auto &all = Allocations::all();
  std::unique_lock lock(all.mutex);
  for (auto &[key, allocation] : all.by_address)
    if (allocation.kind == AllocationKind::registered)
      ze::release_imported_memory(allocation.device->driver(), allocation.base);
    else if (allocation.kind != AllocationKind::variable)
      ze::discard_memory(allocation.device->driver(), allocation.driver_base());
  all.by_address.clear();
}

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
    check_range(*to, destination, bytes);
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
  // Beyond it, waiting for the copy costs less than copying twice.
  constexpr size_t staged_bytes = 64 << 10;
  if (from_host && completion == Completion::async && bytes <= staged_bytes &&
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
  check_range(*allocation, destination, bytes);
  if (address(destination) % element_bytes)
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
