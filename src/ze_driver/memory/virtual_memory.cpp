#include "virtual_memory.h"

#include "../backend.h"

#include <algorithm>
#include <new>

namespace ze_driver {
namespace {

void *pointer_to(uintptr_t address) { return reinterpret_cast<void *>(address); }

/// The piece of `map` that holds `address`, or the next one behind it.
template <class Map> auto at_or_behind(Map &map, uintptr_t address, auto size_of) {
  auto found = map.upper_bound(address);
  if (found != map.begin())
    if (const auto before = std::prev(found); address - before->first < size_of(before->second))
      return before;
  return found;
}

} // namespace

VirtualMemory &VirtualMemory::instance() {
  static VirtualMemory *memory = new VirtualMemory(
      backend().memory(), Allocations::instance()); // threads may outlive static objects
  return *memory;
}

void *VirtualMemory::reserve(const void *wanted, size_t bytes, const void *owner) {
  void *base = memory_.reserve(wanted, bytes);
  try {
    std::lock_guard lock(mutex_);
    reservations_[reinterpret_cast<uintptr_t>(base)] = {bytes, owner};
  } catch (...) {
    memory_.unreserve(base, bytes);
    throw;
  }
  return base;
}

bool VirtualMemory::is_reserved(uintptr_t base, size_t bytes, const void *owner) const {
  const auto after = reservations_.upper_bound(base);
  if (after == reservations_.begin())
    return false;
  const auto &[start, range] = *std::prev(after);
  const uintptr_t offset = base - start;
  return range.owner == owner && offset < range.bytes && bytes <= range.bytes - offset;
}

/// Whole mappings only.
void VirtualMemory::unmap_pages(uintptr_t base, size_t bytes, const void *owner) {
  const auto first = mappings_.lower_bound(base);
  const auto last = mappings_.lower_bound(base + bytes);
  for (auto mapping = first; mapping != last; ++mapping) {
    // Unknown before it is gone: no look-up may find memory that is not there any more.
    allocations_.free(pointer_to(mapping->first), owner, Origin::mapped);
    memory_.clear(pointer_to(mapping->first), mapping->second);
  }
  mappings_.erase(first, last);
  accesses_.erase(accesses_.lower_bound(base), accesses_.lower_bound(base + bytes));
}

bool VirtualMemory::free(const void *base, size_t bytes, const void *owner) {
  const auto address = reinterpret_cast<uintptr_t>(base);
  std::lock_guard lock(mutex_);
  const auto found = reservations_.find(address);
  if (found == reservations_.end() || found->second.bytes != bytes || found->second.owner != owner)
    return false;
  unmap_pages(address, bytes, owner);
  reservations_.erase(found);
  memory_.unreserve(pointer_to(address), bytes);
  return true;
}

bool VirtualMemory::map(const void *base, Allocation memory, PageAccess access) {
  const auto address = reinterpret_cast<uintptr_t>(base);
  std::lock_guard lock(mutex_);
  if (!is_reserved(address, memory.size, memory.owner))
    return false;
  const auto next = at_or_behind(mappings_, address, [](size_t bytes) { return bytes; });
  if (next != mappings_.end() && next->first < address + memory.size)
    return false;
  memory.base = address;
  memory.mapping = pointer_to(address);
  memory.mapped_bytes = memory.size;
  const auto [mapping, _] = mappings_.emplace(address, memory.size);
  try {
    accesses_[address] = {access, memory.size};
    memory_.map(memory.file, memory.size, access, memory.mapping);
    allocations_.add_mapped(std::move(memory));
  } catch (...) {
    memory_.clear(pointer_to(address), mapping->second);
    accesses_.erase(address);
    mappings_.erase(mapping);
    throw;
  }
  return true;
}

bool VirtualMemory::unmap(const void *base, size_t bytes, const void *owner) {
  const auto address = reinterpret_cast<uintptr_t>(base);
  const auto size_of = [](size_t size) { return size; };
  std::lock_guard lock(mutex_);
  if (!is_reserved(address, bytes, owner))
    return false;
  // A mapping across either end?
  for (const uintptr_t end : {address, address + bytes})
    if (const auto across = at_or_behind(mappings_, end, size_of);
        across != mappings_.end() && across->first < end)
      return false;
  unmap_pages(address, bytes, owner);
  return true;
}

void VirtualMemory::split_access_at(uintptr_t address) {
  const auto piece = at_or_behind(accesses_, address, [](const Region &r) { return r.bytes; });
  if (piece == accesses_.end() || piece->first >= address)
    return;
  const size_t front = address - piece->first;
  accesses_[address] = {piece->second.access, piece->second.bytes - front};
  piece->second.bytes = front;
}

bool VirtualMemory::set_access(const void *base, size_t bytes, PageAccess access,
                               const void *owner) {
  const auto address = reinterpret_cast<uintptr_t>(base);
  std::lock_guard lock(mutex_);
  if (!is_reserved(address, bytes, owner))
    return false;
  uintptr_t covered = address;
  for (auto mapping = at_or_behind(mappings_, address, [](size_t size) { return size; });
       mapping != mappings_.end() && mapping->first <= covered && covered < address + bytes;
       ++mapping)
    covered = mapping->first + mapping->second;
  if (covered < address + bytes || !memory_.protect(pointer_to(address), bytes, access))
    return false;
  split_access_at(address);
  split_access_at(address + bytes);
  for (auto piece = accesses_.lower_bound(address);
       piece != accesses_.end() && piece->first < address + bytes; ++piece)
    piece->second.access = access;
  return true;
}

std::optional<VirtualMemory::Region> VirtualMemory::access(const void *base, size_t bytes,
                                                           const void *owner) const {
  const auto address = reinterpret_cast<uintptr_t>(base);
  std::lock_guard lock(mutex_);
  if (!is_reserved(address, bytes, owner))
    return std::nullopt;
  auto piece = at_or_behind(accesses_, address, [](const Region &r) { return r.bytes; });
  if (piece == accesses_.end() || piece->first > address) // nothing is mapped there
    return Region{PageAccess::none, piece == accesses_.end()
                                        ? bytes
                                        : std::min<size_t>(bytes, piece->first - address)};
  const PageAccess access = piece->second.access;
  uintptr_t end = piece->first + piece->second.bytes;
  while (++piece != accesses_.end() && piece->first == end && piece->second.access == access)
    end += piece->second.bytes;
  return Region{access, std::min<size_t>(bytes, end - address)};
}

} // namespace ze_driver
