; Work-items of a sub-group that exchange values through volatile work-group memory, or with fences of the work-group in between, wait
; for each other wherever one access may depend on another.
; RUN: --stage=keep_lock_step
; RUN-CALLED: --stage=keep_lock_step --called --function=called

; CHECK: ; volatile: waits
; CHECK: ; fences: waits
; CHECK: ; loads: does not wait
; CHECK: ; global: waits
; CHECK: ; own: does not wait
; CHECK: ; plain: does not wait
; CHECK: ; two: waits
; CHECK: ; restricted: does not wait
; CHECK: ; barrier: does not wait
; CHECK: ; loop: waits
; CHECK: ; branches: waits
; CHECK: ; diverged: waits
; CHECK: ; calls: waits
; CHECK: ; called: does not wait

; A load behind a store, and a store behind a load; one point serves for both of two loads.
; CHECK-LABEL: define void @volatile(
; CHECK: store volatile
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 1)
; CHECK-NEXT: %a = load volatile
; CHECK-NEXT: %b = load volatile
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 1)
; CHECK-NEXT: store volatile
; CHECK-NEXT: ret void
define void @volatile(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(3) %q) {
  store volatile i32 1, ptr addrspace(3) %p
  %a = load volatile i32, ptr addrspace(3) %q
  %b = load volatile i32, ptr addrspace(3) %p
  store volatile i32 %a, ptr addrspace(3) %p
  ret void
}

; CHECK-LABEL: define void @fences(
; CHECK: store i32 1
; CHECK-NEXT: fence
; CHECK-NEXT: call i64 @ze_cpu.sync(
; CHECK-NEXT: load i32
define void @fences(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(3) %q) {
  store i32 1, ptr addrspace(3) %p
  fence syncscope("singlethread") seq_cst
  %a = load i32, ptr addrspace(3) %q
  ret void
}

; Loads may come in any order.
; CHECK-LABEL: define void @loads(
; CHECK-NOT: ze_cpu.sync
; CHECK: ret void
define void @loads(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(3) %q) {
  %a = load volatile i32, ptr addrspace(3) %p
  %b = load volatile i32, ptr addrspace(3) %q
  ret void
}

; Memory of all, too, but only where accesses are volatile and not each of a place of the lane's own.
; CHECK-LABEL: define void @global(
; CHECK: store volatile
; CHECK-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: load volatile
define void @global(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @own(
; CHECK-NOT: ze_cpu.sync
; CHECK: ret void
define void @own(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %mine = getelementptr i32, ptr addrspace(1) %p, i64 %x
  store volatile i32 1, ptr addrspace(1) %mine
  %a = load volatile i32, ptr addrspace(1) %mine
  ret void
}

; CHECK-LABEL: define void @plain(
; CHECK-NOT: ze_cpu.sync
; CHECK: ret void
define void @plain(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(1) %q) {
  store i32 1, ptr addrspace(1) %p
  %a = load i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %q
  ret void
}

; Pointers may be the same, if the program does not say that they are not.
; CHECK-LABEL: define void @two(
; CHECK: store volatile
; CHECK-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: load volatile
define void @two(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(1) %q) {
  store volatile i32 1, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define void @restricted(
; CHECK-NOT: ze_cpu.sync
; CHECK: ret void
define void @restricted(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %p, ptr addrspace(1) %q) {
  store volatile i32 1, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %q
  ret void
}

; The barrier in between is enough.
; CHECK-LABEL: define void @barrier(
; CHECK: store volatile
; CHECK-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 65536)
; CHECK-NEXT: load volatile
; CHECK-NOT: ze_cpu.sync
; CHECK: ret void
define void @barrier(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  store volatile i32 1, ptr addrspace(3) %p
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %a = load volatile i32, ptr addrspace(3) %p
  ret void
}

; The store comes first in the next iteration; through a pointer of which only its origin tells where it points.
; CHECK-LABEL: define void @loop(
; CHECK: loop:
; CHECK: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: %a = load volatile
; CHECK-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: store volatile
define void @loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i32 %n) {
entry:
  %generic = addrspacecast ptr addrspace(3) %p to ptr addrspace(4)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %a = load volatile i32, ptr addrspace(4) %generic
  store volatile i32 %i, ptr addrspace(4) %generic
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Whichever way leads there.
; CHECK-LABEL: define void @branches(
; CHECK: end:
; CHECK-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: load volatile
define void @branches(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i1 %is) {
  br i1 %is, label %then, label %end
then:
  store volatile i32 1, ptr addrspace(3) %p
  br label %end
end:
  %a = load volatile i32, ptr addrspace(3) %p
  ret void
}

; Lanes that met on one way have not waited for those of the other: the store before that is still to be waited for.
; CHECK-LABEL: define void @diverged(
; CHECK: store volatile i32 1
; CHECK-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: load volatile
; CHECK: end:
; CHECK-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: load volatile
define void @diverged(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(3) %q) {
  %is = icmp ult i64 %lane, 7
  br i1 %is, label %then, label %end
then:
  store volatile i32 1, ptr addrspace(3) %p
  %a = load volatile i32, ptr addrspace(3) %q
  br label %end
end:
  %b = load volatile i32, ptr addrspace(3) %p
  ret void
}

; Lanes call together what exchanges values by itself.
; CHECK-LABEL: define void @calls(
; CHECK: store volatile
; CHECK-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: call void @called
define void @calls(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  store volatile i32 1, ptr addrspace(3) %p
  call void @called(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p)
  ret void
}

; And there, what callers have stored or will counts.
; CALLED-LABEL: define void @called(
; CALLED-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CALLED-NEXT: load volatile
; CALLED-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CALLED-NEXT: ret void
define void @called(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %a = load volatile i32, ptr addrspace(3) %p
  ret void
}

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)
