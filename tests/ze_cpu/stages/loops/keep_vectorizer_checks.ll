; A loop that would need more checks of pointers than LLVM makes is not vectorised by request: LLVM would leave out all checks.
; RUN: --stage=KeepVectorizerChecks

; CHECK: ; many: kept
; CHECK-NEXT: ; few: left as it is
; CHECK-NEXT: ; independent: left as it is

; Of 17 pointers there are 136 pairs.
; CHECK-LABEL: define void @many(
; CHECK: br i1 %more, label %lane, label %end, !llvm.loop [[PLAIN:![0-9]+]]
define void @many(ptr %p0, ptr %p1, ptr %p2, ptr %p3, ptr %p4, ptr %p5, ptr %p6, ptr %p7, ptr %p8, ptr %p9, ptr %p10, ptr %p11, ptr %p12, ptr %p13, ptr %p14, ptr %p15, ptr %p16, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %j, %lane ]
  %a0 = getelementptr i32, ptr %p0, i64 %i
  store i32 0, ptr %a0
  %a1 = getelementptr i32, ptr %p1, i64 %i
  store i32 1, ptr %a1
  %a2 = getelementptr i32, ptr %p2, i64 %i
  store i32 2, ptr %a2
  %a3 = getelementptr i32, ptr %p3, i64 %i
  store i32 3, ptr %a3
  %a4 = getelementptr i32, ptr %p4, i64 %i
  store i32 4, ptr %a4
  %a5 = getelementptr i32, ptr %p5, i64 %i
  store i32 5, ptr %a5
  %a6 = getelementptr i32, ptr %p6, i64 %i
  store i32 6, ptr %a6
  %a7 = getelementptr i32, ptr %p7, i64 %i
  store i32 7, ptr %a7
  %a8 = getelementptr i32, ptr %p8, i64 %i
  store i32 8, ptr %a8
  %a9 = getelementptr i32, ptr %p9, i64 %i
  store i32 9, ptr %a9
  %a10 = getelementptr i32, ptr %p10, i64 %i
  store i32 10, ptr %a10
  %a11 = getelementptr i32, ptr %p11, i64 %i
  store i32 11, ptr %a11
  %a12 = getelementptr i32, ptr %p12, i64 %i
  store i32 12, ptr %a12
  %a13 = getelementptr i32, ptr %p13, i64 %i
  store i32 13, ptr %a13
  %a14 = getelementptr i32, ptr %p14, i64 %i
  store i32 14, ptr %a14
  %a15 = getelementptr i32, ptr %p15, i64 %i
  store i32 15, ptr %a15
  %a16 = getelementptr i32, ptr %p16, i64 %i
  store i32 16, ptr %a16
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %lane, label %end, !llvm.loop !1
end:
  ret void
}

; Of 16 there are 120.
; CHECK-LABEL: define void @few(
; CHECK: br i1 %more, label %lane, label %end, !llvm.loop [[CHECKED:![0-9]+]]
define void @few(ptr %p0, ptr %p1, ptr %p2, ptr %p3, ptr %p4, ptr %p5, ptr %p6, ptr %p7, ptr %p8, ptr %p9, ptr %p10, ptr %p11, ptr %p12, ptr %p13, ptr %p14, ptr %p15, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %j, %lane ]
  %a0 = getelementptr i32, ptr %p0, i64 %i
  store i32 0, ptr %a0
  %a1 = getelementptr i32, ptr %p1, i64 %i
  store i32 1, ptr %a1
  %a2 = getelementptr i32, ptr %p2, i64 %i
  store i32 2, ptr %a2
  %a3 = getelementptr i32, ptr %p3, i64 %i
  store i32 3, ptr %a3
  %a4 = getelementptr i32, ptr %p4, i64 %i
  store i32 4, ptr %a4
  %a5 = getelementptr i32, ptr %p5, i64 %i
  store i32 5, ptr %a5
  %a6 = getelementptr i32, ptr %p6, i64 %i
  store i32 6, ptr %a6
  %a7 = getelementptr i32, ptr %p7, i64 %i
  store i32 7, ptr %a7
  %a8 = getelementptr i32, ptr %p8, i64 %i
  store i32 8, ptr %a8
  %a9 = getelementptr i32, ptr %p9, i64 %i
  store i32 9, ptr %a9
  %a10 = getelementptr i32, ptr %p10, i64 %i
  store i32 10, ptr %a10
  %a11 = getelementptr i32, ptr %p11, i64 %i
  store i32 11, ptr %a11
  %a12 = getelementptr i32, ptr %p12, i64 %i
  store i32 12, ptr %a12
  %a13 = getelementptr i32, ptr %p13, i64 %i
  store i32 13, ptr %a13
  %a14 = getelementptr i32, ptr %p14, i64 %i
  store i32 14, ptr %a14
  %a15 = getelementptr i32, ptr %p15, i64 %i
  store i32 15, ptr %a15
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %lane, label %end, !llvm.loop !1
end:
  ret void
}

; Nothing has to be checked where all accesses are independent.
; CHECK-LABEL: define void @independent(
; CHECK: br i1 %more, label %lane, label %end, !llvm.loop [[INDEPENDENT:![0-9]+]]
define void @independent(ptr %p0, ptr %p1, ptr %p2, ptr %p3, ptr %p4, ptr %p5, ptr %p6, ptr %p7, ptr %p8, ptr %p9, ptr %p10, ptr %p11, ptr %p12, ptr %p13, ptr %p14, ptr %p15, ptr %p16, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %j, %lane ]
  %a0 = getelementptr i32, ptr %p0, i64 %i
  store i32 0, ptr %a0, !llvm.access.group !0
  %a1 = getelementptr i32, ptr %p1, i64 %i
  store i32 1, ptr %a1, !llvm.access.group !0
  %a2 = getelementptr i32, ptr %p2, i64 %i
  store i32 2, ptr %a2, !llvm.access.group !0
  %a3 = getelementptr i32, ptr %p3, i64 %i
  store i32 3, ptr %a3, !llvm.access.group !0
  %a4 = getelementptr i32, ptr %p4, i64 %i
  store i32 4, ptr %a4, !llvm.access.group !0
  %a5 = getelementptr i32, ptr %p5, i64 %i
  store i32 5, ptr %a5, !llvm.access.group !0
  %a6 = getelementptr i32, ptr %p6, i64 %i
  store i32 6, ptr %a6, !llvm.access.group !0
  %a7 = getelementptr i32, ptr %p7, i64 %i
  store i32 7, ptr %a7, !llvm.access.group !0
  %a8 = getelementptr i32, ptr %p8, i64 %i
  store i32 8, ptr %a8, !llvm.access.group !0
  %a9 = getelementptr i32, ptr %p9, i64 %i
  store i32 9, ptr %a9, !llvm.access.group !0
  %a10 = getelementptr i32, ptr %p10, i64 %i
  store i32 10, ptr %a10, !llvm.access.group !0
  %a11 = getelementptr i32, ptr %p11, i64 %i
  store i32 11, ptr %a11, !llvm.access.group !0
  %a12 = getelementptr i32, ptr %p12, i64 %i
  store i32 12, ptr %a12, !llvm.access.group !0
  %a13 = getelementptr i32, ptr %p13, i64 %i
  store i32 13, ptr %a13, !llvm.access.group !0
  %a14 = getelementptr i32, ptr %p14, i64 %i
  store i32 14, ptr %a14, !llvm.access.group !0
  %a15 = getelementptr i32, ptr %p15, i64 %i
  store i32 15, ptr %a15, !llvm.access.group !0
  %a16 = getelementptr i32, ptr %p16, i64 %i
  store i32 16, ptr %a16, !llvm.access.group !0
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %lane, label %end, !llvm.loop !4
end:
  ret void
}

; CHECK: [[PLAIN]] = distinct !{[[PLAIN]], [[PROGRESS:![0-9]+]]}
; CHECK: [[PROGRESS]] = !{!"llvm.loop.mustprogress"}
; CHECK: [[CHECKED]] = distinct !{[[CHECKED]], [[REQUEST:![0-9]+]], [[PROGRESS]]}
; CHECK: [[REQUEST]] = !{!"llvm.loop.vectorize.enable", i1 true}
; CHECK: [[INDEPENDENT]] = distinct !{[[INDEPENDENT]], [[REQUEST]], {{![0-9]+}}}
!0 = distinct !{}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.vectorize.enable", i1 true}
!3 = !{!"llvm.loop.mustprogress"}
!4 = distinct !{!4, !2, !5}
!5 = !{!"llvm.loop.parallel_accesses", !0}
