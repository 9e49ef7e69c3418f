; RUN: --stage=lower_builtins
; FAILS
; CHECK: unsupported use of _Z17__spirv_GroupIAddiii: execution scope 1
declare i32 @_Z17__spirv_GroupIAddiii(i32, i32, i32)
define i32 @kernel(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %n) {
  %a = call i32 @_Z17__spirv_GroupIAddiii(i32 1, i32 0, i32 %n)
  ret i32 %a
}
