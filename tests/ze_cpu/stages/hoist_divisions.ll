; Divisions of what does not change in a loop come before it, guarded.
; RUN: --stage=HoistDivisions

; CHECK: ; conditional: hoisted
; CHECK: ; changes: nothing to hoist
; CHECK: ; nested: hoisted
; CHECK: ; no_preheader: nothing to hoist

; A condition on the way to it may have been the guard: what `exact` promises need not hold before the loop.
; CHECK-LABEL: define i32 @conditional(
; CHECK: entry:
; CHECK: [[BAD:%.*]] = icmp eq i32 {{%.*}}, 0
; CHECK: [[D:%.*]] = select i1 [[BAD]], i32 1, i32
; CHECK: %q = udiv i32 %n, [[D]]
; CHECK-NEXT: br label %loop
; CHECK: divide:
; CHECK-NEXT: br label %next
define i32 @conditional(i32 %n, i32 %d, i32 %count) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  %is = icmp ne i32 %d, 0
  br i1 %is, label %divide, label %next
divide:
  %q = udiv exact i32 %n, %d
  br label %next
next:
  %p = phi i32 [ 0, %loop ], [ %q, %divide ]
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %count
  br i1 %more, label %loop, label %end
end:
  ret i32 %p
}

; CHECK-LABEL: define i32 @changes(
; CHECK: loop:
; CHECK: %q = udiv i32 %n, %i
define i32 @changes(i32 %n, i32 %count) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 1, %entry ], [ %j, %loop ]
  %q = udiv i32 %n, %i
  %f = fdiv float 1.0, 2.0
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %count
  br i1 %more, label %loop, label %end
end:
  ret i32 %q
}

; Out of the inner loop, which is the one that LLVM vectorises. The guard keeps it from leaving the outer one as well.
; CHECK-LABEL: define i32 @nested(
; CHECK: outer:
; CHECK: %q = sdiv i32
; CHECK-NEXT: br label %inner
; CHECK: inner:
define i32 @nested(i32 %n, i32 %d, i32 %count) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i2, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j2, %inner ]
  %q = sdiv i32 %n, %d
  %j2 = add i32 %j, %q
  %more = icmp ult i32 %j2, %count
  br i1 %more, label %inner, label %latch
latch:
  %i2 = add i32 %i, 1
  %again = icmp ult i32 %i2, %count
  br i1 %again, label %outer, label %end
end:
  ret i32 %i2
}

; There is no place before the loop.
; CHECK-LABEL: define i32 @no_preheader(
; CHECK: loop:
; CHECK: %q = udiv i32 %n, %d
define i32 @no_preheader(i32 %n, i32 %d, i1 %which) {
entry:
  br i1 %which, label %loop, label %other
other:
  br i1 %which, label %loop, label %end
loop:
  %q = udiv i32 %n, %d
  %more = icmp ult i32 %q, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 0
}
