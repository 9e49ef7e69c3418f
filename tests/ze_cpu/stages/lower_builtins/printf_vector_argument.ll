; CHECK: a vector argument
; RUN: --stage=lower_builtins
; FAILS
@format = addrspace(2) constant [8 x i8] c"%d%-8v4\00"
@plain = addrspace(2) constant [3 x i8] c"%d\00"
declare i32 @_Z18__spirv_ocl_printfPU3AS2cz(ptr addrspace(2), ...)
define i32 @kernel(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, <4 x i32> %v) {
  %a = call i32 (ptr addrspace(2), ...) @_Z18__spirv_ocl_printfPU3AS2cz(ptr addrspace(2) @plain, <4 x i32> %v)
  ret i32 %a
}
