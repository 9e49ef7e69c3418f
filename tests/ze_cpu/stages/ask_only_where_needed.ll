; A kernel asks only unless the same memory was allowed at the place before, or it is within work-group memory.
; RUN: --stage=ask_only_where_needed

@place = internal global [56 x i8] zeroinitializer
declare void @ze_cpu_check(i64, i64, i64, i64, i64, i32, i64)

; What is loaded for it belongs to the same loop as the check.
; CHECK-LABEL: define void @accesses(
; CHECK: load i64, {{.*}}@place, {{.*}} !llvm.access.group [[LOOP:!.*]]
; CHECK: icmp uge i64
; CHECK: and i64 %address, 3
; CHECK: br i1 {{%.*}}, label %[[ASK:.*]], label %[[GO:.*]], !prof
; CHECK: [[ASK]]:
; CHECK-NEXT: call void @ze_cpu_check(i64 %group, i64 0, i64 %lane, i64 %address, i64 4, i32 16, {{.*}}), !llvm.access.group [[LOOP]]
; CHECK-NEXT: br label %[[GO]]
; CHECK: [[GO]]:
; CHECK-NOT: load i64, ptr @place
; CHECK: call void @ze_cpu_check({{.*}}, i64 4, i32 18,
define void @accesses(i64 %group, i64 %lane, i64 %address, i64 %local) {
  call void @ze_cpu_check(i64 %group, i64 0, i64 %lane, i64 %address, i64 4, i32 16, i64 ptrtoint (ptr @place to i64)), !llvm.access.group !0
  call void @ze_cpu_check(i64 %group, i64 0, i64 %lane, i64 %local, i64 4, i32 18, i64 ptrtoint (ptr @place to i64)), !llvm.access.group !0
  ret void
}

; Of how many bytes is not known: it is asked in any case.
; CHECK-LABEL: define void @some_bytes(
; CHECK-NEXT: call void @ze_cpu_check
define void @some_bytes(i64 %group, i64 %lane, i64 %address, i64 %bytes) {
  call void @ze_cpu_check(i64 %group, i64 0, i64 %lane, i64 %address, i64 %bytes, i32 16, i64 ptrtoint (ptr @place to i64))
  ret void
}

!0 = distinct !{}
