#include "allocations.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <format>
#include <mutex>
#include <new>

namespace ze_cpu {
namespace {

constexpr size_t min_alignment = 64; // a cache line, and the widest vector
constexpr size_t huge_page_bytes = size_t{2} << 20;
constexpr uintptr_t nearby = uintptr_t{16} << 20; // what an index that ran away may reach

size_t round_up(size_t bytes, size_t to) {
  if (bytes > SIZE_MAX - to)
    throw std::bad_alloc();
  return (bytes + to - 1) / to * to;
}

/// Fresh zero pages, aligned as asked for; what the mapping has too much at its ends is given back.
void *map_pages(size_t bytes, size_t alignment) {
  if (bytes > SIZE_MAX - alignment)
    throw std::bad_alloc();
  const size_t total = bytes + alignment;
  void *mapping = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    throw std::bad_alloc();
  const auto start = reinterpret_cast<uintptr_t>(mapping);
  const uintptr_t base = (start + alignment - 1) / alignment * alignment;
  if (base != start)
    munmap(mapping, base - start);
  if (const size_t tail = start + total - (base + bytes))
    munmap(reinterpret_cast<void *>(base + bytes), tail);
  void *memory = reinterpret_cast<void *>(base);
  madvise(memory, bytes, MADV_HUGEPAGE); // only speed
  return memory;
}

void release(void *memory, size_t mapped_bytes) {
  if (mapped_bytes)
    munmap(memory, mapped_bytes);
  else
    std::free(memory);
}

const char *name(MemoryKind kind) {
  switch (kind) {
  case MemoryKind::device:
    return "device";
  case MemoryKind::host:
    return "host";
  case MemoryKind::shared:
    return "shared";
  }
  return "";
}

} // namespace

Allocations &Allocations::instance() {
  static Allocations *allocations = new Allocations; // threads may outlive static objects
  return *allocations;
}

void *Allocations::allocate(size_t size, size_t alignment, MemoryKind kind, const void *owner) {
  if (size > machine_memory_bytes())
    throw std::bad_alloc();
  Allocation allocation{0, size, kind, 0, owner, 0};
  alignment = std::max(alignment, min_alignment);
  void *memory;
  if (size >= huge_page_bytes) {
    allocation.mapped_bytes = round_up(size, page_bytes());
    memory = map_pages(allocation.mapped_bytes, std::max(alignment, huge_page_bytes));
  } else {
    memory = std::aligned_alloc(alignment, round_up(size, alignment));
    if (!memory)
      throw std::bad_alloc();
    // The memory of GPUs comes in pages that were cleared, and programs have come to rely on it.
    std::memset(memory, 0, size);
  }
  allocation.base = reinterpret_cast<uintptr_t>(memory);

  try {
    std::lock_guard lock(mutex_);
    // Pages come when they are touched: what exceeds the memory would be found out only then, by
    // the whole machine.
    if (total_bytes_ + size > machine_memory_bytes())
      throw std::bad_alloc();
    allocation.id = next_id_++;
    by_base_.emplace(allocation.base, allocation);
    total_bytes_ += size;
  } catch (...) {
    release(memory, allocation.mapped_bytes);
    throw;
  }
  return memory;
}

bool Allocations::free(void *base, const void *owner) {
  size_t mapped_bytes;
  {
    std::lock_guard lock(mutex_);
    const auto found = by_base_.find(reinterpret_cast<uintptr_t>(base));
    if (found == by_base_.end() || found->second.owner != owner)
      return false;
    mapped_bytes = found->second.mapped_bytes;
    total_bytes_ -= found->second.size;
    by_base_.erase(found);
  }
  release(base, mapped_bytes);
  return true;
}

std::optional<Allocation> Allocations::find(const void *pointer) const {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  std::shared_lock lock(mutex_);
  auto after = by_base_.upper_bound(address);
  if (after == by_base_.begin())
    return std::nullopt;
  const Allocation &candidate = std::prev(after)->second;
  if (!candidate.contains(address))
    return std::nullopt;
  return candidate;
}

std::string Allocations::describe(uintptr_t address) const {
  std::shared_lock lock(mutex_);
  if (by_base_.empty())
    return "the program has no allocations";
  const auto after = by_base_.upper_bound(address);
  const auto text = [](const Allocation &allocation) {
    return std::format("the {}-byte {} allocation at {:#x}", allocation.size, name(allocation.kind),
                       allocation.base);
  };
  const Allocation *below = after == by_base_.begin() ? nullptr : &std::prev(after)->second;
  const Allocation *above = after == by_base_.end() ? nullptr : &after->second;
  if (below && below->contains(address))
    return "inside " + text(*below);
  const uintptr_t behind = below ? address - (below->base + below->size) : UINTPTR_MAX;
  const uintptr_t before = above ? above->base - address : UINTPTR_MAX;
  if (std::min(behind, before) > nearby)
    return "far from all allocations";
  return behind <= before ? std::format("{} bytes behind {}", behind, text(*below))
                          : std::format("{} bytes before {}", before, text(*above));
}

uint64_t machine_memory_bytes() {
  static const uint64_t bytes = [] {
    uint64_t total = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes();
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      total = std::min<uint64_t>(total, limit.rlim_cur);
    return total;
  }();
  return bytes;
}

size_t page_bytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

} // namespace ze_cpu
