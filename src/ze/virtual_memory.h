// Addresses, and memory without addresses, which is mapped to them.
#pragma once

#include "driver.h"

#include <cstddef>

namespace chip::ze {

/// What sizes and addresses of physical memory and of mappings are multiples of, however large they are. 0: the driver has
/// no virtual memory.
size_t mapping_granularity(const Driver &driver, const DeviceInfo &device);

/// Reserves addresses, at `wanted` if those are free. Throws hipErrorOutOfMemory.
void *reserve_addresses(const Driver &driver, void *wanted, size_t size);
/// Nothing is mapped to them.
void free_addresses(const Driver &driver, void *address, size_t size);

enum class PageAccess : uint8_t { none, read, read_write };

/// Memory of a device without an address.
class PhysicalMemory {
public:
  /// Throws hipErrorOutOfMemory; hipErrorNotSupported for exportable memory where the driver has none.
  PhysicalMemory(const Driver &driver, const DeviceInfo &device, size_t size, bool exportable);
  /// The memory of another process, all that `descriptor` stands for, which stays the caller's. Throws hipErrorInvalidValue
  /// if that is no memory, hipErrorNotSupported where the driver cannot import any.
  PhysicalMemory(const Driver &driver, const DeviceInfo &device, int descriptor);
  PhysicalMemory(const PhysicalMemory &) = delete;
  PhysicalMemory &operator=(const PhysicalMemory &) = delete;
  /// It is mapped nowhere.
  ~PhysicalMemory();

  const Driver &driver() const { return driver_; }
  size_t size() const { return size_; }

  /// A new descriptor by which another process can import the memory. Throws hipErrorNotSupported.
  int export_descriptor() const;
  /// Maps the first `size` bytes to reserved addresses to which nothing is mapped.
  void map(void *address, size_t size, PageAccess access) const;

private:
  ze_physical_mem_handle_t create(const DeviceInfo &device, const void *extension);

  const Driver &driver_;
  const size_t size_;
  ze_physical_mem_handle_t memory_ = nullptr;
};

/// For what one call of PhysicalMemory::map mapped. No work uses the memory.
void unmap(const Driver &driver, void *address, size_t size);
void set_access(const Driver &driver, void *address, size_t size, PageAccess access);

} // namespace chip::ze
