; PASSES: hip-post-link-passes
; CHECK: @plain = {{.*}}global [2 x i32] [i32 1, i32 2]
; CHECK-NOT: __chip_init_globals
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@plain = addrspace(1) externally_initialized global [2 x i32] [i32 1, i32 2]

define spir_kernel void @kernel() {
  store i32 1, ptr addrspace(1) @plain
  ret void
}
