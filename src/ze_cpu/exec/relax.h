// For loops that wait.
#pragma once

namespace ze_cpu {

/// Tells the processor that this is a spin loop.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  asm volatile("yield");
#endif
}

} // namespace ze_cpu
