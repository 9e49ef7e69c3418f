// The address by which kernels give up, since SPIR-V has no instruction for it.
#pragma once

#include <cstdint>

namespace ze_cpu {

/// A work-item that writes to this address ends its launch as a fault does, and the report says
/// that it gave up. Nullptr: there was no memory for it.
void *trap_address();
/// Whether `address` is trap_address().
bool is_trap(uintptr_t address);

} // namespace ze_cpu
