// What the processors' caches hold.
#pragma once

#include <cstdint>

namespace ze_cpu {

/// Bytes from which on what a launch writes is not worth keeping in the caches: what the largest
/// ones of this process's processors hold together, or ZE_CPU_NONTEMPORAL_KB.
uint64_t nontemporal_threshold();

/// What this thread stored past the caches is visible before what it stores from here on.
inline void fence_nontemporal_stores() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#elif defined(__aarch64__)
  asm volatile("dmb ishst" ::: "memory");
#endif
}

} // namespace ze_cpu
