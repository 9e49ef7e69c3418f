/// clang's builtins for AMD's fences, barriers and waits. What is there an order of instructions is here an
/// order of memory operations, which is what programs want of it.
#pragma once

#include <hip/spirv_detail/clock.h>
#include <hip/spirv_detail/sync.h>
#include <hip/spirv_detail/warp.h>

/// A fence as of `__atomic_thread_fence`, for a scope by AMD's name: "", "agent", "workgroup", "wavefront" or
/// "singlethread", each also with "-one-as" behind it. Kinds of memory that follow narrow it down: a fence
/// for all of them is one for these.
template <typename... __Kinds>
CHIP_DEVICE void __builtin_amdgcn_fence(unsigned int order, const char *scope, __Kinds...) {
  if (order == __ATOMIC_SEQ_CST) {
    constexpr int semantics =
        chip_device::sequential | chip_device::shared_memory | chip_device::global_memory;
    if (scope[0] == 'a')
      __spirv_MemoryBarrier(chip_device::device_scope, semantics);
    else if (scope[0] == 'w' && scope[1] == 'o')
      __spirv_MemoryBarrier(chip_device::block_scope, semantics);
    else if (scope[0] == 'w' || (scope[0] == 's' && scope[1] == 'i'))
      __spirv_MemoryBarrier(chip_device::warp_scope, semantics);
    else
      __spirv_MemoryBarrier(chip_device::system_scope, semantics);
  } else if (scope[0] == 'a')
    __threadfence();
  else if (scope[0] == 'w' && scope[1] == 'o')
    __threadfence_block();
  else if (scope[0] == 'w' || (scope[0] == 's' && scope[1] == 'i'))
    __spirv_MemoryBarrier(chip_device::warp_scope, chip_device::all_memory);
  else
    __threadfence_system();
}

/// AMD's warps are in step by themselves, and this keeps the compiler from moving memory operations across it.
/// Here it is what brings the warp in step.
CHIP_DEVICE void __builtin_amdgcn_wave_barrier() { __syncwarp(); }
CHIP_DEVICE void __builtin_amdgcn_s_barrier() { __syncthreads(); }

/// Waits until this thread's memory operations are done, so that the device sees them before what follows:
/// of the counters that the argument names, none is waited for alone.
CHIP_DEVICE void __builtin_amdgcn_s_waitcnt(int) { __threadfence(); }

/// AMD's hint that a thread which polls may pause for about 64 times `duration` cycles. SPIR-V has no such
/// hint. The fence keeps the compiler from taking the polling loop for one that does nothing.
CHIP_DEVICE void __builtin_amdgcn_s_sleep(int duration) {
  static_cast<void>(duration);
  __threadfence();
}

// Wishes for the order and the priority of instructions

CHIP_DEVICE void __builtin_amdgcn_s_setprio(short) {}
CHIP_DEVICE void __builtin_amdgcn_sched_barrier(int) {}
CHIP_DEVICE void __builtin_amdgcn_sched_group_barrier(int, int, int) {}
