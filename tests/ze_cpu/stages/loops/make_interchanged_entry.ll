; A loop that all work-items go through side by side becomes the driver's, with the lanes inside of it.
; RUN: --stage=make_interchanged_entry --function=sums
; RUN-BOUNDS: --stage=make_interchanged_entry --function=bounded
; RUN-WANTED: --stage=make_interchanged_entry --function=sums --wanted
; RUN-LARGE: --stage=make_interchanged_entry --function=large --wanted
; RUN-NONE: --stage=make_interchanged_entry --function=no_loop
; RUN-PLANE: --stage=make_interchanged_entry --function=plane

; CHECK: ; sums: lane 4 bytes, of those private 0, by work-group
; Sub-groups that have all their lanes go through it one after the other.
; CHECK-LABEL: define internal void @sums.entry.strips(
; CHECK: sub_group:
; CHECK-LABEL: define void @sums.entry(
; Short rows are left to the kernel as it was.
; CHECK: icmp uge i64 {{%.*}}, 8
; CHECK: br i1 {{%.*}}, label %bounds, label %apart
; CHECK: together:
; CHECK: [[REST:%.*]] = and i64 {{%.*}}, 31
; CHECK-NEXT: [[WHOLE:%.*]] = icmp eq i64 [[REST]], 0
; CHECK-NEXT: br i1 [[WHOLE]], label %strips, label %at_once
; CHECK: apart:
; CHECK: call void @sums(
; CHECK: strips:
; CHECK-NEXT: [[NEXT:%.*]] = add i64 [[GROUP:%.*]], 1
; CHECK-NEXT: call void @sums.entry.strips(ptr %0, i64 [[GROUP]], i64 [[NEXT]])
; CHECK: at_once:
; CHECK-NEXT: br label %region0
define void @sums(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
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
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %next, ptr addrspace(1) %to
  ret void
}

; With a second dimension, rows are short as a rule.
; PLANE-NOT: strips
define void @plane(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
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
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %line = getelementptr inbounds float, ptr addrspace(1) %out, i64 %y
  %to = getelementptr inbounds float, ptr addrspace(1) %line, i64 %x
  store float %next, ptr addrspace(1) %to
  ret void
}

; NONE: ; no_loop: not cut
; NONE: define void @no_loop(
define void @no_loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
  store i32 1, ptr addrspace(1) %out
  ret void
}

; Where it is wanted, rows may be short.
; WANTED: icmp uge i64 {{%.*}}, 1

; Work-groups that are not all inside of the bounds are left to the kernel too: each work-item is asked first.
; BOUNDS-LABEL: define void @bounded.entry(
; BOUNDS: bounds:
; BOUNDS-NEXT: store i32 0, ptr [[OUTSIDE:%.*]],
; BOUNDS: [[ALL:%.*]] = load i32, ptr [[OUTSIDE]]
; BOUNDS-NEXT: [[INSIDE:%.*]] = icmp eq i32 [[ALL]], 0
; BOUNDS-NEXT: br i1 [[INSIDE]], label %together, label %apart
; BOUNDS: call i1 @bounded.inner.inside(
define void @bounded(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %inside = icmp ult i64 %x, %n
  br i1 %inside, label %before, label %leave
leave:
  ret void
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
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %next, ptr addrspace(1) %to
  ret void
}

; More private memory than a work-item may have is not kept for each, even where it is wanted.
; LARGE: ; large: not cut
define void @large(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %own = alloca [262145 x i8]
  store volatile i8 1, ptr %own
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
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %next, ptr addrspace(1) %to
  ret void
}
