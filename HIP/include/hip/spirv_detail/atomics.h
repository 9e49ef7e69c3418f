/// Atomic operations on global and shared memory. They order nothing but themselves, and return the
/// value from before. Those without a suffix are atomic for the device, _block for the block alone,
/// and _system also for the host and other devices.
#pragma once

#include <hip/spirv_detail/math/math_builtins.h>

namespace chip_device {

template <typename T> struct __SameSizeInteger;
template <> struct __SameSizeInteger<float> {
  typedef unsigned int __Type;
};
template <> struct __SameSizeInteger<double> {
  typedef unsigned long __Type;
};

} // namespace chip_device

/// A function for one type in its three scopes, by `operation(address, value, order, scope)`.
#define CHIP_ATOMIC(name, type, operation)                                                         \
  CHIP_DEVICE type name(type *address, type value) {                                               \
    return operation(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                  \
  }                                                                                                \
  CHIP_DEVICE type name##_block(type *address, type value) {                                       \
    return operation(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);              \
  }                                                                                                \
  CHIP_DEVICE type name##_system(type *address, type value) {                                      \
    return operation(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);                 \
  }

#define CHIP_ATOMIC_INTEGERS(name, operation)                                                      \
  CHIP_ATOMIC(name, int, operation)                                                                \
  CHIP_ATOMIC(name, unsigned int, operation)                                                       \
  CHIP_ATOMIC(name, long, operation)                                                               \
  CHIP_ATOMIC(name, unsigned long, operation)                                                      \
  CHIP_ATOMIC(name, long long, operation)                                                          \
  CHIP_ATOMIC(name, unsigned long long, operation)

#define CHIP_ATOMIC_NUMBERS(name, operation)                                                       \
  CHIP_ATOMIC_INTEGERS(name, operation)                                                            \
  CHIP_ATOMIC(name, float, operation)                                                              \
  CHIP_ATOMIC(name, double, operation)

CHIP_ATOMIC_NUMBERS(atomicAdd, __hip_atomic_fetch_add)
CHIP_ATOMIC_NUMBERS(atomicSub, __hip_atomic_fetch_sub)
CHIP_ATOMIC_NUMBERS(atomicMin, __hip_atomic_fetch_min)
CHIP_ATOMIC_NUMBERS(atomicMax, __hip_atomic_fetch_max)
CHIP_ATOMIC_NUMBERS(atomicExch, __hip_atomic_exchange)
CHIP_ATOMIC_INTEGERS(atomicAnd, __hip_atomic_fetch_and)
CHIP_ATOMIC_INTEGERS(atomicOr, __hip_atomic_fetch_or)
CHIP_ATOMIC_INTEGERS(atomicXor, __hip_atomic_fetch_xor)

// Compare and swap: stores `value` if `expected` was there.

#define CHIP_ATOMIC_CAS_SCOPE(name, type, scope)                                                   \
  CHIP_DEVICE type name(type *address, type expected, type value) {                                \
    __hip_atomic_compare_exchange_strong(address, &expected, value, __ATOMIC_RELAXED,              \
                                         __ATOMIC_RELAXED, scope);                                 \
    return expected;                                                                               \
  }
#define CHIP_ATOMIC_CAS(type)                                                                      \
  CHIP_ATOMIC_CAS_SCOPE(atomicCAS, type, __HIP_MEMORY_SCOPE_AGENT)                                 \
  CHIP_ATOMIC_CAS_SCOPE(atomicCAS_block, type, __HIP_MEMORY_SCOPE_WORKGROUP)                       \
  CHIP_ATOMIC_CAS_SCOPE(atomicCAS_system, type, __HIP_MEMORY_SCOPE_SYSTEM)
CHIP_ATOMIC_CAS(int)
CHIP_ATOMIC_CAS(unsigned int)
CHIP_ATOMIC_CAS(long)
CHIP_ATOMIC_CAS(unsigned long)
CHIP_ATOMIC_CAS(long long)
CHIP_ATOMIC_CAS(unsigned long long)
#undef CHIP_ATOMIC_CAS
#undef CHIP_ATOMIC_CAS_SCOPE

// Of numbers that are not integers, the bits are compared.
#define CHIP_ATOMIC_CAS(name, type)                                                                \
  CHIP_DEVICE type name(type *address, type expected, type value) {                                \
    typedef chip_device::__SameSizeInteger<type>::__Type __Bits;                                   \
    return __builtin_bit_cast(type, name(reinterpret_cast<__Bits *>(address),                      \
                                         __builtin_bit_cast(__Bits, expected),                     \
                                         __builtin_bit_cast(__Bits, value)));                      \
  }
CHIP_ATOMIC_CAS(atomicCAS, float)
CHIP_ATOMIC_CAS(atomicCAS_block, float)
CHIP_ATOMIC_CAS(atomicCAS_system, float)
CHIP_ATOMIC_CAS(atomicCAS, double)
CHIP_ATOMIC_CAS(atomicCAS_block, double)
CHIP_ATOMIC_CAS(atomicCAS_system, double)
#undef CHIP_ATOMIC_CAS

// Counters that wrap at a limit

namespace chip_device {

/// No device has these, so it tries until no other thread came in between. Up: adds 1, or sets to 0 what is `limit` or more.
/// Down: subtracts 1, or sets to `limit` what is 0 or more than `limit`. Returns what was there.
template <bool up, int scope, typename __Number>
CHIP_DEVICE __Number __step_of_counter(volatile __Number *counter, __Number limit) {
  __Number old = __hip_atomic_load(counter, __ATOMIC_RELAXED, scope), next;
  do {
    next = up ? (old >= limit ? 0 : old + 1) : (old == 0 || old > limit ? limit : old - 1);
  } while (!__hip_atomic_compare_exchange_strong(counter, &old, next, __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED, scope));
  return old;
}

} // namespace chip_device

#define CHIP_ATOMIC_COUNTER(name, up, scope)                                                       \
  CHIP_DEVICE unsigned int name(unsigned int *counter, unsigned int limit) {                       \
    return chip_device::__step_of_counter<up, scope>(counter, limit);                              \
  }
#define CHIP_ATOMIC_COUNTERS(name, up)                                                             \
  CHIP_ATOMIC_COUNTER(name, up, __HIP_MEMORY_SCOPE_AGENT)                                          \
  CHIP_ATOMIC_COUNTER(name##_block, up, __HIP_MEMORY_SCOPE_WORKGROUP)                              \
  CHIP_ATOMIC_COUNTER(name##_system, up, __HIP_MEMORY_SCOPE_SYSTEM)
CHIP_ATOMIC_COUNTERS(atomicInc, true)
CHIP_ATOMIC_COUNTERS(atomicDec, false)
#undef CHIP_ATOMIC_COUNTERS
#undef CHIP_ATOMIC_COUNTER

// AMD's names for operations that may or may not be what the hardware does fastest: here the same.

#define CHIP_ATOMIC_ALIAS(name, atomic, type)                                                      \
  CHIP_DEVICE type name(type *address, type value) { return atomic(address, value); }
#define CHIP_ATOMIC_ALIASES(type)                                                                  \
  CHIP_ATOMIC_ALIAS(unsafeAtomicAdd, atomicAdd, type)                                              \
  CHIP_ATOMIC_ALIAS(unsafeAtomicMin, atomicMin, type)                                              \
  CHIP_ATOMIC_ALIAS(unsafeAtomicMax, atomicMax, type)                                              \
  CHIP_ATOMIC_ALIAS(safeAtomicAdd, atomicAdd, type)                                                \
  CHIP_ATOMIC_ALIAS(safeAtomicMin, atomicMin, type)                                                \
  CHIP_ATOMIC_ALIAS(safeAtomicMax, atomicMax, type)
CHIP_ATOMIC_ALIASES(float)
CHIP_ATOMIC_ALIASES(double)
#undef CHIP_ATOMIC_ALIASES
#undef CHIP_ATOMIC_ALIAS
CHIP_DEVICE void atomicAddNoRet(float *address, float value) { atomicAdd(address, value); }

#undef CHIP_ATOMIC_NUMBERS
#undef CHIP_ATOMIC_INTEGERS
#undef CHIP_ATOMIC
