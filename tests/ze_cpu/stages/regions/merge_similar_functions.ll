; Functions that differ in constants become one.
; RUN: --stage=merge_similar_functions

@point1 = internal constant i32 1
@point2 = internal constant i32 2
declare void @exchange(ptr)

; A function whose address is taken is left, and calls what does its work.
; CHECK: @table = constant [1 x ptr] [ptr @second]
@table = constant [1 x ptr] [ptr @second]

; Calls pass the constants on, where both functions have the same it stays.
; CHECK-LABEL: define void @control(
; CHECK-NEXT: %a = call i32 @first.shared(ptr %memory, i64 0, i64 %last, i64 0, i64 64, ptr @point1, i32 1)
; CHECK-NEXT: %b = call i32 @first.shared(ptr %memory, i64 0, i64 %last, i64 64, i64 128, ptr @point2, i32 2)
; CHECK-NEXT: call i32 @small1.shared(ptr %memory, i64 0, i64 %last, i64 1)
; CHECK-NEXT: call i32 @small1.shared(ptr %memory, i64 0, i64 %last, i64 2)
; CHECK-NEXT: call i32 @distance1(
; CHECK-NEXT: call i32 @distance2(
; CHECK-NEXT: call i32 @divides1(
; CHECK-NEXT: call i32 @divides2(
; CHECK-NEXT: call i32 @inlined1(
; CHECK-NEXT: call i32 @inlined2(
; CHECK-NEXT: call i32 @subtracts(
; CHECK-NEXT: call i32 @loops(
define void @control(ptr %memory, i64 %last) {
  %a = call i32 @first(ptr %memory, i64 0, i64 %last)
  %b = call i32 @second(ptr %memory, i64 0, i64 %last)
  call i32 @small1(ptr %memory, i64 0, i64 %last)
  call i32 @small2(ptr %memory, i64 0, i64 %last)
  call i32 @distance1(ptr %memory, i64 0, i64 %last)
  call i32 @distance2(ptr %memory, i64 0, i64 %last)
  call i32 @divides1(ptr %memory, i64 0, i64 %last)
  call i32 @divides2(ptr %memory, i64 0, i64 %last)
  call i32 @inlined1(ptr %memory, i64 0, i64 %last)
  call i32 @inlined2(ptr %memory, i64 0, i64 %last)
  call i32 @subtracts(ptr %memory, i64 0, i64 %last)
  call i32 @loops(ptr %memory, i64 0, i64 %last)
  ret void
}

; CHECK-LABEL: define internal i32 @second(ptr %memory, i64 %first, i64 %last)
; CHECK-NEXT: entry:
; CHECK-NEXT: [[RESULT:%.*]] = call i32 @first.shared(ptr %memory, i64 %first, i64 %last, i64 64, i64 128, ptr @point2, i32 2)
; CHECK-NEXT: ret i32 [[RESULT]]

define internal i32 @first(ptr %memory, i64 %first, i64 %last) noinline {
entry:
  %begin = getelementptr inbounds i8, ptr %memory, i64 0
  %results = getelementptr inbounds i8, ptr %memory, i64 64
  br label %lane
lane:
  %at = phi i64 [ %first, %entry ], [ %next, %lane ]
  %partner = xor i64 %at, 1
  %from = getelementptr inbounds i32, ptr %begin, i64 %partner
  %value = load i32, ptr %from, align 4, !llvm.access.group !0
  %sum = add i32 %value, 3
  %to = getelementptr inbounds i32, ptr %results, i64 %at
  store i32 %sum, ptr %to, align 4, !llvm.access.group !0
  %next = add nuw i64 %at, 1
  %done = icmp eq i64 %next, %last
  br i1 %done, label %after, label %lane, !llvm.loop !1
after:
  call void @exchange(ptr @point1)
  ret i32 1
}
define internal i32 @second(ptr %memory, i64 %first, i64 %last) noinline {
entry:
  %begin = getelementptr inbounds i8, ptr %memory, i64 64
  %results = getelementptr inbounds i8, ptr %memory, i64 128
  br label %lane
lane:
  %at = phi i64 [ %first, %entry ], [ %next, %lane ]
  %partner = xor i64 %at, 1
  %from = getelementptr inbounds i32, ptr %begin, i64 %partner
  %value = load i32, ptr %from, align 4, !llvm.access.group !3
  %sum = add i32 %value, 3
  %to = getelementptr inbounds i32, ptr %results, i64 %at
  store i32 %sum, ptr %to, align 4, !llvm.access.group !3
  %next = add nuw i64 %at, 1
  %done = icmp eq i64 %next, %last
  br i1 %done, label %after, label %lane, !llvm.loop !4
after:
  call void @exchange(ptr @point2)
  ret i32 2
}

; Distances tell how lanes access memory: they are parameters in code that is to be small only.
; CHECK: define internal i32 @distance1(
; CHECK: define internal i32 @distance2(
define internal i32 @distance1(ptr %memory, i64 %first, i64 %last) noinline {
entry:
  %begin = getelementptr inbounds i8, ptr %memory, i64 0
  %results = getelementptr inbounds i8, ptr %memory, i64 64
  br label %lane
lane:
  %at = phi i64 [ %first, %entry ], [ %next, %lane ]
  %partner = xor i64 %at, 4
  %from = getelementptr inbounds i32, ptr %begin, i64 %partner
  %value = load i32, ptr %from, align 4, !llvm.access.group !6
  %sum = add i32 %value, 9
  %to = getelementptr inbounds i32, ptr %results, i64 %at
  store i32 %sum, ptr %to, align 4, !llvm.access.group !6
  %next = add nuw i64 %at, 1
  %done = icmp eq i64 %next, %last
  br i1 %done, label %after, label %lane, !llvm.loop !7
after:
  call void @exchange(ptr @point1)
  ret i32 1
}
define internal i32 @distance2(ptr %memory, i64 %first, i64 %last) noinline {
entry:
  %begin = getelementptr inbounds i8, ptr %memory, i64 0
  %results = getelementptr inbounds i8, ptr %memory, i64 64
  br label %lane
lane:
  %at = phi i64 [ %first, %entry ], [ %next, %lane ]
  %partner = xor i64 %at, 8
  %from = getelementptr inbounds i32, ptr %begin, i64 %partner
  %value = load i32, ptr %from, align 4, !llvm.access.group !9
  %sum = add i32 %value, 9
  %to = getelementptr inbounds i32, ptr %results, i64 %at
  store i32 %sum, ptr %to, align 4, !llvm.access.group !9
  %next = add nuw i64 %at, 1
  %done = icmp eq i64 %next, %last
  br i1 %done, label %after, label %lane, !llvm.loop !10
after:
  call void @exchange(ptr @point1)
  ret i32 1
}
define internal i32 @small1(ptr %memory, i64 %first, i64 %last) noinline minsize optsize {
entry:
  %begin = getelementptr inbounds i8, ptr %memory, i64 0
  %results = getelementptr inbounds i8, ptr %memory, i64 64
  br label %lane
lane:
  %at = phi i64 [ %first, %entry ], [ %next, %lane ]
  %partner = xor i64 %at, 1
  %from = getelementptr inbounds i32, ptr %begin, i64 %partner
  %value = load i32, ptr %from, align 4, !llvm.access.group !12
  %sum = add i32 %value, 3
  %to = getelementptr inbounds i32, ptr %results, i64 %at
  store i32 %sum, ptr %to, align 4, !llvm.access.group !12
  %next = add nuw i64 %at, 1
  %done = icmp eq i64 %next, %last
  br i1 %done, label %after, label %lane, !llvm.loop !13
after:
  call void @exchange(ptr @point1)
  ret i32 1
}
define internal i32 @small2(ptr %memory, i64 %first, i64 %last) noinline minsize optsize {
entry:
  %begin = getelementptr inbounds i8, ptr %memory, i64 0
  %results = getelementptr inbounds i8, ptr %memory, i64 64
  br label %lane
lane:
  %at = phi i64 [ %first, %entry ], [ %next, %lane ]
  %partner = xor i64 %at, 2
  %from = getelementptr inbounds i32, ptr %begin, i64 %partner
  %value = load i32, ptr %from, align 4, !llvm.access.group !15
  %sum = add i32 %value, 3
  %to = getelementptr inbounds i32, ptr %results, i64 %at
  store i32 %sum, ptr %to, align 4, !llvm.access.group !15
  %next = add nuw i64 %at, 1
  %done = icmp eq i64 %next, %last
  br i1 %done, label %after, label %lane, !llvm.loop !16
after:
  call void @exchange(ptr @point1)
  ret i32 1
}

; A division by a number that is known is none.
; CHECK: define internal i32 @divides1(
define internal i32 @divides1(ptr %memory, i64 %first, i64 %last) noinline minsize optsize {
entry:
  %begin = getelementptr inbounds i8, ptr %memory, i64 0
  %results = getelementptr inbounds i8, ptr %memory, i64 64
  br label %lane
lane:
  %at = phi i64 [ %first, %entry ], [ %next, %lane ]
  %partner = xor i64 %at, 1
  %from = getelementptr inbounds i32, ptr %begin, i64 %partner
  %value = load i32, ptr %from, align 4, !llvm.access.group !18
  %sum = udiv i32 %value, 3
  %to = getelementptr inbounds i32, ptr %results, i64 %at
  store i32 %sum, ptr %to, align 4, !llvm.access.group !18
  %next = add nuw i64 %at, 1
  %done = icmp eq i64 %next, %last
  br i1 %done, label %after, label %lane, !llvm.loop !19
after:
  call void @exchange(ptr @point1)
  ret i32 1
}
define internal i32 @divides2(ptr %memory, i64 %first, i64 %last) noinline minsize optsize {
entry:
  %begin = getelementptr inbounds i8, ptr %memory, i64 0
  %results = getelementptr inbounds i8, ptr %memory, i64 64
  br label %lane
lane:
  %at = phi i64 [ %first, %entry ], [ %next, %lane ]
  %partner = xor i64 %at, 1
  %from = getelementptr inbounds i32, ptr %begin, i64 %partner
  %value = load i32, ptr %from, align 4, !llvm.access.group !21
  %sum = udiv i32 %value, 5
  %to = getelementptr inbounds i32, ptr %results, i64 %at
  store i32 %sum, ptr %to, align 4, !llvm.access.group !21
  %next = add nuw i64 %at, 1
  %done = icmp eq i64 %next, %last
  br i1 %done, label %after, label %lane, !llvm.loop !22
after:
  call void @exchange(ptr @point1)
  ret i32 1
}

; What is inlined costs nothing to be called, and has its constants.
; CHECK: define internal i32 @inlined1(
define internal i32 @inlined1(ptr %memory, i64 %first, i64 %last)  {
entry:
  %begin = getelementptr inbounds i8, ptr %memory, i64 0
  %results = getelementptr inbounds i8, ptr %memory, i64 64
  br label %lane
lane:
  %at = phi i64 [ %first, %entry ], [ %next, %lane ]
  %partner = xor i64 %at, 1
  %from = getelementptr inbounds i32, ptr %begin, i64 %partner
  %value = load i32, ptr %from, align 4, !llvm.access.group !24
  %sum = add i32 %value, 11
  %to = getelementptr inbounds i32, ptr %results, i64 %at
  store i32 %sum, ptr %to, align 4, !llvm.access.group !24
  %next = add nuw i64 %at, 1
  %done = icmp eq i64 %next, %last
  br i1 %done, label %after, label %lane, !llvm.loop !25
after:
  call void @exchange(ptr @point1)
  ret i32 1
}
define internal i32 @inlined2(ptr %memory, i64 %first, i64 %last)  {
entry:
  %begin = getelementptr inbounds i8, ptr %memory, i64 0
  %results = getelementptr inbounds i8, ptr %memory, i64 64
  br label %lane
lane:
  %at = phi i64 [ %first, %entry ], [ %next, %lane ]
  %partner = xor i64 %at, 1
  %from = getelementptr inbounds i32, ptr %begin, i64 %partner
  %value = load i32, ptr %from, align 4, !llvm.access.group !27
  %sum = add i32 %value, 11
  %to = getelementptr inbounds i32, ptr %results, i64 %at
  store i32 %sum, ptr %to, align 4, !llvm.access.group !27
  %next = add nuw i64 %at, 1
  %done = icmp eq i64 %next, %last
  br i1 %done, label %after, label %lane, !llvm.loop !28
after:
  call void @exchange(ptr @point1)
  ret i32 2
}

; These do something else, the last in what its loop says of accesses.
; CHECK: define internal i32 @subtracts(
; CHECK: define internal i32 @loops(
define internal i32 @subtracts(ptr %memory, i64 %first, i64 %last) noinline {
entry:
  %begin = getelementptr inbounds i8, ptr %memory, i64 0
  %results = getelementptr inbounds i8, ptr %memory, i64 64
  br label %lane
lane:
  %at = phi i64 [ %first, %entry ], [ %next, %lane ]
  %partner = xor i64 %at, 1
  %from = getelementptr inbounds i32, ptr %begin, i64 %partner
  %value = load i32, ptr %from, align 4, !llvm.access.group !30
  %sum = sub i32 %value, 3
  %to = getelementptr inbounds i32, ptr %results, i64 %at
  store i32 %sum, ptr %to, align 4, !llvm.access.group !30
  %next = add nuw i64 %at, 1
  %done = icmp eq i64 %next, %last
  br i1 %done, label %after, label %lane, !llvm.loop !31
after:
  call void @exchange(ptr @point1)
  ret i32 1
}
define internal i32 @loops(ptr %memory, i64 %first, i64 %last) noinline {
entry:
  %begin = getelementptr inbounds i8, ptr %memory, i64 0
  %results = getelementptr inbounds i8, ptr %memory, i64 64
  br label %lane
lane:
  %at = phi i64 [ %first, %entry ], [ %next, %lane ]
  %partner = xor i64 %at, 1
  %from = getelementptr inbounds i32, ptr %begin, i64 %partner
  %value = load i32, ptr %from, align 4, !llvm.access.group !33
  %sum = add i32 %value, 3
  %to = getelementptr inbounds i32, ptr %results, i64 %at
  store i32 %sum, ptr %to, align 4, !llvm.access.group !33
  %next = add nuw i64 %at, 1
  %done = icmp eq i64 %next, %last
  br i1 %done, label %after, label %lane, !llvm.loop !34
after:
  call void @exchange(ptr @point1)
  ret i32 3
}

; A variable at an offset that is not known stays in memory.
; CHECK: define internal i64 @variable1(
; CHECK: define internal i64 @variable2(
define internal i64 @variable1(ptr %p, i64 %i) noinline {
  %variable = alloca [64 x i8], align 8
  %at = getelementptr inbounds i8, ptr %variable, i64 8
  store i64 %i, ptr %at, align 8
  %s0 = xor i64 %i, %i
  %s1 = xor i64 %s0, %i
  %s2 = xor i64 %s1, %i
  %s3 = xor i64 %s2, %i
  %s4 = xor i64 %s3, %i
  %s5 = xor i64 %s4, %i
  %s6 = xor i64 %s5, %i
  %s7 = xor i64 %s6, %i
  ret i64 %s7
}
define internal i64 @variable2(ptr %p, i64 %i) noinline {
  %variable = alloca [64 x i8], align 8
  %at = getelementptr inbounds i8, ptr %variable, i64 16
  store i64 %i, ptr %at, align 8
  %s0 = xor i64 %i, %i
  %s1 = xor i64 %s0, %i
  %s2 = xor i64 %s1, %i
  %s3 = xor i64 %s2, %i
  %s4 = xor i64 %s3, %i
  %s5 = xor i64 %s4, %i
  %s6 = xor i64 %s5, %i
  %s7 = xor i64 %s6, %i
  ret i64 %s7
}

; What is called and inlined makes something of a constant.
; CHECK: define internal i64 @passes1(
; CHECK: define internal i64 @passes2(
define internal i64 @inlined(i64 %v) {
  %square = mul i64 %v, %v
  ret i64 %square
}
define internal i64 @passes1(ptr %p, i64 %i) noinline {
  %r = call i64 @inlined(i64 3)
  %s0 = xor i64 %i, %i
  %s1 = xor i64 %s0, %i
  %s2 = xor i64 %s1, %i
  %s3 = xor i64 %s2, %i
  %s4 = xor i64 %s3, %i
  %s5 = xor i64 %s4, %i
  %s6 = xor i64 %s5, %i
  %s7 = xor i64 %s6, %i
  store i64 %r, ptr %p, align 8
  ret i64 %s7
}
define internal i64 @passes2(ptr %p, i64 %i) noinline {
  %r = call i64 @inlined(i64 5)
  %s0 = xor i64 %i, %i
  %s1 = xor i64 %s0, %i
  %s2 = xor i64 %s1, %i
  %s3 = xor i64 %s2, %i
  %s4 = xor i64 %s3, %i
  %s5 = xor i64 %s4, %i
  %s6 = xor i64 %s5, %i
  %s7 = xor i64 %s6, %i
  store i64 %r, ptr %p, align 8
  ret i64 %s7
}

; CHECK-LABEL: define internal i32 @first.shared(ptr %memory, i64 %first, i64 %last, i64 %0, i64 %1, ptr %2, i32 %3)
; CHECK: getelementptr inbounds i8, ptr %memory, i64 %0
; CHECK: getelementptr inbounds i8, ptr %memory, i64 %1
; CHECK: xor i64 %at, 1
; CHECK: call void @exchange(ptr %2)
; CHECK-NEXT: ret i32 %3

; CHECK-LABEL: define internal i32 @small1.shared(ptr %memory, i64 %first, i64 %last, i64 %0)
; CHECK: xor i64 %at, %0

!0 = distinct !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = distinct !{}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.parallel_accesses", !3}
!6 = distinct !{}
!7 = distinct !{!7, !8}
!8 = !{!"llvm.loop.parallel_accesses", !6}
!9 = distinct !{}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.parallel_accesses", !9}
!12 = distinct !{}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.parallel_accesses", !12}
!15 = distinct !{}
!16 = distinct !{!16, !17}
!17 = !{!"llvm.loop.parallel_accesses", !15}
!18 = distinct !{}
!19 = distinct !{!19, !20}
!20 = !{!"llvm.loop.parallel_accesses", !18}
!21 = distinct !{}
!22 = distinct !{!22, !23}
!23 = !{!"llvm.loop.parallel_accesses", !21}
!24 = distinct !{}
!25 = distinct !{!25, !26}
!26 = !{!"llvm.loop.parallel_accesses", !24}
!27 = distinct !{}
!28 = distinct !{!28, !29}
!29 = !{!"llvm.loop.parallel_accesses", !27}
!30 = distinct !{}
!31 = distinct !{!31, !32}
!32 = !{!"llvm.loop.parallel_accesses", !30}
!33 = distinct !{}
!34 = distinct !{!34, !35}
!35 = !{!"llvm.loop.parallel_accesses", !0}
