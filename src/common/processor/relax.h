// For loops that wait.
#pragma once

namespace common {

/// Tells the processor that this is a spin loop.
inline void relax_processor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  // What is called "yield" does nothing on most.
  asm volatile("isb" ::: "memory");
#endif
}

} // namespace common
