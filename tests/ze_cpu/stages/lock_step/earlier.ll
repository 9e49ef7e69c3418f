; Lanes wait for each other where all of them come by, if that is between the two accesses as well: before a branch rather than behind
; it, where only some of them are.
; RUN: --stage=keep_lock_step

; One point in front of the branch serves for what is behind it on any way.
; CHECK-LABEL: define void @before_branch(
; CHECK: store i32 1
; CHECK: icmp
; CHECK-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: br i1
; CHECK-NOT: call i64 @ze_cpu.sync
; CHECK: ret void
define void @before_branch(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n) {
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %s
  %i = add i64 %x, 1
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %is = icmp ult i64 %x, 7
  br i1 %is, label %then, label %end
then:
  %a = load i32, ptr addrspace(3) %l
  br label %end
end:
  %b = load i32, ptr addrspace(3) %l
  ret void
}

; The first one of several.
; CHECK-LABEL: define void @before_branches(
; CHECK: store i32 1
; CHECK: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: br i1 %is,
; CHECK-NOT: call i64 @ze_cpu.sync
; CHECK: ret void
define void @before_branches(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n) {
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %s
  %i = add i64 %x, 1
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %is = icmp ult i64 %x, 7
  br i1 %is, label %then, label %end
then:
  %is3 = icmp ugt i64 %x, 3
  br i1 %is3, label %inner, label %end
inner:
  %a = load i32, ptr addrspace(3) %l
  br label %end
end:
  ret void
}

; What is accessed behind the branch both times needs a point there.
; CHECK-LABEL: define void @behind_branch(
; CHECK-NOT: call i64 @ze_cpu.sync
; CHECK: then:
; CHECK-NEXT: store i32 1
; CHECK-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: load i32
; CHECK-NOT: call i64 @ze_cpu.sync
; CHECK: ret void
define void @behind_branch(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n) {
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %i = add i64 %x, 1
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %is = icmp ult i64 %x, 7
  br i1 %is, label %then, label %end
then:
  store i32 1, ptr addrspace(3) %s
  %a = load i32, ptr addrspace(3) %l
  br label %end
end:
  ret void
}

; Also if it is in another block there.
; CHECK-LABEL: define void @behind_branch_twice(
; CHECK-NOT: call i64 @ze_cpu.sync
; CHECK: inner:
; CHECK: store i32 1
; CHECK: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: br i1 %last,
; CHECK-NOT: call i64 @ze_cpu.sync
; CHECK: ret void
define void @behind_branch_twice(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n) {
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %i = add i64 %x, 1
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %is = icmp ult i64 %x, 7
  br i1 %is, label %inner, label %end
inner:
  store i32 1, ptr addrspace(3) %s
  %last = icmp ult i64 %x, 5
  br i1 %last, label %then, label %end
then:
  %a = load i32, ptr addrspace(3) %l
  br label %end
end:
  ret void
}

; In a loop it is in front of the branch that each iteration takes, whichever of the two comes first.
; CHECK-LABEL: define void @around(
; CHECK: loop:
; CHECK: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: br i1 %is,
; CHECK: latch:
; CHECK-NEXT: call i64 @ze_cpu.sync({{.*}}, i32 1)
; CHECK-NEXT: store i32
; CHECK-NOT: call i64 @ze_cpu.sync
; CHECK: ret void
define void @around(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n) {
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %i = add i64 %x, 1
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %latch ]
  %is = icmp ult i64 %x, 7
  br i1 %is, label %then, label %latch
then:
  %a = load i32, ptr addrspace(3) %l
  br label %latch
latch:
  store i32 1, ptr addrspace(3) %s
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)
