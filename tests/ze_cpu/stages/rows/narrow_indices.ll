; Sums of 32 bits in the upper half of 64.
; RUN: --stage=NarrowIndices

; CHECK: ; sum: narrowed
; CHECK-NEXT: ; difference: narrowed
; CHECK-NEXT: ; lower_bits: left as it is
; CHECK-NEXT: ; far: left as it is
; CHECK-NEXT: ; one: left as it is
; CHECK-NEXT: ; other_loop: left as it is

; CHECK-LABEL: define void @sum(
; CHECK: [[UPPER:%.*]] = lshr i64 %first, 32
; CHECK-NEXT: [[FIRST:%.*]] = trunc i64 [[UPPER]] to i32
; CHECK: loop:
; CHECK: [[LANE:%.*]] = trunc i64 %i to i32
; CHECK-NEXT: [[INDEX:%.*]] = add i32 [[LANE]], [[FIRST]]
; CHECK-NEXT: [[WIDE:%.*]] = sext i32 [[INDEX]] to i64
; CHECK-NEXT: [[OFFSET:%.*]] = shl nsw i64 [[WIDE]], 2
; CHECK-NEXT: getelementptr i8, ptr %p, i64 [[OFFSET]]
define void @sum(ptr %p, i64 %g, i64 %n) {
entry:
  %first = shl i64 %g, 36
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %high = shl i64 %i, 32
  %both = add i64 %high, %first
  %offset = ashr exact i64 %both, 30
  %a = getelementptr i8, ptr %p, i64 %offset
  store float 1.0, ptr %a
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define void @difference(
; CHECK: [[INDEX:%.*]] = sub i32
; CHECK-NEXT: [[WIDE:%.*]] = sext i32 [[INDEX]] to i64
; CHECK-NEXT: getelementptr float, ptr %p, i64 [[WIDE]]
define void @difference(ptr %p, i64 %g, i64 %n) {
entry:
  %first = shl i64 %g, 32
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %high = shl i64 %i, 32
  %both = sub i64 %first, %high
  %number = ashr exact i64 %both, 32
  %a = getelementptr float, ptr %p, i64 %number
  store float 1.0, ptr %a
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; What is added has a lower half: the sum may carry, and what is shifted down is more than 32 bits.
define void @lower_bits(ptr %p, i64 %g, i64 %n) {
entry:
  %first = shl i64 %g, 31
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %high = shl i64 %i, 32
  %both = add i64 %high, %first
  %offset = ashr i64 %both, 30
  %a = getelementptr i8, ptr %p, i64 %offset
  store float 1.0, ptr %a
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; Shifted down by more than was shifted up.
define void @far(ptr %p, i64 %g, i64 %n) {
entry:
  %first = shl i64 %g, 32
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %high = shl i64 %i, 32
  %both = add i64 %high, %first
  %offset = ashr i64 %both, 33
  %a = getelementptr i8, ptr %p, i64 %offset
  store float 1.0, ptr %a
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; LLVM takes one number that is shifted both ways for what it is.
define void @one(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %high = shl i64 %i, 32
  %offset = ashr exact i64 %high, 30
  %a = getelementptr i8, ptr %p, i64 %offset
  store float 1.0, ptr %a
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; No loop over work-items.
define void @other_loop(ptr %p, i64 %g, i64 %n) {
entry:
  %first = shl i64 %g, 32
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %high = shl i64 %i, 32
  %both = add i64 %high, %first
  %offset = ashr exact i64 %both, 30
  %a = getelementptr i8, ptr %p, i64 %offset
  store float 1.0, ptr %a
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
