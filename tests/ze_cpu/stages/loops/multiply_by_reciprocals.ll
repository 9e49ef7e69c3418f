; Divisions by what does not change in a loop over work-items.
; RUN: --stage=MultiplyByReciprocals

; CHECK: ; shared: multiplies
; CHECK-NEXT: ; guarded: multiplies
; CHECK-NEXT: ; other_loop: left as it is
; CHECK-NEXT: ; constant: left as it is
; CHECK-NEXT: ; wide: left as it is
; CHECK-NEXT: ; varying: left as it is

; One division before the loop, by a number that is not 0.
; CHECK-LABEL: define void @shared(
; CHECK: [[D:%.*]] = freeze i32 %d
; CHECK: [[SIZE:%.*]] = call i32 @llvm.umax.i32(i32 [[D]], i32 1)
; CHECK: [[WIDE:%.*]] = zext i32 [[SIZE]] to i64
; CHECK: udiv i64 {{%.*}}, [[WIDE]]
; CHECK: loop:
; CHECK-NOT: udiv
; CHECK-NOT: urem
; CHECK: ret void
define void @shared(ptr %out, i32 %d, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %q = udiv i32 %i, %d
  %r = urem i32 %i, %d
  %sum = add i32 %q, %r
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %sum, ptr %to
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; The guard that each iteration has for itself chooses what one divides: the number, and nothing as the remainder.
; CHECK-LABEL: define void @guarded(
; CHECK: loop:
; CHECK: [[BAD:%.*]] = icmp eq i32 %i, -2147483648
; CHECK-NOT: sdiv
; CHECK: [[Q:%.*]] = select i1 [[BAD]], i32 %i, i32
; CHECK-NOT: srem
; CHECK: [[R:%.*]] = select i1 [[BAD]], i32 0, i32
; CHECK: add i32 [[Q]], [[R]]
define void @guarded(ptr %out, i32 %d, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %bad = icmp eq i32 %i, -2147483648
  %by = select i1 %bad, i32 1, i32 %d
  %q = sdiv i32 %i, %by
  %r = srem i32 %i, %by
  %sum = add i32 %q, %r
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %sum, ptr %to
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; A loop of the kernel's may be too short for that.
define void @other_loop(ptr %out, i32 %d, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %q = udiv i32 %i, %d
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %to
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @constant(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %q = udiv i32 %i, 7
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %to
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

define void @wide(ptr %out, i64 %d, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %q = udiv i64 %i, %d
  %to = getelementptr i64, ptr %out, i64 %i
  store i64 %q, ptr %to
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

define void @varying(ptr %out, i32 %d, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %by = add i32 %i, %d
  %q = udiv i32 %d, %by
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %to
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
