// The floating-point environment (rounding, traps, denormals), whatever the program has made of it.
#pragma once

#if defined(__x86_64__)
#include <cstdint>
#else
#include <cfenv>
#endif

namespace common {

/// While it lives the calling thread computes in the default environment: rounding to nearest, no
/// traps, with denormals. Then the thread has its own again, as it was, exception flags included:
/// also after a signal handler was left by a jump, where the system has reset it.
class DefaultFloatEnvironment {
public:
  DefaultFloatEnvironment(const DefaultFloatEnvironment &) = delete;
  DefaultFloatEnvironment &operator=(const DefaultFloatEnvironment &) = delete;

#if defined(__x86_64__)
  DefaultFloatEnvironment() {
    asm volatile("stmxcsr %0" : "=m"(mxcsr_));
    asm volatile("ldmxcsr %0" : : "m"(default_mxcsr) : "memory");
    x87_was_default_ = x87_is_default();
    // Clearing the flags comes first: loading a control word would raise what is pending.
    if (!x87_was_default_)
      asm volatile("fnstenv %0\n\tfnclex\n\tfldcw %1"
                   : "=m"(x87_)
                   : "m"(default_x87_control)
                   : "memory");
  }
  ~DefaultFloatEnvironment() {
    asm volatile("ldmxcsr %0" : : "m"(mxcsr_) : "memory");
    if (!x87_was_default_)
      asm volatile("fnclex\n\tfldenv %0" : : "m"(x87_) : "memory");
    else if (!x87_is_default())
      asm volatile("fnclex\n\tfldcw %0" : : "m"(default_x87_control) : "memory");
  }

private:
  static constexpr uint32_t default_mxcsr = 0x1f80;
  static constexpr uint16_t default_x87_control = 0x37f;
  static constexpr uint16_t x87_flags = 0x80ff; // exceptions, their summary, busy

  // As fnstenv stores it.
  struct X87Environment {
    uint16_t control, control_rest, status, status_rest, tags, tags_rest;
    uint32_t pointers[4];
  };

  static bool x87_is_default() {
    uint16_t control, status;
    asm volatile("fnstcw %0\n\tfnstsw %1" : "=m"(control), "=m"(status) : : "memory");
    return control == default_x87_control && !(status & x87_flags);
  }

  uint32_t mxcsr_;
  bool x87_was_default_;
  X87Environment x87_ = {};
#else
  DefaultFloatEnvironment() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&before_); }

private:
  std::fenv_t before_;
#endif
};

} // namespace common
