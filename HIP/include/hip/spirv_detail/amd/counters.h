/// clang's builtins for AMD's counters that begin anew at a limit.
#pragma once

#include <hip/spirv_detail/amd/order.h>

namespace chip_device {

/// No device has these, so it tries until no other thread came in between: for the whole system, which is right
/// for any scope.
template <bool up, typename __Number>
CHIP_DEVICE __Number __count(volatile __Number *address, __Number limit, unsigned int order,
                             const char *scope) {
  if (order != __ATOMIC_RELAXED && order != __ATOMIC_CONSUME && order != __ATOMIC_ACQUIRE)
    __builtin_amdgcn_fence(order, scope);
  __Number old = __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM), next;
  do {
    next = up ? (old >= limit ? 0 : old + 1) : (old == 0 || old > limit ? limit : old - 1);
  } while (!__hip_atomic_compare_exchange_strong(address, &old, next, __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM));
  if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE)
    __builtin_amdgcn_fence(order, scope);
  return old;
}

} // namespace chip_device

/// Adds 1, or sets to 0 what is `limit` or more; returns what was there. `order` is one of `__ATOMIC_...`, `scope` as of
/// `__builtin_amdgcn_fence`.
CHIP_DEVICE unsigned int __builtin_amdgcn_atomic_inc32(volatile unsigned int *address,
                                                       unsigned int limit, unsigned int order,
                                                       const char *scope) {
  return chip_device::__count<true>(address, limit, order, scope);
}
CHIP_DEVICE unsigned long __builtin_amdgcn_atomic_inc64(volatile unsigned long *address,
                                                        unsigned long limit, unsigned int order,
                                                        const char *scope) {
  return chip_device::__count<true>(address, limit, order, scope);
}

/// Subtracts 1, or sets to `limit` what is 0 or more than `limit`.
CHIP_DEVICE unsigned int __builtin_amdgcn_atomic_dec32(volatile unsigned int *address,
                                                       unsigned int limit, unsigned int order,
                                                       const char *scope) {
  return chip_device::__count<false>(address, limit, order, scope);
}
CHIP_DEVICE unsigned long __builtin_amdgcn_atomic_dec64(volatile unsigned long *address,
                                                        unsigned long limit, unsigned int order,
                                                        const char *scope) {
  return chip_device::__count<false>(address, limit, order, scope);
}
