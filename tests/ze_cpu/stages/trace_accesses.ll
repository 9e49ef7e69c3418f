; A kernel tells of each access to memory that others may have, of fences, and around barriers.
; RUN: --stage=trace_accesses
; RUN-ALIKE: --stage=trace_accesses --function=alike
; RUN-APART: --stage=trace_accesses --function=apart

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; Flags: 1 reads, 2 writes, 4 atomic, 8 volatile, 16 the value (of a read, the bytes that matter) is known, 32 beside an atomic one.
; CHECK: [[READ:@zecpu.place.*]] = internal global { ptr, i32, i32, i32, i32, i64, i64, i64 } { ptr null, i32 0, i32 1, i32 0
; CHECK-LABEL: define void @accesses(
; CHECK-SAME: ptr addrspace(1) %p) {
; CHECK-NEXT: [[GROUP:%.*]] = ptrtoint ptr %group to i64
; CHECK-NEXT: [[P:%.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK-NEXT: call void @ze_cpu_trace(i64 [[GROUP]], i64 %lane, i64 [[P]], i64 4, i32 17, i64 ptrtoint (ptr [[READ]] to i64), i64 15)
; CHECK-NEXT: %a = load i32
; CHECK: call void @ze_cpu_trace({{.*}}, i64 %lane, i64 {{%.*}}, i64 8, i32 18, {{.*}}, i64 7)
; CHECK-NEXT: store i64 7
; CHECK: call void @ze_cpu_trace({{.*}}, i64 4, i32 7, {{.*}}, i64 0)
; CHECK-NEXT: atomicrmw add
; CHECK: call void @ze_cpu_trace({{.*}}, i64 4, i32 9,
; CHECK-NEXT: load volatile float
; CHECK: call void @ze_cpu_trace_fence(i64 {{%.*}}, i64 %lane)
; CHECK-NEXT: fence seq_cst
; CHECK-NEXT: fence syncscope("singlethread") seq_cst
define void @accesses(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %a = load i32, ptr addrspace(1) %p, align 4
  %used = add i32 %a, 1
  %q = getelementptr i8, ptr addrspace(1) %p, i64 64
  %own = alloca i32
  store i32 %used, ptr %own
  store i64 7, ptr addrspace(1) %q, align 8
  %r = getelementptr i8, ptr addrspace(1) %p, i64 128
  %b = atomicrmw add ptr addrspace(1) %r, i32 1 seq_cst, align 4
  %c = load volatile float, ptr addrspace(1) %p
  store float %c, ptr %own
  %d = fadd float %c, 1.0
  fence seq_cst
  fence syncscope("singlethread") seq_cst
  ret void
}

; What is compared before it is changed atomically may be old; only the byte that matters must have been written.
; CHECK-LABEL: define i8 @beside(
; CHECK: call void @ze_cpu_trace({{.*}}, i64 4, i32 49, {{.*}}, i64 2)
; CHECK-NEXT: %a = load i32
define i8 @beside(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %a = load i32, ptr addrspace(1) %p, align 4
  %b = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst, align 4
  %high = lshr i32 %a, 8
  %byte = trunc i32 %high to i8
  ret i8 %byte
}

; What is read behind the update, or on another way, is not compared.
; CHECK-LABEL: define i32 @behind(
; CHECK: then:
; CHECK: call void @ze_cpu_trace({{.*}}, i64 4, i32 7,
; CHECK: call void @ze_cpu_trace({{.*}}, i64 4, i32 17,
; CHECK-NEXT: %a = load i32
; CHECK: else:
; CHECK: call void @ze_cpu_trace({{.*}}, i64 4, i32 17,
; CHECK-NEXT: %c = load i32
define i32 @behind(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %some = icmp ult i64 %x, 5
  br i1 %some, label %then, label %else
then:
  %b = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst, align 4
  %a = load i32, ptr addrspace(1) %p, align 4
  ret i32 %a
else:
  %c = load i32, ptr addrspace(1) %p, align 4
  ret i32 %c
}

; An atomic update of work-group memory is a load and a store.
; CHECK-LABEL: define void @local_update(
; CHECK-COUNT-1: call void @ze_cpu_trace({{.*}}, i64 4, i32 7,
; CHECK-NOT: ze_cpu_trace
; CHECK: ret void
define void @local_update(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %a = load atomic i32, ptr addrspace(3) %p unordered, align 4
  %b = add i32 %a, 1
  store atomic i32 %b, ptr addrspace(3) %p unordered, align 4
  ret void
}

; Around a barrier of the work-group (not one of a sub-group), and where who goes around it does something.
; CHECK-LABEL: define void @barrier(
; CHECK: some:
; CHECK: call void @ze_cpu_trace_arrive(i64 {{%.*}}, i64 %lane, i64 [[PLACE:.*]])
; CHECK-NEXT: {{.*}} @ze_cpu.sync
; CHECK-NEXT: ptrtoint
; CHECK-NEXT: call void @ze_cpu_trace_pass(i64 {{%.*}}, i64 %lane, i32 0)
; CHECK-NEXT: {{.*}} @ze_cpu.sync
; CHECK-NEXT: br label
; CHECK: behind:
; CHECK-NEXT: ptrtoint
; CHECK-NEXT: call void @ze_cpu_trace_around(i64 {{%.*}}, i64 %lane, i64 [[PLACE]])
define void @barrier(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i1 %c) {
  br i1 %c, label %some, label %behind
some:
  %1 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %2 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 0)
  br label %behind
behind:
  store i32 1, ptr addrspace(1) %p
  ret void
}

; Who only ends has left early, which is allowed.
; CHECK-LABEL: define void @early(
; CHECK-NOT: ze_cpu_trace_around
; CHECK: ret void
define void @early(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i1 %c) {
  br i1 %c, label %some, label %end
some:
  %1 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; All work-items of a group come to each barrier of a kernel: who accesses memory behind it has passed it, and no more is told.
; ALIKE-LABEL: define void @alike(
; ALIKE-NOT: ze_cpu_trace_
; ALIKE: {{.*}} @ze_cpu.sync
; ALIKE-NEXT: ptrtoint
; ALIKE-NEXT: call void @ze_cpu_trace_meet(i64 {{%.*}}, i64 %lane, i64 1, i32 0)
; ALIKE-NOT: ze_cpu_trace_
; ALIKE: ret void
; Of a function that others may call, that is not known.
; CHECK-LABEL: define void @alike(
; CHECK: call void @ze_cpu_trace_arrive(
; CHECK: call void @ze_cpu_trace_around(
define void @alike(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %behind
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %1 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %behind
behind:
  store i32 1, ptr addrspace(1) %p
  ret void
}

; How often is different for each here.
; APART-LABEL: define void @apart(
; APART: call void @ze_cpu_trace_arrive(
; APART: call void @ze_cpu_trace_pass(
; APART: call void @ze_cpu_trace_around(
define void @apart(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %1 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %x
  br i1 %more, label %loop, label %behind
behind:
  store i32 1, ptr addrspace(1) %p
  ret void
}

; The variants for several lanes: how the lanes differ is in the name.
; CHECK: declare void @ze_cpu_trace(i64, i64, i64, i64, i32, i64, i64) [[MAPPED:#[0-9]+]]
; CHECK: define internal void @ze_cpu_trace.M4ulvuuuv(i64 %0, i64 %1, <4 x i64> %2, i64 %3, i32 %4, i64 %5, <4 x i64> %6, <4 x i1> %7)
; Arrays are as long as what reads them takes at once.
; CHECK: alloca [8 x i64], align 32
; CHECK: [[BITS:%.*]] = zext i4 {{%.*}} to i64
; CHECK: call void @ze_cpu_trace_lanes(i64 %0, i64 %1, ptr {{%.*}}, i64 %3, i32 %4, i64 %5, ptr {{%.*}}, i64 1, i64 [[BITS]])
; CHECK: define internal void @ze_cpu_trace.M4uuvuuuv(
; CHECK: call void @ze_cpu_trace_lanes({{.*}}, i64 0, i64 {{%.*}})
; CHECK: attributes [[MAPPED]] = {{.*}}_ZGV_LLVM_M4ulvuuuv_ze_cpu_trace(ze_cpu_trace.M4ulvuuuv)
