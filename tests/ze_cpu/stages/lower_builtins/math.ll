; Floating-point functions.
; RUN: --stage=lower_builtins

declare float @_Z17__spirv_ocl_floorf(float)
declare <2 x float> @_Z15__spirv_ocl_madDv2_fS_S_(<2 x float>, <2 x float>, <2 x float>)
declare float @_Z15__spirv_ocl_sinf(float)
declare double @_Z15__spirv_ocl_sind(double)
declare half @_Z15__spirv_ocl_sinDh(half)
declare <2 x double> @_Z16__spirv_ocl_tanhDv2_d(<2 x double>)
declare float @_Z16__spirv_ocl_pownfi(float, i32)
declare half @_Z15__spirv_ocl_fmaDhDhDh(half, half, half)
declare <2 x float> @_Z17__spirv_ocl_frexpDv2_fPDv2_i(<2 x float>, ptr)
declare float @_Z15__spirv_ocl_nanj(i32)
declare float @_Z18__spirv_ocl_lengthDv2_f(<2 x float>)
declare double @_Z18__spirv_ocl_lengthDv2_d(<2 x double>)
declare half @_Z17__spirv_ocl_rsqrtDh(half)

; Where the machine has an instruction: LLVM's intrinsic, with the flags of the call.
; CHECK-LABEL: define void @instructions(
; CHECK-NEXT: call nnan float @llvm.floor.f32(float %f)
; CHECK-NEXT: call <2 x float> @llvm.fmuladd.v2f32(<2 x float> %v, <2 x float> %v, <2 x float> %v)
define void @instructions(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, float %f, <2 x float> %v) {
  %a = call nnan float @_Z17__spirv_ocl_floorf(float %f)
  %b = call <2 x float> @_Z15__spirv_ocl_madDv2_fS_S_(<2 x float> %v, <2 x float> %v, <2 x float> %v)
  ret void
}

; Float is rounded from double, double has functions of its own, and half is computed in float.
; CHECK-LABEL: define void @precision(
; CHECK-NEXT: [[WIDE:%.*]] = fpext float %f to double
; CHECK-NEXT: [[SINE:%.*]] = call double @sin(double [[WIDE]])
; CHECK-NEXT: fptrunc double [[SINE]] to float
; CHECK-NEXT: call double @ze_cpu_sin(double %d)
; CHECK-NEXT: [[WIDE:%.*]] = fpext half %h to float
; CHECK-NEXT: [[SINE:%.*]] = call float @sinf(float [[WIDE]])
; CHECK-NEXT: fptrunc float [[SINE]] to half
define void @precision(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, float %f, double %d, half %h) {
  %a = call float @_Z15__spirv_ocl_sinf(float %f)
  %b = call double @_Z15__spirv_ocl_sind(double %d)
  %c = call half @_Z15__spirv_ocl_sinDh(half %h)
  ret void
}

; Element by element; an integer becomes a number.
; CHECK-LABEL: define void @elements(
; CHECK-COUNT-2: call double @ze_cpu_tanh(double {{%.*}})
; CHECK: [[N:%.*]] = sitofp i32 %n to double
; CHECK: call double @pow(double {{%.*}}, double [[N]])
define void @elements(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, <2 x double> %v, float %f, i32 %n) {
  %a = call <2 x double> @_Z16__spirv_ocl_tanhDv2_d(<2 x double> %v)
  %b = call float @_Z16__spirv_ocl_pownfi(float %f, i32 %n)
  ret void
}

; Half would be rounded twice: the sum is rounded to odd, without the flags that would let LLVM fold what was lost to 0.
; CHECK-LABEL: define half @fused(
; CHECK: fmul float
; CHECK: fadd float
; CHECK: fsub float
; CHECK: [[LOST:%.*]] = fcmp one float {{%.*}}, 0.000000e+00
; CHECK: and i1 {{%.*}}, [[LOST]]
; CHECK: fptrunc float
define half @fused(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, half %h) {
  %a = call reassoc half @_Z15__spirv_ocl_fmaDhDhDh(half %h, half %h, half %h)
  ret half %a
}

; Vectors of second results lie one behind the other, and those of frexp are integers.
; CHECK-LABEL: define void @pointer(
; CHECK-COUNT-2: alloca i32
; CHECK: [[SECOND:%.*]] = getelementptr inbounds i32, ptr %p, i64 1
; CHECK: call float @frexpf(float {{%.*}}, ptr {{%.*}})
; CHECK: store i32 {{%.*}}, ptr [[SECOND]]
define void @pointer(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, <2 x float> %v, ptr %p) {
  %a = call <2 x float> @_Z17__spirv_ocl_frexpDv2_fPDv2_i(<2 x float> %v, ptr %p)
  ret void
}

; The code is the payload, and the number is quiet.
; CHECK-LABEL: define float @not_a_number(
; CHECK-NEXT: [[CODE:%.*]] = and i32 %n, 4194303
; CHECK-NEXT: or i32 [[CODE]], 2143289344
define float @not_a_number(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %n) {
  %a = call float @_Z15__spirv_ocl_nanj(i32 %n)
  ret float %a
}

; Squares must neither overflow nor vanish.
; CHECK-LABEL: define void @lengths(
; CHECK: fpext float {{%.*}} to double
; CHECK: fmul double
; CHECK: call double @llvm.sqrt.f64
; CHECK: fptrunc double {{%.*}} to float
; CHECK: [[LARGE:%.*]] = fcmp ogt double
; CHECK: select i1 [[LARGE]]
; CHECK: [[SMALL:%.*]] = fcmp olt double
; CHECK: [[SCALE:%.*]] = select i1 [[SMALL]]
; CHECK: fmul double {{%.*}}, [[SCALE]]
; CHECK: fdiv double {{%.*}}, [[SCALE]]
define void @lengths(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, <2 x float> %v, <2 x double> %w) {
  %a = call float @_Z18__spirv_ocl_lengthDv2_f(<2 x float> %v)
  %b = call double @_Z18__spirv_ocl_lengthDv2_d(<2 x double> %w)
  ret void
}

; In float: rounded twice in half it would be too far off.
; CHECK-LABEL: define half @reciprocal(
; CHECK-NEXT: fpext half %h to float
; CHECK-NEXT: call float @llvm.sqrt.f32
; CHECK-NEXT: fdiv float 1.000000e+00
; CHECK-NEXT: fptrunc float
define half @reciprocal(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, half %h) {
  %a = call half @_Z17__spirv_ocl_rsqrtDh(half %h)
  ret half %a
}

; CHECK-LABEL: define float @others(
; CHECK-NEXT: call float @sinf(float %f)
; CHECK-NEXT: fadd float
declare float @sinf(float)
define float @others(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, float %f) {
  %a = call float @sinf(float %f)
  %b = fadd float %a, %f
  ret float %b
}
