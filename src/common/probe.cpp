#include "probe.h"
#include "fault_signals.h"

#include <atomic>
#include <cstdint>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

// Each touches one byte and returns 1. A fault between `begin` and `end` goes on at `failed`, which returns 0 to the caller: the
// stack is as it was at the call.
extern "C" {
int chip_probe_read(const volatile void *byte);
int chip_probe_write(volatile void *byte);
extern const char chip_probe_begin[], chip_probe_end[], chip_probe_failed[];
}
#define CHIP_PROBE_SYMBOLS                                                                         \
  ".text\n"                                                                                        \
  ".globl chip_probe_read\n.hidden chip_probe_read\n.type chip_probe_read, %function\n"            \
  ".globl chip_probe_write\n.hidden chip_probe_write\n.type chip_probe_write, %function\n"         \
  ".globl chip_probe_begin\n.hidden chip_probe_begin\n"                                            \
  ".globl chip_probe_end\n.hidden chip_probe_end\n"                                                \
  ".globl chip_probe_failed\n.hidden chip_probe_failed\n"

#if defined(__x86_64__)
asm(CHIP_PROBE_SYMBOLS R"(
chip_probe_begin:
chip_probe_read:
    .cfi_startproc
    movb (%rdi), %al
    movl $1, %eax
    retq
    .cfi_endproc
chip_probe_write:
    .cfi_startproc
    lock orb $0, (%rdi)
    movl $1, %eax
    retq
    .cfi_endproc
chip_probe_end:
chip_probe_failed:
    .cfi_startproc
    xorl %eax, %eax
    retq
    .cfi_endproc
)");
#elif defined(__aarch64__)
asm(CHIP_PROBE_SYMBOLS R"(
chip_probe_begin:
chip_probe_read:
    .cfi_startproc
    ldrb w1, [x0]
    mov w0, #1
    ret
    .cfi_endproc
chip_probe_write:
    .cfi_startproc
1:  ldxrb w1, [x0]
    stxrb w2, w1, [x0]
    cbnz w2, 1b
    mov w0, #1
    ret
    .cfi_endproc
chip_probe_end:
chip_probe_failed:
    .cfi_startproc
    mov w0, #0
    ret
    .cfi_endproc
)");
#else
#error "reads and writes of one byte for this processor are missing"
#endif

namespace common {
namespace {

constexpr size_t page = 4096;
/// Longer ranges are asked of the system, and touched now and then only: each page costs a miss of the caches.
constexpr size_t touched_everywhere = 1 << 20, touched_now_and_then = 2 << 20;

bool leave_probe(int, siginfo_t *, void *context) {
  auto &machine = static_cast<ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  auto &at = machine.gregs[REG_RIP];
#else
  auto &at = machine.pc;
#endif
  if (uintptr_t(at) < uintptr_t(chip_probe_begin) || uintptr_t(at) >= uintptr_t(chip_probe_end))
    return false;
  at = static_cast<std::remove_reference_t<decltype(at)>>(uintptr_t(chip_probe_failed));
  return true;
}

/// The program may have installed a handler of its own since. Asking takes a system call, so that is not done each time.
void see_to_handler() {
  static std::atomic<long> seen{-1};
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  const long tick = now.tv_sec * 1'000'000'000 + now.tv_nsec;
  if (seen.load(std::memory_order_relaxed) == tick) [[likely]]
    return;
  claim_faults({SIGSEGV, SIGBUS}, leave_probe);
  seen.store(tick, std::memory_order_relaxed);
}

template <class Touch> bool probe(const void *memory, size_t bytes, Touch &&touch) {
  see_to_handler();
  const auto begin = reinterpret_cast<uintptr_t>(memory), last = begin + (bytes - 1);
  if (last < begin)
    return false;
  size_t step = page;
  if (bytes > touched_everywhere) {
    const uintptr_t first_page = begin / page * page;
    // It only looks whether all is mapped, and fails if not.
    if (msync(reinterpret_cast<void *>(first_page), last - first_page + 1, MS_ASYNC) != 0)
      return false;
    step = touched_now_and_then;
  }
  for (uintptr_t at = begin; at <= last && at >= begin; at = at / step * step + step)
    if (!touch(at))
      return false;
  return touch(last);
}

} // namespace

bool is_readable(const void *memory, size_t bytes) {
  return bytes == 0 || probe(memory, bytes, [](uintptr_t at) {
           return chip_probe_read(reinterpret_cast<void *>(at));
         });
}

bool is_writable(void *memory, size_t bytes) {
  return bytes == 0 || probe(memory, bytes, [](uintptr_t at) {
           return chip_probe_write(reinterpret_cast<void *>(at));
         });
}

} // namespace common
