; What all work-items load from the same address before they write is loaded once.
; RUN: --stage=HoistUniformLoads

; CHECK: ; shared: hoisted
; CHECK: ; alone: nothing to hoist
; CHECK: ; later: hoisted
; CHECK: ; inside: nothing to hoist
; CHECK: ; not_reached: nothing to hoist

; The address is computed before the loop, too. What is behind a store, under a condition, volatile or of each lane stays.
; CHECK-LABEL: define void @shared(
; CHECK-NEXT: entry:
; CHECK-NEXT: %next = getelementptr i32, ptr %p, i64 %n
; CHECK-NEXT: %a = load i32, ptr %next, align 4{{$}}
; CHECK-NEXT: br label %lane
; CHECK: lane:
; CHECK: %own = load i32, ptr %place, align 4, !llvm.access.group
; CHECK: br i1
; CHECK: odd:
; CHECK-NEXT: %b = load i32, ptr %p, align 4, !llvm.access.group
; CHECK: latch:
; CHECK: %c = load i32, ptr %p, align 4, !llvm.access.group
define void @shared(ptr %p, ptr %q, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %next = getelementptr i32, ptr %p, i64 %n
  %a = load i32, ptr %next, align 4, !llvm.access.group !2
  %place = getelementptr i32, ptr %q, i64 %i
  %own = load i32, ptr %place, align 4, !llvm.access.group !0
  %is.odd = trunc i32 %own to i1
  br i1 %is.odd, label %odd, label %latch
odd:
  %b = load i32, ptr %p, align 4, !llvm.access.group !0
  store i32 %b, ptr %place, align 4, !llvm.access.group !0
  br label %latch
latch:
  store i32 %a, ptr %place, align 4, !llvm.access.group !0
  %c = load i32, ptr %p, align 4, !llvm.access.group !0
  %behind = getelementptr i32, ptr %place, i64 %n
  store i32 %c, ptr %behind, align 4, !llvm.access.group !0
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %lane, label %done, !llvm.loop !1
done:
  ret void
}

; Nor is anything known of loops that are not of work-items, or of accesses that are not theirs.
; CHECK-LABEL: define void @alone(
; CHECK-NEXT: entry:
; CHECK-NEXT: br label %lane
define void @alone(ptr %p, ptr %q, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %i.next, %lane ]
  %a = load i32, ptr %p, align 4, !llvm.access.group !0
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %lane, label %second
second:
  br label %work.item
work.item:
  %k = phi i64 [ 0, %second ], [ %k.next, %work.item ]
  %v = load volatile i32, ptr %p, align 4, !llvm.access.group !0
  %b = load i32, ptr %p, align 4, !llvm.access.group !0
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %work.item, label %third, !llvm.loop !1
third:
  br label %other
other:
  %l = phi i64 [ 0, %third ], [ %l.next, %other ]
  %d = load i32, ptr %p, align 4
  %l.next = add nuw nsw i64 %l, 1
  %still = icmp ult i64 %l.next, %n
  br i1 %still, label %other, label %done, !llvm.loop !1
done:
  ret void
}

; What all come to behind a condition, before any of them writes, and what is decided by that.
; CHECK-LABEL: define void @later(
; CHECK-NEXT: entry:
; CHECK-NEXT: %next = getelementptr i32, ptr %p, i64 1
; CHECK-NEXT: %a = load i32, ptr %p, align 4{{$}}
; CHECK-NEXT: %is.set = icmp eq i32 %a, 7
; CHECK-NEXT: br label %lane
; CHECK: odd:
; CHECK-NEXT: %b = load i32, ptr %next, align 4, !llvm.access.group
define void @later(ptr %p, ptr %q, i64 %n) {
entry:
  %next = getelementptr i32, ptr %p, i64 1
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %place = getelementptr i32, ptr %q, i64 %i
  %own = load i32, ptr %place, align 4, !llvm.access.group !0
  %is.odd = trunc i32 %own to i1
  br i1 %is.odd, label %odd, label %latch
odd:
  %b = load i32, ptr %next, align 4, !llvm.access.group !0
  br label %latch
latch:
  %known = phi i32 [ %b, %odd ], [ 0, %lane ]
  %a = load i32, ptr %p, align 4, !llvm.access.group !0
  %is.set = icmp eq i32 %a, 7
  %c = select i1 %is.set, i32 %known, i32 %own
  store i32 %c, ptr %place, align 4, !llvm.access.group !0
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %lane, label %done, !llvm.loop !1
done:
  ret void
}

; The second turn of a loop inside comes behind the store of the first.
; CHECK-LABEL: define void @inside(
; CHECK: again:
; CHECK: %a = load i32, ptr %p, align 4, !llvm.access.group
define void @inside(ptr %p, ptr %q, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %place = getelementptr i32, ptr %q, i64 %i
  br label %again
again:
  %k = phi i64 [ 0, %lane ], [ %k.next, %again ]
  %a = load i32, ptr %p, align 4, !llvm.access.group !0
  store i32 %a, ptr %place, align 4, !llvm.access.group !0
  %k.next = add nuw nsw i64 %k, 1
  %once.more = icmp ult i64 %k.next, %n
  br i1 %once.more, label %again, label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %lane, label %done, !llvm.loop !1
done:
  ret void
}

; A loop that may end before it comes to the load.
; CHECK-LABEL: define void @not_reached(
; CHECK: body:
; CHECK-NEXT: %a = load i32, ptr %p, align 4, !llvm.access.group
define void @not_reached(ptr %p, ptr %q, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %a = load i32, ptr %p, align 4, !llvm.access.group !0
  %place = getelementptr i32, ptr %q, i64 %i
  store i32 %a, ptr %place, align 4, !llvm.access.group !0
  %i.next = add nuw nsw i64 %i, 1
  br label %lane, !llvm.loop !1
done:
  ret void
}

!0 = distinct !{}
!1 = distinct !{!1, !3, !5}
!2 = !{!0, !4}
!3 = !{!"llvm.loop.parallel_accesses", !0}
!4 = distinct !{}
!5 = !{!"llvm.loop.vectorize.enable", i1 true}
