; Of an index, its parts are frozen.
; RUN: --stage=FreezeBeforeLanes

; CHECK: ; index: frozen before
; CHECK-NEXT: ; loaded: left as it is
; CHECK-NEXT: ; not_counted: left as it is
; CHECK-NEXT: ; other_loop: left as it is

; What does not change is frozen before the loop. The sum keeps no promises, which need not hold for what was frozen.
; CHECK-LABEL: define void @index(
; CHECK: entry:
; CHECK-NEXT: [[FIRST:%.*]] = freeze i32 %first
; CHECK: loop:
; CHECK: [[LANE:%.*]] = trunc i64 %i to i32
; CHECK-NEXT: [[INDEX:%.*]] = add i32 [[FIRST]], [[LANE]]
; CHECK-NEXT: %wide = sext i32 [[INDEX]] to i64
; CHECK-NOT: freeze
define void @index(ptr %p, i32 %first, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %lane = trunc nuw nsw i64 %i to i32
  %index = add nsw i32 %first, %lane
  %frozen = freeze i32 %index
  %wide = sext i32 %frozen to i64
  %a = getelementptr float, ptr %p, i64 %wide
  store float 1.0, ptr %a
  %j = add nuw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define void @loaded(
; CHECK: freeze i32 %index
define void @loaded(ptr %p, i32 %first, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %from = getelementptr i32, ptr %p, i64 %i
  %number = load i32, ptr %from
  %index = add nsw i32 %first, %number
  %frozen = freeze i32 %index
  %a = getelementptr float, ptr %p, i32 %frozen
  store float 1.0, ptr %a
  %j = add nuw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; Nobody decides by that number whether to go on, so that it may be poison.
; CHECK-LABEL: define void @not_counted(
; CHECK: freeze i64 %number
define void @not_counted(ptr %p, i64 %step, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %number = phi i64 [ 0, %entry ], [ %next, %loop ]
  %frozen = freeze i64 %number
  %a = getelementptr float, ptr %p, i64 %frozen
  store float 1.0, ptr %a
  %next = add nsw i64 %number, %step
  %j = add nuw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; No loop over work-items.
define void @other_loop(ptr %p, i64 %first, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %index = add nsw i64 %first, %i
  %frozen = freeze i64 %index
  %a = getelementptr float, ptr %p, i64 %frozen
  store float 1.0, ptr %a
  %j = add nuw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
