; Exchanges behind more than one condition, and behind what else lanes do after they met it.
; RUN: --stage=widen_guarded_exchanges

; CHECK: ; nested: widened
; CHECK: ; same_inside: widened
; CHECK: ; behind_inner: widened
; CHECK: ; behind_inner_loop: widened
; CHECK: ; behind_inner_wait: left as it is
; CHECK: ; some_leave: left as it is
; CHECK: ; others_first: left as it is
; CHECK: ; computes_before: widened
; CHECK: ; order_behind_inner_loop: widened
; CHECK: ; order_far_behind_loop: left as it is

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)
declare i64 @computes(i64) memory(none)

; All come to what is behind two conditions.
; CHECK-LABEL: define i64 @nested(
; CHECK: br i1 %some, label %then, label %[[FIRST:.*]]
; CHECK: then:
; CHECK-NEXT: %odd = icmp
; CHECK-NEXT: br i1 %odd, label %both, label %[[END:.*]]
; CHECK: both:
; CHECK-NEXT: br label %[[END]]
; CHECK: [[END]]:
; CHECK-NEXT: %[[VOTE:.*]] = phi i64 [ 1, %both ], [ 0, %then ]
; CHECK-NEXT: br label %[[FIRST]]
; CHECK: [[FIRST]]:
; CHECK: %[[OF_ALL:.*]] = phi i64 [ %[[VOTE]], %[[END]] ], [ 0, %entry ]
; CHECK: %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %[[OF_ALL]], i64 0, i32 1, i32 9)
; CHECK-NEXT: br i1 %some,
; CHECK: %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 {{%.*}}, i64 0, i32 2, i32 9)
; CHECK-NEXT: br i1 %some,
define i64 @nested(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %then, label %end
then:
  %odd = icmp ugt i64 %y, %x
  br i1 %odd, label %both, label %one
both:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  br label %one
one:
  %t = phi i64 [ %a, %both ], [ 3, %then ]
  %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 2, i32 9)
  %s = add i64 %t, %b
  br label %end
end:
  %r = phi i64 [ %s, %one ], [ 0, %entry ]
  ret i64 %r
}

; Also where only the outer one is not the same for all.
; CHECK-LABEL: define i64 @same_inside(
; CHECK: br i1 %some, label %then, label %[[FIRST:.*]]
; CHECK: [[FIRST]]:
; CHECK: call i64 @ze_cpu.sync(
; CHECK-NEXT: br i1 %some,
define i64 @same_inside(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %then, label %end
then:
  %many = icmp ugt i64 %k, 9
  br i1 %many, label %both, label %end
both:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  br label %end
end:
  %r = phi i64 [ %a, %both ], [ 0, %then ], [ 0, %entry ]
  ret i64 %r
}

; What some of those do on their way does not matter, nor how often.
; CHECK-LABEL: define i64 @behind_inner(
; CHECK: br i1 %some, label %then, label %exchange
; CHECK: one:
; CHECK-NEXT: %t = phi i64
; CHECK-NEXT: br label %exchange
; CHECK: exchange:
; CHECK-NEXT: phi i64 [ %t, %one ], [ 0, %entry ]
define i64 @behind_inner(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %then, label %end
then:
  %odd = icmp ugt i64 %y, %x
  br i1 %odd, label %both, label %one
both:
  %before = atomicrmw add ptr addrspace(1) %p, i64 1 monotonic
  br label %one
one:
  %t = phi i64 [ %before, %both ], [ 3, %then ]
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %t, i64 0, i32 1, i32 2)
  br label %end
end:
  %r = phi i64 [ %a, %one ], [ 0, %entry ]
  ret i64 %r
}
; CHECK-LABEL: define i64 @behind_inner_loop(
; CHECK: br i1 %some, label %loop, label %exchange
; CHECK: one:
; CHECK-NEXT: br label %exchange
define i64 @behind_inner_loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %v = load i64, ptr addrspace(1) %at
  %more = add i64 %sum, %v
  %next = add i64 %i, 1
  %is.more = icmp ult i64 %next, %x
  br i1 %is.more, label %loop, label %one
one:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %more, i64 1, i32 1, i32 3)
  br label %end
end:
  %r = phi i64 [ %a, %one ], [ 0, %entry ]
  ret i64 %r
}
; But for what other lanes write they would wait for ever.
define i64 @behind_inner_wait(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %loop, label %end
loop:
  %v = load volatile i64, ptr addrspace(1) %p
  %is.more = icmp ult i64 %v, %x
  br i1 %is.more, label %loop, label %one
one:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 1, i32 1, i32 3)
  br label %end
end:
  %r = phi i64 [ %a, %one ], [ 0, %entry ]
  ret i64 %r
}

; Not all of those come, or not as the next.
define i64 @some_leave(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %then, label %end
then:
  %odd = icmp ugt i64 %y, %x
  br i1 %odd, label %left, label %right
left:
  %less = icmp ugt i64 %z, %x
  br i1 %less, label %one, label %leave
right:
  %more = icmp ugt i64 %z, %y
  br i1 %more, label %one, label %leave
leave:
  ret i64 5
one:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  br label %end
end:
  %r = phi i64 [ %a, %one ], [ 0, %entry ]
  ret i64 %r
}
define i64 @others_first(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %then, label %end
then:
  %odd = icmp ugt i64 %y, %x
  br i1 %odd, label %left, label %right
left:
  %less = icmp ugt i64 %z, %x
  br i1 %less, label %both, label %one
right:
  %more = icmp ugt i64 %z, %y
  br i1 %more, label %both, label %one
both:
  %w = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
  br label %one
one:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 2, i32 9)
  br label %end
end:
  %r = phi i64 [ %a, %one ], [ 0, %entry ]
  ret i64 %r
}

; What only computes waits for nobody.
; CHECK-LABEL: define i64 @computes_before(
; CHECK: br i1 %some, label %then, label %exchange
define i64 @computes_before(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %then, label %end
then:
  %v = call i64 @computes(i64 %x)
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 1, i32 1, i32 3)
  br label %end
end:
  %r = phi i64 [ %a, %then ], [ 0, %entry ]
  ret i64 %r
}

; Where lanes that leave a loop meet those that do not, the loop goes through the exchange: it is no way to it from elsewhere.
; CHECK-LABEL: define void @order_behind_inner_loop(
; CHECK: br i1 %some, label %loop, label %end
; CHECK: loop:
; CHECK: br i1 %is.more, label %exchange, label %one
; CHECK: exchange:
; CHECK: br i1 %is.more, label %body, label %guarded
define void @order_behind_inner_loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %k) {
entry:
  %some = icmp ugt i64 %x, %k
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %is.more = icmp ult i64 %i, %x
  br i1 %is.more, label %body, label %one
body:
  %next = add i64 %i, 1
  br label %loop
one:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 1)
  store i64 %i, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; The loop would have to go through all that lies between.
define void @order_far_behind_loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %k) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %is.more = icmp ult i64 %i, %x
  br i1 %is.more, label %body, label %one
body:
  %next = add i64 %i, 1
  br label %loop
one:
  store i64 %i, ptr addrspace(1) %p
  br label %two
two:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 1)
  store i64 %k, ptr addrspace(1) %p
  ret void
}
