; Parts of private variables that a region uses at known places are values inside of it.
; RUN: --stage=make_region_entry --function=sort
; RUN-W: --stage=make_region_entry --function=written
; RUN-K: --stage=make_region_entry --function=kept
; RUN-N: --stage=make_region_entry --function=narrow

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; Loaded where a lane begins, stored where it ends, and no more often, whatever happens in between.
; CHECK-LABEL: define internal i32 @sort.region1(
; CHECK: lane:
; CHECK: [[A:%.*]] = load i16, ptr {{%.*}}, align 4, !llvm.access.group [[GROUP:!.*]]
; CHECK: [[B:%.*]] = load i16, ptr {{%.*}}, align 2, !llvm.access.group [[GROUP]]
; CHECK: lane.end:
; CHECK: store i16 {{%.*}}, ptr {{%.*}}, align 4, !llvm.access.group [[GROUP]]
; CHECK: store i16 {{%.*}}, ptr {{%.*}}, align 2, !llvm.access.group [[GROUP]]
; CHECK-NOT: load i16
; CHECK-NOT: store i16
; CHECK: ret i32
; A place that only execution knows.
; CHECK-LABEL: define internal i32 @sort.region2(
; CHECK: getelementptr i16, ptr {{%.*}}, i64
; CHECK: load i16
define void @sort(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %a = alloca [4 x i16], align 4
  %second = getelementptr inbounds i16, ptr %a, i64 1
  %from = getelementptr inbounds [4 x i16], ptr addrspace(1) %p, i64 %x
  %v = load <4 x i16>, ptr addrspace(1) %from
  store <4 x i16> %v, ptr %a
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 0)
  %l = load i16, ptr %a
  %h = load i16, ptr %second
  %c = icmp ugt i16 %l, %h
  br i1 %c, label %swap, label %done
swap:
  store i16 %h, ptr %a
  store i16 %l, ptr %second
  br label %done
done:
  %l2 = load i16, ptr %a
  %h2 = load i16, ptr %second
  %sum = add i16 %l2, %h2
  store volatile i16 %sum, ptr addrspace(1) %p
  %t = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 0)
  %i = and i64 %x, 3
  %any = getelementptr i16, ptr %a, i64 %i
  %found = load i16, ptr %any
  store volatile i16 %found, ptr addrspace(1) %p
  ret void
}

; Not where parts overlap, or a part has two types: memory stays what it is.
; W-LABEL: define internal i32 @written.region1(
; W: lane:
; W-NOT: load i
; W: resume:
; W: store i16
; W: load i32
; W: store i32
; W: load i16
; W: load i16
define void @written(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %a = alloca [4 x i16], align 4
  %second = getelementptr inbounds i16, ptr %a, i64 1
  store i16 1, ptr %a
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 0)
  store i16 3, ptr %a
  %both = load i32, ptr %a
  %more = add i32 %both, 65536
  store i32 %more, ptr %a
  %l = load i16, ptr %a
  %h = load i16, ptr %second
  %sum = add i16 %l, %h
  store volatile i16 %sum, ptr addrspace(1) %p
  ret void
}

; Nor where the address goes elsewhere, nor where a part has no more accesses than the value would.
; K-LABEL: define internal i32 @kept.region1(
; K: lane:
; K-NOT: load i
; K: resume:
; K: call void @elsewhere(
; K: load i16
; K: load i16
; K: load i32
declare void @elsewhere(ptr)
define void @kept(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %a = alloca [4 x i16], align 4
  %b = alloca i32
  store i16 1, ptr %a
  store i32 5, ptr %b
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 0)
  call void @elsewhere(ptr %a)
  %l = load i16, ptr %a
  %h = load i16, ptr %a
  %once = load i32, ptr %b
  %sum = add i16 %l, %h
  store volatile i16 %sum, ptr addrspace(1) %p
  store volatile i32 %once, ptr addrspace(1) %p
  ret void
}

; Where many elements of 16 bits are accessed one by one, lanes go one after the other. Their places are not known to be side by side.
; N-LABEL: define internal i32 @narrow.region1(
; N: lane:
; N: [[PLACE:%.*]] = and i64 %place,
; N-NEXT: getelementptr inbounds [64 x i8], ptr {{%.*}}, i64 [[PLACE]]
; N: br i1 {{%.*}}, label %lane, label %lanes.end, !llvm.loop [[LOOP:![0-9]+]]
; N: [[LOOP]] = distinct !{[[LOOP]], [[OFF:![0-9]+]],
; N: [[OFF]] = !{!"llvm.loop.vectorize.enable", i1 false}
define void @narrow(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %i) {
  %a = alloca [32 x i16], align 4
  %a1 = getelementptr inbounds i16, ptr %a, i64 1
  %a2 = getelementptr inbounds i16, ptr %a, i64 2
  %a3 = getelementptr inbounds i16, ptr %a, i64 3
  %a4 = getelementptr inbounds i16, ptr %a, i64 4
  %a5 = getelementptr inbounds i16, ptr %a, i64 5
  %a6 = getelementptr inbounds i16, ptr %a, i64 6
  %a7 = getelementptr inbounds i16, ptr %a, i64 7
  %a8 = getelementptr inbounds i16, ptr %a, i64 8
  %a9 = getelementptr inbounds i16, ptr %a, i64 9
  %a10 = getelementptr inbounds i16, ptr %a, i64 10
  %a11 = getelementptr inbounds i16, ptr %a, i64 11
  %a12 = getelementptr inbounds i16, ptr %a, i64 12
  %a13 = getelementptr inbounds i16, ptr %a, i64 13
  %a14 = getelementptr inbounds i16, ptr %a, i64 14
  %a15 = getelementptr inbounds i16, ptr %a, i64 15
  %a16 = getelementptr inbounds i16, ptr %a, i64 16
  %a17 = getelementptr inbounds i16, ptr %a, i64 17
  store i16 1, ptr %a
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 0)
  store i16 1, ptr %a1
  store i16 2, ptr %a2
  store i16 3, ptr %a3
  store i16 4, ptr %a4
  store i16 5, ptr %a5
  store i16 6, ptr %a6
  store i16 7, ptr %a7
  store i16 8, ptr %a8
  store i16 9, ptr %a9
  store i16 10, ptr %a10
  store i16 11, ptr %a11
  store i16 12, ptr %a12
  store i16 13, ptr %a13
  store i16 14, ptr %a14
  store i16 15, ptr %a15
  store i16 16, ptr %a16
  store i16 17, ptr %a17
  %some = getelementptr inbounds i16, ptr %a, i64 %i
  %found = load i16, ptr %some
  store volatile i16 %found, ptr addrspace(1) %p
  ret void
}
