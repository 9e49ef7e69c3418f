// ZE_CPU_CHECK: where in the program memory was allocated.
#pragma once

#include "../../ze_driver/memory_backend.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ze_cpu {

/// Remembers who calls.
void remember_allocation(const void *base, size_t bytes, ze_driver::MemoryKind kind);
void forget_allocation(const void *base) noexcept;

/// ", allocated by hipMalloc at file:line" of what the address is in, and who has freed it, as far as that is known.
std::string allocated_by(uintptr_t address);

/// HIP's runtime says that the program has not freed so many bytes of it.
void note_leak(const void *base, size_t bytes) noexcept;
/// Tells of what the program has allocated and not freed: once for each place. What HIP's runtime has allocated for itself is not
/// the program's.
void tell_leaks();

} // namespace ze_cpu
