// HIP API reference: Memory management, stream-ordered memory allocator.
#include "../../runtime/memory/memory.h"
#include "../../runtime/pools/pool_export.h"
#include "../../runtime/pools/pools.h"
#include "../entry.h"

#include <span>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

/// AMD's runtime has another code for a bad stream in these functions than elsewhere.
StreamTarget resolve_for_memory(hipStream_t stream) {
  return stream ? resolve_or(hipErrorInvalidHandle, stream, false) : resolve(stream);
}

/// Throws hipErrorInvalidValue for a number that no device has.
Device &device_at(int ordinal, const char *message) {
  Platform &platform = Platform::get();
  if (ordinal < 0 || ordinal >= platform.device_count())
    throw Error(hipErrorInvalidValue, message);
  return platform.device(ordinal);
}

MemoryPool &current_pool(Device &device) {
  return *device.current_pool.load(std::memory_order_acquire);
}

/// The properties of a pool that can be made.
PoolProperties checked(const hipMemPoolProps &properties) {
  if (properties.allocType != hipMemAllocationTypePinned)
    throw Error(hipErrorInvalidValue, "`allocType` is not hipMemAllocationTypePinned");
  if (properties.handleTypes != hipMemHandleTypeNone &&
      properties.handleTypes != hipMemHandleTypePosixFileDescriptor)
    throw Error(hipErrorInvalidValue, "`handleTypes` is neither hipMemHandleTypeNone nor "
                                      "hipMemHandleTypePosixFileDescriptor");
  if (properties.location.type != hipMemLocationTypeDevice)
    throw Error(hipErrorInvalidValue, "`location.type` is not hipMemLocationTypeDevice");
  return {.max_bytes = properties.maxSize, .handle_types = properties.handleTypes};
}

/// Whose access an element of hipMemPoolSetAccess sets, if it may.
Device &accessing_device(const hipMemAccessDesc &description, const MemoryPool &pool) {
  if (description.location.type != hipMemLocationTypeDevice)
    throw Error(hipErrorInvalidValue, "`location.type` is not hipMemLocationTypeDevice");
  Device &device = Platform::get().device(description.location.id);
  if (description.flags != hipMemAccessFlagsProtNone &&
      description.flags != hipMemAccessFlagsProtRead &&
      description.flags != hipMemAccessFlagsProtReadWrite)
    throw Error(hipErrorInvalidValue, "`flags` of an element is not a hipMemAccessFlags");
  if (&device == &pool.device() && description.flags == hipMemAccessFlagsProtNone)
    throw Error(hipErrorInvalidDevice, "the pool's own device cannot lose its access");
  return device;
}

void must_be_zero(unsigned flags) {
  if (flags != 0)
    throw Error(hipErrorInvalidValue, "`flags` is not 0");
}

} // namespace

// ---- Allocation in stream order

hipError_t hipMallocAsync(void **address, size_t size, hipStream_t stream) {
  return entry([&] {
    required(address) = nullptr;
    const StreamTarget target = resolve_for_memory(stream);
    if (size != 0)
      *address = allocate_in_order(target, current_pool(*target.device), size);
  });
}

hipError_t hipMallocFromPoolAsync(void **address, size_t size, hipMemPool_t pool,
                                  hipStream_t stream) {
  return entry([&] {
    required(address) = nullptr;
    MemoryPool &found = find_pool(pool);
    if (found.is_imported())
      throw Error(hipErrorInvalidValue,
                  "`pool` was imported, and memory cannot be allocated from it");
    const StreamTarget target = resolve_for_memory(stream);
    if (size != 0)
      *address = allocate_in_order(target, found, size);
  });
}

hipError_t hipFreeAsync(void *address, hipStream_t stream) {
  return entry([&] {
    if (!address)
      throw Error(hipErrorInvalidValue, "`address` is null");
    free_in_order(resolve_for_memory(stream), address);
  });
}

// ---- Pools

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *pool, int device) {
  return entry([&] {
    required(pool);
    *pool = static_cast<hipMemPool_t>(&Platform::get().device(device).default_pool());
  });
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool) {
  return entry([&] {
    MemoryPool &found = find_pool(pool);
    set_current_pool(device_at(device, "`device` is not the number of a device"), found);
  });
}

hipError_t hipDeviceGetMemPool(hipMemPool_t *pool, int device) {
  return entry([&] {
    required(pool);
    Device &found = device_at(device, "`device` is not the number of a device");
    *pool = static_cast<hipMemPool_t>(&current_pool(found));
  });
}

hipError_t hipMemPoolCreate(hipMemPool_t *pool, const hipMemPoolProps *properties) {
  return entry([&] {
    required(pool);
    PoolProperties wanted = checked(required(properties));
    Device &device = device_at(properties->location.id, "`location.id` is not that of a device");
    *pool = create_pool(device, std::move(wanted));
  });
}

hipError_t hipMemPoolDestroy(hipMemPool_t pool) {
  return entry([&] { destroy_pool(pool); });
}

hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t min_bytes) {
  return entry([&] { find_pool(pool).trim(min_bytes); });
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value) {
  return entry([&] {
    MemoryPool &found = find_pool(pool);
    if (MemoryPool::is_policy(attribute))
      found.set_policy(attribute, required(static_cast<const int *>(value)) != 0);
    else
      found.set_attribute(attribute, required(static_cast<const uint64_t *>(value)));
  });
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value) {
  return entry([&] {
    const MemoryPool &found = find_pool(pool);
    if (MemoryPool::is_policy(attribute))
      required(static_cast<int *>(value)) = found.policy(attribute);
    else
      required(static_cast<uint64_t *>(value)) = found.attribute(attribute);
  });
}

hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc *descriptions,
                               size_t count) {
  return entry([&] {
    MemoryPool &found = find_pool(pool);
    if (count > size_t(Platform::get().device_count())) {
      required(descriptions);
      throw Error(hipErrorInvalidDevice, "`count` is more than there are devices");
    }
    // All are looked at before any is set.
    const std::span all(&required(descriptions), count);
    for (const hipMemAccessDesc &description : all)
      accessing_device(description, found);
    for (const hipMemAccessDesc &description : all)
      found.set_access(accessing_device(description, found), description.flags);
  });
}

hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t pool,
                               hipMemLocation *location) {
  return entry([&] {
    required(flags);
    const MemoryPool &found = find_pool(pool);
    if (required(location).type != hipMemLocationTypeDevice)
      throw Error(hipErrorInvalidValue, "`location` is not a device");
    *flags = found.access(device_at(location->id, "`location` is not a device"));
  });
}

// ---- Between processes

hipError_t hipMemPoolExportToShareableHandle(void *os_handle, hipMemPool_t pool,
                                             hipMemAllocationHandleType type, unsigned int flags) {
  return entry([&] {
    int &descriptor = required(static_cast<int *>(os_handle));
    MemoryPool &found = find_pool(pool);
    must_be_zero(flags);
    if (type != hipMemHandleTypePosixFileDescriptor || found.properties().handle_types != type)
      throw Error(hipErrorInvalidValue, "`pool` was not created for handles of `type`");
    descriptor = found.exported()->descriptor();
  });
}

hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t *pool, void *os_handle,
                                               hipMemAllocationHandleType type,
                                               unsigned int flags) {
  return entry([&] {
    required(pool);
    if (!os_handle)
      throw Error(hipErrorInvalidValue, "`os_handle` is null");
    must_be_zero(flags);
    if (type != hipMemHandleTypePosixFileDescriptor)
      throw Error(hipErrorInvalidValue, "`type` is not hipMemHandleTypePosixFileDescriptor");
    // Programs cast what may be more than an int, of which the descriptor is the low half.
    auto imported = ImportedPool::open(int(reinterpret_cast<intptr_t>(os_handle)));
    Device &device = imported->device();
    *pool = create_pool(device, {.imported = std::move(imported)});
  });
}

hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData *data, void *address) {
  return entry([&] {
    required(data);
    if (!address)
      throw Error(hipErrorInvalidValue, "`address` is null");
    *data = export_pointer(address);
  });
}

hipError_t hipMemPoolImportPointer(void **address, hipMemPool_t pool,
                                   hipMemPoolPtrExportData *data) {
  return entry([&] {
    required(address);
    const MemoryPool &found = find_pool(pool);
    required(data);
    const auto imported = found.imported();
    if (!imported)
      throw Error(hipErrorInvalidValue, "`pool` was not imported");
    *address = imported->import_pointer(*data);
  });
}
