; Offsets (8) would mean something.
; RUN: --stage=lower_builtins
; FAILS
; CHECK: unsupported use of _Z17__spirv_ImageReadPvDv2_iiS_: its image operands
declare <4 x float> @_Z17__spirv_ImageReadPvDv2_iiS_(ptr, <2 x i32>, i32, <2 x i32>)
define void @kernel(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p, <2 x i32> %c) {
  %a = call <4 x float> @_Z17__spirv_ImageReadPvDv2_iiS_(ptr %p, <2 x i32> %c, i32 8, <2 x i32> %c)
  ret void
}
