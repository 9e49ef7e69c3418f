; A module that is not valid is an error, and no result.
; RUN: --stage=guard_divisions
; FAILS
; CHECK: the module is not valid before the stage
define void @f() {
  %a = call i32 @g()
  br label %end
end:
  %b = add i32 %c, 1
  %c = add i32 %b, 1
  ret void
}
declare i32 @g()
