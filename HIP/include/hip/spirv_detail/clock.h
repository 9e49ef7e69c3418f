/// Clocks of the device, whose ticks have no fixed length.
#pragma once

#include <hip/spirv_detail/math/math_builtins.h>
#include <hip/spirv_detail/scopes.h>

__device__ unsigned long __spirv_ReadClockKHR(int scope) noexcept;

CHIP_DEVICE long long wall_clock64() {
  return static_cast<long long>(__spirv_ReadClockKHR(chip_device::device_scope));
}
CHIP_DEVICE long long clock64() { return wall_clock64(); }
CHIP_DEVICE long long clock() { return wall_clock64(); }
CHIP_DEVICE long long __clock64() { return wall_clock64(); }
CHIP_DEVICE long long __clock() { return wall_clock64(); }
