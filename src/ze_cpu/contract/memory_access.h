// How checked code describes an access to memory (ZE_CPU_CHECK): what the compiler writes and ze_cpu_check reads.
#pragma once

#include <cstdint>

namespace ze_cpu {

/// How a kernel touches memory.
struct Access {
  bool write;
  uint32_t alignment; // that the code relies on

  constexpr uint32_t packed() const { return uint32_t(write) | alignment << 1; }
  static constexpr Access unpack(uint32_t bits) { return {(bits & 1) != 0, bits >> 1}; }
};

} // namespace ze_cpu
