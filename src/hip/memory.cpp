// HIP API reference: Memory management, allocation.
#include "../runtime/memory/memory.h"
#include "../runtime/memory/managed.h"
#include "entry.h"

#include <format>
#include <vector>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

template <class Check>
hipError_t allocate_into(void **address, AllocationKind kind, size_t bytes, unsigned flags,
                         const Check &check, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, CaptureRule::unsafe, [&] {
    Platform::get();
    check();
    required(address) = nullptr;
    if (bytes == 0)
      return; // nothing is asked for, and a null pointer is what HIP answers
    *address = kind == AllocationKind::device && flags == 0 ? allocate_device_memory(bytes)
                                                            : allocate(kind, bytes, flags);
  });
}

hipError_t allocate_host(void **address, size_t bytes, unsigned flags) {
  constexpr unsigned known = hipHostMallocPortable | hipHostMallocMapped |
                             hipHostMallocWriteCombined | hipHostMallocNumaUser |
                             hipHostMallocCoherent | hipHostMallocNonCoherent |
                             hipHostMallocUncached;
  constexpr unsigned both = hipHostMallocCoherent | hipHostMallocNonCoherent;
  return allocate_into(address, AllocationKind::host, bytes, flags, [&] {
    if ((flags & ~known) || (flags & both) == both)
      throw Error(hipErrorInvalidValue, "`flags` is unknown, or both coherent and not coherent");
  });
}

hipError_t free_host(void *address, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, CaptureRule::unsafe, [&] {
    if (address)
      free_allocation(address, {AllocationKind::host});
    else
      Platform::get();
  });
}

/// The allocation that `address` lies in. Throws hipErrorInvalidValue if there is none; `argument` is its name in HIP.
Allocation known_allocation(const void *address, const char *argument = "address") {
  if (!address)
    throw Error(hipErrorInvalidValue, std::format("`{}` is null", argument));
  auto allocation = find_allocation(address);
  if (!allocation)
    throw Error(hipErrorInvalidValue,
                std::format("`{}` is not in memory that HIP allocated or registered", argument));
  return *allocation;
}

} // namespace

hipError_t hipMalloc(void **address, size_t size) {
  return allocate_into(address, AllocationKind::device, size, 0, [] {});
}

hipError_t hipExtMallocWithFlags(void **address, size_t bytes, unsigned int flags) {
  const bool is_signal = flags == hipMallocSignalMemory;
  const auto kind = is_signal ? AllocationKind::signal : AllocationKind::device;
  return allocate_into(address, kind, bytes, flags, [&] {
    if (is_signal && bytes != 8)
      throw Error(hipErrorInvalidValue, "`bytes` is not 8, the size of signal memory");
    if (!is_signal && flags != hipDeviceMallocDefault && flags != hipDeviceMallocFinegrained &&
        flags != hipDeviceMallocUncached && flags != hipDeviceMallocContiguous)
      throw Error(hipErrorInvalidValue, "`flags` is unknown");
  });
}

hipError_t hipFree(void *address) {
  return entry(CaptureRule::unsafe, [&] {
    if (address)
      free_allocation(address, {AllocationKind::device, AllocationKind::host,
                                AllocationKind::managed, AllocationKind::signal});
    else
      Platform::get();
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
  return allocate_into(address, AllocationKind::managed, size, flags, [&] {
    if ((flags != hipMemAttachGlobal && flags != hipMemAttachHost) || size == 0)
      throw Error(hipErrorInvalidValue, "`flags` is not a hipMemAttach flag, or `size` is 0");
  });
}

hipError_t hipHostGetDevicePointer(void **address, void *host_address, unsigned int flags) {
  return entry([&] {
    if (flags != 0 || !known_allocation(host_address, "host_address").host_can_reach())
      throw Error(hipErrorInvalidValue, "`flags` is not 0, or devices cannot reach `host_address`");
    required(address) = host_address; // host and devices share one address space
  });
}

hipError_t hipHostRegister(void *address, size_t bytes, unsigned int flags) {
  return entry(CaptureRule::unsafe, [&] {
    constexpr unsigned known = hipHostRegisterPortable | hipHostRegisterMapped |
                               hipHostRegisterIoMemory | hipHostRegisterReadOnly |
                               hipExtHostRegisterUncached;
    if (!address || bytes == 0 || bytes > UINTPTR_MAX - reinterpret_cast<uintptr_t>(address) ||
        (flags & ~known))
      throw Error(hipErrorInvalidValue, "`address` is null, `bytes` is 0 or passes the end of the "
                                        "address space, or `flags` is unknown");
    register_memory(address, bytes, flags);
  });
}

hipError_t hipHostUnregister(void *address) {
  return entry(CaptureRule::unsafe, [&] {
    if (!address)
      throw Error(hipErrorInvalidValue, "`address` is null");
    unregister_memory(address);
  });
}

hipError_t hipHostGetFlags(unsigned int *flags, void *address) {
  return entry([&] {
    Allocation allocation = known_allocation(address);
    if (allocation.kind != AllocationKind::host && allocation.kind != AllocationKind::registered)
      throw Error(hipErrorInvalidValue,
                  "`address` is not in host memory that HIP allocated or registered");
    required(flags) = allocation.flags;
  });
}

hipError_t hipMemGetInfo(size_t *free, size_t *total) {
  return entry([&] {
    auto [free_bytes, total_bytes] = Platform::current_device().memory_info();
    if (free)
      *free = free_bytes;
    if (total)
      *total = total_bytes;
  });
}

hipError_t hipMemPtrGetInfo(void *address, size_t *size) {
  return entry([&] { required(size) = known_allocation(address).bytes; });
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *size, hipDeviceptr_t address) {
  return entry([&] {
    auto allocation = find_allocation(address);
    if (!allocation)
      throw Error(hipErrorNotFound, "`address` is not in memory that HIP allocated or registered");
    if (base)
      *base = allocation->base;
    if (size)
      *size = allocation->bytes;
  });
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *address) {
  return entry([&] {
    required(attributes) = {};
    Platform::get();
    if (!address)
      throw Error(hipErrorInvalidValue, "`address` is null");
    auto allocation = find_allocation(address);
    if (!allocation) {
      attributes->type = hipMemoryTypeUnregistered;
      attributes->device = -2;
      return;
    }
    attributes->device = allocation->device->ordinal();
    attributes->devicePointer = const_cast<void *>(address);
    attributes->allocationFlags = allocation->flags;
    attributes->type = allocation->type();
    attributes->isManaged = attributes->type == hipMemoryTypeManaged;
    if (attributes->type != hipMemoryTypeDevice)
      attributes->hostPointer = attributes->devicePointer;
  });
}

hipError_t hipMemAdvise(const void *address, size_t count, hipMemoryAdvise advice, int device) {
  return entry([&] { advise(address, count, advice, device); });
}

hipError_t hipMemPrefetchAsync(const void *address, size_t count, int device, hipStream_t stream) {
  return entry([&] {
    const StreamTarget target = resolve(stream);
    check_not_captured(target);
    prefetch(target, address, count, device);
  });
}

hipError_t hipMemRangeGetAttribute(void *data, size_t data_size, hipMemRangeAttribute attribute,
                                   const void *address, size_t count) {
  return entry([&] {
    const RangeQuery query = {attribute, data, data_size};
    store_range_attributes({&query, 1}, address, count);
  });
}

hipError_t hipMemRangeGetAttributes(void **data, size_t *data_sizes,
                                    hipMemRangeAttribute *attributes, size_t attribute_count,
                                    const void *address, size_t count) {
  return entry([&] {
    if (!data || !data_sizes || !attributes || attribute_count == 0)
      throw Error(hipErrorInvalidValue,
                  "`data`, `data_sizes` or `attributes` is null, or `attribute_count` is 0");
    std::vector<RangeQuery> queries;
    for (size_t i = 0; i < attribute_count; ++i)
      queries.push_back({attributes[i], data[i], data_sizes[i]});
    store_range_attributes(queries, address, count);
  });
}

hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *address, size_t length,
                                   unsigned int flags) {
  return entry([&] {
    const StreamTarget target = resolve(stream);
    check_not_captured(target);
    if (!address)
      throw Error(hipErrorInvalidValue, "`address` is null");
    if (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle)
      throw Error(hipErrorInvalidValue, "`flags` is not a hipMemAttach flag");
    if (flags == hipMemAttachSingle && (!stream || stream == hipStreamLegacy))
      throw Error(hipErrorInvalidValue,
                  "`flags` is hipMemAttachSingle, but `stream` is the null stream");
    check_attachment(target, address, length);
  });
}
