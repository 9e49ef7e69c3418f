; Rows of an array that the lanes of a sub-group use in turn, with remainders that say whose turn it is.
; RUN: --stage=keep_lock_step

; CHECK: ; rows_in_turn: does not wait
; CHECK: ; same_row: waits
; CHECK: ; other_rounds: waits
; CHECK: ; short_rows: waits
; CHECK: ; beside_rows: waits
; CHECK: ; beside_long_rows: does not wait
; CHECK: ; without_barrier: waits
; CHECK: ; narrow: does not wait
; CHECK: ; narrow_too_long: waits
; CHECK: ; narrow_just_too_long: waits
; CHECK: ; not_negative: waits
; CHECK: ; joined: does not wait
; CHECK: ; joined_others: waits

; Rows that take turns are different ones at the same time.
define void @rows_in_turn(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %next = add nuw i64 %k, 1
  %from = urem i64 %next, 3
  %to = urem i64 %k, 3
  %i = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 127
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A whole round on it is the same row, in which lanes meet that exchange places.
define void @same_row(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %next = add nuw i64 %k, 3
  %from = urem i64 %next, 3
  %to = urem i64 %k, 3
  %i = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 127
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Rounds of different lengths meet.
define void @other_rounds(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %next = add nuw i64 %k, 1
  %from = urem i64 %next, 3
  %to = urem i64 %k, 4
  %i = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 127
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A sub-group has to fit a row, and what the places in it are apart.
define void @short_rows(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %next = add nuw i64 %k, 1
  %from = urem i64 %next, 3
  %to = urem i64 %k, 3
  %i = getelementptr [16 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [16 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 127
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @beside_rows(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %next = add nuw i64 %k, 1
  %from = urem i64 %next, 3
  %to = urem i64 %k, 3
  %i = getelementptr [32 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [32 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 127
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @beside_long_rows(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %next = add nuw i64 %k, 1
  %from = urem i64 %next, 3
  %to = urem i64 %k, 3
  %i = getelementptr [33 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [33 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 127
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Without a barrier, lanes may be in different turns.
define void @without_barrier(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %next = add nuw i64 %k, 1
  %from = urem i64 %next, 3
  %to = urem i64 %k, 3
  %i = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 127
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Remainders of narrow numbers are these if the numbers do not wrap around.
define void @narrow(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %t = trunc i64 %k to i8
  %next = add i8 %t, 1
  %r = urem i8 %next, 3
  %from = zext i8 %r to i64
  %r0 = urem i8 %t, 3
  %to = zext i8 %r0 to i64
  %i = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 127
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @narrow_too_long(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %t = trunc i64 %k to i8
  %next = add i8 %t, 1
  %r = urem i8 %next, 3
  %from = zext i8 %r to i64
  %r0 = urem i8 %t, 3
  %to = zext i8 %r0 to i64
  %i = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 257
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @narrow_just_too_long(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %t = trunc i64 %k to i8
  %next = add i8 %t, 1
  %r = urem i8 %next, 3
  %from = zext i8 %r to i64
  %r0 = urem i8 %t, 3
  %to = zext i8 %r0 to i64
  %i = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 256
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Nor may a number of any width.
define void @not_negative(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %next = add nuw i64 %k, -1
  %from = urem i64 %next, 3
  %to = urem i64 %k, 3
  %i = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 127
  br i1 %more, label %loop, label %end
end:
  ret void
}

; All ways may lead to the same number.
define void @joined(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %join ]
  %u = add i64 %k, 1
  %is = icmp ult i64 %x, 7
  br i1 %is, label %then, label %else
then:
  %t = trunc i64 %k to i8
  br label %join
else:
  %e = trunc i64 %k to i8
  br label %join
join:
  %j = phi i8 [ %t, %then ], [ %e, %else ]
  %next = add i8 %j, 1
  %r = urem i8 %next, 3
  %from = zext i8 %r to i64
  %o = trunc i64 %k to i8
  %r0 = urem i8 %o, 3
  %to = zext i8 %r0 to i64
  %i = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 127
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @joined_others(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x1 = add i64 %x, 1
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %join ]
  %u = add i64 %k, 1
  %is = icmp ult i64 %x, 7
  br i1 %is, label %then, label %else
then:
  %t = trunc i64 %k to i8
  br label %join
else:
  %e = trunc i64 %u to i8
  br label %join
join:
  %j = phi i8 [ %t, %then ], [ %e, %else ]
  %next = add i8 %j, 1
  %r = urem i8 %next, 3
  %from = zext i8 %r to i64
  %o = trunc i64 %k to i8
  %r0 = urem i8 %o, 3
  %to = zext i8 %r0 to i64
  %i = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %from, i64 %x1
  %a = load i32, ptr addrspace(3) %i
  %s = getelementptr [64 x i32], ptr addrspace(3) %p, i64 %to, i64 %x
  store i32 %a, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, 127
  br i1 %more, label %loop, label %end
end:
  ret void
}

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)
