/// assert, abort and trap in kernels: on a device that can, the kernel ends as by any fault, and
/// nothing behind it in its stream executes; what other threads of it have still done is undefined.
/// Elsewhere the thread ends. The host learns it from the next call that waits.
#pragma once

#include <hip/spirv_detail/invocation.h>
#include <hip/spirv_detail/services/printf.h>

extern "C" __device__ inline __attribute__((noreturn)) void abort() noexcept { __builtin_trap(); }
CHIP_DEVICE void __trap() { __builtin_trap(); }

namespace chip_device {

/// The message on standard error, as of a program on the host, with the thread.
__device__ inline void report_assertion(const char *expression, const char *file, unsigned line,
                                        const char *function) {
  const char *format = "%s:%u: %s: block (%u,%u,%u), thread (%u,%u,%u): "
                       "Device-side assertion `%s' failed.\n";
  const MessageArgument arguments[] = {message_argument(file),
                                       message_argument(line),
                                       message_argument(function),
                                       message_argument(block_index(0)),
                                       message_argument(block_index(1)),
                                       message_argument(block_index(2)),
                                       message_argument(thread_index(0)),
                                       message_argument(thread_index(1)),
                                       message_argument(thread_index(2)),
                                       message_argument(expression)};
  print(format, arguments, sizeof arguments / sizeof *arguments, MessageRecord::assertion);
  Messages *messages = __chip_messages_address();
  if (messages)
    __hip_atomic_fetch_or(&messages->failures, Messages::assertion_failed, __ATOMIC_RELAXED,
                          __HIP_MEMORY_SCOPE_SYSTEM);
}

} // namespace chip_device

/// What the macro assert of <assert.h> calls.
extern "C" __device__ inline __attribute__((noreturn)) void
__assert_fail(const char *expression, const char *file, unsigned int line,
              const char *function) noexcept {
  chip_device::report_assertion(expression, file, line, function);
  __builtin_trap();
}
