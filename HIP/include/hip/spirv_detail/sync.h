/// Barriers and fences.
#pragma once

#include <hip/spirv_detail/coordinates.h>
#include <hip/spirv_detail/math/math_builtins.h>
#include <hip/spirv_detail/scopes.h>

__attribute__((convergent)) __device__ void __spirv_ControlBarrier(int execution, int memory,
                                                                   int semantics) noexcept;
__attribute__((convergent)) __device__ void __spirv_MemoryBarrier(int memory,
                                                                  int semantics) noexcept;

/// All threads of the block arrive, and see each other's writes.
CHIP_DEVICE void __syncthreads() {
  __spirv_ControlBarrier(chip_device::block_scope, chip_device::block_scope,
                         chip_device::all_memory);
}

/// Orders this thread's memory operations as seen by its block, its device, or everyone.
CHIP_DEVICE void __threadfence_block() {
  __spirv_MemoryBarrier(chip_device::block_scope, chip_device::all_memory);
}
CHIP_DEVICE void __threadfence() {
  __spirv_MemoryBarrier(chip_device::device_scope, chip_device::all_memory);
}
CHIP_DEVICE void __threadfence_system() {
  __spirv_MemoryBarrier(chip_device::system_scope, chip_device::all_memory);
}

/// __syncthreads that also counts the threads whose predicate holds.
static __device__ inline int __syncthreads_count(int predicate) {
  __shared__ int count;
  // The first barrier lets all threads read the result of the call before, the third that of this.
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
    count = 0;
  __syncthreads();
  if (predicate)
    __hip_atomic_fetch_add(&count, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __syncthreads();
  return count;
}
/// Whether the predicate holds for all threads.
CHIP_DEVICE int __syncthreads_and(int predicate) { return __syncthreads_count(!predicate) == 0; }
/// Whether the predicate holds for any thread.
CHIP_DEVICE int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }
