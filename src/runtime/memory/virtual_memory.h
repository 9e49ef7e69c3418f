// Virtual memory: addresses are reserved, memory without addresses is created, and one is mapped to the other.
#pragma once

#include "memory.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

namespace chip {

/// Throws hipErrorInvalidValue for what is not the location of a device.
Device &device_at(const hipMemLocation &location);

/// What sizes and addresses are multiples of. Throws hipErrorInvalidValue for properties that no memory has,
/// hipErrorNotSupported where the driver has no virtual memory.
size_t mapping_granularity(const hipMemAllocationProp &properties);
/// Whether the device's driver has it all.
bool has_virtual_memory(const Device &device);

/// Reserves addresses for memory of the current device's driver, at `wanted` if those are free. `alignment` is 0 or a power of
/// two. Throws hipErrorOutOfMemory, also for sizes and alignments that are not valid.
void *reserve_addresses(size_t bytes, size_t alignment, void *wanted);
/// Throws hipErrorUnknown unless they are all that was reserved by one call, and nothing is mapped there.
void free_addresses(void *address, size_t bytes);

using PhysicalHandle = hipMemGenericAllocationHandle_t;

/// Throws hipErrorInvalidValue, hipErrorNotSupported for a type of handle that memory cannot be exported by,
/// hipErrorOutOfMemory.
PhysicalHandle create_physical_memory(size_t bytes, const hipMemAllocationProp &properties);
/// Takes one reference of the program away. All that take a handle throw hipErrorInvalidValue for one that is not live.
void release_physical_memory(PhysicalHandle handle);
/// The handle of what is mapped to an address, with one reference more. Throws hipErrorInvalidValue if nothing is.
PhysicalHandle retain_physical_memory(void *address);
hipMemAllocationProp properties_of(PhysicalHandle handle);

/// A new descriptor for another process. Throws hipErrorInvalidValue unless the memory was created to be exported so.
int export_physical_memory(PhysicalHandle handle, hipMemAllocationHandleType type);
/// The memory of another process on the current device. The descriptor stays the caller's.
PhysicalHandle import_physical_memory(int descriptor, hipMemAllocationHandleType type);

/// Maps the first `bytes` of the memory. Throws hipErrorInvalidValue for addresses that are not reserved or where something is
/// mapped, and hipErrorNotSupported for what the driver cannot do: part of the memory, memory that is mapped elsewhere, or
/// memory of another driver than that of the addresses.
void map_memory(void *address, size_t bytes, PhysicalHandle handle);
/// Waits for all work that may use the memory, then unmaps it. Throws hipErrorInvalidValue unless the range is made of whole
/// mappings.
void unmap_memory(void *address, size_t bytes);

/// Who may use whole mappings. Throws hipErrorInvalidValue for a range of anything else, unknown accesses and devices.
void set_access(void *address, size_t bytes, std::span<const hipMemAccessDesc> accesses);
/// Throws hipErrorInvalidValue if nothing is mapped to the address.
hipMemAccessFlags access_of(const hipMemLocation &location, const void *address);

/// What is mapped around an address, as far as it goes on without a gap and with the same access, as one allocation.
std::optional<Allocation> find_mapped(const void *pointer);
/// As look_at_allocation(): the traits are those of the one mapping that the address lies in.
bool look_at_mapped(const void *pointer,
                    const std::function<void(const Allocation &, AllocationTraits &)> &look);

/// Unmaps and releases all memory of a device; the caller has waited for its work.
void release_mappings(Device &device);
/// The same for all devices, and the addresses.
void release_all_mappings();

} // namespace chip
