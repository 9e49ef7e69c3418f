; What the next work-group will load and store is fetched while this one computes.
; RUN: --stage=make_region_entry --function=rows
; RUN-LOOP: --stage=make_region_entry --function=loop
; RUN-CLOSE: --stage=make_region_entry --function=near
; RUN-FAR: --stage=make_region_entry --function=far
; RUN-SAME: --stage=make_region_entry --function=same
; RUN-LARGE: --stage=make_region_entry --function=large
; RUN-TILE: --stage=make_region_entry --function=tile

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; One loop for both rows, over the lines of the longer. A line that begins in the group before is the end of one of its own. The
; second region's load is that of the same group; what it writes is fetched to be written.
; CHECK-LABEL: define internal i32 @rows.region0(
; CHECK: [[NEXT:%.*]] = add i64 %2, 1
; CHECK: [[LINE:%prefetch.*]] = phi i64 [ 0,
; CHECK-NEXT: [[FIRST:%.*]] = getelementptr i8, ptr addrspace(1) {{%.*}}, i64 [[LINE]]
; CHECK-NEXT: call void @llvm.prefetch.p1(ptr addrspace(1) [[FIRST]], i32 0, i32 2, i32 1)
; CHECK-NEXT: [[SECOND:%.*]] = getelementptr i8, ptr addrspace(1) {{%.*}}, i64 [[LINE]]
; CHECK-NEXT: call void @llvm.prefetch.p1(ptr addrspace(1) [[SECOND]], i32 0, i32 2, i32 1)
; CHECK-NEXT: add nuw nsw i64 [[LINE]], 64
; CHECK-LABEL: define internal i32 @rows.region1(
; CHECK: call void @llvm.prefetch.p1(ptr addrspace(1) {{%.*}}, i32 1, i32 2, i32 1)
; CHECK-NOT: @llvm.prefetch
; CHECK: define void @rows.entry(
define void @rows(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %begin = mul i64 %gx, 512
  %index = add i64 %begin, %x
  %first = getelementptr float, ptr addrspace(1) %p, i64 %index
  %a = load float, ptr addrspace(1) %first
  %second = getelementptr float, ptr addrspace(1) %first, i64 256
  %b = load float, ptr addrspace(1) %second
  %sum = fadd float %a, %b
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %again = load float, ptr addrspace(1) %p
  %total = fadd float %sum, %again
  store float %total, ptr addrspace(1) %first
  ret void
}

; In a loop with a barrier the first iteration, which has a region of its own, fetches for that of the next group. Behind the barrier
; the next iteration comes first.
; LOOP-LABEL: define internal i32 @loop.region2(
; LOOP: call void @llvm.prefetch
; LOOP-LABEL: define internal i32 @loop.region3(
; LOOP-NOT: @llvm.prefetch
; LOOP: define void @loop.entry(
define void @loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
entry:
  %begin = mul i64 %gx, 512
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %row = add i64 %begin, %i
  %index = add i64 %row, %x
  %place = getelementptr float, ptr addrspace(1) %p, i64 %index
  %a = load float, ptr addrspace(1) %place
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  store float %a, ptr addrspace(1) %place
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; How far neighbours are from each other is known, also of numbers of 32 bits: no second place is computed.
; CLOSE-LABEL: define internal i32 @near.region0(
; CLOSE: [[NEXT:%.*]] = add i64 %2, 1
; CLOSE-NOT: sub i64
; CLOSE: mul i64 4, {{%.*}}
; CLOSE: call void @llvm.prefetch
define void @near(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
  %group32 = trunc i64 %gx to i32
  %begin = mul i32 %group32, %n
  %x32 = trunc i64 %x to i32
  %index = add i32 %begin, %x32
  %wide = sext i32 %index to i64
  %place = getelementptr float, ptr addrspace(1) %p, i64 %wide
  %a = load float, ptr addrspace(1) %place
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  store float %a, ptr addrspace(1) %place
  ret void
}

; Lanes far from each other: no more than one line is fetched. That is decided when the kernel runs, as strides may depend on it.
; FAR-LABEL: define internal i32 @far.region0(
; FAR: [[STRIDE:%.*]] = sub i64
; FAR-NEXT: [[BYTES:%.*]] = mul i64 [[STRIDE]],
; FAR-NEXT: [[NEAR:%.*]] = icmp ule i64 [[STRIDE]], 64
; FAR-NEXT: select i1 [[NEAR]], i64 [[BYTES]], i64 0
define void @far(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %pitch) {
  %row = mul i64 %x, %pitch
  %index = add i64 %row, %gx
  %place = getelementptr float, ptr addrspace(1) %p, i64 %index
  %a = load float, ptr addrspace(1) %place
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  store float %a, ptr addrspace(1) %place
  ret void
}

; What each group loads is there.
; SAME-NOT: @llvm.prefetch
; SAME: define void @same.entry(
; SAME-NOT: @llvm.prefetch
define void @same(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %place = getelementptr float, ptr addrspace(1) %p, i64 %x
  %a = load float, ptr addrspace(1) %place
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  store float %a, ptr addrspace(1) %place
  ret void
}

; Of each row of a tile; what only some rows load, for these. Work-group memory is there, as is what lies at an address that only some
; lanes of a row have.
; TILE-LABEL: define internal i32 @tile.region0(
; TILE: row:
; TILE: [[SOME:%.*]] = or i1 {{%.*}}, {{%.*}}
; TILE: select i1 {{%.*}}, i64 256, i64 -256
; TILE: call void @llvm.prefetch.p1(ptr addrspace(1) {{%.*}}, i32 0, i32 2, i32 1)
; TILE: br i1 [[SOME]], label %fetch, label %fetched
; TILE: call void @llvm.prefetch.p1(ptr addrspace(1) {{%.*}}, i32 0, i32 2, i32 1)
; TILE-NOT: call void @llvm.prefetch
; TILE: define internal i32 @tile.region0.rows(
define void @tile(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %local) {
entry:
  %begin = shl i64 %gx, 3
  %rows = shl i64 %y, 8
  %first = add i64 %begin, %rows
  %index = add i64 %first, %x
  %place = getelementptr float, ptr addrspace(1) %p, i64 %index
  %a = load float, ptr addrspace(1) %place
  %to = getelementptr float, ptr addrspace(3) %local, i64 %index
  store float %a, ptr addrspace(3) %to
  switch i64 %y, label %side [
    i64 0, label %above
    i64 7, label %below
  ]
above:
  br label %border
below:
  br label %border
border:
  %offset = phi i64 [ -256, %above ], [ 256, %below ]
  %neighbour = getelementptr float, ptr addrspace(1) %place, i64 %offset
  %b = load float, ptr addrspace(1) %neighbour
  store float %b, ptr addrspace(3) %to
  br label %side
side:
  %is_first = icmp eq i64 %x, 0
  br i1 %is_first, label %left, label %end
left:
  %before = getelementptr i8, ptr addrspace(1) %place, i64 -4
  %c = load float, ptr addrspace(1) %before
  store float %c, ptr addrspace(3) %to
  br label %end
end:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; A kernel of more than 32 regions computes long enough to hide what it loads.
; LARGE-NOT: @llvm.prefetch
; LARGE: define void @large.entry(
define void @large(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %begin = mul i64 %gx, 512
  %index = add i64 %begin, %x
  %first = getelementptr float, ptr addrspace(1) %p, i64 %index
  %a = load float, ptr addrspace(1) %first
  %b1 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 2, i32 65536)
  %b2 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 3, i32 65536)
  %b3 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 4, i32 65536)
  %b4 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 5, i32 65536)
  %b5 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 6, i32 65536)
  %b6 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 7, i32 65536)
  %b7 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 8, i32 65536)
  %b8 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 9, i32 65536)
  %b9 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 10, i32 65536)
  %b10 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 11, i32 65536)
  %b11 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 12, i32 65536)
  %b12 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 13, i32 65536)
  %b13 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 14, i32 65536)
  %b14 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 15, i32 65536)
  %b15 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 16, i32 65536)
  %b16 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 17, i32 65536)
  %b17 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 18, i32 65536)
  %b18 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 19, i32 65536)
  %b19 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 20, i32 65536)
  %b20 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 21, i32 65536)
  %b21 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 22, i32 65536)
  %b22 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 23, i32 65536)
  %b23 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 24, i32 65536)
  %b24 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 25, i32 65536)
  %b25 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 26, i32 65536)
  %b26 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 27, i32 65536)
  %b27 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 28, i32 65536)
  %b28 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 29, i32 65536)
  %b29 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 30, i32 65536)
  %b30 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 31, i32 65536)
  %b31 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 32, i32 65536)
  %b32 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 33, i32 65536)
  %b33 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 34, i32 65536)
  store float %a, ptr addrspace(1) %first
  ret void
}
