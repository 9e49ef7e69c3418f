; In kernels that synchronise, loops that each work-item begins at its own number get one end for a team, and are kept as they
; were for numbers that would overflow.
; RUN: --stage=share_ends_beside

; CHECK: ; guarded: shares ends
; CHECK-NEXT: ; unguarded: shares ends
; CHECK-NEXT: ; widened: shares ends
; CHECK-NEXT: ; not_negative: shares ends
; CHECK-NEXT: ; asked_before: shares ends
; CHECK-NEXT: ; from_memory: left as it is
; CHECK-NOT: {{synchronises|widened_otherwise|maybe_negative|other_bits|asked_too_far}}: {{shares|left}}

; One question for the whole team decides which loop it takes; the largest distance from the first counts.
; CHECK-LABEL: define void @guarded(
; CHECK: load i64, ptr {{.*}} !invariant.load
; CHECK-NEXT: [[STEP:%.*]] = trunc i64 {{%.*}} to i32
; CHECK: icmp sgt i32 [[STEP]], 0
; CHECK: [[SUM:%.*]] = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %n, i32 [[STEP]])
; CHECK: call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 {{%.*}}, i32 1023)
; CHECK: call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %base, i32 1023)
; CHECK: br i1 {{%.*}}, label %together, label %apart
; CHECK: apart:
; CHECK-NEXT: br i1 %some, label %[[OWN:.*]], label %end
; CHECK: together:
; CHECK-NEXT: [[GOES:%.*]] = icmp slt i32 %base, %n
; CHECK-NEXT: br i1 [[GOES]], label %before, label %end
; CHECK: loop:
; CHECK-NEXT: [[SMALLEST:%.*]] = phi i32 [ %base, %before ], [ [[NEXT:%.*]], %step ]
; CHECK: [[NEXT]] = add i32 [[SMALLEST]], [[STEP]]
; CHECK-NEXT: [[MORE:%.*]] = icmp slt i32 [[NEXT]], %n
; CHECK-NEXT: br i1 [[MORE]], label %loop, label %out
; CHECK: loop.apart:
; CHECK: br i1 {{%.*}}, label %loop.apart, label %out
define void @guarded(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %base, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %start = add i32 %base, %x32
  %some = icmp slt i32 %start, %n
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ %start, %before ], [ %j, %loop ]
  %element = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %element
  %place = getelementptr i8, ptr %group, i64 24
  %size = load i64, ptr %place, !invariant.load !0
  %step32 = trunc i64 %size to i32
  %j = add nsw i32 %i, %step32
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  ret void
}

; With nothing before the loop that asks, the largest number must take the first turn.
; CHECK-LABEL: define void @unguarded(
; CHECK: [[LAST:%.*]] = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 0, i64 31)
; CHECK: [[NUMBER:%.*]] = extractvalue { i64, i1 } [[LAST]], 0
; CHECK: icmp ult i64 [[NUMBER]], %n
; CHECK: br i1 {{%.*}}, label %before, label %before.apart
define void @unguarded(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n, i64 %step) {
entry:
  %start = and i64 %x, 31
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %j, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %sum, %i
  %j = add i64 %i, %step
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  store i64 %next, ptr addrspace(1) %p
  ret void
}

; The loop counts in 64 bits what was asked about in 32.
; CHECK-LABEL: define void @widened(
; CHECK: [[BOUND:%.*]] = sext i32 %n to i64
; CHECK: together:
; CHECK-NEXT: icmp slt i64 0, [[BOUND]]
define void @widened(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %some = icmp sgt i32 %n, %x32
  br i1 %some, label %before, label %end
before:
  %bound = sext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ %x, %before ], [ %j, %loop ]
  store i64 1, ptr addrspace(1) %p
  %j = add i64 %i, 256
  %more = icmp slt i64 %j, %bound
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  ret void
}

; What was asked about without a sign may be another number than what the loop counts.
define void @widened_otherwise(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %some = icmp ugt i32 %n, %x32
  br i1 %some, label %before, label %end
before:
  %bound = sext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ %x, %before ], [ %j, %loop ]
  store i64 1, ptr addrspace(1) %p
  %j = add i64 %i, 256
  %more = icmp slt i64 %j, %bound
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  ret void
}

; Numbers that are not negative are below each other with a sign and without. The bound is looked at; the start, lower bits of the local id,
; is computed behind the question, and known to begin at 0.
; CHECK-LABEL: define void @not_negative(
; CHECK: call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 0, i64 31)
; CHECK: [[POSITIVE:%.*]] = icmp sge i32 %n, 0
; CHECK-NEXT: [[REGULAR:%.*]] = and i1 {{%.*}}, [[POSITIVE]]
; CHECK-NEXT: br i1 [[REGULAR]], label %together, label %apart
define void @not_negative(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %place = getelementptr i8, ptr %group, i64 184
  %ones = load i64, ptr %place, !invariant.load !0
  %ones32 = trunc i64 %ones to i32
  %mask32 = and i32 %ones32, 31
  %start32 = and i32 %x32, %mask32
  %some = icmp slt i32 %start32, %n
  br i1 %some, label %before, label %end
before:
  %bound = sext i32 %n to i64
  %mask = and i64 %ones, 31
  %start = and i64 %x, %mask
  br label %loop
loop:
  %i = phi i64 [ %start, %before ], [ %j, %loop ]
  store i64 1, ptr addrspace(1) %p
  %j = add i64 %i, 32
  %more = icmp ult i64 %j, %bound
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  ret void
}

; A start of all bits may be negative.
define void @maybe_negative(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n, i32 %base) {
entry:
  %x32 = trunc i64 %x to i32
  %start32 = add i32 %x32, %base
  %some = icmp slt i32 %start32, %n
  br i1 %some, label %before, label %end
before:
  %bound = zext i32 %n to i64
  %start = zext i32 %start32 to i64
  br label %loop
loop:
  %i = phi i64 [ %start, %before ], [ %j, %loop ]
  store i64 1, ptr addrspace(1) %p
  %j = add i64 %i, 32
  %more = icmp ult i64 %j, %bound
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  ret void
}

; The loop begins at other bits than those that were asked about.
define void @other_bits(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %start32 = and i32 %x32, 31
  %some = icmp slt i32 %start32, %n
  br i1 %some, label %before, label %end
before:
  %bound = sext i32 %n to i64
  %start = and i64 %x, 63
  br label %loop
loop:
  %i = phi i64 [ %start, %before ], [ %j, %loop ]
  store i64 1, ptr addrspace(1) %p
  %j = add i64 %i, 32
  %more = icmp ult i64 %j, %bound
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  ret void
}

; Whether an index is below 3840 before 256 are added is whether it is below 4096 behind that.
; CHECK-LABEL: define void @asked_before(
; CHECK: icmp ult i32 {{%.*}}, 4096
; CHECK: br i1 {{%.*}}, label %before, label %before.apart
; CHECK: loop:
; CHECK: icmp ult i32 %i, 4096
; CHECK: step:
; CHECK: icmp ult i32 {{%.*}}, 4096
define void @asked_before(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
entry:
  %start = trunc i64 %x to i32
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %j, %loop ]
  store i32 1, ptr addrspace(1) %p
  %j = add i32 %i, 256
  %more = icmp ult i32 %i, 3840
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Unless that would be more than there are numbers.
define void @asked_too_far(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
entry:
  %start = trunc i64 %x to i32
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %j, %loop ]
  store i32 1, ptr addrspace(1) %p
  %j = add i32 %i, 256
  %more = icmp ult i32 %i, -256
  br i1 %more, label %loop, label %end
end:
  ret void
}

; How far the numbers are apart is not known.
define void @from_memory(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n, i64 %step) {
entry:
  %place = getelementptr i64, ptr addrspace(1) %p, i64 %x
  %start = load i64, ptr addrspace(1) %place
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %j, %loop ]
  store i64 %i, ptr addrspace(1) %p
  %j = add i64 %i, %step
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What synchronises in its turns has no work-item that does nothing in a turn.
define void @synchronises(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n, i64 %step) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %x, %entry ], [ %j, %loop ]
  %0 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1048576, i32 65536)
  store i64 %i, ptr addrspace(1) %p
  %j = add i64 %i, %step
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

!0 = !{}
