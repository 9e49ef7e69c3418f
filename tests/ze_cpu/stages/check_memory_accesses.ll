; A kernel asks before each access whose place is not certain.
; RUN: --stage=check_memory_accesses

@constants = addrspace(2) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
declare void @llvm.memcpy.p1.p1.i32(ptr addrspace(1), ptr addrspace(1), i32, i1)

; A function that asks may not return. The last argument is four times the alignment, 2 more for work-group memory, and one more for a write.
; CHECK-LABEL: define void @accesses(
; CHECK-NOT: #
; CHECK-SAME: ptr addrspace(1) %p, ptr addrspace(3) %local) {
; CHECK-NEXT: [[GROUP:%.*]] = ptrtoint ptr %group to i64
; CHECK-NEXT: [[P:%.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK-NEXT: call void @ze_cpu_check(i64 [[GROUP]], i64 %gx, i64 %lane, i64 [[P]], i64 4, i32 16, i64 ptrtoint (ptr @zecpu.place to i64))
; CHECK-NEXT: %a = load i32, ptr addrspace(1) %p, align 4
; CHECK: call void @ze_cpu_check({{.*}}, i64 8, i32 5, i64 {{.*}})
; CHECK-NEXT: store i64 1, ptr addrspace(1) %p, align 1
; CHECK: call void @ze_cpu_check({{.*}}, i64 4, i32 17, i64 {{.*}})
; CHECK-NEXT: atomicrmw add
; CHECK: call void @ze_cpu_check({{.*}}, i64 8, i32 33, i64 {{.*}})
; CHECK-NEXT: cmpxchg
; CHECK: call void @ze_cpu_check({{.*}}, i64 4, i32 18, i64 {{.*}})
; CHECK-NEXT: load i32, ptr addrspace(3)
define void @accesses(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %local) willreturn {
  %a = load i32, ptr addrspace(1) %p, align 4
  store i64 1, ptr addrspace(1) %p, align 1
  %b = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst, align 4
  %c = cmpxchg ptr addrspace(1) %p, i64 0, i64 1 seq_cst seq_cst, align 8
  %d = load i32, ptr addrspace(3) %local, align 4
  ret void
}

; Work-group memory is known behind a pointer to any memory, and not where a pointer may be another's.
; CHECK-LABEL: define void @generic(
; CHECK: call void @ze_cpu_check({{.*}}, i64 4, i32 18, i64 {{.*}})
; CHECK-NEXT: load i32, ptr %element
; CHECK: call void @ze_cpu_check({{.*}}, i64 4, i32 16, i64 {{.*}})
; CHECK-NEXT: load i32, ptr %other
; CHECK: call void @ze_cpu_check({{.*}}, i64 4, i32 16, i64 {{.*}})
; CHECK-NEXT: load i32, ptr %either
define void @generic(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %other, ptr addrspace(3) %local, i1 %is) {
  %any = addrspacecast ptr addrspace(3) %local to ptr
  %element = getelementptr i32, ptr %any, i64 %x
  %a = load i32, ptr %element, align 4
  %b = load i32, ptr %other, align 4
  %either = select i1 %is, ptr %any, ptr %other
  %c = load i32, ptr %either, align 4
  ret void
}

; A copy asks for both of its places, with as many bytes as it turns out to have.
; CHECK-LABEL: define void @copy(
; CHECK: [[BYTES:%.*]] = zext i32 %n to i64
; CHECK: call void @ze_cpu_check({{.*}}, i64 [[BYTES]], i32 5, i64 {{.*}})
; CHECK: [[BYTES:%.*]] = zext i32 %n to i64
; CHECK: call void @ze_cpu_check({{.*}}, i64 [[BYTES]], i32 16, i64 {{.*}})
; CHECK-NEXT: call void @llvm.memcpy
define void @copy(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
  call void @llvm.memcpy.p1.p1.i32(ptr addrspace(1) %p, ptr addrspace(1) align 4 %q, i32 %n, i1 false)
  ret void
}

; A work-item's own variables, what is known of the work-group, and parts of a variable that are certain.
; CHECK-LABEL: define i32 @certain(
; CHECK-NOT: ze_cpu_check
; CHECK: ret i32
define i32 @certain(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %own = alloca [4 x i32]
  %element = getelementptr [4 x i32], ptr %own, i64 0, i64 %x
  store i32 1, ptr %element
  %size = load i64, ptr %group
  %last = load i32, ptr addrspace(2) getelementptr (i8, ptr addrspace(2) @constants, i64 12)
  ret i32 %last
}

; One byte too far, an index that is not known, and a place before the variable.
; CHECK-LABEL: define void @uncertain(
; CHECK-COUNT-3: call void @ze_cpu_check
; CHECK: ret void
define void @uncertain(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %a = load i32, ptr addrspace(2) getelementptr (i8, ptr addrspace(2) @constants, i64 13)
  %element = getelementptr [4 x i32], ptr addrspace(2) @constants, i64 0, i64 %x
  %b = load i32, ptr addrspace(2) %element
  %c = load i32, ptr addrspace(2) getelementptr (i8, ptr addrspace(2) @constants, i64 -4)
  ret void
}

