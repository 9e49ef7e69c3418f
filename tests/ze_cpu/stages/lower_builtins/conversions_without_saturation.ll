; RUN: --stage=lower_builtins
; FAILS
; CHECK: unsupported use of _Z30__spirv_SatConvertSToU_Rushorti: its name
declare i16 @_Z30__spirv_SatConvertSToU_Rushorti(i32)
define i16 @kernel(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %n) {
  %a = call i16 @_Z30__spirv_SatConvertSToU_Rushorti(i32 %n)
  ret i16 %a
}
