; Which values and blocks are the same for all work-items that run together.
; RUN: --stage=Uniformity
; RUN-SUB: --stage=Uniformity --by-sub-group --sub-group-size=16

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)
declare i32 @pure(i32) memory(none) willreturn
declare i32 @unknown(i32)

; CHECK-LABEL: function values
; CHECK-NEXT: uniform block
; CHECK-NEXT: uniform %size
; CHECK-NEXT: uniform %first
; CHECK-NEXT: varying %id
; CHECK-NEXT: uniform %a
; CHECK-NEXT: varying %trunc
; CHECK-NEXT: uniform %c
; CHECK-NEXT: varying %d
; CHECK-NEXT: varying %e
; CHECK-NEXT: varying %own
; A plain load from a uniform address is uniform: who saw another value would be in a race. Others are not.
; CHECK-NEXT: uniform %plain
; CHECK-NEXT: varying %volatile
; CHECK-NEXT: varying %atomic
define void @values(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %n, ptr addrspace(1) %p) {
  %size = load i64, ptr %group
  %first = mul i64 %gx, %size
  %id = add i64 %first, %x
  %a = call i32 @pure(i32 %n)
  %trunc = trunc i64 %id to i32
  %c = add i32 %a, 1
  %d = call i32 @pure(i32 %trunc)
  %e = call i32 @unknown(i32 %n)
  %own = alloca i32
  %plain = load i32, ptr addrspace(1) %p
  %volatile = load volatile i32, ptr addrspace(1) %p
  %atomic = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
  ret void
}

; Blocks that not all come to, until all ways have come together again; a value that depends on the way varies.
; CHECK-LABEL: function branches
; CHECK: uniform block %entry
; CHECK: divergent block %then
; CHECK-NEXT: uniform %t
; CHECK-NEXT: varying %load
; CHECK: uniform block %end
; CHECK-NEXT: varying %which
; CHECK-NEXT: uniform %is
; CHECK: uniform block %more
; CHECK: uniform block %last
; CHECK-NEXT: uniform %same
define void @branches(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %n, ptr addrspace(1) %p) {
entry:
  %odd = icmp ugt i64 %x, 3
  br i1 %odd, label %then, label %end
then:
  %t = add i32 %n, 1
  %load = load i32, ptr addrspace(1) %p
  br label %end
end:
  %which = phi i32 [ 1, %entry ], [ 2, %then ]
  %is = icmp ugt i32 %n, 3
  br i1 %is, label %more, label %last
more:
  br label %last
last:
  %same = phi i32 [ 1, %end ], [ 2, %more ]
  ret void
}

; A loop that some leave earlier: they do not all come through its blocks the same number of times.
; CHECK-LABEL: function loops
; CHECK: divergent block %loop
; CHECK: varying %i
; CHECK: uniform block %middle
; CHECK: uniform block %again
; CHECK-NEXT: uniform %k
; CHECK: uniform block %end
define void @loops(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %j = add i64 %i, 1
  %on = icmp ult i64 %j, %x
  br i1 %on, label %loop, label %middle
middle:
  br label %again
again:
  %k = phi i64 [ 0, %middle ], [ %l, %again ]
  %l = add i64 %k, 1
  %go = icmp ult i64 %l, %n
  br i1 %go, label %again, label %end
end:
  ret void
}

; What an operation of the sub-group gives is the same for a sub-group, not for the work-group. One that each lane may ask another
; lane of is not, nor is one of clusters.
; CHECK-LABEL: function operations
; CHECK: varying %ballot
; CHECK-NEXT: uniform %any
; CHECK-NEXT: varying %shuffle
; CHECK-NEXT: varying %moved
; CHECK-NEXT: varying %sum
; CHECK-NEXT: varying %clusters
; CHECK-NEXT: varying %number
; CHECK-NEXT: varying %first
; CHECK-NEXT: varying %too_few
; SUB-LABEL: function operations
; SUB: uniform %ballot
; SUB-NEXT: uniform %any
; SUB-NEXT: uniform %shuffle
; SUB-NEXT: varying %moved
; SUB-NEXT: uniform %sum
; SUB-NEXT: varying %clusters
; The number of the sub-group, and that of its first lane.
; SUB-NEXT: uniform %number
; SUB-NEXT: uniform %first
; SUB-NEXT: varying %too_few
; SUB: divergent block %then
; SUB-NEXT: varying %inside
define void @operations(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %n) {
  %ballot = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 0, i32 1, i32 9)
  %any = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 0, i32 2, i32 65546)
  %shuffle = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 1, i32 3, i32 2)
  %moved = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 0, i32 4, i32 2), !ze_cpu.lane_parameters !0
  %sum = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 0, i32 4, i32 270)
  %clusters = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 4, i32 5, i32 270)
  %number = lshr i64 %lane, 4
  %first = and i64 %lane, -16
  %too_few = lshr i64 %lane, 3
  %odd = icmp ugt i64 %x, 3
  br i1 %odd, label %then, label %end
then:
  %inside = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 0, i32 6, i32 9)
  br label %end
end:
  ret void
}

; Behind a wait, sub-groups come at different times until the work-group meets: branches are no places to meet there, what was loaded
; may be what another one has written since, and the rounds of a loop are different ones.
; CHECK-LABEL: function apart
; CHECK: uniform block %entry
; CHECK-NEXT: uniform %is
; CHECK-NEXT: uniform %before
; CHECK: divergent block %wait
; CHECK: uniform block %behind
; CHECK-NEXT: varying %seen
; CHECK-NEXT: uniform %size
; CHECK-NEXT: uniform %more
; CHECK: divergent block %then
; CHECK: uniform block %around
; CHECK: divergent block %loop
; CHECK-NEXT: varying %i
; CHECK: uniform block %meet
; CHECK: uniform block %rounds
; CHECK-NEXT: uniform %k
; CHECK-NEXT: uniform %again
; CHECK: uniform block %end
; A team that is one sub-group waits for no other, and is never apart.
; SUB-LABEL: function apart
; SUB: uniform block %behind
; SUB-NEXT: uniform %seen
; SUB: uniform block %then
; SUB: uniform block %loop
; SUB-NEXT: uniform %i
define void @apart(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %n, ptr addrspace(1) %p) {
entry:
  %is = icmp ugt i64 %n, 3
  %before = load i32, ptr addrspace(1) %p
  br label %wait
wait:
  %flag = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  %none = icmp eq i32 %flag, 0
  br i1 %none, label %turn, label %behind
turn:
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 17)
  br label %wait
behind:
  %seen = load i32, ptr addrspace(1) %p
  %size = load i64, ptr %group, !invariant.load !1
  %more = add i64 %n, %size
  br i1 %is, label %then, label %around
then:
  br label %around
around:
  br label %loop
loop:
  %i = phi i64 [ 0, %around ], [ %j, %loop ]
  %j = add i64 %i, 1
  %go = icmp ult i64 %j, %n
  br i1 %go, label %loop, label %meet
meet:
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 2, i32 65536)
  br label %rounds
rounds:
  %k = phi i64 [ 0, %meet ], [ %l, %rounds ]
  %again = load i32, ptr addrspace(1) %p
  %l = add i64 %k, 1
  %on = icmp ult i64 %l, %n
  br i1 %on, label %rounds, label %end
end:
  ret void
}

!0 = !{[4 x i8] c"\01\02\03\03"}
!1 = !{}
