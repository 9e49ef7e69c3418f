// What AddressSanitizer and ThreadSanitizer have to be told about stacks that they did not make.
// Empty without them.
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ZE_CPU_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define ZE_CPU_TSAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define ZE_CPU_ASAN 1
#endif
#ifdef __SANITIZE_THREAD__
#define ZE_CPU_TSAN 1
#endif

#ifdef ZE_CPU_ASAN
#include <sanitizer/asan_interface.h>
#endif

// On every function of ours that is on a stack when it is switched. For ThreadSanitizer the fibers
// of a thread are that thread, which is what they are to the rest of the program (it knows a few
// hundred fibers at most, a work-group has more); these functions then must not enter themselves
// into its record of calls, which they leave in another order. Generated code is not in it anyway.
#ifdef ZE_CPU_TSAN
#define ZE_CPU_SWITCHES_STACKS __attribute__((no_sanitize("thread"), noinline))
#else
#define ZE_CPU_SWITCHES_STACKS
#endif

namespace ze_cpu {

/// AddressSanitizer's view of one stack: a fiber's, or the thread's own (default constructed).
struct SanitizerStack {
  const void *bottom = nullptr;
  size_t size = 0;
  void *fake_stack = nullptr;
};

#ifdef ZE_CPU_ASAN
/// The stack that this thread's fibers were entered from, for sanitizer_returned_to_thread. Null:
/// no fiber is running.
inline thread_local SanitizerStack *sanitizer_thread_stack = nullptr;
#endif

/// Before the switch to `to`. `leaving_for_good`: the current fiber will not be resumed.
inline void sanitizer_before_switch([[maybe_unused]] SanitizerStack &from,
                                    [[maybe_unused]] SanitizerStack &to,
                                    [[maybe_unused]] bool leaving_for_good) {
#ifdef ZE_CPU_ASAN
  __sanitizer_start_switch_fiber(leaving_for_good ? nullptr : &from.fake_stack, to.bottom, to.size);
#endif
}

/// First thing on the stack `self` that was switched to, from `from`.
inline void sanitizer_after_switch([[maybe_unused]] SanitizerStack &self,
                                   [[maybe_unused]] SanitizerStack &from) {
#ifdef ZE_CPU_ASAN
  const void *bottom = nullptr;
  size_t size = 0;
  __sanitizer_finish_switch_fiber(self.fake_stack, &bottom, &size);
  self.fake_stack = nullptr;
  if (from.size == 0) {
    from.bottom = bottom;
    from.size = size;
  }
#endif
}

/// Brackets the time in which fibers of `thread` may run.
inline void sanitizer_enter_fibers([[maybe_unused]] SanitizerStack &thread) {
#ifdef ZE_CPU_ASAN
  sanitizer_thread_stack = &thread;
#endif
}
inline void sanitizer_leave_fibers() {
#ifdef ZE_CPU_ASAN
  sanitizer_thread_stack = nullptr;
#endif
}

/// After a jump from a fiber back to the thread's stack, which ends the fiber. Inlined: what is
/// left of the fiber goes, a frame of its own too.
[[gnu::always_inline]] inline void sanitizer_returned_to_thread() {
#ifdef ZE_CPU_ASAN
  SanitizerStack *thread = sanitizer_thread_stack;
  sanitizer_thread_stack = nullptr;
  if (!thread)
    return;
  __sanitizer_start_switch_fiber(nullptr, thread->bottom, thread->size);
  __sanitizer_finish_switch_fiber(thread->fake_stack, nullptr, nullptr);
  thread->fake_stack = nullptr;
  // The thread's frames that were jumped over. The jump itself only knew of the fiber's.
  const auto *bottom = static_cast<const char *>(thread->bottom);
  const auto *here = static_cast<const char *>(__builtin_frame_address(0));
  __asan_unpoison_memory_region(bottom, static_cast<size_t>(here - bottom));
#endif
}

} // namespace ze_cpu
