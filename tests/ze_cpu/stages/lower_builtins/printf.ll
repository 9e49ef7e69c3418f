; printf takes its arguments as C's does.
; RUN: --stage=lower_builtins

@format = addrspace(2) constant [14 x i8] c"%d %% %f %s %v"
@percent = addrspace(2) constant [5 x i8] c"%%v2\00"
declare i32 @_Z18__spirv_ocl_printfPU3AS2cz(ptr addrspace(2), ...)

; CHECK-LABEL: define i32 @promotes(
; CHECK-DAG: addrspacecast ptr addrspace(2) %p to ptr
; CHECK-DAG: fpext float %f to double
; CHECK-DAG: sext i8 %c to i32
; CHECK-DAG: addrspacecast ptr addrspace(1) %s to ptr
; CHECK: call i32 (ptr, ...) @ze_cpu_printf(ptr {{%.*}}, double {{%.*}}, i32 {{%.*}}, ptr {{%.*}}, i64 %x, double %d)
define i32 @promotes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(2) %p, float %f, i8 %c, ptr addrspace(1) %s, double %d) {
  %a = call i32 (ptr addrspace(2), ...) @_Z18__spirv_ocl_printfPU3AS2cz(ptr addrspace(2) %p, float %f, i8 %c, ptr addrspace(1) %s, i64 %x, double %d)
  ret i32 %a
}

; A percent sign that is printed is not the beginning of a vector.
; CHECK-LABEL: define i32 @percent_sign(
; CHECK: call i32 (ptr, ...) @ze_cpu_printf(ptr addrspacecast (ptr addrspace(2) @percent to ptr))
define i32 @percent_sign(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %a = call i32 (ptr addrspace(2), ...) @_Z18__spirv_ocl_printfPU3AS2cz(ptr addrspace(2) @percent)
  ret i32 %a
}

; CHECK-LABEL: define i32 @other(
; CHECK-NEXT: call i32 (ptr, ...) @printf(ptr null, i8 %c)
declare i32 @printf(ptr, ...)
define i32 @other(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i8 %c) {
  %a = call i32 (ptr, ...) @printf(ptr null, i8 %c)
  ret i32 %a
}
