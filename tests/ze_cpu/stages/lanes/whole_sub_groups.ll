; What is known in a sub-group that has all its lanes: it begins at a multiple of its size, and no index of its work-group wraps around
; or begins elsewhere.
; RUN: --stage=make_region_entry --function=bits
; RUN-W: --stage=make_region_entry --function=wide
; RUN-P: --stage=make_region_entry --function=parts

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

; The number among all work-items, of which quotients by multiples of the sub-group's size are the same in a sub-group, and remainders
; count its lanes.
; P-LABEL: define internal i32 @parts.region1(
; P: [[BASE:%.*]] = sext i32 {{%.*}} to i64
; P: [[BEGIN:%.*]] = add i64 [[BASE]], {{%.*}}
; P-NEXT: [[FIRST:%.*]] = trunc i64 [[BEGIN]] to i32
; P-NEXT: [[ROW:%.*]] = sdiv i32 [[FIRST]], 96
; P: store volatile i32 [[ROW]],
; P: [[REST:%.*]] = srem i32 {{%.*}}, 96
; P-NEXT: [[LOWER:%.*]] = trunc i64 %step to i32
; P-NEXT: [[COLUMN:%.*]] = add nuw nsw i32 [[REST]], [[LOWER]]
; P: store volatile i32 [[COLUMN]],
; Not by others, nor of the number in another place.
; P: [[SMALL:%.*]] = sdiv i32 {{%.*}}, 48
; P: store volatile i32 [[SMALL]],
; P: [[OTHER:%.*]] = sdiv i32 %further, 96
; P: store volatile i32 [[OTHER]],
; Where work-groups begin elsewhere, sub-groups are executed as if they had not all lanes.
; P-LABEL: define void @parts.entry(
; P: [[LAST:%.*]] = add i64 [[SHARED:%.*]], {{%.*}}
; P-NEXT: [[FITS:%.*]] = icmp sle i64 [[LAST]], 2147483647
; P-NEXT: [[BITS:%.*]] = and i64 [[SHARED]], -9223372036854775777
; P-NEXT: [[ALIGNED:%.*]] = icmp eq i64 [[BITS]], 0
; P-NEXT: [[BOTH:%.*]] = and i1 [[FITS]], [[ALIGNED]]
; P-NEXT: and i1 true, [[BOTH]]
define void @parts(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 0)
  %small = trunc i64 %x to i32
  %place = getelementptr i8, ptr %group, i64 48
  %length = load i64, ptr %place, !invariant.load !0
  %length32 = trunc i64 %length to i32
  %base = mul i32 %length32, %n
  %number = add i32 %base, %small
  %row = sdiv i32 %number, 96
  store volatile i32 %row, ptr addrspace(1) %p
  %column = srem i32 %number, 96
  store volatile i32 %column, ptr addrspace(1) %p
  %half = sdiv i32 %number, 48
  store volatile i32 %half, ptr addrspace(1) %p
  %further = add i32 %n, %small
  %other = sdiv i32 %further, 96
  store volatile i32 %other, ptr addrspace(1) %p
  ret void
}

!0 = !{}
