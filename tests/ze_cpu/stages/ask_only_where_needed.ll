; A kernel asks only unless the same memory was allowed at the place before, or it is within work-group memory.
; RUN: --stage=AskOnlyWhereNeeded

@place = internal global [56 x i8] zeroinitializer
declare void @ze_cpu_check(i64, i64, i64, i64, i64, i32, i64) #0

; What is loaded for it belongs to the same loop as the check. All but two steps and a comparison is the same for all lanes.
; CHECK-LABEL: define void @accesses(
; CHECK: load i64, {{.*}}@place, {{.*}} !llvm.access.group [[LOOP:!.*]]
; CHECK: load i64, {{.*}} !invariant.load
; CHECK: [[KNOWN:%.*]] = icmp eq i64
; CHECK: [[ENOUGH:%.*]] = icmp uge i64 [[SIZE:%.*]], 4
; CHECK: [[FITS:%.*]] = and i1 [[KNOWN]], [[ENOUGH]]
; CHECK: [[LAST:%.*]] = sub i64 [[SIZE]], 4
; CHECK: [[ALIGNED:%.*]] = lshr i64 [[LAST]], 2
; CHECK: [[MORE:%.*]] = add i64 [[ALIGNED]], 1
; CHECK: [[COUNT:%.*]] = select i1 [[FITS]], i64 [[MORE]], i64 0
; CHECK: [[OFFSET:%.*]] = sub i64 %address,
; CHECK: [[TURNED:%.*]] = call i64 @llvm.fshr.i64(i64 [[OFFSET]], i64 [[OFFSET]], i64 2)
; CHECK: icmp ult i64 [[TURNED]], [[COUNT]]
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

; Memory is not known to begin at such an address.
; CHECK-LABEL: define void @much_aligned(
; CHECK-NEXT: call void @ze_cpu_check
define void @much_aligned(i64 %group, i64 %lane, i64 %address) {
  call void @ze_cpu_check(i64 %group, i64 0, i64 %lane, i64 %address, i64 4, i32 512, i64 ptrtoint (ptr @place to i64))
  ret void
}

attributes #0 = { "zecpu.check"="uulvuuu" }
!0 = distinct !{}
