; Structs that a kernel only reads are read in the argument buffer.
; RUN: --stage=read_structs_in_place

; CHECK: define void @reads({{.*}}, ptr noalias readonly align 4 %values)
define void @reads(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr byval([3 x i32]) readonly align 4 %values) {
  %a = load i32, ptr %values
  ret void
}
; CHECK: define void @writes({{.*}}, ptr byval([3 x i32]) align 4 %values)
define void @writes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr byval([3 x i32]) align 4 %values) {
  store i32 1, ptr %values
  ret void
}
; The buffer is aligned to 8 bytes only.
; CHECK: define void @aligned({{.*}}, ptr {{.*}}byval([2 x i64]) align 16 %values)
define void @aligned(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr byval([2 x i64]) readonly align 16 %values) {
  %a = load i64, ptr %values
  ret void
}
