#include "memory.h"
#include "../../common/per_thread.h"
#include "../../common/probe.h"
#include "../graphs/graph_memory.h"
#include "../platform/platform.h"
#include "../pools/leaks.h"
#include "../pools/pool_export.h"
#include "../pools/pools.h"
#include "opened_memory.h"
#include "route.h"
#include "virtual_memory.h"

#include <algorithm>
#include <array>
#include <atomic>
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

/// How many blocks of pools have traits.
constinit std::atomic<size_t> blocks_with_traits{0};

/// All allocations by address. Readers share the lock; who holds it makes no call that can block.
struct Allocations {
  std::shared_mutex mutex;
  std::map<uintptr_t, KnownAllocation> by_address;
  std::atomic<uint64_t> version{0}; // another with each change, but not of traits

  /// For who changes them.
  std::unique_lock<std::shared_mutex> lock() {
    std::unique_lock lock(mutex);
    version.fetch_add(1, std::memory_order_release);
    return lock;
  }

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

/// What a thread has found last. Programs copy the same memory again and again.
class FoundAllocations {
public:
  const Allocation *find(const void *pointer) const {
    for (const Found &found : found_)
      if (address(pointer) - address(found.allocation.base) < found.allocation.bytes &&
          found.version->load(std::memory_order_acquire) == found.seen)
        return &found.allocation;
    return nullptr;
  }
  /// `seen` is what `version` was before the allocation was found.
  void add(const Allocation &allocation, const std::atomic<uint64_t> &version, uint64_t seen) {
    found_[next_++ % found_.size()] = {allocation, &version, seen};
  }

private:
  struct Found {
    Allocation allocation;
    const std::atomic<uint64_t> *version = nullptr; // never freed
    uint64_t seen = 0;
  };
  std::array<Found, 4> found_;
  size_t next_ = 0;
};

/// The allocation itself; of a chunk, the block in use that `pointer` lies in, if there is one.
std::optional<Allocation> as_seen_from(const void *pointer, Allocation allocation) {
  if (allocation.chunk) {
    const auto block = allocation.chunk->pool->find(*allocation.chunk, pointer);
    if (!block)
      return std::nullopt;
    std::tie(allocation.base, allocation.bytes) = *block;
  }
  return allocation;
}

/// Makes known what the driver has allocated; frees it if that cannot be.
void *make_known(const Allocation &allocation) {
  try {
    auto lock = Allocations::all().lock();
    Allocations::all().by_address.emplace(address(allocation.base), allocation);
  } catch (...) {
    ze::discard_memory(allocation.device->driver(), allocation.driver_base());
    throw;
  }
  if (is_device_memory(allocation.kind) && !allocation.chunk) // whose pool counts it
    allocation.device->allocated_bytes += allocation.bytes;
  return allocation.base;
}

/// Allocates what `wanted` describes but for its address, and makes it known.
void *allocate(Allocation wanted, size_t alignment) {
  Device &device = *wanted.device;
  device.scheduler().check_alive();
  const ze::Driver &driver = device.driver();
  const auto allocate_memory = [&] {
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
  };
  const auto allocate_once = [&] { return device.scheduler().noticing_loss(allocate_memory); };
  // A pool that grows looks first for what it can do without itself.
  wanted.base = wanted.chunk ? allocate_once() : with_pools_to_spare(device, allocate_once);
  return make_known(wanted);
}

/// Whether freeing the memory waits for work of the device. Other drivers' lists copy a device's memory where it is the host's.
bool may_use(const Device &device, const Allocation &allocation) {
  if (!is_device_memory(allocation.kind) || &device == allocation.device ||
      allocation.kind == AllocationKind::mapped)
    return true;
  return !have_one_driver(device, *allocation.device) &&
         allocation.device->driver().capabilities().device_memory_is_host_memory;
}

/// What is given and taken away elsewhere: by the program, virtual_memory.h and opened_memory.h.
bool is_others(const Allocation &allocation) {
  return allocation.is_borrowed || allocation.kind == AllocationKind::mapped ||
         allocation.kind == AllocationKind::opened;
}

/// What a launch of a graph has left allocated. Others may still own the memory.
void free_graph_memory(const void *pointer) {
  const auto memory = GraphMemory::find(pointer);
  if (!memory || !memory->is_used())
    throw Error(hipErrorInvalidValue, "`address` is memory of a graph, which is not allocated now");
  memory->end_use();
}

/// The pool that has memory at `pointer`, or had it; null if none does. Pool objects are never freed.
MemoryPool *pool_at(const void *pointer) {
  auto &all = Allocations::all();
  std::shared_lock lock(all.mutex);
  const auto found = all.find(pointer);
  return found == all.by_address.end() || !found->second.chunk ? nullptr
                                                               : found->second.chunk->pool;
}

[[noreturn]] void refuse_to_free() {
  throw Error(hipErrorInvalidValue,
              "`address` is not the beginning of memory that this function frees");
}

/// Waits for all work of the device, then frees a block of the pool.
void free_block(MemoryPool &pool, void *pointer) {
  if (const auto block = find_allocation(pointer); !block || block->base != pointer)
    refuse_to_free(); // at once: work that waits for the program may be running
  const auto lost = wait_for_users({.device = &pool.device()});
  forget_block(pointer);
  const auto bytes = pool.free(pointer, nullptr);
  if (!bytes)
    refuse_to_free();
  if (pool.properties().is_hidden)
    pool.device().allocated_bytes -= *bytes;
  if (lost)
    throw *lost;
}

/// Frees a block when the stream has done its work. False if the pool has no memory at `pointer`.
bool free_block_in_order(MemoryPool &pool, const StreamTarget &stream, void *pointer) {
  try {
    return pool.free(pointer, stream.queue).has_value();
  } catch (const Error &error) {
    if (!tells_of_loss(error.code()))
      throw;
    // As in free_allocation(), a lost device is no reason to keep the memory, once nothing can use it.
    stream.device->scheduler().settle();
    if (!pool.free(pointer, nullptr))
      return false;
    throw;
  }
}

} // namespace

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

uint32_t AllocationTraits::next_number() {
  static constinit std::atomic<uint32_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

void *allocate(AllocationKind kind, size_t bytes, unsigned flags, size_t alignment,
               bool is_variable, bool is_own) {
  Device &device = Platform::current_device();
  Allocation wanted{.bytes = bytes, .kind = kind, .device = &device, .flags = flags};
  wanted.is_variable = is_variable, wanted.is_own = is_own;
  return allocate(wanted, std::max<size_t>(alignment, 256));
}

void *allocate_device_memory(size_t bytes) {
  Device &device = Platform::current_device();
  if (!comes_from_small_pool(device, bytes))
    return allocate(AllocationKind::device, bytes, 0);
  void *memory = nullptr;
  while (!memory) // as in allocate_now()
    memory = device.small_pool().allocate(bytes, nullptr);
  device.allocated_bytes += bytes;
  return memory;
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
  const bool frees_device_memory = std::ranges::contains(kinds, AllocationKind::device);
  if (frees_device_memory)
    if (MemoryPool *pool = pool_at(pointer))
      return free_block(*pool, pointer);
  auto &all = Allocations::all();
  Allocation allocation;
  // Taken out before it is freed, since its address may be given out again at once; back in if it cannot be freed.
  decltype(all.by_address)::node_type entry;
  {
    auto lock = all.lock();
    auto found = all.find(pointer);
    if (found != all.by_address.end() && found->second.kind == AllocationKind::graph &&
        !std::ranges::contains(kinds, AllocationKind::graph)) {
      lock.unlock();
      return free_graph_memory(pointer);
    }
    if (found == all.by_address.end() || found->second.base != pointer || found->second.chunk ||
        found->second.is_borrowed)
      refuse_to_free();
    allocation = found->second;
    const bool is_imported = frees_device_memory && allocation.kind == AllocationKind::opened;
    if (!is_imported && !std::ranges::contains(kinds, allocation.kind))
      refuse_to_free();
    if (!is_imported)
      entry = all.by_address.extract(found);
  }
  std::optional<Error> lost;
  try {
    lost = wait_for_users(allocation);
    if (entry.empty()) {
      if (!close_block(pointer, OpenedBy::pool, nullptr))
        refuse_to_free();
    } else {
      allocation.device->scheduler().noticing_loss(
          [&] { ze::free_memory(allocation.device->driver(), allocation.driver_base()); });
    }
  } catch (...) {
    auto lock = all.lock();
    all.by_address.insert(std::move(entry));
    throw;
  }
  if (!entry.empty() && is_device_memory(allocation.kind))
    allocation.device->allocated_bytes -= allocation.bytes;
  if (lost)
    throw *lost;
}

void *allocate_in_order(const StreamTarget &stream, MemoryPool &pool, size_t bytes) {
  return enqueue(stream, operations::Allocate{&pool, bytes});
}

void *allocate_now(const StreamTarget &stream, MemoryPool &pool, size_t bytes) {
  void *memory = pool.allocate(bytes, stream.queue);
  // Null where another thread has just destroyed the pool, or reset the device. If it was the current one, the default one is again.
  while (!memory) [[unlikely]]
    memory = stream.device->default_pool().allocate(bytes, stream.queue);
  return memory;
}

void free_in_order(const StreamTarget &stream, void *pointer) {
  enqueue(stream, operations::Free{pointer});
}

void free_now(const StreamTarget &stream, void *pointer) {
  forget_block(pointer);
  MemoryPool *const current = stream.device->current_pool.load(std::memory_order_acquire);
  if (free_block_in_order(*current, stream, pointer)) [[likely]]
    return;
  MemoryPool *const pool = pool_at(pointer);
  if (pool && !pool->properties().is_hidden) {
    if (!free_block_in_order(*pool, stream, pointer))
      refuse_to_free();
  } else if (pool || !close_block(pointer, OpenedBy::pool, &stream)) {
    free_allocation(pointer, {AllocationKind::device, AllocationKind::managed});
  }
}

hipMemPoolPtrExportData export_pointer(const void *pointer) {
  const auto allocation = find_allocation(pointer);
  MemoryPool *pool = allocation ? allocation->pool() : nullptr;
  if (!pool)
    throw Error(hipErrorInvalidValue, "`address` is not in memory of a pool");
  return pool->exported()->export_block(*allocation->chunk, allocation->base, allocation->bytes);
}

void *allocate_chunk(Device &device, size_t bytes, PoolChunk &chunk) {
  return allocate({.bytes = bytes, .device = &device, .chunk = &chunk}, 64 << 10);
}

void free_chunk(PoolChunk &chunk) noexcept {
  auto &all = Allocations::all();
  decltype(all.by_address)::node_type entry;
  {
    auto lock = all.lock();
    entry = all.by_address.extract(address(chunk.base));
  }
  if (entry.empty())
    return; // freed with all other memory at the end of the process
  blocks_with_traits -= entry.mapped().blocks.size();
  ze::discard_memory(entry.mapped().device->driver(), chunk.base);
}

void register_memory(void *pointer, size_t bytes, unsigned flags) {
  Device &device = Platform::current_device();
  auto &all = Allocations::all();
  auto lock = all.lock();
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
    throw Error(
        hipErrorInvalidValue,
        std::format("`address`: the host cannot read all of the {} bytes at {}", bytes, pointer));
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
    auto lock = all.lock();
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

namespace {

/// What memory that the program allocated by Level Zero is to HIP; nullopt if no driver of ours knows it.
std::optional<Allocation> describe_native(void *pointer) {
  Platform &platform = Platform::get();
  std::vector<Device *> devices{
      &Platform::current_device()}; // first: memory of the host is its own
  for (int i = 0; i < platform.device_count(); ++i)
    devices.push_back(&platform.device(i));
  for (Device *device : devices) {
    const auto memory = ze::describe_memory(device->driver(), pointer);
    if (!memory || (memory->device && memory->device != device->info().handle))
      continue;
    const auto kind = memory->type == ZE_MEMORY_TYPE_DEVICE ? AllocationKind::device
                      : memory->type == ZE_MEMORY_TYPE_HOST ? AllocationKind::host
                                                            : AllocationKind::managed;
    return Allocation{.base = memory->base,
                      .bytes = memory->bytes,
                      .kind = kind,
                      .device = device,
                      .is_borrowed = true};
  }
  return std::nullopt;
}

} // namespace

void borrow_memory(void *pointer) {
  const auto described = pointer ? describe_native(pointer) : std::nullopt;
  if (!described || described->base != pointer)
    throw Error(hipErrorInvalidValue, "`address` is not the beginning of memory that Level Zero "
                                      "allocated in a context of HIP's devices");
  auto &all = Allocations::all();
  auto lock = all.lock();
  if (!all.by_address.try_emplace(address(pointer), *described).second)
    throw Error(hipErrorInvalidValue, "`address` is known to HIP already");
}

void return_memory(void *pointer) {
  auto &all = Allocations::all();
  auto lock = all.lock();
  const auto found = all.by_address.find(address(pointer));
  if (found == all.by_address.end() || !found->second.is_borrowed)
    throw Error(hipErrorInvalidValue,
                "`address` is not the beginning of memory that chipMemFromNative made known");
  all.by_address.erase(found);
  ze::memory_was_freed(); // as it will be, without our knowing when
}

void free_all_memory(Device &device) {
  std::vector<Allocation> freed;
  {
    auto &all = Allocations::all();
    auto lock = all.lock();
    std::erase_if(all.by_address, [&](const auto &entry) {
      const Allocation &allocation = entry.second;
      if (allocation.device != &device || allocation.chunk ||
          allocation.kind == AllocationKind::variable || allocation.kind == AllocationKind::graph ||
          is_others(allocation) || allocation.is_variable)
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
  reset_pools(device);
  release_mappings(device);
  close_opened_memory(device);
}

void add_allocation(const Allocation &allocation) {
  auto &all = Allocations::all();
  auto lock = all.lock();
  all.by_address.try_emplace(address(allocation.base), allocation);
}

void remove_allocation(void *base) {
  auto &all = Allocations::all();
  auto lock = all.lock();
  all.by_address.erase(address(base));
}

void add_variable(Device &device, void *pointer, size_t bytes) {
  add_allocation(
      {.base = pointer, .bytes = bytes, .kind = AllocationKind::variable, .device = &device});
}

void remove_variable(void *pointer) { remove_allocation(pointer); }

std::optional<Allocation> find_allocation(const void *pointer) {
  FoundAllocations &own = common::of_this_thread<FoundAllocations>();
  if (const Allocation *found = own.find(pointer)) [[likely]]
    return *found;
  auto &all = Allocations::all();
  std::shared_lock lock(all.mutex);
  auto found = all.find(pointer);
  if (found == all.by_address.end())
    return std::nullopt;
  if (found->second.kind == AllocationKind::mapped) {
    // What is mapped changes without a change here, so that it is never remembered.
    lock.unlock();
    return find_mapped(pointer);
  }
  const std::atomic<uint64_t> *version = &all.version;
  if (found->second.chunk) // whose blocks come and go without a change here
    version = &found->second.chunk->pool->version();
  const uint64_t seen = version->load(std::memory_order_acquire);
  const auto allocation = as_seen_from(pointer, found->second);
  if (allocation)
    own.add(*allocation, *version, seen);
  return allocation;
}

bool look_at_allocation(const void *pointer,
                        const std::function<void(const Allocation &, AllocationTraits &)> &look) {
  auto &all = Allocations::all();
  std::unique_lock lock(all.mutex);
  auto found = all.find(pointer);
  if (found == all.by_address.end())
    return false;
  KnownAllocation &known = found->second;
  if (known.kind == AllocationKind::mapped) {
    lock.unlock();
    return look_at_mapped(pointer, look);
  }
  const auto allocation = as_seen_from(pointer, known);
  if (!allocation)
    return false;
  if (known.chunk && known.blocks.try_emplace(allocation->base).second)
    ++blocks_with_traits;
  look(*allocation, known.chunk ? known.blocks[allocation->base] : known.traits);
  return true;
}

void forget_block(const void *pointer) {
  if (blocks_with_traits.load(std::memory_order_relaxed) == 0) [[likely]]
    return;
  auto &all = Allocations::all();
  std::unique_lock lock(all.mutex);
  if (auto found = all.find(pointer); found != all.by_address.end())
    blocks_with_traits -= found->second.blocks.erase(pointer);
}

void check_range(const Allocation &allocation, const void *pointer, size_t bytes) {
  size_t offset = address(pointer) - address(allocation.base);
  if (bytes > allocation.bytes - offset)
    throw Error(hipErrorInvalidValue,
                std::format("{} bytes from {} pass the end of the {} bytes allocated at {}", bytes,
                            pointer, allocation.bytes, allocation.base));
  if (allocation.access == ze::PageAccess::none)
    throw Error(hipErrorInvalidValue,
                std::format("no device may use what is mapped to {}: hipMemSetAccess lets devices",
                            pointer));
}

void check_target(const Allocation &allocation, const void *pointer, size_t bytes) {
  check_range(allocation, pointer, bytes);
  if (allocation.access == ze::PageAccess::read)
    throw Error(hipErrorInvalidValue,
                std::format("devices may only read what is mapped to {}", pointer));
}

void release_all_memory() {
  release_all_mappings();
  close_all_opened_memory();
  auto &all = Allocations::all();
  auto lock = all.lock();
  for (auto &[key, allocation] : all.by_address)
    if (allocation.kind == AllocationKind::registered)
      ze::release_imported_memory(allocation.device->driver(), allocation.base);
    else if (allocation.kind != AllocationKind::variable && !is_others(allocation))
      free_at_end(allocation);
  all.by_address.clear();
}

} // namespace chip
