; PASSES: hip-post-link-passes
; FAILS
; CHECK: error: kernel 'five' uses a vector of 5 elements
; CHECK-NOT: error
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define spir_kernel void @five(ptr addrspace(1) %p) {
  %v = load <5 x i32>, ptr addrspace(1) %p
  store <5 x i32> %v, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @four(ptr addrspace(1) %p) {
  %v = load <4 x i32>, ptr addrspace(1) %p
  store <4 x i32> %v, ptr addrspace(1) %p
  ret void
}
