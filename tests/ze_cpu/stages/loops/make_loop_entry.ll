; The function through which a kernel is entered that never waits: a loop over work-groups and one over work-items.
; RUN: --stage=make_loop_entry --function=kernel
; RUN-OWN: --stage=make_loop_entry --function=own
; RUN-FIBER: --stage=make_fiber_entry --function=kernel

; Accesses of work-items cannot meet, so that the loop over x is one of independent iterations.
; CHECK-LABEL: define void @kernel(
; CHECK: store i32 1, ptr addrspace(1) %p, align 4, !llvm.access.group [[GROUP:!.*]]
; CHECK: load volatile i32, ptr addrspace(1) %p, align 4{{$}}
; What is known of the context lets LLVM load its members before loops that do not always ask for them.
; CHECK-LABEL: define void @kernel.entry(ptr noalias align 8 dereferenceable({{[0-9]+}}) %0, i64 %1, i64 %2)
; CHECK: [[PLACE:%.*]] = getelementptr inbounds i8, ptr %0, i64 104
; So does what is known of the argument buffer.
; CHECK-NEXT: [[BUFFER:%.*]] = load ptr, ptr [[PLACE]], align 8, !invariant.load {{![0-9]+}}, !dereferenceable [[BYTES:![0-9]+]], !align [[ALIGN:![0-9]+]]
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i8, ptr [[BUFFER]], i64 0
; CHECK-NEXT: [[P:%.*]] = load ptr addrspace(1), ptr [[AT]], align 8, !invariant.load
; A truth is a byte, and work-group memory begins at an offset.
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i8, ptr [[BUFFER]], i64 8
; CHECK-NEXT: [[BYTE:%.*]] = load i8, ptr [[AT]]
; CHECK-NEXT: [[TRUTH:%.*]] = icmp ne i8 [[BYTE]], 0
; CHECK-DAG: getelementptr inbounds i8, ptr %0, i64 96
; CHECK-DAG: getelementptr inbounds i8, ptr [[BUFFER]], i64 16
; CHECK: [[MEMORY:%.*]] = addrspacecast ptr {{%.*}} to ptr addrspace(3)
; CHECK: call void @kernel(ptr %0, i64 %group{{[0-9]*}}, i64 %x{{[0-9]*}}, i64 %y{{[0-9]*}}, i64 %z{{[0-9]*}}, i64 {{%.*}}, ptr addrspace(1) [[P]], i1 [[TRUTH]], ptr addrspace(3) [[MEMORY]])
; CHECK: !llvm.loop [[LOOP:!.*]]
; CHECK: [[BYTES]] = !{i64 24}
; CHECK: [[ALIGN]] = !{i64 8}
; CHECK: [[LOOP]] = distinct !{[[LOOP]], [[ACCESSES:![0-9]+]],
; CHECK: [[ACCESSES]] = !{!"llvm.loop.parallel_accesses", [[GROUP]]}

; A fiber runs one work-item.
; FIBER-LABEL: define void @kernel.entry(ptr align 8 dereferenceable({{[0-9]+}}) %0, i64 %1, i64 %2, i64 %3, i64 %4)
; FIBER: [[GX:%.*]] = load i64, ptr
; FIBER: call void @kernel(ptr %0, i64 [[GX]], i64 %1, i64 %2, i64 %3, i64 %4, ptr addrspace(1)
; FIBER-NEXT: ret void
define void @kernel(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i1 %truth, ptr addrspace(3) %memory) {
  store i32 1, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  ret void
}

; Private memory is used again for the next work-item: only what cannot be private is independent.
; OWN-LABEL: define void @own(
; OWN: store i32 1, ptr addrspace(1) %p, align 4, !llvm.access.group
; OWN: store i32 1, ptr addrspace(4) %q, align 4{{$}}
define void @own(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(4) %q) {
  %own = alloca i32
  store i32 1, ptr addrspace(1) %p
  store i32 1, ptr addrspace(4) %q
  ret void
}
