// HIP API reference: Memory management, attributes of addresses.
#include "../../runtime/memory/pointer_attributes.h"
#include "../entry.h"

#include <algorithm>
#include <span>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

void check_address(const void *address) {
  if (!address)
    throw Error(hipErrorInvalidValue, "`address` is null");
}

} // namespace

hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute,
                                  hipDeviceptr_t address) {
  return entry([&] {
    check_address(address);
    required(static_cast<char *>(data));
    check_attribute(attribute);
    if (!is_supported(attribute))
      throw Error(hipErrorNotSupported, "addresses have no such attribute here");
    if (store_attribute(data, attribute, address))
      return;
    if (attribute == HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE)
      throw Error(hipErrorNotSupported,
                  "`address` is not in memory of a pool that the program has");
    throw Error(hipErrorInvalidValue,
                "`address` is not in memory that HIP knows, or not in memory of the host");
  });
}

hipError_t hipDrvPointerGetAttributes(unsigned int attribute_count,
                                      hipPointer_attribute *attributes, void **data,
                                      hipDeviceptr_t address) {
  return entry([&] {
    if (attribute_count == 0 || !attributes || !data)
      throw Error(hipErrorInvalidValue,
                  "`attribute_count` is 0, or `attributes` or `data` is null");
    check_address(address);
    const std::span wanted(attributes, attribute_count);
    std::ranges::for_each(wanted, check_attribute);
    if (std::ranges::contains(std::span(data, attribute_count), nullptr))
      throw Error(hipErrorInvalidValue, "an element of `data` is null");
    for (size_t i = 0; i < wanted.size(); ++i)
      store_attribute(data[i], wanted[i], address);
  });
}

hipError_t hipPointerSetAttribute(const void *value, hipPointer_attribute attribute,
                                  hipDeviceptr_t address) {
  return entry([&] {
    check_address(address);
    required(static_cast<const char *>(value));
    if (attribute != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS)
      throw Error(hipErrorInvalidValue, "`attribute` cannot be set");
    const auto wanted = *static_cast<const unsigned *>(value);
    if (wanted > 1)
      throw Error(hipErrorInvalidValue, "`value` points to neither 0 nor 1");
    set_synchronous_copies(address, wanted == 1);
  });
}
