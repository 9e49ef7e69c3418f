; PASSES: chip-prepare-module
; CHECK-NOT: llvm.compiler.used
; CHECK-NOT: llvm.used
; CHECK-NOT: __hip_cuid
; CHECK: define spir_func void @unoptimised() {
; CHECK: !opencl.ocl.version = !{[[VERSION:![0-9]+]]}
; CHECK: [[VERSION]] = !{i32 2, i32 0}
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@__hip_cuid_1 = addrspace(1) global i8 0
@variable = addrspace(1) global i32 0
@llvm.compiler.used = appending addrspace(1) global [1 x ptr addrspace(4)] [ptr addrspace(4) addrspacecast (ptr addrspace(1) @__hip_cuid_1 to ptr addrspace(4))], section "llvm.metadata"
@llvm.used = appending addrspace(1) global [1 x ptr addrspace(1)] [ptr addrspace(1) @variable], section "llvm.metadata"

define spir_func void @unoptimised() noinline optnone {
  ret void
}

!opencl.ocl.version = !{!0}
!0 = !{i32 0, i32 0}
