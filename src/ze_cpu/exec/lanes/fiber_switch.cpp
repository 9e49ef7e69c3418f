#include "fiber_switch.h"

#include <cstdint>

#if defined(__x86_64__)

// Saved on the stack, top first: r15 r14 r13 r12 rbx rbp, return address. The floating-point
// control words are not saved: kernels do not change them.
asm(R"(
.text
.globl ze_cpu_switch_stack
.hidden ze_cpu_switch_stack
.type ze_cpu_switch_stack, @function
ze_cpu_switch_stack:
    .cfi_startproc
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    retq
    .cfi_endproc
.size ze_cpu_switch_stack, . - ze_cpu_switch_stack

.globl ze_cpu_fiber_start
.hidden ze_cpu_fiber_start
.type ze_cpu_fiber_start, @function
ze_cpu_fiber_start:
    .cfi_startproc
    .cfi_undefined %rip
    movq %r12, %rdi
    callq *%r13
    ud2
    .cfi_endproc
.size ze_cpu_fiber_start, . - ze_cpu_fiber_start
)");

extern "C" void ze_cpu_fiber_start();

namespace ze_cpu {

void *prepare_stack(std::byte *top, void (*function)(void *), void *argument) {
  auto *slot = reinterpret_cast<uintptr_t *>(top) - 8 - 1;
  slot[0] = 0;                                     // r15
  slot[1] = 0;                                     // r14
  slot[2] = reinterpret_cast<uintptr_t>(function); // r13
  slot[3] = reinterpret_cast<uintptr_t>(argument); // r12
  slot[4] = 0;                                     // rbx
  slot[5] = 0;                                     // rbp: ends the chain of frames
  slot[6] = reinterpret_cast<uintptr_t>(ze_cpu_fiber_start);
  slot[7] = slot[8] = 0; // above the return address two words: the stack is aligned at the call
  return slot;
}

} // namespace ze_cpu

#elif defined(__aarch64__)

// Saved on the stack: x19 to x30 and the low halves of v8 to v15, as the procedure call standard
// asks of a callee.
asm(R"(
.text
.globl ze_cpu_switch_stack
.hidden ze_cpu_switch_stack
.type ze_cpu_switch_stack, %function
ze_cpu_switch_stack:
    .cfi_startproc
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .cfi_endproc
.size ze_cpu_switch_stack, . - ze_cpu_switch_stack

.globl ze_cpu_fiber_start
.hidden ze_cpu_fiber_start
.type ze_cpu_fiber_start, %function
ze_cpu_fiber_start:
    .cfi_startproc
    .cfi_undefined x30
    mov x0, x19
    blr x20
    brk #1
    .cfi_endproc
.size ze_cpu_fiber_start, . - ze_cpu_fiber_start
)");

extern "C" void ze_cpu_fiber_start();

namespace ze_cpu {

void *prepare_stack(std::byte *top, void (*function)(void *), void *argument) {
  auto *slot = reinterpret_cast<uintptr_t *>(top) - 20;
  for (int i = 0; i < 20; ++i)
    slot[i] = 0;
  slot[0] = reinterpret_cast<uintptr_t>(argument);            // x19
  slot[1] = reinterpret_cast<uintptr_t>(function);            // x20
  slot[11] = reinterpret_cast<uintptr_t>(ze_cpu_fiber_start); // x30
  return slot;
}

} // namespace ze_cpu

#else
#error "fibers: write the stack switch for this machine"
#endif
