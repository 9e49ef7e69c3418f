#include "virtual_memory.h"
#include "../../common/align.h"
#include "../platform/platform.h"
#include "../pools/pools.h"
#include "access_map.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <ranges>
#include <shared_mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace chip {
namespace {

uintptr_t number_of(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }
void *pointer_to(uintptr_t address) { return reinterpret_cast<void *>(address); }

struct ImportedFrom {
  int descriptor;
};

/// Lives as long as a handle or a mapping has it.
struct PhysicalMemory {
  PhysicalMemory(Device &of, const hipMemAllocationProp &with, size_t bytes)
      : device(of), properties(with),
        memory(of.driver(), of.info(), bytes, with.requestedHandleType != hipMemHandleTypeNone),
        charged(bytes) {
    device.allocated_bytes += charged;
  }
  PhysicalMemory(Device &of, const hipMemAllocationProp &with, ImportedFrom from)
      : device(of), properties(with), memory(of.driver(), of.info(), from.descriptor) {}
  PhysicalMemory(const PhysicalMemory &) = delete;
  PhysicalMemory &operator=(const PhysicalMemory &) = delete;
  ~PhysicalMemory() { device.allocated_bytes -= charged; }

  Device &device;
  const hipMemAllocationProp properties;
  const ze::PhysicalMemory memory;
  const size_t charged = 0; // that of another process was charged there
  size_t mappings = 0;      // with the lock of VirtualMemory
};
using SharedMemory = std::shared_ptr<PhysicalMemory>;

struct Mapping {
  size_t bytes;
  SharedMemory memory;
  std::vector<hipMemAccessFlags> access; // by device
  AllocationTraits traits{};

  /// Level Zero knows one for all devices.
  ze::PageAccess page_access() const {
    const auto most = std::ranges::max(access);
    return most == hipMemAccessFlagsProtReadWrite ? ze::PageAccess::read_write
           : most == hipMemAccessFlagsProtRead    ? ze::PageAccess::read
                                                  : ze::PageAccess::none;
  }
};
using Mappings = std::map<uintptr_t, Mapping>;

struct Reservation {
  Device &device; // that was current: the addresses are its driver's
  // As the driver knows it: more than the program asked for, where that was to be aligned.
  void *reserved;
  size_t reserved_bytes;
  uintptr_t begin, end;
  Mappings mappings{};
  AccessMap accesses{begin, end};

  bool contains(uintptr_t address, size_t bytes) const {
    return address >= begin && address < end && bytes <= end - address;
  }
  bool is_free(uintptr_t address, size_t bytes) const {
    const auto next = mappings.lower_bound(address);
    if (next != mappings.end() && next->first - address < bytes)
      return false;
    return next == mappings.begin() ||
           address - std::prev(next)->first >= std::prev(next)->second.bytes;
  }
  /// The mappings that the range is made of; none if it is not.
  std::ranges::subrange<Mappings::iterator> whole_mappings(uintptr_t address, size_t bytes) {
    const auto first = mappings.find(address);
    auto last = first;
    uintptr_t covered = address;
    while (last != mappings.end() && last->first == covered && covered - address < bytes) {
      covered += last->second.bytes;
      ++last;
    }
    return covered - address == bytes ? std::ranges::subrange(first, last)
                                      : std::ranges::subrange(last, last);
  }
  Allocation allocation() const {
    return {.base = pointer_to(begin),
            .bytes = end - begin,
            .kind = AllocationKind::mapped,
            .device = &device};
  }
  void free() const {
    device.scheduler().noticing_loss(
        [&] { ze::free_addresses(device.driver(), reserved, reserved_bytes); });
  }
  void unmap(Mappings::iterator mapping) {
    Device &of = mapping->second.memory->device;
    of.scheduler().noticing_loss(
        [&] { ze::unmap(of.driver(), pointer_to(mapping->first), mapping->second.bytes); });
    forget(mapping);
  }
  /// So that no pointer is known to be in it.
  void forget(Mappings::iterator mapping) {
    accesses.assign(mapping->first, mapping->first + mapping->second.bytes, std::nullopt);
    --mapping->second.memory->mappings;
  }
};

struct ProgramHandle {
  SharedMemory memory;
  size_t references = 0; // of the program
};

/// Taken for calls of the driver that map, which do not wait for work.
struct VirtualMemory {
  std::map<uintptr_t, Reservation> reservations;
  std::unordered_map<const void *, ProgramHandle> handles;

  Reservation *find(uintptr_t address, size_t bytes = 1) {
    const auto next = reservations.upper_bound(address);
    if (next == reservations.begin())
      return nullptr;
    Reservation &found = std::prev(next)->second;
    return found.contains(address, bytes) ? &found : nullptr;
  }
  const Reservation *find(uintptr_t address) const {
    return const_cast<VirtualMemory *>(this)->find(address);
  }
  /// The mapping that an address lies in. Throws hipErrorInvalidValue.
  Mapping &mapping_at(uintptr_t address) {
    return const_cast<Mapping &>(std::as_const(*this).mapping_at(address));
  }
  const Mapping &mapping_at(uintptr_t address) const {
    if (const Reservation *reservation = find(address))
      if (const auto next = reservation->mappings.upper_bound(address);
          next != reservation->mappings.begin())
        if (const auto &[begin, mapping] = *std::prev(next); address - begin < mapping.bytes)
          return mapping;
    throw Error(hipErrorInvalidValue, "no memory is mapped to `address`");
  }
  /// As find_mapped().
  std::optional<Allocation> find_allocation(uintptr_t address) const {
    const Reservation *reservation = find(address);
    if (!reservation)
      return std::nullopt;
    const AccessMap::Piece piece = reservation->accesses.at(address);
    if (!piece.access)
      return std::nullopt;
    return Allocation{.base = pointer_to(piece.begin),
                      .bytes = piece.end - piece.begin,
                      .kind = AllocationKind::mapped,
                      .device = &mapping_at(address).memory->device,
                      .access = *piece.access};
  }
  /// Throws hipErrorInvalidValue unless the range is made of whole mappings.
  std::pair<Reservation &, std::ranges::subrange<Mappings::iterator>>
  whole_mappings(uintptr_t address, size_t bytes) {
    if (Reservation *reservation = find(address, bytes))
      if (const auto mappings = reservation->whole_mappings(address, bytes); !mappings.empty())
        return {*reservation, mappings};
    throw Error(hipErrorInvalidValue,
                "`address` and `size` are not those of one or more calls of hipMemMap");
  }

  SharedMemory find_memory(PhysicalHandle handle) const {
    const auto found = handles.find(handle);
    if (found == handles.end())
      throw Error(hipErrorInvalidValue, "`handle` is not a live hipMemGenericAllocationHandle_t");
    return found->second.memory;
  }
  PhysicalHandle add_reference(const SharedMemory &memory) {
    ProgramHandle &handle = handles[memory.get()];
    handle.memory = memory;
    ++handle.references;
    return reinterpret_cast<PhysicalHandle>(memory.get());
  }
};

auto &virtual_memory() {
  static auto &state =
      *new common::Guarded<VirtualMemory, std::shared_mutex>; // memory may be released late
  return state;
}

size_t granularity_of(Device &device) {
  const size_t unit = device.scheduler().noticing_loss(
      [&] { return ze::mapping_granularity(device.driver(), device.info()); });
  if (!unit)
    throw Error(hipErrorNotSupported, "the device's Level Zero driver has no virtual memory");
  return unit;
}

Device &device_of(const hipMemAllocationProp &properties) {
  if (properties.type != hipMemAllocationTypePinned)
    throw Error(hipErrorInvalidValue, "the type of `properties` is not hipMemAllocationTypePinned");
  return device_at(properties.location);
}

/// Makes memory, and the first reference to it.
template <class... Arguments>
PhysicalHandle make_memory(Device &device, const Arguments &...arguments) {
  device.scheduler().check_alive();
  const auto memory = with_pools_to_spare(device, [&] {
    return device.scheduler().noticing_loss(
        [&] { return std::make_shared<PhysicalMemory>(device, arguments...); });
  });
  return virtual_memory().lock()->add_reference(memory);
}

} // namespace

Device &device_at(const hipMemLocation &location) {
  Platform &platform = Platform::get();
  if (location.type != hipMemLocationTypeDevice || location.id < 0 ||
      location.id >= platform.device_count())
    throw Error(hipErrorInvalidValue, "a location is not a device");
  return platform.device(location.id);
}

bool has_virtual_memory(const Device &device) {
  return ze::mapping_granularity(device.driver(), device.info()) != 0;
}

size_t mapping_granularity(const hipMemAllocationProp &properties) {
  return granularity_of(device_of(properties));
}

// ---- Addresses

void *reserve_addresses(size_t bytes, size_t alignment, void *wanted) {
  Device &device = Platform::current_device();
  const ze::Driver &driver = device.driver();
  const size_t unit = granularity_of(device);
  if (bytes == 0 || bytes % unit != 0 || (alignment != 0 && !std::has_single_bit(alignment)))
    throw Error(hipErrorOutOfMemory, "`size` is 0 or not a multiple of the granularity, or "
                                     "`alignment` is not a power of two");
  alignment = std::max(alignment, unit);
  if (number_of(wanted) % alignment != 0)
    wanted = nullptr;
  // Level Zero knows of no alignment: among so many there are aligned ones.
  size_t reserved_bytes = 0;
  if (__builtin_add_overflow(bytes, alignment - unit, &reserved_bytes))
    throw Error(hipErrorOutOfMemory, "`size` and `alignment` are more than there are addresses");
  void *const reserved = device.scheduler().noticing_loss(
      [&] { return ze::reserve_addresses(driver, wanted, reserved_bytes); });
  try {
    const uintptr_t begin = common::round_up(number_of(reserved), alignment);
    Reservation reservation{device, reserved, reserved_bytes, begin, begin + bytes};
    add_allocation(reservation.allocation());
    try {
      virtual_memory().lock()->reservations.emplace(begin, std::move(reservation));
    } catch (...) {
      remove_allocation(pointer_to(begin));
      throw;
    }
    return pointer_to(begin);
  } catch (...) {
    ze::free_addresses(driver, reserved, reserved_bytes);
    throw;
  }
}

void free_addresses(void *address, size_t bytes) {
  decltype(VirtualMemory::reservations)::node_type node;
  {
    const auto state = virtual_memory().lock();
    const auto found = state->reservations.find(number_of(address));
    if (found == state->reservations.end() || found->second.end - found->second.begin != bytes ||
        !found->second.mappings.empty())
      throw Error(hipErrorUnknown, "`address` and `size` are not those of a call of "
                                   "hipMemAddressReserve, or memory is mapped there");
    node = state->reservations.extract(found);
  }
  // Unknown before they are free, since they may be given out again at once; known again if they cannot be freed.
  const Reservation &reservation = node.mapped();
  remove_allocation(address);
  try {
    reservation.free();
  } catch (...) {
    add_allocation(reservation.allocation());
    virtual_memory().lock()->reservations.insert(std::move(node));
    throw;
  }
}

// ---- Memory

PhysicalHandle create_physical_memory(size_t bytes, const hipMemAllocationProp &properties) {
  Device &device = device_of(properties);
  if (properties.requestedHandleType != hipMemHandleTypeNone &&
      properties.requestedHandleType != hipMemHandleTypePosixFileDescriptor)
    throw Error(hipErrorNotSupported,
                "the requestedHandleType of `properties` is neither "
                "hipMemHandleTypeNone nor hipMemHandleTypePosixFileDescriptor");
  if (bytes % granularity_of(device) != 0)
    throw Error(hipErrorInvalidValue, "`size` is not a multiple of the granularity");
  return make_memory(device, properties, bytes);
}

void release_physical_memory(PhysicalHandle handle) {
  SharedMemory released; // whose end may be here, without the lock
  const auto state = virtual_memory().lock();
  released = state->find_memory(handle);
  if (--state->handles[handle].references == 0)
    state->handles.erase(handle);
}

PhysicalHandle retain_physical_memory(void *address) {
  const auto state = virtual_memory().lock();
  return state->add_reference(state->mapping_at(number_of(address)).memory);
}

hipMemAllocationProp properties_of(PhysicalHandle handle) {
  return virtual_memory().lock_shared()->find_memory(handle)->properties;
}

int export_physical_memory(PhysicalHandle handle, hipMemAllocationHandleType type) {
  const SharedMemory memory = virtual_memory().lock_shared()->find_memory(handle);
  if (type != hipMemHandleTypePosixFileDescriptor || memory->properties.requestedHandleType != type)
    throw Error(hipErrorInvalidValue, "`type` is not that of handles which the memory was created "
                                      "to be exported by");
  return memory->device.scheduler().noticing_loss(
      [&] { return memory->memory.export_descriptor(); });
}

PhysicalHandle import_physical_memory(int descriptor, hipMemAllocationHandleType type) {
  if (type != hipMemHandleTypePosixFileDescriptor)
    throw Error(hipErrorInvalidValue, "`type` is not hipMemHandleTypePosixFileDescriptor");
  Device &device = Platform::current_device();
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.requestedHandleType = type;
  properties.location = {hipMemLocationTypeDevice, device.ordinal()};
  return make_memory(device, properties, ImportedFrom{descriptor});
}

// ---- Mappings

void map_memory(void *address, size_t bytes, PhysicalHandle handle) {
  const uintptr_t begin = number_of(address);
  const auto state = virtual_memory().lock();
  const SharedMemory memory = state->find_memory(handle);
  Device &device = memory->device;
  device.scheduler().check_alive();
  if (const size_t unit = granularity_of(device); begin % unit != 0 || bytes % unit != 0)
    throw Error(hipErrorInvalidValue, "`address` or `size` is not a multiple of the granularity");
  Reservation *reservation = state->find(begin, bytes);
  if (!reservation || !reservation->is_free(begin, bytes))
    throw Error(hipErrorInvalidValue, "not all of the `size` bytes from `address` are reserved, or "
                                      "memory is mapped there");
  if (bytes > memory->memory.size())
    throw Error(hipErrorInvalidValue, "`size` is more than that of the memory");
  if (!have_one_driver(reservation->device, device))
    throw Error(hipErrorNotSupported, "`address` was reserved while a device of another Level Zero "
                                      "driver than that of the memory was current");
  const bool maps_freely = device.driver().capabilities().maps_freely;
  if (!maps_freely && (bytes != memory->memory.size() || memory->mappings != 0))
    throw Error(hipErrorNotSupported, "the device's Level Zero driver maps the whole of `handle` "
                                      "only, and in one place at a time");
  const size_t devices = size_t(Platform::get().device_count());
  const auto [mapping, _] = reservation->mappings.emplace(
      begin,
      Mapping{bytes, memory, std::vector<hipMemAccessFlags>(devices, hipMemAccessFlagsProtNone)});
  bool is_mapped = false;
  try {
    device.scheduler().noticing_loss([&] {
      memory->memory.map(address, bytes,
                         maps_freely ? ze::PageAccess::none : ze::PageAccess::read_write);
    });
    is_mapped = true;
    reservation->accesses.assign(begin, begin + bytes, ze::PageAccess::none);
  } catch (...) {
    if (is_mapped)
      ze::unmap(device.driver(), address, bytes);
    reservation->mappings.erase(mapping);
    throw;
  }
  ++memory->mappings;
}

void unmap_memory(void *address, size_t bytes) {
  const uintptr_t begin = number_of(address);
  Allocation allocation{.base = address, .bytes = bytes, .kind = AllocationKind::mapped};
  {
    const auto state = virtual_memory().lock();
    const auto [reservation, mappings] = state->whole_mappings(begin, bytes);
    allocation.device = &mappings.front().second.memory->device;
  }
  const std::optional<Error> lost = wait_for_users(allocation);
  std::vector<Mappings::node_type> unmapped; // whose memory may end here, without the lock
  {
    const auto state = virtual_memory().lock();
    const auto [reservation, mappings] = state->whole_mappings(begin, bytes);
    unmapped.reserve(size_t(std::ranges::distance(mappings)));
    for (auto mapping = mappings.begin(); mapping != mappings.end();) {
      const auto next = std::next(mapping);
      reservation.unmap(mapping);
      unmapped.push_back(reservation.mappings.extract(mapping));
      mapping = next;
    }
  }
  if (lost)
    throw *lost;
}

void set_access(void *address, size_t bytes, std::span<const hipMemAccessDesc> accesses) {
  for (const hipMemAccessDesc &access : accesses) {
    device_at(access.location);
    if (access.flags != hipMemAccessFlagsProtNone && access.flags != hipMemAccessFlagsProtRead &&
        access.flags != hipMemAccessFlagsProtReadWrite)
      throw Error(hipErrorInvalidValue, "the flags of `description` are not hipMemAccessFlags");
  }
  const auto state = virtual_memory().lock();
  const auto [reservation, mappings] = state->whole_mappings(number_of(address), bytes);
  for (const hipMemAccessDesc &access : accesses)
    if (access.flags != hipMemAccessFlagsProtNone &&
        !have_one_driver(device_at(access.location), reservation.device))
      throw Error(hipErrorInvalidValue,
                  "a device of `description` has another Level Zero driver than the memory");
  for (auto &[begin, mapping] : mappings) {
    Mapping changed = mapping;
    for (const hipMemAccessDesc &access : accesses)
      changed.access[size_t(access.location.id)] = access.flags;
    const ze::PageAccess pages = changed.page_access();
    if (pages != mapping.page_access()) {
      Device &device = mapping.memory->device;
      // Where the driver does not map freely, the pages are accessible from the beginning and remain so.
      if (device.driver().capabilities().maps_freely)
        device.scheduler().noticing_loss(
            [&] { ze::set_access(device.driver(), pointer_to(begin), mapping.bytes, pages); });
      reservation.accesses.assign(begin, begin + mapping.bytes, pages);
    }
    mapping.access.swap(changed.access);
  }
}

hipMemAccessFlags access_of(const hipMemLocation &location, const void *address) {
  const Device &device = device_at(location);
  const auto state = virtual_memory().lock_shared();
  return state->mapping_at(number_of(address)).access[size_t(device.ordinal())];
}

std::optional<Allocation> find_mapped(const void *pointer) {
  return virtual_memory().lock_shared()->find_allocation(number_of(pointer));
}

bool look_at_mapped(const void *pointer,
                    const std::function<void(const Allocation &, AllocationTraits &)> &look) {
  const auto state = virtual_memory().lock();
  const auto allocation = state->find_allocation(number_of(pointer));
  if (allocation)
    look(*allocation, state->mapping_at(number_of(pointer)).traits);
  return allocation.has_value();
}

// ---- The end

namespace {

/// All memory of devices for which `is_meant(device)` is true.
template <class IsMeant> void release_if(const IsMeant &is_meant) {
  std::vector<SharedMemory> released; // whose end is here, without the lock
  const auto state = virtual_memory().lock();
  for (auto &[begin, reservation] : state->reservations)
    for (auto mapping = reservation.mappings.begin(); mapping != reservation.mappings.end();) {
      const auto next = std::next(mapping);
      if (is_meant(mapping->second.memory->device)) {
        released.push_back(mapping->second.memory);
        try {
          reservation.unmap(mapping);
        } catch (const Error &) {
          reservation.forget(mapping); // nobody could do anything about it
        }
        reservation.mappings.erase(mapping);
      }
      mapping = next;
    }
  std::erase_if(state->handles, [&](auto &entry) {
    if (!is_meant(entry.second.memory->device))
      return false;
    released.push_back(std::move(entry.second.memory));
    return true;
  });
}

} // namespace

void release_mappings(Device &device) {
  release_if([&](const Device &other) { return &other == &device; });
}

void release_all_mappings() {
  release_if([](const Device &) { return true; });
  const auto state = virtual_memory().lock();
  for (const auto &[begin, reservation] : state->reservations)
    try {
      reservation.free();
    } catch (const Error &) {
      // The system frees them.
    }
  state->reservations.clear();
}

} // namespace chip
