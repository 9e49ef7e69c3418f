/// Clocks of the device, whose ticks have no fixed length, and what loops do that wait for one.
#pragma once

#include <hip/spirv_detail/math/math_builtins.h>
#include <hip/spirv_detail/scopes.h>
#include <hip/spirv_detail/sync.h>

__device__ unsigned long __spirv_ReadClockKHR(int scope) noexcept;

CHIP_DEVICE long long wall_clock64() {
  return static_cast<long long>(__spirv_ReadClockKHR(chip_device::device_scope));
}
CHIP_DEVICE long long clock64() { return wall_clock64(); }
CHIP_DEVICE long long clock() { return wall_clock64(); }
CHIP_DEVICE long long __clock64() { return wall_clock64(); }
CHIP_DEVICE long long __clock() { return wall_clock64(); }

/// AMD's hint that a thread which polls may pause for about 64 times `duration` cycles: programs
/// that are written for AMD's platform call it by this name. SPIR-V has no such hint. The fence
/// keeps the compiler from taking the polling loop for one that does nothing.
CHIP_DEVICE void __builtin_amdgcn_s_sleep(int duration) {
  static_cast<void>(duration);
  __threadfence();
}
