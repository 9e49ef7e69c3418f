; Formats and known strings become constants of OpenCL's printf, in its notation; a choice between literals becomes two calls.
; PASSES: hip-post-link-passes
; CHECK-DAG: @[[FORMAT:.*]] = private unnamed_addr addrspace(2) constant [20 x i8] c"%5d %lu %f %hhd %%z\00"
; CHECK-DAG: @[[TEXT:.*]] = private unnamed_addr addrspace(2) constant [5 x i8] c"text\00"
; CHECK-NOT: __chip_printf
; CHECK: spir_kernel void @plain
; CHECK: call spir_func i32 (ptr addrspace(2), ...) @_Z18__spirv_ocl_printfPU3AS2Kcz(ptr addrspace(2) @[[FORMAT]], i32 1, i64 2, double 3.000000e+00, i32 4)
; CHECK: call spir_func i32 (ptr addrspace(2), ...) @_Z18__spirv_ocl_printfPU3AS2Kcz(ptr addrspace(2) @{{.*}}, ptr addrspace(2) @[[TEXT]])
; CHECK: spir_kernel void @choice
; CHECK: br i1 %c
; CHECK-COUNT-2: @_Z18__spirv_ocl_printfPU3AS2Kcz
; CHECK: phi i32
; SPIRV: OpExtInst %uint %{{[0-9]+}} printf
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@format = internal addrspace(1) constant [21 x i8] c"%5d %zu %lf %hhd %%z\00"
@string = internal addrspace(1) constant [4 x i8] c"%s\0A\00"
@text = internal addrspace(1) constant [5 x i8] c"text\00"
@yes = internal addrspace(1) constant [4 x i8] c"yes\00"
@no = internal addrspace(1) constant [3 x i8] c"no\00"
declare spir_func i32 @__chip_printf(ptr addrspace(4), ...)

define spir_kernel void @plain() {
  %a = call spir_func i32 (ptr addrspace(4), ...) @__chip_printf(ptr addrspace(4) addrspacecast (ptr addrspace(1) @format to ptr addrspace(4)), i32 1, i64 2, double 3.0, i32 4)
  %b = call spir_func i32 (ptr addrspace(4), ...) @__chip_printf(ptr addrspace(4) addrspacecast (ptr addrspace(1) @string to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @text to ptr addrspace(4)))
  ret void
}

define spir_kernel void @choice(i1 %c, ptr addrspace(1) %out) {
  %format = select i1 %c, ptr addrspace(4) addrspacecast (ptr addrspace(1) @yes to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @no to ptr addrspace(4))
  %a = call spir_func i32 (ptr addrspace(4), ...) @__chip_printf(ptr addrspace(4) %format)
  store i32 %a, ptr addrspace(1) %out
  ret void
}
