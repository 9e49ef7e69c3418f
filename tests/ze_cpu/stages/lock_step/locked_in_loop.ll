; Who takes a lock in a loop and leaves it for having done what the lock guards is alone with that, behind the loop: others may want the
; lock in another loop, and would never come to where lanes meet.
; RUN: --stage=keep_lock_step

; CHECK-LABEL: define void @done(
; CHECK: loop:
; CHECK-NEXT: %{{.*}} = phi i32 [ 0, %entry ], [ %next, %loop ]
; CHECK: cmpxchg
; CHECK-NOT: @ze_cpu.sync
; CHECK: br i1 %taken, label %then, label %loop
; CHECK: then:
; CHECK-NEXT: %v = load volatile
; CHECK-NEXT: %w = add
; CHECK-NEXT: store volatile
; CHECK-NEXT: fence
; CHECK-NEXT: store atomic
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK: store i32 %next
define void @done(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %tries = phi i32 [ 0, %entry ], [ %next, %again ]
  %next = add i32 %tries, 1
  %both = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 monotonic monotonic
  %before = extractvalue { i32, i1 } %both, 0
  %taken = icmp eq i32 %before, 0
  br i1 %taken, label %then, label %again
then:
  %v = load volatile i32, ptr addrspace(1) %q
  %w = add i32 %v, 1
  store volatile i32 %w, ptr addrspace(1) %q
  fence seq_cst
  store atomic i32 0, ptr addrspace(1) %p release, align 4
  br label %again
again:
  br i1 %taken, label %end, label %loop
end:
  %all = phi i32 [ %next, %again ]
  %own = getelementptr i32, ptr addrspace(1) %q, i64 %x
  store i32 %all, ptr addrspace(1) %own
  ret void
}

; Not where lanes come by a third way, which knows nothing of the condition.
; CHECK-LABEL: define void @elsewhere(
; CHECK: again:
; CHECK: br i1 %some, label %one, label %two
; CHECK: one:
define void @elsewhere(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %k) {
entry:
  %some = icmp ult i64 %x, %k
  %other = icmp ult i64 %y, %k
  br i1 %other, label %ask, label %again
ask:
  br i1 %some, label %then, label %again
then:
  store i32 1, ptr addrspace(3) %p
  br label %again
again:
  br i1 %some, label %one, label %two
one:
  store i32 2, ptr addrspace(3) %p
  br label %two
two:
  %r = load i32, ptr addrspace(3) %p
  store i32 %r, ptr addrspace(3) %p
  ret void
}
