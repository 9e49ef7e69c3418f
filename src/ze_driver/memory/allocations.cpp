#include "allocations.h"
#include "../../common/align.h"

#include "../api/objects.h"
#include "../backend.h"
#include "../events/failure_observers.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <format>
#include <fstream>
#include <mutex>
#include <new>

namespace ze_driver {
namespace {

constexpr size_t min_alignment = 64;              // a cache line, and the widest vector
constexpr uintptr_t nearby = uintptr_t{16} << 20; // what an index that ran away may reach

// Mappings of a process are limited (65,530 by default), and each guarded allocation takes three.
constexpr size_t max_guarded = 12'000;
// Freed memory costs addresses, not memory.
constexpr size_t max_freed = 8'192;
size_t max_freed_bytes() {
  static const size_t bytes = [] {
    rlimit limit{};
    const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited ? static_cast<size_t>(limit.rlim_cur / 4) : size_t{1} << 40;
  }();
  return bytes;
}

std::string text_of(const Allocation &allocation) {
  return std::format("the {}-byte {} allocation at {:#x}", allocation.size,
                     name_of(allocation.kind), allocation.base);
}

std::string age(std::chrono::steady_clock::duration duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  return seconds < 1 ? std::format("{:.3f} ms", seconds * 1e3) : std::format("{:.1f} s", seconds);
}

/// The kernel's name for the memory at `address` ("[heap]", a file), if the process has any there.
std::optional<std::string> program_memory(uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t first = 0, end = 0;
    char readable = 0;
    int name_at = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx %c%*s %*s %*s %*s %n", &first, &end, &readable,
                    &name_at) != 3 ||
        address < first || address >= end)
      continue;
    if (readable != 'r')
      return std::nullopt;
    return line.substr(std::min(static_cast<size_t>(name_at), line.size()));
  }
  return std::nullopt;
}

} // namespace

Allocations &Allocations::instance() {
  // Threads may outlive static objects.
  static Allocations *allocations = new Allocations(backend().memory());
  return *allocations;
}

Allocation Allocations::place(size_t size, size_t alignment, MemoryKind kind, const void *device) {
  const auto count = [&] {
    std::shared_lock lock(mutex_);
    return by_base_.size();
  };
  const auto handle = static_cast<ze_device_handle_t>(const_cast<void *>(device));
  const Placement placement =
      memory_.allocate(size, alignment, kind, handle ? &object<Device>(handle).backend : nullptr,
                       guarded_ && count() < max_guarded);
  Allocation allocation{};
  allocation.base = reinterpret_cast<uintptr_t>(placement.base);
  allocation.size = size;
  allocation.kind = kind;
  allocation.device = device;
  allocation.mapping = placement.mapping;
  allocation.mapped_bytes = placement.mapped_bytes;
  return allocation;
}

void Allocations::release(Allocation &allocation) {
  if (allocation.file.file)
    memory_.unmap(allocation.mapping, allocation.mapped_bytes);
  else
    memory_.free(
        {reinterpret_cast<void *>(allocation.base), allocation.mapping, allocation.mapped_bytes});
}

/// `charged` bytes of it are new.
void *Allocations::add(Allocation allocation, uint64_t charged) {
  try {
    std::lock_guard lock(mutex_);
    // Pages come when they are touched: what exceeds the memory would be found out only then, by
    // the whole machine.
    if (charged > memory_.total_bytes() - total_bytes_)
      throw std::bad_alloc();
    allocation.id = next_id_++;
    by_base_.emplace(allocation.base, allocation);
    total_bytes_ += charged;
  } catch (...) {
    if (allocation.origin != Origin::mapped)
      release(allocation);
    throw;
  }
  return reinterpret_cast<void *>(allocation.base);
}

void *Allocations::allocate(size_t size, size_t alignment, MemoryKind kind, const void *owner,
                            const void *device) {
  if (size > memory_.total_bytes())
    throw std::bad_alloc();
  Allocation allocation = place(size, std::max(alignment, min_alignment), kind, device);
  allocation.owner = owner;
  return add(std::move(allocation), size);
}

void *Allocations::allocate_shared(size_t size, MemoryKind kind, const void *owner,
                                   const void *device, std::shared_ptr<SharedFile> file) {
  if (size > memory_.total_bytes())
    throw std::bad_alloc();
  const bool is_new = !file;
  const size_t bytes = common::round_up(size, memory_.page_bytes());
  if (is_new)
    file = memory_.create_file(bytes);
  void *pages = memory_.map({file, 0}, bytes, PageAccess::read_write);
  return add({.base = reinterpret_cast<uintptr_t>(pages),
              .size = size,
              .kind = kind,
              .id = 0,
              .owner = owner,
              .device = device,
              .mapping = pages,
              .mapped_bytes = bytes,
              .origin = Origin::allocated,
              .file = {std::move(file), 0}},
             size);
}

void *Allocations::open(const FileRange &range, size_t skip, size_t size, MemoryKind kind,
                        const void *owner, const void *device) {
  const size_t bytes = common::round_up(skip + size, memory_.page_bytes());
  void *pages = memory_.map(range, bytes, PageAccess::read_write);
  return add({.base = reinterpret_cast<uintptr_t>(pages) + skip,
              .size = size,
              .kind = kind,
              .id = 0,
              .owner = owner,
              .device = device,
              .mapping = pages,
              .mapped_bytes = bytes,
              .origin = Origin::opened,
              .file = {range.file, range.offset + skip}},
             0);
}

void Allocations::add_mapped(Allocation allocation) {
  allocation.origin = Origin::mapped;
  add(std::move(allocation), 0);
}

bool Allocations::free(void *base, const void *owner, Origin origin) {
  std::unique_lock lock(mutex_);
  const auto found = by_base_.find(reinterpret_cast<uintptr_t>(base));
  if (found == by_base_.end() || found->second.origin != origin ||
      (found->second.owner == &driver_memory && owner != &driver_memory))
    return false;
  Allocation allocation = std::move(found->second);
  if (origin == Origin::allocated) {
    total_bytes_ -= allocation.size;
    memory_.taken_back(base, allocation.size);
  }
  by_base_.erase(found);
  removals_.fetch_add(1, std::memory_order_release);
  if (origin == Origin::mapped)
    return true; // the pages are those of physical memory
  if (guarded_) {
    quarantine(std::move(allocation));
    return true;
  }
  lock.unlock();
  release(allocation);
  return true;
}

bool Allocations::set_atomic_access(const void *pointer, uint32_t attributes) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard lock(mutex_);
  const auto after = by_base_.upper_bound(address);
  if (after == by_base_.begin() || !std::prev(after)->second.contains(address))
    return false;
  std::prev(after)->second.atomic_access = attributes;
  return true;
}

std::optional<Allocation> Allocations::share(const void *pointer, const void *owner) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard lock(mutex_);
  const auto after = by_base_.upper_bound(address);
  if (after == by_base_.begin())
    return std::nullopt;
  Allocation &allocation = std::prev(after)->second;
  if (!allocation.contains(address) || allocation.owner != owner)
    return std::nullopt;
  if (!allocation.file.file) {
    const size_t page = memory_.page_bytes();
    const uintptr_t first = allocation.base / page * page;
    const size_t skip = allocation.base - first;
    const size_t bytes = common::round_up(skip + allocation.size, page);
    auto file = memory_.move_to_file(reinterpret_cast<void *>(first), bytes);
    allocation.file = {std::move(file), skip};
  }
  return allocation;
}

bool Allocations::charge(size_t bytes) {
  std::lock_guard lock(mutex_);
  if (bytes > memory_.total_bytes() - total_bytes_)
    return false;
  total_bytes_ += bytes;
  return true;
}

void Allocations::discharge(size_t bytes) {
  std::lock_guard lock(mutex_);
  total_bytes_ -= bytes;
}

uint64_t Allocations::new_id() {
  std::lock_guard lock(mutex_);
  return next_id_++;
}

void Allocations::quarantine(Allocation allocation) {
  memory_.hide(
      {reinterpret_cast<void *>(allocation.base), allocation.mapping, allocation.mapped_bytes});
  allocation.file = {};
  freed_bytes_ += allocation.mapped_bytes;
  freed_.push_back({std::move(allocation), Clock::now()});
  while (freed_.size() > max_freed || freed_bytes_ > max_freed_bytes()) {
    freed_bytes_ -= freed_.front().allocation.mapped_bytes;
    memory_.unmap(freed_.front().allocation.mapping, freed_.front().allocation.mapped_bytes);
    freed_.pop_front();
  }
}

void Allocations::add_variable(const void *base, size_t size, std::string name) {
  std::lock_guard lock(mutex_);
  variables_[reinterpret_cast<uintptr_t>(base)] = {size, std::move(name)};
}

void Allocations::remove_variable(const void *base) {
  std::lock_guard lock(mutex_);
  variables_.erase(reinterpret_cast<uintptr_t>(base));
  removals_.fetch_add(1, std::memory_order_release);
}

void Allocations::add_imported(const void *base, size_t size) {
  std::lock_guard lock(mutex_);
  variables_[reinterpret_cast<uintptr_t>(base)] = {size, "that the program imported", true};
}

std::optional<uintptr_t> Allocations::imported(const void *pointer) const {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  std::shared_lock lock(mutex_);
  const auto after = variables_.upper_bound(address);
  if (after == variables_.begin())
    return std::nullopt;
  const auto &[base, variable] = *std::prev(after);
  return variable.imported && address - base < variable.size ? std::optional(base) : std::nullopt;
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

/// Mappings into reserved addresses may be used as one where they meet.
uintptr_t Allocations::end_of(ByBase::const_iterator found) const {
  uintptr_t end = found->first + found->second.size;
  while (found->second.origin == Origin::mapped && ++found != by_base_.end() &&
         found->first == end && found->second.origin == Origin::mapped)
    end += found->second.size;
  return end;
}

bool Allocations::covers(uintptr_t address, size_t bytes, uintptr_t *begin, size_t *size) const {
  // Kernels go through one allocation after the other: the last one is likely the next one's.
  struct Last {
    const Allocations *of;
    uint64_t removals;
    uintptr_t base;
    size_t size;
    bool is_variable;
  };
  constinit static thread_local Last last{};
  const auto tell = [&] {
    if (begin && size && !last.is_variable) {
      *begin = last.base;
      *size = last.size;
    }
    return true;
  };
  const auto is_inside = [&](uintptr_t base, size_t size) {
    const uintptr_t offset = address - base;
    return offset < size && bytes <= size - offset;
  };
  const uint64_t removals = removals_.load(std::memory_order_acquire);
  if (last.of == this && last.removals == removals && is_inside(last.base, last.size))
    return tell();
  std::shared_lock lock(mutex_);
  const auto covered_by = [&](const auto &map, bool is_variable, auto size_of) {
    const auto after = map.upper_bound(address);
    if (after == map.begin())
      return false;
    const auto found = std::prev(after);
    const size_t found_size = size_of(found);
    if (!is_inside(found->first, found_size))
      return false;
    last = {this, removals, found->first, found_size, is_variable};
    return tell();
  };
  return covered_by(by_base_, false, [&](auto found) { return end_of(found) - found->first; }) ||
         covered_by(variables_, true, [](auto found) { return found->second.size; });
}

std::optional<uintptr_t> Allocations::overrun(const void *pointer, size_t bytes) const {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  std::shared_lock lock(mutex_);
  const auto after = by_base_.upper_bound(address);
  if (after != by_base_.begin()) {
    const Allocation &below = std::prev(after)->second;
    const uintptr_t end = end_of(std::prev(after));
    if (below.contains(address))
      return bytes <= end - address ? std::nullopt : std::optional(end);
    if (below.occupies(address))
      return address;
  }
  if (after != by_base_.end() && after->second.occupies(address))
    return address;
  if (const auto next = variables_.upper_bound(address); next != variables_.begin()) {
    const auto &[base, variable] = *std::prev(next);
    if (address - base < variable.size && bytes > base + variable.size - address)
      return base + variable.size;
  }
  return std::nullopt;
}

/// Those freed last are the likeliest.
std::optional<std::string> Allocations::describe_freed(uintptr_t address) const {
  for (auto freed = freed_.rbegin(); freed != freed_.rend(); ++freed)
    if (freed->allocation.contains(address))
      return std::format("inside {}, which was freed {} ago", text_of(freed->allocation),
                         age(Clock::now() - freed->when));
  return std::nullopt;
}

std::string Allocations::describe(uintptr_t address) const {
  std::shared_lock lock(mutex_);
  if (const auto after = variables_.upper_bound(address); after != variables_.begin())
    if (const auto &[base, variable] = *std::prev(after); address - base < variable.size)
      return std::format("inside the variable {}", variable.name);
  const auto after = by_base_.upper_bound(address);
  const Allocation *below = after == by_base_.begin() ? nullptr : &std::prev(after)->second;
  const Allocation *above = after == by_base_.end() ? nullptr : &after->second;
  if (below && below->contains(address))
    return "inside " + text_of(*below);
  if (auto freed = describe_freed(address))
    return *freed;
  const bool is_guard = (below && below->occupies(address)) || (above && above->occupies(address));
  std::string program;
  if (guarded_ && !is_guard)
    if (const auto memory = program_memory(address))
      program = memory->empty() ? ", in memory of the program itself"
                                : std::format(", in memory of the program itself ({})", *memory);
  if (by_base_.empty())
    return "the program has no allocations" + program;
  const uintptr_t behind = below ? address - (below->base + below->size) : UINTPTR_MAX;
  const uintptr_t before = above ? above->base - address : UINTPTR_MAX;
  if (std::min(behind, before) > nearby)
    return "far from all allocations" + program;
  return (behind <= before ? std::format("{} bytes behind {}", behind, text_of(*below))
                           : std::format("{} bytes before {}", before, text_of(*above))) +
         program;
}

namespace {

void print_line(const std::string &text) {
  const std::string line = std::string(identity().name) + ": " + text + "\n";
  std::fputs(line.c_str(), stderr); // one call: lines of several queues do not mix
}

} // namespace

void report_fault(const std::string &description, std::optional<uintptr_t> address) {
  tell_failure_observers([&](const char *) {
    print_line(address ? description + ", " + Allocations::instance().describe(*address)
                       : description);
  });
}

void report_trap(const std::string &description) {
  tell_failure_observers([&](const char *reason) {
    print_line(std::format("{} ({})", description, reason ? reason : "trap"));
  });
}

} // namespace ze_driver
