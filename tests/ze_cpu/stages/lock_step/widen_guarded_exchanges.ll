; Exchanges of the first lanes of a sub-group, to which the others come with 0.
; RUN: --stage=widen_guarded_exchanges

; CHECK: ; down: widened
; CHECK: ; of_each: widened
; CHECK: ; of_lane: widened
; CHECK: ; as_many_as_sub_groups: widened
; CHECK: ; whole_sub_groups: left as it is
; CHECK: ; of_data: widened
; CHECK: ; of_first_sub_group: widened
; CHECK: ; order_of_data: widened
; CHECK: ; order_of_others: widened
; CHECK: ; order_of_votes: widened
; CHECK: ; votes: widened
; CHECK: ; order_of_common_data: left as it is
; CHECK: ; order_of_sub_groups: left as it is
; CHECK: ; order_of_first_sub_groups: left as it is
; CHECK: ; order_of_all: left as it is
; CHECK: ; sums: left as it is
; CHECK: ; from_anywhere: widened
; CHECK: ; behind_loop: left as it is
; CHECK: ; order_behind_loop: widened
; CHECK: ; first_of_loop: left as it is
; CHECK: ; in_loop: widened
; CHECK: ; two_entries: left as it is
; CHECK: ; calls_before: left as it is
; CHECK: ; waits_before: left as it is
; CHECK: ; all: widened

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)
declare i64 @other(i64)

; Sub-groups without any of those lanes go on at once; what lies behind an exchange is for those that meet the condition.
; CHECK-LABEL: define i64 @down(
; CHECK: %[[FIRST:.*]] = and i64 %x, -32
; CHECK-NEXT: %[[SOME:.*]] = icmp ult i64 %[[FIRST]], 8
; CHECK-NEXT: br i1 %[[SOME]], label %sub.group, label %end
; CHECK: sub.group:
; CHECK-NEXT: br i1 %is.first, label %then, label %exchange
; CHECK: exchange:
; CHECK-NEXT: %[[VALUE:.*]] = phi i64 [ %v, %then ], [ 0, %sub.group ]
; CHECK-NEXT: %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %[[VALUE]], i64 4, i32 1, i32 5)
; CHECK-NEXT: br i1 %is.first, label %guarded, label %end
; CHECK: guarded:
; CHECK-NEXT: %s = add i64 %[[VALUE]], %a
; CHECK: end:
; CHECK-NEXT: phi i64 [ %s, %guarded ], [ 7, %exchange ], [ 7, %entry ]
define i64 @down(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
entry:
  %is.first = icmp ult i64 %x, 8
  br i1 %is.first, label %then, label %end
then:
  %v = load i64, ptr addrspace(3) %p
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 4, i32 1, i32 5)
  %s = add i64 %v, %a
  br label %end
end:
  %r = phi i64 [ %s, %then ], [ 7, %entry ]
  ret i64 %r
}

; CHECK-LABEL: define i64 @of_each(
; CHECK-NOT: sub.group:
; CHECK: ret i64
define i64 @of_each(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
entry:
  %number = and i64 %lane, 31
  %is.first = icmp ult i64 %number, 8
  br i1 %is.first, label %then, label %end
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ 7, %entry ]
  ret i64 %r
}

; Who comes with 0 is still the lane that it is.
; CHECK-LABEL: define i64 @of_lane(
; CHECK: exchange:
; CHECK-NEXT: %[[NUMBER:.*]] = phi i64 [ %lane, %then ], [ 0, %sub.group ]
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %[[NUMBER]], i64 4, i32 1, i32 5)
define i64 @of_lane(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
entry:
  %is.first = icmp ult i64 %x, 8
  br i1 %is.first, label %then, label %end
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %lane, i64 4, i32 1, i32 5)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ 7, %entry ]
  ret i64 %r
}

; The limit is known when the kernel is launched.
; CHECK-LABEL: define i64 @as_many_as_sub_groups(
; CHECK: %[[FIRST:.*]] = and i64 %x, -32
; CHECK-NEXT: icmp slt i64 %[[FIRST]], %limit
define i64 @as_many_as_sub_groups(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %more) {
entry:
  %place = getelementptr inbounds i8, ptr %group, i64 48
  %size = load i64, ptr %place, !invariant.load !0
  %count = lshr i64 %size, 5
  %limit = add i64 %count, %more
  %is.first = icmp slt i64 %x, %limit
  br i1 %is.first, label %then, label %end
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 4, i32 1, i32 5)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ 7, %entry ]
  ret i64 %r
}

; All lanes of a sub-group go the same way already.
define i64 @whole_sub_groups(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
entry:
  %is.first = icmp ult i64 %x, 64
  br i1 %is.first, label %then, label %end
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ 7, %entry ]
  ret i64 %r
}

; Nobody knows for how many sub-groups that is in vain: they do it, too.
; CHECK-LABEL: define i64 @of_data(
; CHECK: br i1 %is.first, label %then, label %exchange
define i64 @of_data(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
entry:
  %limit = load i64, ptr addrspace(1) %p
  %is.first = icmp ult i64 %x, %limit
  br i1 %is.first, label %then, label %end
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ 7, %entry ]
  ret i64 %r
}

; Sub-groups that do not meet the other condition go on at once.
; CHECK-LABEL: define i64 @of_first_sub_group(
; CHECK: %[[SOME:.*]] = freeze i1 %is.first
; CHECK-NEXT: br i1 %[[SOME]], label %sub.group, label %end
define i64 @of_first_sub_group(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
entry:
  %index = lshr i64 %x, 5
  %is.first = icmp eq i64 %index, 0
  %number = and i64 %x, 31
  %is.below = icmp ult i64 %number, 8
  %both = select i1 %is.first, i1 %is.below, i1 false
  br i1 %both, label %then, label %end
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ 7, %entry ]
  ret i64 %r
}

; Lanes that only meet come with nothing, whatever the condition is of.
; CHECK-LABEL: define void @order_of_data(
; CHECK: br i1 %some, label %then, label %exchange
; CHECK: exchange:
; CHECK-NEXT: %[[SUM:.*]] = phi i32 [ %sum, %then ], [ 0, %entry ]
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 1)
; CHECK-NEXT: br i1 %some, label %guarded, label %end
; CHECK: guarded:
; CHECK-NEXT: store i32 %[[SUM]]
define void @order_of_data(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
entry:
  %own = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %here = load i32, ptr addrspace(3) %own
  %some = icmp sgt i32 %here, 5
  br i1 %some, label %then, label %end
then:
  %other = load i32, ptr addrspace(3) %p
  %sum = add i32 %here, %other
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 1)
  store i32 %sum, ptr addrspace(3) %own
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @order_of_others(
; CHECK: br i1 %one, label %exchange, label %else
; CHECK: exchange:
; CHECK: br i1 %one, label %end, label %guarded
define void @order_of_others(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %k) {
entry:
  %own = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %one = icmp eq i64 %x, %k
  br i1 %one, label %end, label %else
else:
  %other = load i32, ptr addrspace(3) %p
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 1)
  store i32 %other, ptr addrspace(3) %own
  br label %end
end:
  ret void
}

; A vote whose result nobody wants is a synchronisation of the warp.
; CHECK-LABEL: define void @order_of_votes(
; CHECK: br i1 %some, label %then, label %exchange
; CHECK: exchange:
; CHECK: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
; CHECK-NEXT: br i1 %some, label %guarded, label %end
define void @order_of_votes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %then, label %end
then:
  %here = load i32, ptr addrspace(3) %p
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  store i32 %here, ptr addrspace(3) %p
  br label %end
end:
  ret void
}
; Others are of those that meet the condition.
; CHECK-LABEL: define i64 @votes(
; CHECK: exchange:
; CHECK-NEXT: %[[VOTE:.*]] = phi i64 [ 1, %then ], [ 0, %entry ]
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %[[VOTE]], i64 0, i32 1, i32 9)
define i64 @votes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %then, label %end
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ 0, %entry ]
  ret i64 %r
}

; All lanes of a sub-group, or of a work-group, go the same way already.
define void @order_of_common_data(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
entry:
  %here = load i32, ptr addrspace(3) %p
  %some = icmp sgt i32 %here, 5
  br i1 %some, label %then, label %end
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 1)
  store i32 %here, ptr addrspace(3) %p
  br label %end
end:
  ret void
}
define void @order_of_sub_groups(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %k) {
entry:
  %sub.group = lshr i64 %x, 5
  %one = icmp eq i64 %sub.group, %k
  br i1 %one, label %then, label %end
then:
  %other = load i32, ptr addrspace(3) %p
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 1)
  store i32 %other, ptr addrspace(3) %p
  br label %end
end:
  ret void
}
define void @order_of_first_sub_groups(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
entry:
  %some = icmp ult i64 %x, 64
  br i1 %some, label %then, label %end
then:
  %other = load i32, ptr addrspace(3) %p
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 1)
  store i32 %other, ptr addrspace(3) %p
  br label %end
end:
  ret void
}
define void @order_of_all(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %k) {
entry:
  %some = icmp ult i64 %gx, %k
  br i1 %some, label %then, label %end
then:
  %other = load i32, ptr addrspace(3) %p
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 1)
  store i32 %other, ptr addrspace(3) %p
  br label %end
end:
  ret void
}

; Lanes that came with 0 to a minimum would change it.
define i64 @sums(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %v) {
entry:
  %is.first = icmp ult i64 %x, 8
  br i1 %is.first, label %then, label %end
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 0, i32 1, i32 1294)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ 7, %entry ]
  ret i64 %r
}

; From which lane does not matter for those whose result nobody wants.
; CHECK-LABEL: define i64 @from_anywhere(
; CHECK: exchange:
; CHECK-NEXT: %[[VALUE:.*]] = phi i64 [ %v, %then ], [ 0, %sub.group ]
; CHECK-NEXT: %[[FROM:.*]] = phi i64 [ %x, %then ], [ 0, %sub.group ]
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %[[VALUE]], i64 %[[FROM]], i32 1, i32 2)
define i64 @from_anywhere(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %v) {
entry:
  %is.first = icmp ult i64 %x, 8
  br i1 %is.first, label %then, label %end
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 %x, i32 1, i32 2)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ 7, %entry ]
  ret i64 %r
}

; On both ways, first the one, then the other.
; CHECK-LABEL: define i64 @both(
; CHECK: br i1 %some, label %then, label %exchange
; CHECK: exchange:
; CHECK: br i1 %some, label %[[SECOND:.*]], label %else
; CHECK: else:
; CHECK-NEXT: br label %[[SECOND]]
; CHECK: [[SECOND]]:
; CHECK: call i64 @ze_cpu.sync({{.*}}, i32 2, i32 9)
; CHECK-NEXT: br i1 %some, label %guarded, label %guarded2
define i64 @both(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %then, label %else
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  br label %end
else:
  %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 2, i32 9)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ %b, %else ]
  ret i64 %r
}

; Behind a loop, lanes that leave it meet when all have left it.
define i64 @behind_loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %x
  br i1 %more, label %loop, label %end
end:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  ret i64 %a
}

; Where they only meet, it does no harm, and who has taken a lock does not wait for those that want it.
; CHECK-LABEL: define void @order_behind_loop(
; CHECK: br i1 %taken, label %exchange, label %end
; CHECK: exchange:
; CHECK: br i1 %taken, label %loop, label %guarded
define void @order_behind_loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
entry:
  br label %loop
loop:
  %before = atomicrmw xchg ptr addrspace(3) %p, i32 1 seq_cst
  %taken = icmp ne i32 %before, 0
  br i1 %taken, label %loop, label %end
end:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 1)
  store atomic i32 0, ptr addrspace(3) %p release, align 4
  ret void
}

; Nor do those that have left it come again.
define i64 @first_of_loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %x
  br i1 %more, label %body, label %end
body:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  %next = add i64 %i, %a
  br label %loop
end:
  ret i64 %i
}

; CHECK-LABEL: define i64 @in_loop(
; CHECK: br i1 %some, label %then, label %exchange
define i64 @in_loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %some = icmp ult i64 %i, %x
  br i1 %some, label %then, label %latch
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  br label %latch
latch:
  %count = phi i64 [ %a, %then ], [ 1, %loop ]
  %next = add i64 %i, %count
  %more = icmp ult i64 %next, 50
  br i1 %more, label %loop, label %end
end:
  ret i64 %next
}

; A loop that is entered in two places is not seen as one.
define i64 @two_entries(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 %first) {
entry:
  br i1 %first, label %one, label %other
one:
  %i = phi i64 [ 0, %entry ], [ %j, %other ]
  %more = icmp ult i64 %i, %x
  br i1 %more, label %other, label %end
other:
  %k = phi i64 [ 1, %entry ], [ %i, %one ]
  %j = add i64 %k, 1
  br label %one
end:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  ret i64 %a
}

; What is called may wait for others.
define i64 @calls_before(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %v) {
entry:
  %is.first = icmp ult i64 %x, 8
  br i1 %is.first, label %then, label %end
then:
  %called = call i64 @other(i64 %v)
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 4, i32 1, i32 5)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ 7, %entry ]
  ret i64 %r
}

define i64 @waits_before(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %v) {
entry:
  %is.first = icmp ult i64 %x, 8
  br i1 %is.first, label %then, label %end
then:
  %barrier = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 4, i32 2, i32 5)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ 7, %entry ]
  ret i64 %r
}

!0 = !{}

; Lanes that are asked whether all of them find something, and are not meant, agree.
; CHECK-LABEL: define i64 @all(
; CHECK: exchange:
; CHECK: %[[VOTE:.*]] = phi i64 [ %found, %then ], [ 1, %entry ]
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %[[VOTE]], i64 0, i32 1, i32 11)
; What others know is for them as it was.
; CHECK: guarded:
; CHECK-NEXT: add i64 %a, %[[FOUND:.*]]
define i64 @all(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %then, label %end
then:
  %found = load i64, ptr addrspace(3) %p
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %found, i64 0, i32 1, i32 11)
  %s = add i64 %a, %found
  br label %end
end:
  %r = phi i64 [ %s, %then ], [ 0, %entry ]
  ret i64 %r
}
