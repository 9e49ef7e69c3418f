; Conversions with a rounding mode or saturation.
; RUN: --stage=lower_builtins

declare i32 @_Z24__spirv_ConvertFToS_Rintf(float)
declare i8 @_Z30__spirv_ConvertFToU_Ruchar_rtef(float)
declare <4 x i32> @_Z29__spirv_ConvertFToS_Rint4_rtpDv4_f(<4 x float>)
declare i32 @_Z28__spirv_ConvertFToS_Rint_rtnf(float)
declare i16 @_Z34__spirv_SatConvertSToU_Rushort_sati(i32)
declare i8 @_Z32__spirv_SatConvertUToS_Rchar_satj(i32)
declare i16 @_Z27__spirv_SConvert_Rshort_sati(i32)
declare i16 @_Z23__spirv_SConvert_Rshorti(i32)
declare float @_Z30__spirv_ConvertSToF_Rfloat_rtzl(i64)
declare float @_Z30__spirv_ConvertUToF_Rfloat_rtel(i64)
declare half @_Z26__spirv_FConvert_Rhalf_rtpf(float)
declare i16 @_Z27__spirv_ConvertFToBF16INTELf(float)

; Rounded in floating point, then converted exactly. Out of range all processors agree on the nearest number.
; CHECK-LABEL: define void @to_integer(
; CHECK-NEXT: call i32 @llvm.fptosi.sat.i32.f32(float %f)
; CHECK-NEXT: [[ROUNDED:%.*]] = call float @llvm.roundeven.f32(float %f)
; CHECK-NEXT: call i8 @llvm.fptoui.sat.i8.f32(float [[ROUNDED]])
; CHECK-NEXT: [[ROUNDED:%.*]] = call <4 x float> @llvm.ceil.v4f32(<4 x float> %v)
; CHECK-NEXT: call <4 x i32> @llvm.fptosi.sat.v4i32.v4f32(<4 x float> [[ROUNDED]])
; CHECK-NEXT: [[ROUNDED:%.*]] = call float @llvm.floor.f32(float %f)
; CHECK-NEXT: call i32 @llvm.fptosi.sat.i32.f32(float [[ROUNDED]])
define void @to_integer(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, float %f, <4 x float> %v) {
  %a = call i32 @_Z24__spirv_ConvertFToS_Rintf(float %f)
  %b = call i8 @_Z30__spirv_ConvertFToU_Ruchar_rtef(float %f)
  %c = call <4 x i32> @_Z29__spirv_ConvertFToS_Rint4_rtpDv4_f(<4 x float> %v)
  %d = call i32 @_Z28__spirv_ConvertFToS_Rint_rtnf(float %f)
  ret void
}

; In a signed type with room for both.
; CHECK-LABEL: define void @saturated(
; CHECK-NEXT: [[WIDE:%.*]] = sext i32 %n to i33
; CHECK-NEXT: [[LOW:%.*]] = call i33 @llvm.smax.i33(i33 [[WIDE]], i33 0)
; CHECK-NEXT: [[BOTH:%.*]] = call i33 @llvm.smin.i33(i33 [[LOW]], i33 65535)
; CHECK-NEXT: trunc i33 [[BOTH]] to i16
; CHECK-NEXT: [[WIDE:%.*]] = zext i32 %n to i33
; CHECK-NEXT: [[LOW:%.*]] = call i33 @llvm.smax.i33(i33 [[WIDE]], i33 -128)
; CHECK-NEXT: [[BOTH:%.*]] = call i33 @llvm.smin.i33(i33 [[LOW]], i33 127)
; CHECK-NEXT: trunc i33 [[BOTH]] to i8
; CHECK-NEXT: [[WIDE:%.*]] = sext i32 %n to i33
; CHECK: call i33 @llvm.smin.i33(i33 {{%.*}}, i33 32767)
; CHECK-NEXT: trunc i33
; CHECK-NEXT: %d = trunc i32 %n to i16
define void @saturated(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %n) {
  %a = call i16 @_Z34__spirv_SatConvertSToU_Rushort_sati(i32 %n)
  %b = call i8 @_Z32__spirv_SatConvertUToS_Rchar_satj(i32 %n)
  %c = call i16 @_Z27__spirv_SConvert_Rshort_sati(i32 %n)
  %d = call i16 @_Z23__spirv_SConvert_Rshorti(i32 %n)
  ret void
}

; The nearest needs no correction.
; CHECK-LABEL: define float @nearest(
; CHECK-NEXT: %a = uitofp i64 %n to float
; CHECK-NEXT: ret float %a
define float @nearest(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %n) {
  %a = call float @_Z30__spirv_ConvertUToF_Rfloat_rtel(i64 %n)
  ret float %a
}

; Other modes take the neighbour where the nearest is on the other side: compared in two bits more, since the nearest may be the next
; power of two.
; CHECK-LABEL: define float @to_zero(
; CHECK-NEXT: [[NEAREST:%.*]] = sitofp i64 %n to float
; CHECK-NEXT: [[EXACT:%.*]] = sext i64 %n to i66
; CHECK-NEXT: [[BACK:%.*]] = call i66 @llvm.fptosi.sat.i66.f32(float [[NEAREST]])
; CHECK-DAG: icmp slt i66 [[EXACT]], [[BACK]]
; CHECK-DAG: icmp sgt i66 [[EXACT]], [[BACK]]
; CHECK: %a = select i1
define float @to_zero(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %n) {
  %a = call float @_Z30__spirv_ConvertSToF_Rfloat_rtzl(i64 %n)
  ret float %a
}

; The neighbour of zero is the smallest number of the right sign.
; CHECK-LABEL: define half @up(
; CHECK: [[NEAREST:%.*]] = fptrunc float %f to half
; CHECK: [[ZERO:%.*]] = fcmp oeq half [[NEAREST]], 0xH0000
; CHECK: [[BITS:%.*]] = select i1 [[ZERO]], i16 1, i16
; CHECK-NEXT: [[NEXT:%.*]] = bitcast i16 [[BITS]] to half
; CHECK: select i1 {{%.*}}, half [[NEXT]], half [[NEAREST]]
define half @up(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, float %f) {
  %a = call half @_Z26__spirv_FConvert_Rhalf_rtpf(float %f)
  ret half %a
}

; What would carry a NaN over into infinity is made quiet instead.
; CHECK-LABEL: define i16 @bfloat16(
; CHECK: add i32 {{%.*}}, 32767
; CHECK: [[QUIET:%.*]] = or i32 {{%.*}}, 4194304
; CHECK: [[NAN:%.*]] = fcmp uno float %f, %f
; CHECK: select i1 [[NAN]], i32 [[QUIET]]
define i16 @bfloat16(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, float %f) {
  %a = call i16 @_Z27__spirv_ConvertFToBF16INTELf(float %f)
  ret i16 %a
}

; Plain ones are LLVM's and stay.
; CHECK-LABEL: define i32 @plain(
; CHECK-NEXT: fptosi float %f to i32
; CHECK-NEXT: ret
define i32 @plain(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, float %f) {
  %a = fptosi float %f to i32
  ret i32 %a
}
