; Loops that work-items go through side by side.
; RUN: --stage=prepare_interchange
; RUN-WANTED: --stage=prepare_interchange --wanted

; CHECK: ; sums: made sums.inner, inside if sums.inner.inside
; CHECK-NEXT: ; strided: made strided.inner
; CHECK-NEXT: ; scattered: left as it is
; CHECK-NEXT: ; rows: made rows.inner
; CHECK-NEXT: ; stored_rows: left as it is
; CHECK-NEXT: ; small_elements: left as it is
; CHECK-NEXT: ; no_loop: left as it is
; CHECK-NEXT: ; bins: made bins.inner
; CHECK-NEXT: ; variable: left as it is
; CHECK-NEXT: ; apart: left as it is
; CHECK-NEXT: ; other_sums: left as it is
; CHECK-NEXT: ; far: left as it is
; CHECK-NEXT: ; structs: made structs.inner
; CHECK-NEXT: ; branching: made branching.inner
; CHECK-NEXT: ; counts: made counts.inner
; CHECK-NEXT: ; counts_near: left as it is
; CHECK-NEXT: ; counts_in_order: left as it is

; Where it is wanted, what it costs does not matter; where it is not possible, that does not help.
; WANTED: ; sums: made sums.inner, inside if sums.inner.inside
; WANTED-NEXT: ; strided: made strided.inner
; WANTED-NEXT: ; scattered: made scattered.inner
; WANTED-NEXT: ; rows: made rows.inner
; WANTED-NEXT: ; stored_rows: made stored_rows.inner
; WANTED-NEXT: ; small_elements: made small_elements.inner
; WANTED-NEXT: ; no_loop: left as it is
; WANTED-NEXT: ; bins: made bins.inner
; WANTED-NEXT: ; variable: made variable.inner
; WANTED-NEXT: ; apart: left as it is
; WANTED-NEXT: ; other_sums: made other_sums.inner
; WANTED-NEXT: ; far: made far.inner
; WANTED-NEXT: ; structs: made structs.inner
; WANTED-NEXT: ; branching: made branching.inner
; WANTED-NEXT: ; counts: made counts.inner
; WANTED-NEXT: ; counts_near: made counts_near.inner
; WANTED-NEXT: ; counts_in_order: made counts_in_order.inner

; The kernel itself does not change. The copy is for work-items that are inside of its bounds, and a function tells which are.
; CHECK-LABEL: define void @sums(
; CHECK: br i1 %inside, label %begin, label %leave
; CHECK-LABEL: define internal void @sums.inner(
; CHECK: br label %begin
; Each work-item goes through several iterations in one, and adds in the same order; the others are left to a loop of their own.
; CHECK: loop:
; CHECK: phi float [ 0.000000e+00, %{{.*}} ], [ [[LAST:%.*]], %loop ]
; CHECK: [[FIRST:%.*]] = fadd float %sum,
; CHECK: [[SECOND:%.*]] = fadd float [[FIRST]],
; CHECK: fadd float [[SECOND]],
; CHECK-COUNT-4: fadd float
; CHECK: [[LAST]] = fadd float
; CHECK-NOT: fadd float
; CHECK: br i1 {{.*}}, label %loop, label %{{.*}}, !ze_cpu.unrolled
; CHECK: .epil:
; CHECK: fadd float
; CHECK-NOT: fadd float
; CHECK-LABEL: define internal i1 @sums.inner.inside(
; CHECK-NEXT: entry:
; CHECK-NEXT: [[INSIDE:%.*]] = icmp ult i64 %2, %8
; CHECK-NEXT: br i1 [[INSIDE]], label %inside, label %outside
; CHECK: outside:
; CHECK-NEXT: ret i1 false
; CHECK: inside:
; CHECK-NEXT: ret i1 true
define void @sums(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %inside = icmp ult i64 %x, %n
  br i1 %inside, label %begin, label %leave
leave:
  ret void
begin:
  %some = icmp ugt i64 %n, 0
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %j, %loop ]
  %sum = phi float [ 0.0, %before ], [ %next, %loop ]
  %row = mul i64 %i, %n
  %index = add i64 %row, %x
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %value = load float, ptr addrspace(1) %from
  %next = fadd float %sum, %value
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %out_of
out_of:
  br label %end
end:
  %result = phi float [ 0.0, %begin ], [ %next, %out_of ]
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %result, ptr addrspace(1) %to
  ret void
}

; What each counts by steps that all share becomes where it began and a count that all share.
; CHECK-LABEL: define internal void @strided.inner(
; CHECK: loop:
; CHECK: [[COUNT:%.*]] = phi i64 [ 0, %{{.*}} ], [ {{%[0-9]+}}, %loop ]
; CHECK: [[PLACE:%.*]] = add i64 %x, [[COUNT]]
; CHECK: getelementptr inbounds float, ptr addrspace(1) %in, i64 [[PLACE]]
; CHECK: [[NEXT:%.*]] = add i64 [[COUNT]], %pitch
; CHECK: add i64 %x, [[NEXT]]
define void @strided(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n, i64 %pitch) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %place = phi i64 [ %x, %entry ], [ %place_next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %place
  %value = load float, ptr addrspace(1) %from
  %next = fadd float %sum, %value
  %place_next = add i64 %place, %pitch
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %next, ptr addrspace(1) %to
  ret void
}

; Neighbours read far from each other: that would be a gathering of elements.
define void @scattered(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %row = mul i64 %x, %n
  %two = mul i64 %i, 2
  %index = add i64 %row, %two
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %value = load float, ptr addrspace(1) %from
  %next = fadd float %sum, %value
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %next, ptr addrspace(1) %to
  ret void
}

; Far from each other, but each the elements of a row: these become neighbours, at places that all share, in rows of which it
; does not show how far apart they are.
; CHECK-LABEL: define internal void @rows.inner(
; CHECK: [[ALL:%.*]] = load i64, ptr
; CHECK: [[NONE:%.*]] = xor i64 [[ALL]], -1
; CHECK: [[DISTANCE:%.*]] = mul i64 %x, [[NONE]]
; CHECK: [[ROW:%.*]] = getelementptr i8, ptr addrspace(1) {{%.*}}, i64 [[DISTANCE]]
; CHECK: loop:
; CHECK: [[OFFSET:%.*]] = phi i64 [ 0, %{{.*}} ], [ {{%.*}}, %loop ]
; CHECK: [[PLACE:%.*]] = getelementptr i8, ptr addrspace(1) [[ROW]], i64 [[OFFSET]]
; CHECK: load float, ptr addrspace(1) [[PLACE]]
; CHECK: [[PLACE1:%.*]] = getelementptr i8, ptr addrspace(1) [[PLACE]], i64 4
; CHECK: load float, ptr addrspace(1) [[PLACE1]]
; CHECK: [[PLACE15:%.*]] = getelementptr i8, ptr addrspace(1) [[PLACE]], i64 60
; CHECK: load float, ptr addrspace(1) [[PLACE15]]
; CHECK: br i1 {{.*}}, label %loop, label %{{.*}}, !ze_cpu.unrolled
define void @rows(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %row = mul i64 %x, %n
  %index = add i64 %row, %i
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %value = load float, ptr addrspace(1) %from
  %next = fadd float %sum, %value
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %next, ptr addrspace(1) %to
  ret void
}

; What is stored between two elements of a row keeps them apart.
define void @stored_rows(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %row = mul i64 %x, %n
  %index = add i64 %row, %i
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %value = load float, ptr addrspace(1) %from
  %next = fadd float %sum, %value
  %column = mul i64 %i, %n
  %place = add i64 %column, %x
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %place
  store float %next, ptr addrspace(1) %to
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Rows are made of elements of 32 or 64 bits.
define void @small_elements(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %sum = phi half [ 0.0, %entry ], [ %next, %loop ]
  %row = mul i64 %x, %n
  %index = add i64 %row, %i
  %from = getelementptr inbounds half, ptr addrspace(1) %in, i64 %index
  %value = load half, ptr addrspace(1) %from
  %next = fadd half %sum, %value
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr inbounds half, ptr addrspace(1) %out, i64 %x
  store half %next, ptr addrspace(1) %to
  ret void
}

define void @no_loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
  store i32 1, ptr addrspace(1) %out
  ret void
}

; A few private variables may be accessed anywhere, where what is loaded lies side by side.
define void @bins(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %own = alloca [16 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %row = mul i64 %i, %n
  %index = add i64 %row, %x
  %from = getelementptr inbounds i8, ptr addrspace(1) %in, i64 %index
  %value = load i8, ptr addrspace(1) %from
  %low = and i8 %value, 15
  %place = zext nneg i8 %low to i64
  %bin = getelementptr inbounds i32, ptr %own, i64 %place
  %count = load i32, ptr %bin
  %more.of.it = add i32 %count, 1
  store i32 %more.of.it, ptr %bin
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Many private variables of all lanes are more than caches hold.
define void @variable(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %own = alloca [17 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %row = mul i64 %i, %n
  %index = add i64 %row, %x
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %value = load float, ptr addrspace(1) %from
  %next = fadd float %sum, %value
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  store volatile float %next, ptr %own
  ret void
}

; Those that do not leave it together.
define void @apart(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %row = mul i64 %i, %n
  %index = add i64 %row, %x
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %value = load float, ptr addrspace(1) %from
  %next = fadd float %sum, %value
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %x
  br i1 %more, label %loop, label %end
end:
  ret void
}

; LLVM vectorises this as it is: a sum that may be taken in any order, of what lies side by side.
define void @other_sums(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %index = add i64 %i, %x
  %from = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %index
  %value = load i32, ptr addrspace(1) %from
  %next = add i32 %sum, %value
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %x
  store i32 %next, ptr addrspace(1) %to
  ret void
}

; How far is known here, and too far.
define void @far(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %mine = mul i64 %x, 5
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %row = mul i64 %i, %n
  %index = add i64 %row, %mine
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %value = load float, ptr addrspace(1) %from
  %next = fadd float %sum, %value
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %next, ptr addrspace(1) %to
  ret void
}

; Parts of small structs lie near enough.
define void @structs(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %mine = mul i64 %x, 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %row = mul i64 %i, %n
  %index = add i64 %row, %mine
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %value = load float, ptr addrspace(1) %from
  %next = fadd float %sum, %value
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %next, ptr addrspace(1) %to
  ret void
}

; Iterations stay one by one where there are branches in them.
; CHECK-LABEL: define internal void @branching.inner(
; CHECK: fadd float
; CHECK-NOT: fadd float
; CHECK-NOT: !ze_cpu.unrolled
; CHECK: ret void
define void @branching(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %next, %latch ]
  %row = mul i64 %i, %n
  %index = add i64 %row, %x
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %value = load float, ptr addrspace(1) %from
  %large = fcmp ogt float %value, 1.0
  br i1 %large, label %add, label %latch
add:
  %added = fadd float %sum, %value
  br label %latch
latch:
  %next = phi float [ %sum, %loop ], [ %added, %add ]
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %next, ptr addrspace(1) %to
  ret void
}

; Counts of what lies side by side are made side by side, though there are no vectors of them, if the next of each lane is far away;
; not if it is at hand, or they have an order.
define void @counts(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(3) noalias %bins) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %row = shl i64 %i, 8
  %index = add i64 %row, %x
  %from = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %index
  %value = load i32, ptr addrspace(1) %from
  %place = zext nneg i32 %value to i64
  %bin = getelementptr inbounds i32, ptr addrspace(3) %bins, i64 %place
  %old = atomicrmw add ptr addrspace(3) %bin, i32 %value monotonic
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @counts_near(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(3) noalias %bins) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %row = shl i64 %i, 3
  %index = add i64 %row, %x
  %from = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %index
  %value = load i32, ptr addrspace(1) %from
  %place = zext nneg i32 %value to i64
  %bin = getelementptr inbounds i32, ptr addrspace(3) %bins, i64 %place
  %old = atomicrmw add ptr addrspace(3) %bin, i32 %value monotonic
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @counts_in_order(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(3) noalias %bins) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %row = shl i64 %i, 8
  %index = add i64 %row, %x
  %from = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %index
  %value = load i32, ptr addrspace(1) %from
  %place = zext nneg i32 %value to i64
  %bin = getelementptr inbounds i32, ptr addrspace(3) %bins, i64 %place
  %old = atomicrmw add ptr addrspace(3) %bin, i32 %value acq_rel
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}
