; A trap tells the runtime, writes to the address that ends the kernel where there is one, and returns from the kernel, also from
; within a function.
; PASSES: hip-post-link-passes
; CHECK: @__chip_messages = {{.*}}externally_initialized global
; CHECK-NOT: trap
; CHECK-LABEL: define spir_kernel void @direct
; CHECK: atomicrmw or {{.*}}, i32 1
; CHECK: load ptr addrspace(1)
; CHECK: store volatile i32 1
; CHECK-NEXT: ret void
; CHECK-NOT: unreachable
; CHECK-LABEL: define spir_kernel void @nested
; CHECK-NOT: call spir_func void @gives_up
; CHECK: atomicrmw or
; CHECK: load ptr addrspace(1)
; CHECK: store volatile i32 1
; CHECK-NEXT: ret void
; CHECK-LABEL: define {{.*}}i32 @recursive
; CHECK: atomicrmw or
; CHECK: load ptr addrspace(1)
; CHECK: store volatile i32 1
; CHECK-NEXT: ret i32 0
; CHECK-NOT: trap
; SPIRV: OpAtomicOr
; SPIRV-NOT: OpUnreachable
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

declare void @llvm.trap() noreturn

define hidden spir_func void @gives_up() noinline noreturn {
  call void @llvm.trap()
  unreachable
}
define hidden spir_func void @checks(i32 %n) noinline {
  %bad = icmp eq i32 %n, 0
  br i1 %bad, label %fails, label %good
fails:
  call spir_func void @gives_up() noreturn
  unreachable
good:
  ret void
}
define spir_kernel void @direct(ptr addrspace(1) %out) {
  store i32 1, ptr addrspace(1) %out
  call void @llvm.trap()
  unreachable
}
define spir_kernel void @nested(ptr addrspace(1) %out, i32 %n) {
  call spir_func void @checks(i32 %n)
  store i32 1, ptr addrspace(1) %out
  ret void
}
define hidden spir_func i32 @recursive(i32 %n) {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %fails, label %on
fails:
  call void @llvm.trap()
  unreachable
on:
  %less = sub i32 %n, 1
  %result = call spir_func i32 @recursive(i32 %less)
  ret i32 %result
}
define spir_kernel void @recurses(ptr addrspace(1) %out, i32 %n) {
  %result = call spir_func i32 @recursive(i32 %n)
  store i32 %result, ptr addrspace(1) %out
  ret void
}
