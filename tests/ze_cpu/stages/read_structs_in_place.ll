; Structs that a kernel only reads are read in the argument buffer, which nothing changes while it runs.
; RUN: --stage=read_structs_in_place

; CHECK: define void @reads({{.*}}, ptr noalias readonly align 4 %values)
define void @reads(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr byval([3 x i32]) readonly align 4 %values) {
  ; CHECK: load i32, ptr %values, align 4, !invariant.load
  %a = load i32, ptr %values, align 4
  %last = getelementptr i8, ptr %values, i64 8
  ; CHECK: load float, ptr %last, align 4, !invariant.load
  %b = load float, ptr %last, align 4
  ; It may be loaded for work-items that do not come here, so that it has to be in the struct for sure.
  ; CHECK: load i64, ptr %last, align 4
  ; CHECK-NOT: !invariant.load
  %c = load i64, ptr %last, align 4
  %before = getelementptr i8, ptr %values, i64 -4
  %d = load i32, ptr %before, align 4
  %chosen = getelementptr i32, ptr %values, i64 %x
  %e = load i32, ptr %chosen, align 4
  ; CHECK: load volatile
  %f = load volatile i32, ptr %last, align 4
  ret void
}
; A kernel need not look at all that it takes: an object without members tells which template it is of.
; CHECK: define void @ignores({{.*}}, ptr noalias readnone align 4 %values)
define void @ignores(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr byval([3 x i32]) readnone align 4 %values) {
  ret void
}
; CHECK: define void @writes({{.*}}, ptr byval([3 x i32]) align 4 %values)
define void @writes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr byval([3 x i32]) align 4 %values) {
  store i32 1, ptr %values
  %next = getelementptr i8, ptr %values, i64 4
  %a = load i32, ptr %next, align 4
  ret void
}
; The buffer is aligned to 8 bytes only.
; CHECK: define void @aligned({{.*}}, ptr {{.*}}byval([2 x i64]) align 16 %values)
define void @aligned(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr byval([2 x i64]) readonly align 16 %values) {
  %a = load i64, ptr %values
  ret void
}
