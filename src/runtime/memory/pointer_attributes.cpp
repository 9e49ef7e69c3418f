#include "pointer_attributes.h"
#include "../pools/pools.h"
#include "array.h"

#include <algorithm>

namespace chip {
namespace {

/// A member of the traits of an allocation that there is.
template <class Value> Value trait(const void *address, Value AllocationTraits::*member) {
  Value value{};
  look_at_allocation(
      address, [&](const Allocation &, const AllocationTraits &traits) { value = traits.*member; });
  return value;
}

hipMemAccessFlags flags_of(ze::PageAccess access) {
  return access == ze::PageAccess::read_write ? hipMemAccessFlagsProtReadWrite
         : access == ze::PageAccess::read     ? hipMemAccessFlagsProtRead
                                              : hipMemAccessFlagsProtNone;
}

template <class Value> void store(void *data, Value value) { *static_cast<Value *>(data) = value; }

} // namespace

void check_attribute(hipPointer_attribute attribute) {
  if (attribute < HIP_POINTER_ATTRIBUTE_CONTEXT || attribute > HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE)
    throw Error(hipErrorInvalidValue, "the attribute is not a hipPointer_attribute");
}

bool is_supported(hipPointer_attribute attribute) {
  switch (attribute) {
  case HIP_POINTER_ATTRIBUTE_CONTEXT:
  case HIP_POINTER_ATTRIBUTE_P2P_TOKENS:
  case HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE:
  case HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
  case HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    return false;
  default:
    return true;
  }
}

bool store_attribute(void *data, hipPointer_attribute attribute, void *address) {
  const auto found = find_allocation(address);
  const bool is_known = found.has_value();
  const Allocation allocation = found.value_or(Allocation{});
  switch (attribute) {
  case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE: {
    // The handle of an array passes for an address.
    const bool is_an_array = !is_known && is_array(static_cast<hipArray_t>(address));
    store(data, uint32_t(is_known      ? allocation.type()
                         : is_an_array ? hipMemoryTypeArray
                                       : hipMemoryTypeUnregistered));
    return is_known || is_an_array;
  }
  case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
    store(data, is_known ? address : nullptr);
    return is_known;
  case HIP_POINTER_ATTRIBUTE_HOST_POINTER: {
    const bool has_one = is_known && allocation.host_can_reach();
    store(data, has_one ? address : nullptr);
    return has_one;
  }
  case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    store(data, is_known && trait(address, &AllocationTraits::copies_synchronously));
    return is_known;
  case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
    store(data, is_known ? trait(address, &AllocationTraits::number) : uint32_t(0));
    return is_known;
  case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
    store(data, is_known && allocation.kind == AllocationKind::managed);
    return is_known;
  case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    store(data, is_known ? allocation.device->ordinal() : hipInvalidDeviceId);
    return is_known;
  case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    store(data, allocation.base);
    return is_known;
  case HIP_POINTER_ATTRIBUTE_RANGE_SIZE: // in 32 bits, as AMD's run time stores it
    store(data, uint32_t(std::min<size_t>(allocation.bytes, UINT32_MAX)));
    return is_known;
  case HIP_POINTER_ATTRIBUTE_MAPPED:
    store(data, is_known);
    return is_known;
  case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    store(data, uint32_t(is_known ? flags_of(allocation.access) : hipMemAccessFlagsProtNone));
    return is_known;
  case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: {
    const MemoryPool *pool = allocation.pool();
    const hipMemPool_t handle = pool ? handle_of(*pool) : nullptr;
    store(data, handle);
    return handle != nullptr;
  }
  default: // not supported
    return false;
  }
}

void set_synchronous_copies(const void *address, bool are_synchronous) {
  if (!look_at_allocation(address, [&](const Allocation &, AllocationTraits &traits) {
        traits.copies_synchronously = are_synchronous;
      }))
    throw Error(hipErrorInvalidDevicePointer, "`address` is not in memory that HIP knows");
}

} // namespace chip
