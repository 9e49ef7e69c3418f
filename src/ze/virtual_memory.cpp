#include "virtual_memory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace chip::ze {
namespace {

/// Whether a result says that the driver has no such thing: some have not even the function, others know no such argument.
bool is_refused(ze_result_t result) {
  const hipError_t error = to_hip(result);
  return error == hipErrorNotSupported || error == hipErrorInvalidValue ||
         result == ZE_RESULT_ERROR_UNINITIALIZED ||
         result == ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION;
}

ze_memory_access_attribute_t attribute_of(PageAccess access) {
  return access == PageAccess::read_write ? ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE
         : access == PageAccess::read     ? ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY
                                          : ZE_MEMORY_ACCESS_ATTRIBUTE_NONE;
}

/// All whole units of what a descriptor stands for.
size_t size_of(const Driver &driver, const DeviceInfo &device, int descriptor) {
  const size_t unit = mapping_granularity(driver, device);
  if (!unit)
    throw Error(hipErrorNotSupported, "this Level Zero driver has no virtual memory");
  // Where a file of the system is at stays as it is. Others, such as the buffers of GPUs, tell their size only so.
  struct stat status{};
  off_t bytes = -1;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    bytes = status.st_size;
  } else if ((bytes = lseek(descriptor, 0, SEEK_END)) >= 0) {
    lseek(descriptor, 0, SEEK_SET);
  }
  if (bytes < 0 || size_t(bytes) < unit)
    throw Error(hipErrorInvalidValue, "the descriptor is none of memory");
  return size_t(bytes) / unit * unit;
}

bool are_same_file(int a, int b) {
  struct stat first{}, second{};
  return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

} // namespace

size_t mapping_granularity(const Driver &driver, const DeviceInfo &device) {
  // Drivers have larger pages for larger memory: what is good for a large one is good for all.
  constexpr size_t large = size_t(1) << 30;
  size_t bytes = 0;
  const ze_result_t result =
      zeVirtualMemQueryPageSize(driver.context(), device.handle, large, &bytes);
  if (is_refused(result))
    return 0;
  check(result, "zeVirtualMemQueryPageSize");
  return bytes;
}

void *reserve_addresses(const Driver &driver, void *wanted, size_t size) {
  void *address = nullptr;
  check_addressable(size);
  check_size(zeVirtualMemReserve(driver.context(), wanted, size, &address), "zeVirtualMemReserve");
  return address;
}

void free_addresses(const Driver &driver, void *address, size_t size) {
  if (loader_alive())
    check(zeVirtualMemFree(driver.context(), address, size), "zeVirtualMemFree");
}

PhysicalMemory::PhysicalMemory(const Driver &driver, const DeviceInfo &device, size_t size,
                               bool exportable)
    : driver_(driver), size_(size) {
  ze_external_memory_export_desc_t wanted{};
  wanted.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC;
  wanted.flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;
  if (exportable && !driver.capabilities().physical_memory_properties)
    throw Error(hipErrorNotSupported, "this Level Zero driver cannot export physical memory");
  memory_ = create(device, exportable ? &wanted : nullptr);
}

PhysicalMemory::PhysicalMemory(const Driver &driver, const DeviceInfo &device, int descriptor)
    : driver_(driver), size_(size_of(driver, device, descriptor)) {
  ze_external_memory_import_fd_t wanted{};
  wanted.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD;
  wanted.flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;
  wanted.fd = descriptor;
  memory_ = create(device, &wanted);
  // Drivers that know nothing of imports pass over the descriptor, and make new memory.
  try {
    const int exported = export_descriptor();
    const bool is_imported = are_same_file(exported, descriptor);
    close(exported);
    if (!is_imported)
      throw Error(hipErrorNotSupported, "this Level Zero driver cannot import physical memory");
  } catch (const Error &) {
    zePhysicalMemDestroy(driver_.context(), memory_);
    throw;
  }
}

ze_physical_mem_handle_t PhysicalMemory::create(const DeviceInfo &device, const void *extension) {
  // Drivers end the process for sizes that no table of pages can describe.
  if (device.memory.totalSize != 0 && size_ > device.memory.totalSize)
    throw Error(hipErrorOutOfMemory, "`size` is more memory than the device has");
  ze_physical_mem_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC;
  desc.pNext = extension;
  desc.flags = ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_DEVICE;
  desc.size = size_;
  ze_physical_mem_handle_t memory = nullptr;
  const ze_result_t result = zePhysicalMemCreate(driver_.context(), device.handle, &desc, &memory);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION)
    throw Error(hipErrorNotSupported,
                "this Level Zero driver cannot share physical memory between processes");
  check_size(result, "zePhysicalMemCreate");
  return memory;
}

PhysicalMemory::~PhysicalMemory() {
  if (loader_alive())
    zePhysicalMemDestroy(driver_.context(), memory_);
}

int PhysicalMemory::export_descriptor() const {
  const Capabilities &capabilities = driver_.capabilities();
  ze_external_memory_export_fd_t exported{};
  exported.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD;
  exported.flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;
  exported.fd = -1;
  ze_physical_mem_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES;
  properties.pNext = &exported;
  const auto get = capabilities.physical_memory_properties;
  const ze_result_t result =
      get ? get(driver_.context(), memory_, &properties) : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  if (is_refused(result) || (result == ZE_RESULT_SUCCESS && exported.fd < 0))
    throw Error(hipErrorNotSupported, "this Level Zero driver cannot share physical memory");
  check(result, "zePhysicalMemGetProperties");
  if (capabilities.gives_descriptors_away)
    return exported.fd;
  const int own = fcntl(exported.fd, F_DUPFD_CLOEXEC, 3);
  if (own < 0)
    throw Error(hipErrorOutOfMemory, "the process has no descriptor left");
  return own;
}

void PhysicalMemory::map(void *address, size_t size, PageAccess access) const {
  check(zeVirtualMemMap(driver_.context(), address, size, memory_, 0, attribute_of(access)),
        "zeVirtualMemMap");
}

void unmap(const Driver &driver, void *address, size_t size) {
  detail::memory_epoch.fetch_add(1, std::memory_order_release);
  if (loader_alive())
    check(zeVirtualMemUnmap(driver.context(), address, size), "zeVirtualMemUnmap");
}

void set_access(const Driver &driver, void *address, size_t size, PageAccess access) {
  check(zeVirtualMemSetAccessAttribute(driver.context(), address, size, attribute_of(access)),
        "zeVirtualMemSetAccessAttribute");
}

} // namespace chip::ze
