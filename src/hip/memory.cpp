// HIP API reference: Memory management, allocation.
#include "../runtime/memory/managed.h"
#include "../runtime/memory/memory.h"
#include "entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

hipError_t allocate_into(void **address, AllocationKind kind, size_t bytes, unsigned flags) {
  return entry([&] {
    required(address) = nullptr;
    if (bytes != 0)
      *address = allocate(kind, bytes, flags);
    else
      Platform::get(); // nothing is asked for, and a null pointer is what HIP answers
  });
}

hipError_t allocate_host(void **address, size_t bytes, unsigned flags) {
  constexpr unsigned known = hipHostMallocPortable | hipHostMallocMapped |
                             hipHostMallocWriteCombined | hipHostMallocNumaUser |
                             hipHostMallocCoherent | hipHostMallocNonCoherent;
  constexpr unsigned both = hipHostMallocCoherent | hipHostMallocNonCoherent;
  if ((flags & ~known) || (flags & both) == both)
    return entry([] { return hipErrorInvalidValue; });
  return allocate_into(address, AllocationKind::host, bytes, flags);
}

hipError_t free_host(void *address) {
  return entry([&] {
    if (address)
      free_allocation(address, {AllocationKind::host});
  });
}

Allocation known_allocation(const void *address) {
  if (!address)
    throw Error(hipErrorInvalidValue, "a null pointer");
  auto allocation = find_allocation(address);
  if (!allocation)
    throw Error(hipErrorInvalidValue, "the pointer was not allocated by HIP");
  return *allocation;
}

} // namespace

hipError_t hipMalloc(void **address, size_t size) {
  return allocate_into(address, AllocationKind::device, size, 0);
}

hipError_t hipExtMallocWithFlags(void **address, size_t bytes, unsigned int flags) {
  switch (flags) {
  case hipDeviceMallocDefault:
  case hipDeviceMallocFinegrained:
  case hipDeviceMallocUncached:
  case hipDeviceMallocContiguous:
    return allocate_into(address, AllocationKind::device, bytes, flags);
  case hipMallocSignalMemory:
    if (bytes != 8)
      return entry([] { return hipErrorInvalidValue; });
    return allocate_into(address, AllocationKind::signal, bytes, flags);
  default:
    return entry([] { return hipErrorInvalidValue; });
  }
}

hipError_t hipFree(void *address) {
  return entry([&] {
    if (address)
      free_allocation(address,
                      {AllocationKind::device, AllocationKind::managed, AllocationKind::signal});
    else
      Platform::get();
  });
}

hipError_t hipMallocAsync(void **address, size_t size, hipStream_t stream) {
  return entry([&] {
    required(address) = nullptr;
    StreamTarget target = resolve(stream);
    if (size != 0)
      *address = allocate_in_order(target, size);
  });
}

hipError_t hipFreeAsync(void *address, hipStream_t stream) {
  return entry([&] {
    if (!address)
      throw Error(hipErrorInvalidValue, "no memory to free");
    free_in_order(resolve(stream), address);
  });
}

hipError_t hipHostMalloc(void **address, size_t size, unsigned int flags) {
  return allocate_host(address, size, flags);
}
hipError_t hipHostAlloc(void **address, size_t size, unsigned int flags) {
  return allocate_host(address, size, flags);
}
hipError_t hipMallocHost(void **address, size_t size) { return allocate_host(address, size, 0); }
hipError_t hipMemAllocHost(void **address, size_t size) { return allocate_host(address, size, 0); }

hipError_t hipHostFree(void *address) { return free_host(address); }
hipError_t hipFreeHost(void *address) { return free_host(address); }

hipError_t hipMallocManaged(void **address, size_t size, unsigned int flags) {
  if ((flags != hipMemAttachGlobal && flags != hipMemAttachHost) || size == 0)
    return entry([] { return hipErrorInvalidValue; });
  return allocate_into(address, AllocationKind::managed, size, flags);
}

hipError_t hipHostGetDevicePointer(void **address, void *host_address, unsigned int flags) {
  return entry([&] {
    if (flags != 0 || !known_allocation(host_address).host_can_reach())
      throw Error(hipErrorInvalidValue, "no host memory that the device can reach");
    required(address) = host_address; // host and devices share one address space
  });
}

hipError_t hipHostRegister(void *address, size_t bytes, unsigned int flags) {
  return entry([&] {
    constexpr unsigned known = hipHostRegisterPortable | hipHostRegisterMapped |
                               hipHostRegisterIoMemory | hipHostRegisterReadOnly;
    if (!address || bytes == 0 || bytes > UINTPTR_MAX - reinterpret_cast<uintptr_t>(address) ||
        (flags & ~known))
      throw Error(hipErrorInvalidValue, "no memory to register, or unknown flags");
    register_memory(address, bytes, flags);
  });
}

hipError_t hipHostUnregister(void *address) {
  return entry([&] {
    if (!address)
      throw Error(hipErrorInvalidValue, "a null pointer");
    unregister_memory(address);
  });
}

hipError_t hipHostGetFlags(unsigned int *flags, void *address) {
  return entry([&] {
    Allocation allocation = known_allocation(address);
    if (allocation.kind != AllocationKind::host && allocation.kind != AllocationKind::registered)
      throw Error(hipErrorInvalidValue, "not host memory of HIP");
    required(flags) = allocation.flags;
  });
}

hipError_t hipMemGetInfo(size_t *free, size_t *total) {
  return entry([&] {
    auto [free_bytes, total_bytes] = Platform::current_device().memory_info();
    required(free) = free_bytes;
    required(total) = total_bytes;
  });
}

hipError_t hipMemPtrGetInfo(void *address, size_t *size) {
  return entry([&] { required(size) = known_allocation(address).bytes; });
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *size, hipDeviceptr_t address) {
  return entry([&] {
    auto allocation = find_allocation(address);
    if (!allocation)
      throw Error(hipErrorNotFound, "the pointer was not allocated by HIP");
    if (base)
      *base = allocation->base;
    if (size)
      *size = allocation->bytes;
  });
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *address) {
  return entry([&] {
    required(attributes) = {};
    if (!address)
      throw Error(hipErrorInvalidValue, "a null pointer");
    auto allocation = find_allocation(address);
    if (!allocation) {
      attributes->type = hipMemoryTypeUnregistered;
      attributes->device = -2;
      return;
    }
    attributes->device = allocation->device->ordinal();
    attributes->devicePointer = const_cast<void *>(address);
    attributes->allocationFlags = allocation->flags;
    switch (allocation->kind) {
    case AllocationKind::device:
    case AllocationKind::variable:
      attributes->type = hipMemoryTypeDevice;
      break;
    case AllocationKind::host:
    case AllocationKind::signal:
    case AllocationKind::registered:
      attributes->type = hipMemoryTypeHost;
      attributes->hostPointer = attributes->devicePointer;
      break;
    case AllocationKind::managed:
      attributes->type = hipMemoryTypeManaged;
      attributes->hostPointer = attributes->devicePointer;
      attributes->isManaged = 1;
      break;
    }
  });
}

hipError_t hipMemAdvise(const void *address, size_t count, hipMemoryAdvise advice, int device) {
  return entry([&] { check_advice(address, count, advice, device); });
}

hipError_t hipMemPrefetchAsync(const void *address, size_t count, int device, hipStream_t stream) {
  return entry([&] { prefetch(resolve(stream), address, count, device); });
}
