; Multiplications and additions may be fused, as HIP does by default.
; PASSES: hip-post-link-passes
; CHECK: define {{.*}}@kernel
; SPIRV-NOT: ContractionOff
; SPIRV: OpEntryPoint Kernel
; SPIRV-NOT: ContractionOff
; SPIRV: OpFAdd
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define spir_kernel void @kernel(ptr addrspace(1) %p, float %x) {
  %a = load float, ptr addrspace(1) %p
  %m = fmul contract float %a, %x
  %s = fadd contract float %m, %x
  store float %s, ptr addrspace(1) %p
  ret void
}
