; Of loops that work-items go through one after the other, those are not unrolled that each goes through a number of times of its own, nor
; that over the work-items.
; RUN: --stage=KeepVaryingLoops

; CHECK: ; of_rows: kept
; CHECK-NEXT: ; innermost: left as it is
; CHECK-NEXT: ; of_others: left as it is

; CHECK-LABEL: define void @of_rows(
; The one all go through alike may be.
; CHECK: br i1 %all.more, label %all, label %row.begin{{$}}
; CHECK: br i1 %row.more, label %row, label %until, !llvm.loop [[ROW:![0-9]+]]
; How often this one is gone through nobody can tell before.
; CHECK: br i1 %until.more, label %until, label %next{{$}}
; CHECK: br i1 %more, label %lane, label %end, !llvm.loop [[LANES:![0-9]+]]
define void @of_rows(ptr %starts, ptr %in, ptr %out, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  br label %all
all:
  %a = phi i64 [ 0, %lane ], [ %b, %all ]
  store volatile i64 %a, ptr %out
  %b = add nuw nsw i64 %a, 1
  %all.more = icmp ult i64 %b, %n
  br i1 %all.more, label %all, label %row.begin
row.begin:
  %start.place = getelementptr i64, ptr %starts, i64 %i
  %start = load i64, ptr %start.place
  br label %row
row:
  %k = phi i64 [ 0, %row.begin ], [ %l, %row ]
  store volatile i64 %k, ptr %out
  %l = add nuw nsw i64 %k, 1
  %row.more = icmp ult i64 %l, %start
  br i1 %row.more, label %row, label %until
until:
  %seen = load volatile i64, ptr %in
  %until.more = icmp ne i64 %seen, 0
  br i1 %until.more, label %until, label %next
next:
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; LLVM makes vectors of this one.
define void @innermost(ptr %out, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %j, %lane ]
  %place = getelementptr i64, ptr %out, i64 %i
  store i64 %i, ptr %place
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; Loops around those over work-items are no work-item's.
define void @of_others(ptr %starts, ptr %out, i64 %n) {
entry:
  br label %group
group:
  %g = phi i64 [ 0, %entry ], [ %h, %group.end ]
  %place = getelementptr i64, ptr %starts, i64 %g
  %count = load i64, ptr %place
  br label %lane
lane:
  %i = phi i64 [ 0, %group ], [ %j, %lane ]
  store volatile i64 %i, ptr %out
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %count
  br i1 %more, label %lane, label %group.end, !llvm.loop !0
group.end:
  %h = add nuw nsw i64 %g, 1
  %groups.more = icmp ult i64 %h, %n
  br i1 %groups.more, label %group, label %end
end:
  ret void
}

; CHECK-DAG: [[ROW]] = distinct !{[[ROW]], [[RULE:![0-9]+]]}
; CHECK-DAG: [[RULE]] = !{!"llvm.loop.unroll.runtime.disable", i32 0}
; CHECK-DAG: [[LANES]] = distinct !{[[LANES]], {{!.*}}, [[RULE]]}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
