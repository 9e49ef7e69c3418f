; What is known in a sub-group that has all its lanes: it begins at a multiple of its size, and no index of its work-group wraps around.
; RUN: --stage=make_region_entry --function=bits
; RUN-W: --stage=make_region_entry --function=wide

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; CHECK-LABEL: define internal i32 @bits.region1(ptr noalias %0, ptr noalias %1, i64 %2, i64 %3, i64 %4, i64 %5, i64 %6, ptr %7)
; CHECK: [[LANE:%.*]] = and i64 %3, -32
; CHECK-NEXT: [[X:%.*]] = and i64 %4, -32
; What is done for the last lane alone must not be taken for an end of the loop: lanes are counted down beside their numbers.
; CHECK: %left = phi i64 [ 32, %entry ],
; CHECK: %step = phi i64
; CHECK: icmp ne i64 {{%.*}}, 0
; CHECK-NEXT: br i1 {{%.*}}, label %lane, label %lanes.end
; The lower bits count the lanes.
; CHECK: [[LOW:%.*]] = trunc i64 %step to i32
; CHECK: store volatile i32 [[LOW]],
; The upper ones are the first lane's.
; CHECK: [[FIRST:%.*]] = trunc i64 [[X]] to i32
; CHECK-NEXT: [[UP:%.*]] = lshr i32 [[FIRST]], 5
; CHECK: store volatile i32 [[UP]],
; CHECK: [[ALL:%.*]] = and i64 [[LANE]], 255
; CHECK-NEXT: [[SUM:%.*]] = add nuw nsw i64 [[ALL]], %step
; CHECK: store volatile i64 [[SUM]],
; CHECK: [[BELOW:%.*]] = icmp ult i64 [[X]], 64
; CHECK: store volatile i1 [[BELOW]],
; What takes fewer bits, or compares with another number, is of each lane.
; CHECK: [[FOUR:%.*]] = and i64 %x, 15
; CHECK: store volatile i64 [[FOUR]],
; CHECK: [[ODD:%.*]] = icmp ult i64 %x, 65
; CHECK: store volatile i1 [[ODD]],
define void @bits(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 0)
  %n = trunc i64 %x to i32
  %low = and i32 %n, 31
  store volatile i32 %low, ptr addrspace(1) %p
  %up = lshr i32 %n, 5
  store volatile i32 %up, ptr addrspace(1) %p
  %all = and i64 %lane, 255
  store volatile i64 %all, ptr addrspace(1) %p
  %below = icmp ult i64 %x, 64
  store volatile i1 %below, ptr addrspace(1) %p
  %four = and i64 %x, 15
  store volatile i64 %four, ptr addrspace(1) %p
  %odd = icmp ult i64 %x, 65
  store volatile i1 %odd, ptr addrspace(1) %p
  ret void
}

; Twice the local id and what all work-items share, in 32 bits.
; W-LABEL: define internal i32 @wide.region1(ptr noalias %0, ptr noalias %1, i64 %2, i64 %3, i64 %4, i64 %5, i64 %6, ptr %7)
; W: [[BASE:%.*]] = sext i32 {{%.*}} to i64
; W: [[TWICE:%.*]] = mul i64 %x, 2
; W-NEXT: [[INDEX:%.*]] = add nsw i64 [[BASE]], [[TWICE]]
; W: store volatile i64 [[INDEX]],
; Of which y is not one.
; W: sext i32 {{%.*}} to i64
; W-LABEL: define internal void @wide.part(
; W-LABEL: define void @wide.entry(
; W: [[SHARED:%.*]] = sext i32 {{%.*}} to i64
; W: [[LAST:%.*]] = add i64 [[SHARED]],
; W-NEXT: [[FITS:%.*]] = icmp sle i64 [[LAST]], 2147483647
; W-NEXT: {{%.*}} = and i1 true, [[FITS]]
; W-NOT: icmp sle
define void @wide(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 0)
  %small = trunc i64 %x to i32
  %twice = shl i32 %small, 1
  %more = add i32 %twice, %n
  %index = sext i32 %more to i64
  store volatile i64 %index, ptr addrspace(1) %p
  %row = trunc i64 %y to i32
  %other = add i32 %more, %row
  %far = sext i32 %other to i64
  store volatile i64 %far, ptr addrspace(1) %p
  ret void
}
