; PASSES: hip-post-link-passes
; CHECK: define {{.*}}@kernel
; CHECK-NOT: @llvm.canonicalize
; CHECK: call {{.*}}@_Z17__spirv_ocl_exp10f(
; CHECK: call {{.*}}@_Z17__spirv_ocl_ldexpfi(
; CHECK: call {{.*}}@_Z20__spirv_ReadClockKHRi(i32 1)
; CHECK-NOT: @llvm.prefetch
; SPIRV-DAG: OpExtInst %float %{{.*}} exp10
; SPIRV-DAG: OpExtInst %float %{{.*}} ldexp
; SPIRV-DAG: OpReadClockKHR
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

declare float @llvm.canonicalize.f32(float)
declare float @llvm.exp10.f32(float)
declare float @llvm.ldexp.f32.i32(float, i32)
declare float @llvm.minimumnum.f32(float, float)
declare i64 @llvm.readcyclecounter()
declare void @llvm.prefetch.p1(ptr addrspace(1), i32, i32, i32)
declare i64 @llvm.lrint.i64.f32(float)
declare ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1), i64)

define spir_kernel void @kernel(ptr addrspace(1) %p, float %x, i32 %i) {
  call void @llvm.prefetch.p1(ptr addrspace(1) %p, i32 0, i32 3, i32 1)
  %a = call float @llvm.canonicalize.f32(float %x)
  %b = call float @llvm.exp10.f32(float %a)
  %c = call float @llvm.ldexp.f32.i32(float %b, i32 %i)
  %d = call float @llvm.minimumnum.f32(float %c, float %x)
  %e = call i64 @llvm.lrint.i64.f32(float %d)
  %t = call i64 @llvm.readcyclecounter()
  %s = add i64 %e, %t
  %q = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %p, i64 -16)
  store i64 %s, ptr addrspace(1) %q
  ret void
}
