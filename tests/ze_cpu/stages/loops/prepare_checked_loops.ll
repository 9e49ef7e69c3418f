; Loops over lanes that call checks become vectors.
; RUN: --stage=PrepareCheckedLoops

declare void @ze_cpu_trace(i64, i64, i64) #0
declare void @ze_cpu_check(i64, i64, i64) #0

; CHECK: ; traced: prepared
; CHECK: ; checked: prepared
; CHECK: ; side_by_side: left as it is
; CHECK: ; not_of_lanes: left as it is

; For many lanes at once, which a stride that is not known does not prevent.
; CHECK-LABEL: define void @traced(
; CHECK: [[ADDRESS:%.*]] = freeze ptr %address
; CHECK: load float, ptr [[ADDRESS]]
; CHECK: br i1 {{.*}} !llvm.loop [[WIDE:!.*]]
define void @traced(ptr %p, i64 %stride, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %index = mul i64 %i, %stride
  %address = getelementptr float, ptr %p, i64 %index
  %number = ptrtoint ptr %address to i64
  call void @ze_cpu_trace(i64 0, i64 %i, i64 %number)
  %value = load float, ptr %address
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; Where checks are seldom called, LLVM knows how many.
; CHECK-LABEL: define void @checked(
; CHECK: freeze ptr %address
; CHECK: br i1 {{.*}} !llvm.loop [[LANES:!.*]]
define void @checked(ptr %p, i64 %stride, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %index = mul i64 %i, %stride
  %address = getelementptr float, ptr %p, i64 %index
  %number = ptrtoint ptr %address to i64
  call void @ze_cpu_check(i64 0, i64 %i, i64 %number)
  store float 0.0, ptr %address
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define void @side_by_side(
; CHECK-NOT: freeze
; CHECK: ret void
define void @side_by_side(ptr %p, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %address = getelementptr float, ptr %p, i64 %i
  %number = ptrtoint ptr %address to i64
  call void @ze_cpu_check(i64 0, i64 %i, i64 %number)
  store float 0.0, ptr %address
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define void @not_of_lanes(
; CHECK-NOT: llvm.loop
; CHECK: ret void
define void @not_of_lanes(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @ze_cpu_trace(i64 0, i64 %i, i64 0)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-DAG: [[WIDE]] = distinct !{[[WIDE]], {{.*}}, [[WIDTH:![0-9]+]], [[MASKED:![0-9]+]]}
; CHECK-DAG: [[WIDTH]] = !{!"llvm.loop.vectorize.width", i32 16}
; CHECK-DAG: [[MASKED]] = !{!"llvm.loop.vectorize.predicate.enable", i32 1}
; CHECK-DAG: [[LANES]] = distinct !{[[LANES]], ![[#]]}

attributes #0 = { "zecpu.check"="ulv" }
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
