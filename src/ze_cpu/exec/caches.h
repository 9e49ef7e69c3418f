// What the processors' caches hold.
#pragma once

#include <atomic>
#include <cstdint>

namespace ze_cpu {

/// Bytes from which on what a launch writes is not worth keeping in the caches: what the largest
/// ones of this process's processors hold together, or ZE_CPU_NONTEMPORAL_KB.
uint64_t nontemporal_threshold();

/// What this thread stored past the caches is visible before what it stores from here on.
inline void fence_nontemporal_stores() {
  // Not a release: that is no instruction on x86-64, where other stores keep their order by themselves.
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

} // namespace ze_cpu
