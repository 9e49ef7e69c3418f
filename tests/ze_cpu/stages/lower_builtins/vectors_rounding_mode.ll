; RUN: --stage=lower_builtins
; FAILS
; CHECK: unsupported use of _Z25__spirv_ocl_vstore_half_rflPU3AS1Dhi: its rounding mode
declare void @_Z25__spirv_ocl_vstore_half_rflPU3AS1Dhi(float, i64, ptr addrspace(1), i32)
define void @kernel(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, float %f, ptr addrspace(1) %p) {
  call void @_Z25__spirv_ocl_vstore_half_rflPU3AS1Dhi(float %f, i64 %x, ptr addrspace(1) %p, i32 4)
  ret void
}
