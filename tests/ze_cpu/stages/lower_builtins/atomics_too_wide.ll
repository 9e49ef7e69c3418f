; RUN: --stage=lower_builtins
; FAILS
; CHECK: unsupported use of _Z18__spirv_AtomicLoadPU3AS1nii: an atomic operation on 16 bytes
declare i128 @_Z18__spirv_AtomicLoadPU3AS1nii(ptr addrspace(1), i32, i32)
define i128 @kernel(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %a = call i128 @_Z18__spirv_AtomicLoadPU3AS1nii(ptr addrspace(1) %p, i32 1, i32 8)
  ret i128 %a
}
