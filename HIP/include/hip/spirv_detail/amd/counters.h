/// clang's builtins for AMD's counters that begin anew at a limit.
#pragma once

#include <hip/spirv_detail/amd/order.h>
#include <hip/spirv_detail/atomics.h>

namespace chip_device {

/// A step of a counter that also orders memory operations, and is one for the whole system: right for any scope.
template <bool up, typename __Number>
CHIP_DEVICE __Number __ordered_step(volatile __Number *counter, __Number limit, unsigned int order,
                                    const char *scope) {
  if (order != __ATOMIC_RELAXED && order != __ATOMIC_CONSUME && order != __ATOMIC_ACQUIRE)
    __builtin_amdgcn_fence(order, scope);
  const __Number old = __step_of_counter<up, __HIP_MEMORY_SCOPE_SYSTEM>(counter, limit);
  if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE)
    __builtin_amdgcn_fence(order, scope);
  return old;
}

} // namespace chip_device

#define CHIP_COUNTER(name, up, type)                                                               \
  CHIP_DEVICE type __builtin_amdgcn_atomic_##name(volatile type *counter, type limit,              \
                                                  unsigned int order, const char *scope) {         \
    return chip_device::__ordered_step<up>(counter, limit, order, scope);                          \
  }

// They add 1, or set to 0 what is `limit` or more, and return what was there. `order` is one of `__ATOMIC_...`, `scope` as of
// `__builtin_amdgcn_fence`.
CHIP_COUNTER(inc32, true, unsigned int)
CHIP_COUNTER(inc64, true, unsigned long)

// They subtract 1, or set to `limit` what is 0 or more than `limit`.
CHIP_COUNTER(dec32, false, unsigned int)
CHIP_COUNTER(dec64, false, unsigned long)
#undef CHIP_COUNTER
