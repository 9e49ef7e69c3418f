// What all thunks jump to, with the number of their function in r11: it keeps the registers that carry arguments, asks
// chip_prof_enter() for the function, calls it with the same arguments, and tells chip_prof_leave() when it is back.
//
// The function is called, and not jumped to, so that exceptions and stack traces pass the frame as any other. How many of its
// arguments are on the stack is not known: 128 bytes of them are copied, twice what the function with the most has.
#include "gate.h"

#include <cstddef>

using chip::prof::Frame;

static_assert(sizeof(Frame) == 96 && offsetof(Frame, vector_arguments) == 48 &&
              offsetof(Frame, result) == 56 && offsetof(Frame, second_result) == 64 &&
              offsetof(Frame, function) == 72);

asm(R"(
.text
.p2align 4
.hidden chip_prof_gate
.globl chip_prof_gate
.type chip_prof_gate, @function
chip_prof_gate:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $352, %rsp
  movq %rdi, 128(%rsp)
  movq %rsi, 136(%rsp)
  movq %rdx, 144(%rsp)
  movq %rcx, 152(%rsp)
  movq %r8, 160(%rsp)
  movq %r9, 168(%rsp)
  movq %rax, 176(%rsp)
  movq %r11, 200(%rsp)
  movups %xmm0, 224(%rsp)
  movups %xmm1, 240(%rsp)
  movups %xmm2, 256(%rsp)
  movups %xmm3, 272(%rsp)
  movups %xmm4, 288(%rsp)
  movups %xmm5, 304(%rsp)
  movups %xmm6, 320(%rsp)
  movups %xmm7, 336(%rsp)
  leaq 128(%rsp), %rdi
  call chip_prof_enter
  movq %rax, %r11
  # Word by word, as they may have been stored: wider loads would wait for the stores.
  movq 16(%rbp), %rax
  movq 24(%rbp), %rdi
  movq 32(%rbp), %rsi
  movq 40(%rbp), %rdx
  movq %rax, 0(%rsp)
  movq %rdi, 8(%rsp)
  movq %rsi, 16(%rsp)
  movq %rdx, 24(%rsp)
  movq 48(%rbp), %rax
  movq 56(%rbp), %rdi
  movq 64(%rbp), %rsi
  movq 72(%rbp), %rdx
  movq %rax, 32(%rsp)
  movq %rdi, 40(%rsp)
  movq %rsi, 48(%rsp)
  movq %rdx, 56(%rsp)
  movq 80(%rbp), %rax
  movq 88(%rbp), %rdi
  movq 96(%rbp), %rsi
  movq 104(%rbp), %rdx
  movq %rax, 64(%rsp)
  movq %rdi, 72(%rsp)
  movq %rsi, 80(%rsp)
  movq %rdx, 88(%rsp)
  movq 112(%rbp), %rax
  movq 120(%rbp), %rdi
  movq 128(%rbp), %rsi
  movq 136(%rbp), %rdx
  movq %rax, 96(%rsp)
  movq %rdi, 104(%rsp)
  movq %rsi, 112(%rsp)
  movq %rdx, 120(%rsp)
  movq 128(%rsp), %rdi
  movq 136(%rsp), %rsi
  movq 144(%rsp), %rdx
  movq 152(%rsp), %rcx
  movq 160(%rsp), %r8
  movq 168(%rsp), %r9
  movq 176(%rsp), %rax
  movups 224(%rsp), %xmm0
  movups 240(%rsp), %xmm1
  movups 256(%rsp), %xmm2
  movups 272(%rsp), %xmm3
  movups 288(%rsp), %xmm4
  movups 304(%rsp), %xmm5
  movups 320(%rsp), %xmm6
  movups 336(%rsp), %xmm7
  call *%r11
  movq %rax, 184(%rsp)
  movq %rdx, 192(%rsp)
  movups %xmm0, 224(%rsp)
  movups %xmm1, 240(%rsp)
  leaq 128(%rsp), %rdi
  call chip_prof_leave
  movq 184(%rsp), %rax
  movq 192(%rsp), %rdx
  movups 224(%rsp), %xmm0
  movups 240(%rsp), %xmm1
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size chip_prof_gate, . - chip_prof_gate
)");
