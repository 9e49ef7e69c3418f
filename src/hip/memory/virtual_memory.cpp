// HIP API reference: Virtual memory management.
#include "../../runtime/memory/virtual_memory.h"
#include "../../common/probe.h"
#include "../../runtime/streams/stream.h"
#include "../entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

/// A descriptor that programs give as what `os_handle` points to, as with AMD's run time, or, as with CUDA, in the pointer's
/// place. Linux lets nothing be at addresses as low as descriptors are.
int descriptor_of(void *os_handle) {
  constexpr uintptr_t least_address = 65536;
  const auto value = reinterpret_cast<uintptr_t>(os_handle);
  if (value == 0 || (value >= least_address && !common::is_readable(os_handle, sizeof(int))))
    throw Error(hipErrorInvalidValue, "`os_handle` is null, or not the address of a descriptor");
  return value < least_address ? int(value) : *static_cast<int *>(os_handle);
}

void check_no_flags(unsigned long long flags) {
  if (flags != 0)
    throw Error(hipErrorInvalidValue, "`flags` is not 0");
}

void check_mapped(const void *address) {
  if (!address)
    throw Error(hipErrorInvalidValue, "`address` is null");
}

void check_addresses(const void *address, size_t size) {
  check_mapped(address);
  if (size == 0)
    throw Error(hipErrorInvalidValue, "`size` is 0");
}

} // namespace

hipError_t hipMemAddressReserve(void **reserved, size_t size, size_t alignment, void *address,
                                unsigned long long flags) {
  return entry([&] {
    required(reserved);
    check_no_flags(flags);
    *reserved = nullptr;
    *reserved = reserve_addresses(size, alignment, address);
  });
}

hipError_t hipMemAddressFree(void *address, size_t size) {
  return entry([&] {
    check_addresses(address, size);
    free_addresses(address, size);
  });
}

hipError_t hipMemGetAllocationGranularity(size_t *granularity,
                                          const hipMemAllocationProp *properties,
                                          hipMemAllocationGranularity_flags option) {
  return entry([&] {
    if (option != hipMemAllocationGranularityMinimum &&
        option != hipMemAllocationGranularityRecommended)
      throw Error(hipErrorInvalidValue, "`option` is not a hipMemAllocationGranularity_flags");
    required(granularity) = mapping_granularity(required(properties));
  });
}

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size,
                        const hipMemAllocationProp *properties, unsigned long long flags) {
  return entry([&] {
    required(handle);
    check_no_flags(flags);
    if (size == 0)
      throw Error(hipErrorInvalidValue, "`size` is 0");
    *handle = create_physical_memory(size, required(properties));
  });
}

hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
  return entry([&] { release_physical_memory(handle); });
}

hipError_t hipMemMap(void *address, size_t size, size_t offset,
                     hipMemGenericAllocationHandle_t handle, unsigned long long flags) {
  return entry([&] {
    check_addresses(address, size);
    check_no_flags(flags);
    if (offset != 0)
      throw Error(hipErrorInvalidValue, "`offset` is not 0");
    map_memory(address, size, handle);
  });
}

hipError_t hipMemUnmap(void *address, size_t size) {
  return entry(CaptureRule::unsafe, [&] {
    check_addresses(address, size);
    unmap_memory(address, size);
  });
}

hipError_t hipMemMapArrayAsync(hipArrayMapInfo *changes, unsigned int count, hipStream_t stream) {
  return entry([&] {
    check_not_captured(resolve(stream));
    if (!changes || count == 0)
      throw Error(hipErrorInvalidValue, "`changes` is null, or `count` is 0");
    throw Error(hipErrorNotSupported, "arrays are not sparse: all of their memory is there");
  });
}

hipError_t hipMemSetAccess(void *address, size_t size, const hipMemAccessDesc *description,
                           size_t count) {
  return entry([&] {
    check_addresses(address, size);
    if (!description || count == 0)
      throw Error(hipErrorInvalidValue, "`description` is null, or `count` is 0");
    set_access(address, size, {description, count});
  });
}

hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location,
                           void *address) {
  return entry([&] {
    required(flags);
    check_mapped(address);
    *flags = access_of(required(location), address);
  });
}

hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *properties,
                                                   hipMemGenericAllocationHandle_t handle) {
  return entry([&] { required(properties) = properties_of(handle); });
}

hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t *handle, void *address) {
  return entry([&] {
    required(handle);
    check_mapped(address);
    *handle = retain_physical_memory(address);
  });
}

hipError_t hipMemExportToShareableHandle(void *os_handle, hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType type,
                                         unsigned long long flags) {
  return entry([&] {
    check_no_flags(flags);
    int &descriptor = required(static_cast<int *>(os_handle));
    descriptor = export_physical_memory(handle, type);
  });
}

hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *handle, void *os_handle,
                                           hipMemAllocationHandleType type) {
  return entry([&] {
    required(handle);
    *handle = import_physical_memory(descriptor_of(os_handle), type);
  });
}
