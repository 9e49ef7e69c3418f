#include "probe.h"
#include "fault_signals.h"

#include <cstdint>
#include <sys/mman.h>
#include <time.h>
#include <type_traits>
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

/// What a thread has found to be there, within one tick of a clock that costs no system call.
struct Found {
  long tick = -1;
  uintptr_t begin = 0, last = 0;
};

long tick_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

/// The program may have installed a handler of its own since, even right before: test frameworks do so for each part of a test.
/// Asking takes a system call. Loops that copy the same memory again and again do not ask each time.
void see_to_handler(const Found &found, long tick, uintptr_t begin, uintptr_t last) {
  const bool is_new_tick = tick != found.tick;
  if (!is_new_tick && begin >= found.begin && last <= found.last)
    return;
  if (is_new_tick || !claims_fault(SIGSEGV))
    claim_faults({SIGSEGV, SIGBUS}, leave_probe);
}

template <class Touch> bool probe(const void *memory, size_t bytes, Touch &&touch) {
  const auto begin = reinterpret_cast<uintptr_t>(memory), last = begin + (bytes - 1);
  if (last < begin)
    return false;
  thread_local Found found; // one for reads and one for writes
  const long tick = tick_now();
  see_to_handler(found, tick, begin, last);
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
  if (!touch(last))
    return false;
  found = {tick, begin, last};
  return true;
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
