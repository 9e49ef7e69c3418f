// hipPointerGetAttribute: single facts about an address.
#pragma once

#include "memory.h"

namespace chip {

/// Throws hipErrorInvalidValue for a number that is no attribute.
void check_attribute(hipPointer_attribute attribute);
/// Whether addresses have the attribute here. Those that others lack are about AMD's and NVIDIA's drivers.
bool is_supported(hipPointer_attribute attribute);
/// Stores a supported attribute of an address; where the address does not have it, its null value. Tells whether it has. Of one
/// that is not supported nothing is stored.
/// `data` points to what the attribute's comment says: what is stored is never larger.
bool store_attribute(void *data, hipPointer_attribute attribute, void *address);

/// hipPointerSetAttribute. Throws hipErrorInvalidDevicePointer if the address is not in memory that HIP knows.
void set_synchronous_copies(const void *address, bool are_synchronous);

} // namespace chip
