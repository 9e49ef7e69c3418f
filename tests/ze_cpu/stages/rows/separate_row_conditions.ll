; Conditions that do not change in a loop over work-items, and decide about its accesses.
; RUN: --stage=SeparateRowConditions

; CHECK: ; branch: separated
; CHECK-NEXT: ; choice: separated
; CHECK-NEXT: ; address: separated
; CHECK-NEXT: ; lane: left as it is
; CHECK-NEXT: ; value: left as it is
; CHECK-NEXT: ; other_loop: left as it is
; CHECK-NEXT: ; many: left as it is
; CHECK-NEXT: ; both: separated
; CHECK-NEXT: ; either: separated
; CHECK-NEXT: ; own: left as it is

; A loop with the second store and one without, which all lanes come to. The condition may be poison where the loop never asks.
; CHECK-LABEL: define void @branch(
; CHECK: [[FROZEN:%.*]] = freeze i1 %c
; CHECK-NEXT: br i1 [[FROZEN]], label %loop.preheader, label %loop.other.preheader
; CHECK: loop.other:
; CHECK: store float 1.0
; CHECK-NOT: store float
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK: loop:
; CHECK: store float 1.0
; CHECK: store float 2.0
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK-NOT: br i1 %c
define void @branch(ptr %p, ptr %q, i1 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a
  br i1 %c, label %also, label %latch
also:
  %b = getelementptr float, ptr %q, i64 %i
  store float 2.0, ptr %b
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; One for each way; cases that lead to the same one share it.
; CHECK-LABEL: define void @choice(
; CHECK: [[NUMBER:%.*]] = freeze i32 %c
; CHECK-DAG: [[IS0:%.*]] = icmp eq i32 [[NUMBER]], 0
; CHECK-DAG: [[IS7:%.*]] = icmp eq i32 [[NUMBER]], 7
; CHECK-COUNT-3: !llvm.loop
; CHECK-NOT: !llvm.loop
; CHECK: ret void
define void @choice(ptr %p, ptr %q, i32 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i64 %i
  %b = getelementptr float, ptr %q, i64 %i
  switch i32 %c, label %latch [
    i32 0, label %first
    i32 7, label %second
    i32 9, label %latch
  ]
first:
  store float 1.0, ptr %a
  br label %latch
second:
  store float 2.0, ptr %b
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; What chooses the address of an access that some rows do.
; CHECK-LABEL: define void @address(
; CHECK-COUNT-3: !llvm.loop
; CHECK-NOT: !llvm.loop
; CHECK: ret void
define void @address(ptr %p, ptr %q, i32 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  switch i32 %c, label %latch [
    i32 0, label %first
    i32 7, label %second
  ]
first:
  br label %access
second:
  br label %access
access:
  %from = phi ptr [ %p, %first ], [ %q, %second ]
  %a = getelementptr float, ptr %from, i64 %i
  store float 1.0, ptr %a
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; What each lane decides for itself.
define void @lane(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %c = icmp eq i64 %i, 7
  br i1 %c, label %also, label %latch
also:
  %b = getelementptr float, ptr %q, i64 %i
  store float 2.0, ptr %b
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; No access depends on it.
define void @value(ptr %p, i1 %c, float %v, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i64 %i
  br i1 %c, label %also, label %latch
also:
  %w = fadd float %v, 1.0
  br label %latch
latch:
  %x = phi float [ %v, %loop ], [ %w, %also ]
  store float %x, ptr %a
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; No loop over work-items.
define void @other_loop(ptr %p, ptr %q, i1 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  br i1 %c, label %also, label %latch
also:
  %b = getelementptr float, ptr %q, i64 %i
  store float 2.0, ptr %b
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Sixteen loops would be too many.
define void @many(ptr %p, i1 %c, i1 %d, i1 %e, i1 %f, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i64 %i
  br i1 %c, label %c1, label %c2
c1:
  store float 1.0, ptr %a
  br label %c2
c2:
  br i1 %d, label %d1, label %d2
d1:
  store float 2.0, ptr %a
  br label %d2
d2:
  br i1 %e, label %e1, label %e2
e1:
  store float 3.0, ptr %a
  br label %e2
e2:
  br i1 %f, label %f1, label %latch
f1:
  store float 4.0, ptr %a
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; What all lanes share is asked first, frozen, where a branch depends on that and on the lane: one loop asks the lanes alone, and the other nothing.
; CHECK-LABEL: define void @both(
; CHECK: [[SHARED:%.*]] = freeze i1 %c
; CHECK: br i1 {{%.*}}, label %loop.preheader, label %loop.other.preheader
; CHECK: loop.other:
; CHECK-NOT: store
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK: loop:
; CHECK: [[OWN:%.*]] = select i1 %first, i1 %second, i1 false
; CHECK: br i1 [[OWN]],
; CHECK: store float
; CHECK: br i1 {{.*}}, !llvm.loop
define void @both(ptr %p, i1 %c, i64 %m, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %first = icmp ugt i64 %i, 0
  %second = icmp ult i64 %i, %m
  %some = select i1 %first, i1 %c, i1 false
  %all = select i1 %some, i1 %second, i1 false
  br i1 %all, label %in, label %latch
in:
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; The same of conditions one of which is enough to do nothing.
; CHECK-LABEL: define void @either(
; CHECK: [[SHARED:%.*]] = freeze i1 %c
; CHECK: loop.other:
; CHECK: br i1 %first.other, label %latch.other, label %in.other
; CHECK: store float
; CHECK: loop:
; CHECK-NOT: store
; CHECK: ret void
define void @either(ptr %p, i1 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %first = icmp eq i64 %i, 0
  %none = select i1 %first, i1 true, i1 %c
  br i1 %none, label %latch, label %in
in:
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; No part of this is shared.
define void @own(ptr %p, i64 %m, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %first = icmp ugt i64 %i, 0
  %second = icmp ult i64 %i, %m
  %all = and i1 %first, %second
  br i1 %all, label %in, label %latch
in:
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
