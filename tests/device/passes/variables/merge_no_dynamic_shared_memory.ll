; Arrays that no function uses together stay apart.
; PASSES: chip-merge-dynamic-shared-memory
; CHECK: @bytes = external hidden addrspace(3) global [0 x i8], align 1
; CHECK: @doubles = external hidden addrspace(3) global [0 x double], align 16
; CHECK-NOT: @__chip
; CHECK: store i8 1, ptr addrspace(3) @bytes
; CHECK: store double 1.000000e+00, ptr addrspace(3) @doubles
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@bytes = external hidden addrspace(3) global [0 x i8], align 1
@doubles = external hidden addrspace(3) global [0 x double], align 16

define spir_kernel void @a() {
  store i8 1, ptr addrspace(3) @bytes
  ret void
}
define spir_kernel void @b() {
  store double 1.0, ptr addrspace(3) @doubles
  ret void
}
