; What __launch_bounds__ leaves in the bitcode becomes an execution mode; other annotations vanish.
; PASSES: hip-post-link-passes
; CHECK-NOT: annotations
; SPIRV: OpEntryPoint Kernel %[[BOUNDED:[0-9a-z_]+]] "bounded"
; SPIRV: OpExecutionMode %[[BOUNDED]] LocalSizeHint 128 1 1
; SPIRV-NOT: LocalSizeHint
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@bounds = private unnamed_addr addrspace(1) constant [19 x i8] c"chip.launch_bounds\00", section "llvm.metadata"
@other = private unnamed_addr addrspace(1) constant [6 x i8] c"other\00", section "llvm.metadata"
@file = private unnamed_addr addrspace(1) constant [2 x i8] c"a\00", section "llvm.metadata"
@both = private unnamed_addr addrspace(1) constant { i32, i32 } { i32 128, i32 2 }, section "llvm.metadata"
@llvm.global.annotations = appending addrspace(1) global [2 x { ptr addrspace(1), ptr addrspace(1), ptr addrspace(1), i32, ptr addrspace(1) }] [{ ptr addrspace(1), ptr addrspace(1), ptr addrspace(1), i32, ptr addrspace(1) } { ptr addrspace(1) addrspacecast (ptr @bounded to ptr addrspace(1)), ptr addrspace(1) @bounds, ptr addrspace(1) @file, i32 3, ptr addrspace(1) @both }, { ptr addrspace(1), ptr addrspace(1), ptr addrspace(1), i32, ptr addrspace(1) } { ptr addrspace(1) addrspacecast (ptr @unbounded to ptr addrspace(1)), ptr addrspace(1) @other, ptr addrspace(1) @file, i32 4, ptr addrspace(1) @both }], section "llvm.metadata"

define spir_kernel void @bounded(ptr addrspace(1) %p) {
  ret void
}
define spir_kernel void @unbounded(ptr addrspace(1) %p) {
  ret void
}
