; Multiplications and additions are joined where both may be, and nowhere else: the consumer is told to join nothing.
; PASSES: hip-post-link-passes
; CHECK-LABEL: define {{.*}}@sum(
; CHECK: call contract spir_func float @_Z15__spirv_ocl_madfff(float %a, float %x, float %x)
; CHECK-LABEL: define {{.*}}@difference(
; CHECK: [[C:%.*]] = fneg contract float %x
; CHECK: call contract spir_func float @_Z15__spirv_ocl_madfff(float %a, float %x, float [[C]])
; CHECK-LABEL: define {{.*}}@difference_from(
; CHECK: [[A:%.*]] = fneg contract float %a
; CHECK: call contract spir_func float @_Z15__spirv_ocl_madfff(float [[A]], float %x, float %x)
; CHECK-LABEL: define {{.*}}@negated(
; CHECK: [[A:%.*]] = fneg contract float %a
; CHECK: call contract spir_func float @_Z15__spirv_ocl_madfff(float [[A]], float %x, float %x)
; CHECK-LABEL: define {{.*}}@vectors(
; CHECK: call contract spir_func <4 x float> @_Z15__spirv_ocl_madDv4_fS_S_(
; CHECK-LABEL: define {{.*}}@product_as_written(
; CHECK: fmul float
; CHECK: fadd contract float
; CHECK-LABEL: define {{.*}}@sum_as_written(
; CHECK: fmul contract float
; CHECK: fadd float
; CHECK-LABEL: define {{.*}}@product_used_twice(
; CHECK: fmul contract float
; CHECK: fadd contract float
; CHECK-NOT: ocl_mad
; CHECK: declare
; SPIRV: OpExecutionMode %{{.*}} ContractionOff
; SPIRV: OpExtInst %float %{{.*}} mad
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define spir_kernel void @sum(ptr addrspace(1) %p, float %x) {
  %a = load float, ptr addrspace(1) %p
  %m = fmul contract float %a, %x
  %s = fadd contract float %m, %x
  store float %s, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @difference(ptr addrspace(1) %p, float %x) {
  %a = load float, ptr addrspace(1) %p
  %m = fmul contract float %a, %x
  %s = fsub contract float %m, %x
  store float %s, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @difference_from(ptr addrspace(1) %p, float %x) {
  %a = load float, ptr addrspace(1) %p
  %m = fmul contract float %a, %x
  %s = fsub contract float %x, %m
  store float %s, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @negated(ptr addrspace(1) %p, float %x) {
  %a = load float, ptr addrspace(1) %p
  %m = fmul contract float %a, %x
  %n = fneg contract float %m
  %s = fadd contract float %n, %x
  store float %s, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @vectors(ptr addrspace(1) %p, <4 x float> %x) {
  %a = load <4 x float>, ptr addrspace(1) %p
  %m = fmul contract <4 x float> %a, %x
  %s = fadd contract <4 x float> %x, %m
  store <4 x float> %s, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @product_as_written(ptr addrspace(1) %p, float %x) {
  %a = load float, ptr addrspace(1) %p
  %m = fmul float %a, %x
  %s = fadd contract float %m, %x
  store float %s, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @sum_as_written(ptr addrspace(1) %p, float %x) {
  %a = load float, ptr addrspace(1) %p
  %m = fmul contract float %a, %x
  %s = fadd float %m, %x
  store float %s, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @product_used_twice(ptr addrspace(1) %p, float %x) {
  %a = load float, ptr addrspace(1) %p
  %m = fmul contract float %a, %x
  %r = fadd contract float %m, %x
  %s = fdiv float %r, %m
  store float %s, ptr addrspace(1) %p
  ret void
}
