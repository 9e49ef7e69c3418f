; Nothing of the marks is left for the back end.
; PASSES: hip-post-link-passes
; CHECK-LABEL: define spir_kernel void @kernel(
; CHECK-NOT: asm
; CHECK: load volatile
; CHECK: store volatile
; CHECK-NOT: asm
; CHECK: ret void
; SPIRV: OpLoad {{.*}} Volatile
; SPIRV: OpStore {{.*}} Volatile
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define spir_kernel void @kernel(ptr addrspace(1) %p) {
  call void asm sideeffect "# lock step", ""() #0
  %x = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}

attributes #0 = { convergent nounwind willreturn memory(inaccessiblemem: readwrite) }
