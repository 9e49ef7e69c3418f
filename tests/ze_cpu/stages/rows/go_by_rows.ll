; A loop that goes through the numbers of a tile, as many at a time as the work-group has work-items, becomes one over its rows by the
; first of them.
; RUN: --stage=go_by_rows
; RUN-CUT: --stage=make_region_entry --function=difference

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; CHECK: ; tile: goes by rows
; CHECK-NEXT: ; difference: goes by rows
; CHECK-NEXT: ; unknown_bound: goes by rows
; CHECK-NEXT: ; other_numbers: left as it is
; CHECK-NEXT: ; no_division: left as it is
; CHECK-NEXT: ; tells_lanes: left as it is
; CHECK-NEXT: ; sub_groups: left as it is
; CHECK-NEXT: ; negative_bound: left as it is
; CHECK-NEXT: ; changes_others: left as it is

; The number has to be that of the lane, and the step the size of the work-group.
; CHECK-LABEL: define void @tile(
; CHECK: entry:
; CHECK: [[COLUMNS:%.*]] = load i64, {{.*}} !invariant.load
; CHECK: [[ROWS:%.*]] = load i64, {{.*}} !invariant.load
; CHECK: [[PLANES:%.*]] = load i64, {{.*}} !invariant.load
; CHECK: icmp eq i32 16, {{%.*}}
; CHECK: [[ALL:%.*]] = mul i64 {{%.*}}, [[PLANES]]
; CHECK: icmp eq i64 256, [[ALL]]
; CHECK: br i1 {{%.*}}, label %first, label %apart, !ze_cpu.meeting
; CHECK: apart:
; CHECK-NEXT: br i1 %some, label %before, label %end
; CHECK: first:
; CHECK-NEXT: [[IS_FIRST:%.*]] = icmp eq i64 %lane, 0
; CHECK-NEXT: br i1 [[IS_FIRST]], label %rows, label %rows.done
; CHECK: rows.done:
; CHECK-NEXT: br label %end{{$}}
; CHECK: [[ROW:%.*]] = phi i32 [ 0, %rows ]
; CHECK-NEXT: [[BEGIN:%.*]] = phi i32 [ 0, %rows ]
; CHECK-NEXT: [[LEFT:%.*]] = sub nuw nsw i32 324, [[BEGIN]]
; CHECK-NEXT: [[COUNT:%.*]] = call i32 @llvm.umin.i32(i32 18, i32 [[LEFT]])
; CHECK: [[NEXT:%.*]] = add i32 [[BEGIN]], 18
; CHECK: icmp ult i32 [[NEXT]], 324
; CHECK: loop.row:
; CHECK-NEXT: [[COLUMN:%.*]] = phi i32
; CHECK-NEXT: [[I:%.*]] = add nuw nsw i32 [[BEGIN]], [[COLUMN]]
; CHECK-NEXT: [[LINE:%.*]] = mul i32 [[ROW]], %pitch
; CHECK-NEXT: add i32 [[LINE]], [[COLUMN]]
; CHECK: getelementptr i32, ptr addrspace(3) %tile, i32 [[I]]
; CHECK: [[J:%.*]] = add nuw nsw i32 [[COLUMN]], 1
; CHECK-NEXT: icmp ult i32 [[J]], [[COUNT]]
define void @tile(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %tile, i32 %pitch, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %above = shl i32 %y32, 4
  %start = add i32 %above, %x32
  %some = icmp ult i32 %start, 324
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ %start, %before ], [ %j, %loop ]
  %row = sdiv i32 %i, 18
  %column = srem i32 %i, 18
  %line = mul i32 %row, %pitch
  %at = add i32 %line, %column
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %at
  %a = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(3) %tile, i32 %i
  store i32 %a, ptr addrspace(3) %to
  %j = add i32 %i, 256
  %more = icmp slt i32 %i, 68
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; The work-group comes together before and behind: these are regions of their own, and that of the loop has code for the first lane.
; CUT-LABEL: define internal i32 @difference.region2(
; CUT: icmp eq i64 %lane{{.*}}, 0
; CUT-NOT: store i32 0, ptr addrspace(1)
; CUT-LABEL: define internal i32 @difference.region2.3(
; CUT: phi i64 [ 1, %regular ]
; CUT-NOT: store i32 0, ptr addrspace(1)
; CUT-LABEL: define internal i32 @difference.region3(
; CUT-LABEL: define internal i32 @difference.region4(
; CUT: store i32 0, ptr addrspace(1)

; Numbers are not told apart behind the loop: the work-group has to meet there. What is left of a division may be a difference.
; CHECK-LABEL: define void @difference(
; CHECK: rows.done:
; CHECK-NEXT: br label %end, !ze_cpu.meeting
; CHECK: loop.row:
; CHECK-NEXT: [[COLUMN:%.*]] = phi i32
; CHECK: [[LINE:%.*]] = mul i32 {{%.*}}, %pitch
; CHECK-NEXT: add i32 [[LINE]], [[COLUMN]]
define void @difference(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %tile, i32 %pitch, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %above = shl i32 %y32, 4
  %start = add i32 %above, %x32
  %some = icmp ult i32 %start, 324
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ %start, %before ], [ %j, %loop ]
  %row = sdiv i32 %i, 18
  %less = mul i32 %row, -18
  %column = add i32 %less, %i
  %line = mul i32 %row, %pitch
  %at = add i32 %line, %column
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %at
  %a = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(3) %tile, i32 %i
  store i32 %a, ptr addrspace(3) %to
  %j = add i32 %i, 256
  %more = icmp slt i32 %i, 68
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  store i32 0, ptr addrspace(1) %p
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; The bound must not be so large that numbers overflow, and be the one that was asked for before.
; CHECK-LABEL: define void @unknown_bound(
; CHECK: icmp ule i32 %n, 2147482623
; CHECK: br i1 {{%.*}}, label %first, label %apart
define void @unknown_bound(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %tile, i32 %pitch, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %above = shl i32 %y32, 4
  %start = add i32 %above, %x32
  %some = icmp ult i32 %start, %n
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ %start, %before ], [ %j, %loop ]
  %row = sdiv i32 %i, 18
  %column = srem i32 %i, 18
  %line = mul i32 %row, %pitch
  %at = add i32 %line, %column
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %at
  %a = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(3) %tile, i32 %i
  store i32 %a, ptr addrspace(3) %to
  %j = add i32 %i, 256
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; Numbers that are no sums of x and y.
define void @other_numbers(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %tile, i32 %pitch, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %above = shl i32 %y32, 4
  %start = xor i32 %above, %x32
  %some = icmp ult i32 %start, 324
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ %start, %before ], [ %j, %loop ]
  %row = sdiv i32 %i, 18
  %column = srem i32 %i, 18
  %line = mul i32 %row, %pitch
  %at = add i32 %line, %column
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %at
  %a = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(3) %tile, i32 %i
  store i32 %a, ptr addrspace(3) %to
  %j = add i32 %i, 256
  %more = icmp slt i32 %i, 68
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; Rows are those of the work-group: that is what other rules are for.
define void @no_division(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %tile, i32 %pitch, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %above = shl i32 %y32, 4
  %start = add i32 %above, %x32
  %some = icmp ult i32 %start, 324
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ %start, %before ], [ %j, %loop ]
  %row = add i32 %i, 0
  %column = add i32 %i, 1
  %line = mul i32 %row, %pitch
  %at = add i32 %line, %column
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %at
  %a = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(3) %tile, i32 %i
  store i32 %a, ptr addrspace(3) %to
  %j = add i32 %i, 256
  %more = icmp slt i32 %i, 68
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; What is done depends on who does it.
define void @tells_lanes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %tile, i32 %pitch, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %above = shl i32 %y32, 4
  %start = add i32 %above, %x32
  %some = icmp ult i32 %start, 324
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ %start, %before ], [ %j, %loop ]
  %row = sdiv i32 %i, 18
  %column = srem i32 %i, 18
  %line = mul i32 %row, %pitch
  %at = add i32 %line, %column
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %at
  %a = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(3) %tile, i32 %i
  store i32 %x32, ptr addrspace(3) %to
  %j = add i32 %i, 256
  %more = icmp slt i32 %i, 68
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; Sub-groups meet by themselves.
define void @sub_groups(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %tile, i32 %pitch, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %above = shl i32 %y32, 4
  %start = add i32 %above, %x32
  %some = icmp ult i32 %start, 324
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ %start, %before ], [ %j, %loop ]
  %row = sdiv i32 %i, 18
  %column = srem i32 %i, 18
  %line = mul i32 %row, %pitch
  %at = add i32 %line, %column
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %at
  %a = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(3) %tile, i32 %i
  store i32 %a, ptr addrspace(3) %to
  %j = add i32 %i, 256
  %more = icmp slt i32 %i, 68
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 0)
  ret void
}

; As a number without a sign, the bound is more than all others.
define void @negative_bound(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %tile, i32 %pitch, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %above = shl i32 %y32, 4
  %start = add i32 %above, %x32
  %some = icmp ult i32 %start, 324
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ %start, %before ], [ %j, %loop ]
  %row = sdiv i32 %i, 18
  %column = srem i32 %i, 18
  %line = mul i32 %row, %pitch
  %at = add i32 %line, %column
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %at
  %a = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(3) %tile, i32 %i
  store i32 %a, ptr addrspace(3) %to
  %j = add i32 %i, 256
  %more = icmp slt i32 %i, -100
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; Atomic operations tell who was first.
define void @changes_others(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %tile, i32 %pitch, i32 %n) {
entry:
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %above = shl i32 %y32, 4
  %start = add i32 %above, %x32
  %some = icmp ult i32 %start, 324
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ %start, %before ], [ %j, %loop ]
  %row = sdiv i32 %i, 18
  %column = srem i32 %i, 18
  %line = mul i32 %row, %pitch
  %at = add i32 %line, %column
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %at
  %a = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(3) %tile, i32 %i
  store i32 %a, ptr addrspace(3) %to
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %j = add i32 %i, 256
  %more = icmp slt i32 %i, 68
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}
