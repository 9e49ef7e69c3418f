; What lanes side by side access side by side is checked in front of the loop over them.
; RUN: --stage=HoistRowChecks

@place = internal global [56 x i8] zeroinitializer
declare void @ze_cpu_check(i64, i64, i64, i64, i64, i32, i64) #0
declare void @ze_cpu_trace(i64, i64, i64, i64, i32, i64, i64) #1
declare void @ze_cpu_trace_fence(i64, i64) #2

; CHECK: ; asked: hoisted
; CHECK: ; told: hoisted
; CHECK: ; gathered: hoisted
; CHECK: ; behind: hoisted
; CHECK: ; scattered: left as it is
; CHECK: ; fenced: hoisted
; CHECK: ; some: left as it is
; CHECK: ; atomic: left as it is
; CHECK: ; apart: left as it is
; CHECK: ; narrow: hoisted

; Whether all of the row may be accessed, from its first byte on: 7 times the stride and 4 bytes.
; CHECK-LABEL: define void @asked(
; CHECK: [[STEP:%.*]] = shl {{.*}}i64 %stride, 2
; CHECK: icmp ult i64 {{%.*}}, 4294967296
; CHECK: [[EXTENT:%.*]] = mul i64 {{%.*}}, 7
; CHECK: [[FALLING:%.*]] = icmp slt i64
; CHECK: select i1 [[FALLING]]
; CHECK: br i1 {{%.*}}, label %[[ASK:.*]], label %[[GO:.*]], !prof
; CHECK: [[ASK]]:
; CHECK-NEXT: call void @ze_cpu_check_row(i64 %group, i64 1, i64 0, i64 {{%.*}}, i64 4, i32 17, i64 ptrtoint (ptr @place to i64), i64 {{%.*}}, i64 8)
; CHECK-NEXT: br label %[[GO]]
; CHECK: lane:
; CHECK-NOT: ze_cpu_check
; CHECK: ret void
define void @asked(i64 %group, ptr %p, i64 %stride) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %index = mul i64 %i, %stride
  %address = getelementptr float, ptr %p, i64 %index
  %number = ptrtoint ptr %address to i64
  call void @ze_cpu_check(i64 %group, i64 1, i64 %i, i64 %number, i64 4, i32 17, i64 ptrtoint (ptr @place to i64))
  store float 0.0, ptr %address
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; Reads of neighbours and of one place are told of, and a write, which each lane tells of where something stands against it.
; CHECK-LABEL: define void @told(
; CHECK: call zeroext i1 @ze_cpu_trace_row(i64 %group, i64 64, i64 {{%.*}}, i64 4, i32 17, i64 1, i64 15, i64 4, i64 [[COUNT:%.*]])
; CHECK: call zeroext i1 @ze_cpu_trace_row(i64 %group, i64 64, i64 {{%.*}}, i64 4, i32 17, i64 2, i64 15, i64 0, i64 [[COUNT]])
; CHECK: [[DONE:%.*]] = call zeroext i1 @ze_cpu_trace_row(i64 %group, i64 64, i64 {{%.*}}, i64 4, i32 18, i64 3, i64 0, i64 4, i64 [[COUNT]])
; CHECK: lane:
; CHECK: [[MORE:%.*]] = xor i1 [[DONE]], true
; CHECK: br i1 [[MORE]], label %[[TELL:.*]], label
; CHECK: [[TELL]]:
; CHECK-NEXT: call void @ze_cpu_trace(i64 %group, i64 %lane.number, i64 {{%.*}}, i64 4, i32 18, i64 3, i64 7)
; CHECK-NOT: ze_cpu_trace
; CHECK: ret void
define void @told(i64 %group, ptr %p, ptr %q, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %lane.number = add nuw nsw i64 %i, 64
  %address = getelementptr float, ptr %p, i64 %i
  %number = ptrtoint ptr %address to i64
  %same = ptrtoint ptr %q to i64
  call void @ze_cpu_trace(i64 %group, i64 %lane.number, i64 %number, i64 4, i32 17, i64 1, i64 15)
  call void @ze_cpu_trace(i64 %group, i64 %lane.number, i64 %same, i64 4, i32 17, i64 2, i64 15)
  call void @ze_cpu_trace(i64 %group, i64 %lane.number, i64 %number, i64 4, i32 18, i64 3, i64 7)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; A write is told of before a read that stays, as one that comes before its turn.
; CHECK-LABEL: define void @gathered(
; CHECK: call zeroext i1 @ze_cpu_trace_row({{.*}}, i32 17, i64 2,
; CHECK: [[DONE:%.*]] = call zeroext i1 @ze_cpu_trace_row({{.*}}, i32 146, i64 3,
; CHECK: lane:
; CHECK: call void @ze_cpu_trace({{.*}}, i32 17, i64 1,
; CHECK: xor i1 [[DONE]], true
; CHECK: call void @ze_cpu_trace({{.*}}, i32 18, i64 3,
; CHECK-NOT: ze_cpu_trace
; CHECK: ret void
define void @gathered(i64 %group, ptr %p, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %mixed = xor i64 %i, 5
  %address = getelementptr float, ptr %p, i64 %i
  %number = ptrtoint ptr %address to i64
  %other = getelementptr float, ptr %p, i64 %mixed
  %other.number = ptrtoint ptr %other to i64
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %other.number, i64 4, i32 17, i64 1, i64 15)
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 17, i64 2, i64 15)
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 18, i64 3, i64 7)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; A read behind such a write is not told of where the write was not.
; CHECK-LABEL: define void @behind(
; CHECK: [[DONE:%.*]] = call zeroext i1 @ze_cpu_trace_row({{.*}}, i32 146, i64 2,
; CHECK: [[NOT:%.*]] = xor i1 [[DONE]], true
; CHECK: [[COUNT:%.*]] = select i1 [[NOT]], i64 0, i64
; CHECK: [[READ:%.*]] = call zeroext i1 @ze_cpu_trace_row({{.*}}, i32 17, i64 3, {{.*}}, i64 [[COUNT]])
; CHECK: [[GO:%.*]] = xor i1 [[NOT]], true
; CHECK: [[BOTH:%.*]] = and i1 [[READ]], [[GO]]
; CHECK: lane:
; CHECK: call void @ze_cpu_trace({{.*}}, i32 17, i64 1,
; CHECK: xor i1 [[DONE]], true
; CHECK: call void @ze_cpu_trace({{.*}}, i32 18, i64 2,
; CHECK: xor i1 [[BOTH]], true
; CHECK: call void @ze_cpu_trace({{.*}}, i32 17, i64 3,
; CHECK-NOT: ze_cpu_trace
; CHECK: ret void
define void @behind(i64 %group, ptr %p, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %mixed = xor i64 %i, 5
  %address = getelementptr float, ptr %p, i64 %i
  %number = ptrtoint ptr %address to i64
  %other = getelementptr float, ptr %p, i64 %mixed
  %other.number = ptrtoint ptr %other to i64
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %other.number, i64 4, i32 17, i64 1, i64 15)
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 18, i64 2, i64 7)
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 17, i64 3, i64 15)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; A read is not told of before a write that stays, which might be of the same, nor is another write.
; CHECK-LABEL: define void @scattered(
; CHECK-NOT: _row
; CHECK: ret void
define void @scattered(i64 %group, ptr %p, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %mixed = xor i64 %i, 5
  %address = getelementptr float, ptr %p, i64 %i
  %number = ptrtoint ptr %address to i64
  %other = getelementptr float, ptr %p, i64 %mixed
  %other.number = ptrtoint ptr %other to i64
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %other.number, i64 4, i32 18, i64 1, i64 7)
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 17, i64 2, i64 15)
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 18, i64 3, i64 7)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; Nothing is told of before a fence that orders it.
; CHECK-LABEL: define void @fenced(
; CHECK: call zeroext i1 @ze_cpu_trace_row({{.*}}, i64 1,
; CHECK-NOT: ze_cpu_trace_row
; CHECK: lane:
; CHECK: call void @ze_cpu_trace_fence(
; CHECK-NEXT: call void @ze_cpu_trace({{.*}}, i64 2,
; CHECK: ret void
define void @fenced(i64 %group, ptr %p, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %address = getelementptr float, ptr %p, i64 %i
  %number = ptrtoint ptr %address to i64
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 17, i64 1, i64 15)
  call void @ze_cpu_trace_fence(i64 %group, i64 %i)
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 17, i64 2, i64 15)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; Not what only some lanes do.
; CHECK-LABEL: define void @some(
; CHECK-NOT: _row
; CHECK: ret void
define void @some(i64 %group, ptr %p, ptr %q, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %address = getelementptr float, ptr %p, i64 %i
  %number = ptrtoint ptr %address to i64
  %even = trunc i64 %i to i1
  br i1 %even, label %then, label %latch
then:
  call void @ze_cpu_check(i64 %group, i64 1, i64 %i, i64 %number, i64 4, i32 17, i64 ptrtoint (ptr @place to i64))
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 17, i64 1, i64 15)
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define void @atomic(
; CHECK-NOT: _row
; CHECK: ret void
define void @atomic(i64 %group, ptr %p, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %address = getelementptr float, ptr %p, i64 %i
  %number = ptrtoint ptr %address to i64
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 5, i64 1, i64 0)
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 17, i64 2, i64 15)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; Marks are of what lies side by side, and one lane does not stand for those that write one place.
; CHECK-LABEL: define void @apart(
; CHECK-NOT: _row
; CHECK: ret void
define void @apart(i64 %group, ptr %p, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %address = getelementptr double, ptr %p, i64 %i
  %number = ptrtoint ptr %address to i64
  %same = ptrtoint ptr %p to i64
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 17, i64 1, i64 15)
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %same, i64 4, i32 18, i64 2, i64 15)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; Side by side unless an index of 32 bits wraps around: where one does, nothing is told in front of the loop, and each lane tells.
; CHECK-LABEL: define void @narrow(
; CHECK: [[WRAPS:%.*]] = or i1
; CHECK: [[COUNT:%.*]] = select i1 [[WRAPS]], i64 0, i64 {{%.*}}
; CHECK: [[TOLD:%.*]] = call zeroext i1 @ze_cpu_trace_row({{.*}}, i64 1, i64 15, i64 4, i64 [[COUNT]])
; CHECK: [[HOLDS:%.*]] = xor i1 [[WRAPS]], true
; CHECK: [[DONE:%.*]] = and i1 [[TOLD]], [[HOLDS]]
; CHECK: lane:
; CHECK: [[MORE:%.*]] = xor i1 [[DONE]], true
; CHECK: br i1 [[MORE]], label %[[TELL:.*]], label
; CHECK: [[TELL]]:
; CHECK-NEXT: call void @ze_cpu_trace({{.*}}, i64 1, i64 15)
; CHECK: ret void
define void @narrow(i64 %group, ptr %p, i64 %n, i32 %begin) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %low = trunc i64 %i to i32
  %sum = add i32 %low, %begin
  %index = sext i32 %sum to i64
  %address = getelementptr float, ptr %p, i64 %index
  %number = ptrtoint ptr %address to i64
  call void @ze_cpu_trace(i64 %group, i64 %i, i64 %number, i64 4, i32 17, i64 1, i64 15)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

attributes #0 = { "zecpu.check"="uulvuuu" }
attributes #1 = { "zecpu.check"="ulvuuuv" }
attributes #2 = { "zecpu.check"="ul" }
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
