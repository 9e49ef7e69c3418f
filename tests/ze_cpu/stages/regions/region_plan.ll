; How a body is cut, and what is kept from one region to the next.
; RUN-A: --stage=RegionPlan --function=barrier
; RUN-B: --stage=RegionPlan --function=loop
; RUN-C: --stage=RegionPlan --function=diverged
; RUN-D: --stage=RegionPlan --function=operands
; RUN-E: --stage=RegionPlan --function=operands --by-sub-group
; RUN-F: --stage=RegionPlan --function=nothing
; RUN-G: --stage=RegionPlan --function=again
; RUN-H: --stage=RegionPlan --function=shared_places
; RUN-I: --stage=RegionPlan --function=waits_for_others
; RUN-J: --stage=RegionPlan --function=waits_between_barriers

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; What lanes need behind the barrier has a place for each lane, or one for the team if it is the same for all; what is cheap is computed
; anew, and private variables always have their place.
; A: function barrier: team 4 bytes, lane 12 bytes, of those private 8, lanes stay together
; A-NEXT: cut 0: barrier of work_group, id 1, in %0 -> region 1
; A-NEXT: cut 1: end
; A-NEXT: region 0: exits 0; blocks %0
; A-NEXT: region 1: exits 1; blocks %resume; live %element %kept %same; stored %kept %same
; A-NEXT: slot %kept: lane at 8, 4 bytes
; A-NEXT: slot %same: team at 0, 4 bytes
; A-NEXT: variable %own: lane at 0, 8 bytes
define void @barrier(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %kept = load i32, ptr addrspace(1) %element
  %same = load i32, ptr addrspace(1) %p
  %own = alloca i64
  store i32 %kept, ptr %own
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %sum = add i32 %kept, %same
  store i32 %sum, ptr addrspace(1) %element
  ret void
}

; A loop around a barrier that all go through alike is the driver's: its branches are cuts, and it keeps the loop's count.
; B: function loop: team 4 bytes, lane 0 bytes, of those private 0, lanes stay together
; B: cut 0: barrier of work_group, id 1, in %loop -> region 1
; B-NEXT: cut 1: branch in %entry -> region 2 3
; B-NEXT: cut 2: branch in %before -> region 4
; B-NEXT: cut 3: branch in %resume -> region 5 6
; B-NEXT: cut 4: end
; B: region 4: exits 0; blocks [[FIRST:%.*]] %loop; sets %i
; B-NEXT: region 5: exits 0; blocks [[NEXT:%.*]] %loop; live %j; stored %i; sets %i
; B: slot %i: team at 0, 4 bytes
define void @loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
entry:
  %begin = icmp ugt i32 %n, 0
  br i1 %begin, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %j, %loop ]
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %j = add i32 %i, 1
  %on = icmp ult i32 %j, %n
  br i1 %on, label %loop, label %out
out:
  br label %end
end:
  ret void
}

; Lanes that diverge end a region at different cuts: where each is takes a place.
; C: function diverged: team 0 bytes, lane 4 bytes, of those private 0, lanes may diverge
; C: region 0: exits 1 0
; C: region 1: exits 1
define void @diverged(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %n) {
  %odd = icmp ugt i64 %x, 3
  br i1 %odd, label %then, label %end
then:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 1)
  br label %end
end:
  ret void
}

; Values travel in the width that they were extended from, if the operation allows it: not a sum of which more than the lower part is
; used. A vote has at least a bit for each lane. An operation whose result nobody uses carries nothing, and an election no value.
; D: function operands
; D: slot %ballot: lane at
; D: cut 0 carries i8 signed, value lane at {{[0-9]+}}, 1 bytes
; D-NEXT: cut 1 carries i32, value lane at {{[0-9]+}}, 4 bytes
; D-NEXT: cut 2 carries i64, value lane at {{[0-9]+}}, 8 bytes
; D-NEXT: cut 3 carries i32, value lane at {{[0-9]+}}, 4 bytes{{.*}}, parameter lane at {{[0-9]+}}, 8 bytes
; D-NEXT: cut 4 carries i32, value lane at {{[0-9]+}}, 4 bytes
; D-NOT: carries

; Sub-group after sub-group, the results that all its lanes get need one place.
; E: function operands
; E: slot %smax: team at 0, 1 bytes
; E-NEXT: slot %sum: team at 4, 4 bytes
; E-NEXT: slot %full: team at 8, 8 bytes
; E-NEXT: slot %moved: lane at
; E-NEXT: slot %ballot: team at 16, 4 bytes
; E-NEXT: slot %elect: lane at
define i32 @operands(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i8 %c, i32 %n, float %f, i64 %m) {
  %t = trunc i64 %x to i8
  %wide = sext i8 %t to i64
  %smax = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %wide, i64 0, i32 1, i32 1038)
  %w = trunc i64 %x to i32
  %zero = zext i32 %w to i64
  %sum = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 0, i32 2, i32 270)
  %low = trunc i64 %sum to i32
  %full = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 0, i32 3, i32 270)
  %moved = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 %x, i32 4, i32 2)
  %bit = icmp ugt i64 %x, 3
  %vote = zext i1 %bit to i64
  %ballot = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %vote, i64 0, i32 5, i32 9)
  %elect = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 6, i32 13)
  %unused = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 0, i32 7, i32 270)
  %a = add i64 %smax, %full
  %b = add i64 %a, %moved
  %d = add i64 %b, %ballot
  %e = add i64 %d, %elect
  %g = trunc i64 %e to i32
  %h = add i32 %g, %low
  ret i32 %h
}

; With nothing to wait for there is one region.
; F: function nothing: team 0 bytes, lane 0 bytes, of those private 0, lanes stay together
; F-NEXT: cut 0: end
; F-NEXT: region 0: exits 0; blocks %0 %end %then
; F-NOT: {{.}}
define void @nothing(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %odd = icmp ugt i64 %x, 3
  br i1 %odd, label %then, label %end
then:
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; A uniform value that a region needs from before and computes as well: lanes run one after the other, and none may find a value that
; another has replaced already.
; G: function again: {{.*}}, lanes may diverge
; G: region 1: exits
; G-SAME: stored {{.*}}%v
; G: slot %v: lane at
declare i32 @pure(i32) memory(none) willreturn
define void @again(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %v = call i32 @pure(i32 %n)
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 1)
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 %v, ptr addrspace(1) %element
  %j = add i64 %i, 1
  %on = icmp ult i64 %j, %x
  br i1 %on, label %loop, label %end
end:
  ret void
}

; Values that are not needed at the same time share a place.
; H: function shared_places: team 0 bytes, lane 10 bytes
; H: slot %a: lane at 0, 8 bytes
; H-NEXT: slot %b: lane at 0, 8 bytes
; H-NEXT: slot %c: lane at 8, 2 bytes
define void @shared_places(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %q = getelementptr i64, ptr addrspace(1) %p, i64 %x
  %a = load i64, ptr addrspace(1) %q
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  store i64 %a, ptr addrspace(1) %q
  %b = load i64, ptr addrspace(1) %q
  %t = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 2, i32 65536)
  store i64 %b, ptr addrspace(1) %q
  %c = load i16, ptr addrspace(1) %q
  %u = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 3, i32 65536)
  store i16 %c, ptr addrspace(1) %q
  ret void
}

; Who waits for another sub-group does not keep it from a branch or a loop that all take alike: these are cuts only where the work-group
; has met since.
; I: function waits_for_others: {{.*}}, lanes may diverge
; I-NOT: branch in
; I: cut 3: end
define void @waits_for_others(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %behind ]
  %v = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 0, i32 1, i32 9)
  br label %wait
wait:
  %flag = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  %none = icmp ult i32 %flag, %i
  br i1 %none, label %turn, label %behind
turn:
  %t = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 2, i32 17)
  br label %wait
behind:
  %w = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 0, i32 3, i32 9)
  store i64 %w, ptr addrspace(1) %p
  %j = add i32 %i, 1
  %on = icmp ult i32 %j, %n
  br i1 %on, label %loop, label %end
end:
  ret void
}
; J: function waits_between_barriers: team {{.*}}
; J: cut 3: branch in %before
; J-NEXT: cut 4: branch in %loop
; J-NEXT: cut 5: branch in
; J-NEXT: cut 6: end
; J: slot %i: team at
define void @waits_between_barriers(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
before:
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %j, %behind ]
  %is = icmp ugt i32 %n, %i
  br i1 %is, label %sum, label %rounds
sum:
  %v = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 0, i32 1, i32 9)
  br label %rounds
rounds:
  br label %wait
wait:
  %flag = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  %none = icmp ult i32 %flag, %i
  br i1 %none, label %turn, label %behind
turn:
  %t = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 2, i32 17)
  br label %wait
behind:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 3, i32 65536)
  %j = add i32 %i, 1
  %on = icmp ult i32 %j, %n
  br i1 %on, label %loop, label %end
end:
  ret void
}
