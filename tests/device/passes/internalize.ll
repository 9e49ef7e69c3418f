; Only what the host can name, and what that needs, stays.
; PASSES: hip-post-link-passes
; CHECK-NOT: @library_table
; CHECK-NOT: @library_function
; CHECK: define internal {{.*}}@used
; CHECK: define {{.*}}spir_kernel void @kernel
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@library_table = addrspace(1) constant [4 x i32] zeroinitializer

define spir_func i32 @library_function() {
  %v = load i32, ptr addrspace(1) @library_table
  ret i32 %v
}

define spir_func i32 @used() noinline {
  ret i32 1
}

define spir_kernel void @kernel(ptr addrspace(1) %p) {
  %v = call spir_func i32 @used()
  store i32 %v, ptr addrspace(1) %p
  ret void
}
