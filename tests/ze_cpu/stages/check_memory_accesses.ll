; A kernel asks before each access whose place is not certain, unless the same memory was allowed there before.
; RUN: --stage=check_memory_accesses

@constants = addrspace(2) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
declare void @llvm.memcpy.p1.p1.i32(ptr addrspace(1), ptr addrspace(1), i32, i1)

; A function that asks may not return. The last argument is twice the alignment, and one more for a write.
; CHECK-LABEL: define void @accesses(
; CHECK-NOT: #
; CHECK-SAME: ptr addrspace(1) %p, i32 %n) {
; CHECK-NEXT: [[P:%.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK: [[ASKS:%.*]] = xor i1 {{%.*}}, true
; CHECK-NEXT: br i1 [[ASKS]], label %[[ASK:.*]], label %[[GO:.*]], !prof
; CHECK: [[ASK]]:
; CHECK-NEXT: call void @ze_cpu_check(ptr %group, i64 %gx, i64 %lane, i64 [[P]], i64 4, i32 8, ptr @zecpu.place)
; CHECK-NEXT: br label %[[GO]]
; CHECK: [[GO]]:
; CHECK-NEXT: %a = load i32, ptr addrspace(1) %p, align 4
; CHECK: call void @ze_cpu_check(ptr %group, i64 %gx, i64 %lane, i64 {{%.*}}, i64 8, i32 3, ptr {{.*}})
; CHECK: store i64 1, ptr addrspace(1) %p, align 1
; CHECK: call void @ze_cpu_check({{.*}}, i64 4, i32 9, ptr {{.*}})
; CHECK: atomicrmw add
; CHECK: call void @ze_cpu_check({{.*}}, i64 8, i32 17, ptr {{.*}})
; CHECK: cmpxchg
define void @accesses(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) willreturn {
  %a = load i32, ptr addrspace(1) %p, align 4
  store i64 1, ptr addrspace(1) %p, align 1
  %b = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst, align 4
  %c = cmpxchg ptr addrspace(1) %p, i64 0, i64 1 seq_cst seq_cst, align 8
  ret void
}

; A copy asks for both of its places, with as many bytes as it turns out to have.
; CHECK-LABEL: define void @copy(
; CHECK: [[BYTES:%.*]] = zext i32 %n to i64
; CHECK-NEXT: call void @ze_cpu_check({{.*}}, i64 [[BYTES]], i32 3, ptr {{.*}})
; CHECK: [[BYTES:%.*]] = zext i32 %n to i64
; CHECK-NEXT: call void @ze_cpu_check({{.*}}, i64 [[BYTES]], i32 8, ptr {{.*}})
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

