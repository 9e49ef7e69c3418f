; What the vectoriser would move past an access of the same lane is kept where it is.
; RUN: --stage=KeepAccessOrder

; CHECK: ; unknown: keeps order
; CHECK-NEXT: ; loaded: keeps order
; CHECK-NEXT: ; known: left as it is
; CHECK-NEXT: ; rows: left as it is
; CHECK-NEXT: ; same_row: keeps order
; CHECK-NEXT: ; in_place: keeps order
; CHECK-NEXT: ; other: left as it is
; CHECK-NEXT: ; alone: left as it is
; CHECK-NEXT: ; lanes_own: left as it is

; A part that only execution knows.
; CHECK-LABEL: define void @unknown(
; CHECK: [[NONE:%.*]] = xor i64 {{%.*}}, -1
; CHECK: lane:
; CHECK: [[ZERO:%.*]] = and i64 %i, [[NONE]]
; CHECK: [[A:%.*]] = getelementptr i8, ptr addrspace(1) %a, i64 [[ZERO]]
; CHECK: store i32 %v, ptr addrspace(1) [[A]]
; CHECK: [[B:%.*]] = getelementptr i8, ptr addrspace(1) %b, i64 [[ZERO]]
; CHECK: store i32 %v, ptr addrspace(1) [[B]]
; CHECK: load i32, ptr addrspace(1) %e
; CHECK: [[C:%.*]] = getelementptr i8, ptr addrspace(1) %c, i64 [[ZERO]]
; CHECK: store i32 %x, ptr addrspace(1) [[C]]
define void @unknown(ptr %group, i64 %n, i64 %k, i32 %v) {
entry:
  %place = getelementptr i8, ptr %group, i64 8
  %p = load ptr addrspace(1), ptr %place, align 8
  %behind = getelementptr i8, ptr %group, i64 16
  %q = load ptr addrspace(1), ptr %behind, align 8
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %row = shl nuw nsw i64 %i, 4
  %a = getelementptr i8, ptr addrspace(1) %p, i64 %row
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr i8, ptr addrspace(1) %a, i64 8
  %d = getelementptr i8, ptr addrspace(1) %a, i64 12
  %some = shl i64 %k, 2
  %e = getelementptr i8, ptr addrspace(1) %a, i64 %some
  store i32 %v, ptr addrspace(1) %a, align 4, !llvm.access.group !1
  store i32 %v, ptr addrspace(1) %b, align 4, !llvm.access.group !1
  %x = load i32, ptr addrspace(1) %e, align 4, !llvm.access.group !1
  store i32 %x, ptr addrspace(1) %c, align 4, !llvm.access.group !1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; Loads move to the first of them.
; CHECK-LABEL: define void @loaded(
; CHECK: load i32, ptr addrspace(1) {{%[0-9]+}}
; CHECK: store i32 %v, ptr addrspace(1) %e
; CHECK: load i32, ptr addrspace(1) {{%[0-9]+}}
; CHECK: store i32 %sum, ptr addrspace(1) %d
define void @loaded(ptr %group, i64 %n, i64 %k, i32 %v) {
entry:
  %place = getelementptr i8, ptr %group, i64 8
  %p = load ptr addrspace(1), ptr %place, align 8
  %behind = getelementptr i8, ptr %group, i64 16
  %q = load ptr addrspace(1), ptr %behind, align 8
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %row = shl nuw nsw i64 %i, 4
  %a = getelementptr i8, ptr addrspace(1) %p, i64 %row
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr i8, ptr addrspace(1) %a, i64 8
  %d = getelementptr i8, ptr addrspace(1) %a, i64 12
  %some = shl i64 %k, 2
  %e = getelementptr i8, ptr addrspace(1) %a, i64 %some
  %x = load i32, ptr addrspace(1) %a, align 4, !llvm.access.group !1
  store i32 %v, ptr addrspace(1) %e, align 4, !llvm.access.group !1
  %y = load i32, ptr addrspace(1) %b, align 4, !llvm.access.group !1
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(1) %d, align 4, !llvm.access.group !1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; Another part.
; CHECK-LABEL: define void @known(
define void @known(ptr %group, i64 %n, i64 %k, i32 %v) {
entry:
  %place = getelementptr i8, ptr %group, i64 8
  %p = load ptr addrspace(1), ptr %place, align 8
  %behind = getelementptr i8, ptr %group, i64 16
  %q = load ptr addrspace(1), ptr %behind, align 8
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %row = shl nuw nsw i64 %i, 4
  %a = getelementptr i8, ptr addrspace(1) %p, i64 %row
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr i8, ptr addrspace(1) %a, i64 8
  %d = getelementptr i8, ptr addrspace(1) %a, i64 12
  store i32 %v, ptr addrspace(1) %a, align 4, !llvm.access.group !1
  %x = load i32, ptr addrspace(1) %d, align 4, !llvm.access.group !1
  store i32 %x, ptr addrspace(1) %b, align 4, !llvm.access.group !1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; The same part of other lanes, or another one.
; CHECK-LABEL: define void @rows(
define void @rows(ptr %group, i64 %n, i64 %k, i32 %v) {
entry:
  %place = getelementptr i8, ptr %group, i64 8
  %p = load ptr addrspace(1), ptr %place, align 8
  %behind = getelementptr i8, ptr %group, i64 16
  %q = load ptr addrspace(1), ptr %behind, align 8
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %row = shl nuw nsw i64 %i, 4
  %a = getelementptr i8, ptr addrspace(1) %p, i64 %row
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr i8, ptr addrspace(1) %a, i64 8
  %d = getelementptr i8, ptr addrspace(1) %a, i64 12
  %far = shl i64 %k, 4
  %f = getelementptr i8, ptr addrspace(1) %d, i64 %far
  store i32 %v, ptr addrspace(1) %a, align 4, !llvm.access.group !1
  %x = load i32, ptr addrspace(1) %f, align 4, !llvm.access.group !1
  store i32 %x, ptr addrspace(1) %b, align 4, !llvm.access.group !1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; The part of another lane, or of this one.
; CHECK-LABEL: define void @same_row(
; CHECK: store i32 %v, ptr addrspace(1) {{%[0-9]+}}
define void @same_row(ptr %group, i64 %n, i64 %k, i32 %v) {
entry:
  %place = getelementptr i8, ptr %group, i64 8
  %p = load ptr addrspace(1), ptr %place, align 8
  %behind = getelementptr i8, ptr %group, i64 16
  %q = load ptr addrspace(1), ptr %behind, align 8
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %row = shl nuw nsw i64 %i, 4
  %a = getelementptr i8, ptr addrspace(1) %p, i64 %row
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr i8, ptr addrspace(1) %a, i64 8
  %d = getelementptr i8, ptr addrspace(1) %a, i64 12
  %far = shl i64 %k, 4
  %f = getelementptr i8, ptr addrspace(1) %a, i64 %far
  store i32 %v, ptr addrspace(1) %a, align 4, !llvm.access.group !1
  %x = load i32, ptr addrspace(1) %f, align 4, !llvm.access.group !1
  store i32 %x, ptr addrspace(1) %b, align 4, !llvm.access.group !1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; Another pointer, which may be the same.
; CHECK-LABEL: define void @in_place(
; CHECK: store i32 %v, ptr addrspace(1) {{%[0-9]+}}
define void @in_place(ptr %group, i64 %n, i64 %k, i32 %v) {
entry:
  %place = getelementptr i8, ptr %group, i64 8
  %p = load ptr addrspace(1), ptr %place, align 8
  %behind = getelementptr i8, ptr %group, i64 16
  %q = load ptr addrspace(1), ptr %behind, align 8
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %row = shl nuw nsw i64 %i, 4
  %a = getelementptr i8, ptr addrspace(1) %p, i64 %row
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr i8, ptr addrspace(1) %a, i64 8
  %d = getelementptr i8, ptr addrspace(1) %a, i64 12
  %f = getelementptr i8, ptr addrspace(1) %q, i64 %row
  store i32 %v, ptr addrspace(1) %a, align 4, !llvm.access.group !1
  %x = load i32, ptr addrspace(1) %f, align 4, !llvm.access.group !1
  store i32 %x, ptr addrspace(1) %b, align 4, !llvm.access.group !1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; Another pointer, and where it is the same one another part.
; CHECK-LABEL: define void @other(
define void @other(ptr %group, i64 %n, i64 %k, i32 %v) {
entry:
  %place = getelementptr i8, ptr %group, i64 8
  %p = load ptr addrspace(1), ptr %place, align 8
  %behind = getelementptr i8, ptr %group, i64 16
  %q = load ptr addrspace(1), ptr %behind, align 8
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %row = shl nuw nsw i64 %i, 4
  %a = getelementptr i8, ptr addrspace(1) %p, i64 %row
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr i8, ptr addrspace(1) %a, i64 8
  %d = getelementptr i8, ptr addrspace(1) %a, i64 12
  %f0 = getelementptr i8, ptr addrspace(1) %q, i64 %row
  %f = getelementptr i8, ptr addrspace(1) %f0, i64 4
  store i32 %v, ptr addrspace(1) %a, align 4, !llvm.access.group !1
  %x = load i32, ptr addrspace(1) %f, align 4, !llvm.access.group !1
  store i32 %x, ptr addrspace(1) %b, align 4, !llvm.access.group !1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; Nothing is between them.
; CHECK-LABEL: define void @alone(
define void @alone(ptr %group, i64 %n, i64 %k, i32 %v) {
entry:
  %place = getelementptr i8, ptr %group, i64 8
  %p = load ptr addrspace(1), ptr %place, align 8
  %behind = getelementptr i8, ptr %group, i64 16
  %q = load ptr addrspace(1), ptr %behind, align 8
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %row = shl nuw nsw i64 %i, 4
  %a = getelementptr i8, ptr addrspace(1) %p, i64 %row
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr i8, ptr addrspace(1) %a, i64 8
  %d = getelementptr i8, ptr addrspace(1) %a, i64 12
  %some = shl i64 %k, 2
  %e = getelementptr i8, ptr addrspace(1) %a, i64 %some
  %x = load i32, ptr addrspace(1) %e, align 4, !llvm.access.group !1
  store i32 %v, ptr addrspace(1) %a, align 4, !llvm.access.group !1
  store i32 %x, ptr addrspace(1) %b, align 4, !llvm.access.group !1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

; The order of what lies in the lanes' memory is seen to elsewhere.
; CHECK-LABEL: define void @lanes_own(
define void @lanes_own(ptr %group, i64 %n, i64 %k, i32 %v) {
entry:
  %place = getelementptr i8, ptr %group, i64 160
  %p = load ptr addrspace(1), ptr %place, align 8
  %behind = getelementptr i8, ptr %group, i64 16
  %q = load ptr addrspace(1), ptr %behind, align 8
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %row = shl nuw nsw i64 %i, 4
  %a = getelementptr i8, ptr addrspace(1) %p, i64 %row
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr i8, ptr addrspace(1) %a, i64 8
  %d = getelementptr i8, ptr addrspace(1) %a, i64 12
  %some = shl i64 %k, 2
  %e = getelementptr i8, ptr addrspace(1) %a, i64 %some
  store i32 %v, ptr addrspace(1) %a, align 4, !llvm.access.group !1
  store i32 %v, ptr addrspace(1) %b, align 4, !llvm.access.group !1
  %x = load i32, ptr addrspace(1) %e, align 4, !llvm.access.group !1
  store i32 %x, ptr addrspace(1) %c, align 4, !llvm.access.group !1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %lane, label %end, !llvm.loop !0
end:
  ret void
}

!0 = distinct !{!0, !2, !3}
!1 = distinct !{}
!2 = !{!"llvm.loop.vectorize.enable", i1 true}
!3 = !{!"llvm.loop.parallel_accesses", !1}
