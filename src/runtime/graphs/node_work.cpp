#include "node_work.h"
#include "../memory/array.h"
#include "../memory/memory.h"

namespace chip {
namespace {

CopyPlace place_of(hipArray_t array, const void *address) {
  if (array)
    return {true, array->device};
  const auto allocation = find_allocation(address);
  return {false, allocation && !allocation->host_can_reach() ? allocation->device : nullptr};
}

CopyPlace place_of(hipMemoryType type, hipArray_t array, const void *host, const void *device) {
  if (type == hipMemoryTypeArray)
    return place_of(array, nullptr);
  const bool is_host = type == hipMemoryTypeHost || type == hipMemoryTypeUnregistered;
  return place_of(nullptr, is_host ? host : device);
}

} // namespace

void NodeWork::set_copy(const hipMemcpy3DParms &copy) {
  details = copy;
  route = {place_of(copy.srcArray, copy.srcPtr.ptr), place_of(copy.dstArray, copy.dstPtr.ptr)};
}

void NodeWork::set_copy(const HIP_MEMCPY3D &copy) {
  details = copy;
  route = {place_of(copy.srcMemoryType, copy.srcArray, copy.srcHost, copy.srcDevice),
           place_of(copy.dstMemoryType, copy.dstArray, copy.dstHost, copy.dstDevice)};
}

} // namespace chip
