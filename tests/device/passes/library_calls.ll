; Functions of the C library become OpenCL's, if they are not the program's own.
; PASSES: chip-library-calls
; CHECK-LABEL: define float @floats(
; CHECK: call spir_func float @_Z17__spirv_ocl_ldexpfi(float %x, i32 %n)
; CHECK: call spir_func float @_Z15__spirv_ocl_erff(float
; CHECK-LABEL: define double @doubles(
; CHECK: [[LOW:%.*]] = call i64 @llvm.smax.i64(i64 %n, i64 -65536)
; CHECK: [[BOTH:%.*]] = call i64 @llvm.smin.i64(i64 [[LOW]], i64 65536)
; CHECK: [[INT:%.*]] = trunc i64 [[BOTH]] to i32
; CHECK: call spir_func double @_Z17__spirv_ocl_ldexpdi(double %x, i32 [[INT]])
; CHECK: call spir_func double @_Z17__spirv_ocl_hypotdd(double
; CHECK-LABEL: define float @own(
; CHECK: call float @cbrtf(float
; CHECK: call float @erf(float
; CHECK-NOT: declare {{.*}}@scalbn
target triple = "spirv64"

declare float @scalbnf(float, i32)
declare float @erff(float)
declare double @scalbln(double, i64)
declare double @hypot(double, double)
declare float @erf(float)

define float @floats(float %x, i32 %n) {
  %s = call float @scalbnf(float %x, i32 %n)
  %e = call float @erff(float %s)
  ret float %e
}

define double @doubles(double %x, i64 %n) {
  %s = call double @scalbln(double %x, i64 %n)
  %h = call double @hypot(double %s, double %x)
  ret double %h
}

define float @cbrtf(float %x) {
  ret float %x
}

define float @own(float %x) {
  %c = call float @cbrtf(float %x)
  %e = call float @erf(float %c)
  ret float %e
}
