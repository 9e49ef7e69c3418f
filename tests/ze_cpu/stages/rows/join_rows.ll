; Rows of work-items that go down columns are run together.
; RUN: --stage=join_rows

; CHECK: ; transposes: joined
; CHECK-NEXT: ; loads_columns: joined
; CHECK-NEXT: ; along_rows: left as it is
; CHECK-NEXT: ; loads_again: left as it is
; CHECK-NEXT: ; has_branches: left as it is
; CHECK-NEXT: ; counts_lanes: left as it is
; CHECK-NEXT: ; adds: left as it is

; All loads come before all stores.
; CHECK-LABEL: define internal void @transposes.joined(ptr %0, i64 %1, i64 %2, i64 %3, i64 %4, i64 %5, ptr addrspace(1) %6, i64 %7)
; CHECK: [[SECOND:%.*]] = add nuw nsw i64 %3, 1
; CHECK: [[LAST:%.*]] = add nuw nsw i64 %3, 15
; CHECK: [[A:%.*]] = load float
; CHECK-COUNT-15: load float
; CHECK-NOT: load
; CHECK: store float [[A]]
; CHECK-COUNT-15: store float
; CHECK-NOT: store
; CHECK: ret void
define void @transposes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
  %row = mul i64 %y, %n
  %at = add i64 %row, %x
  %from = getelementptr float, ptr addrspace(1) %p, i64 %at
  %a = load float, ptr addrspace(1) %from
  %column = mul i64 %x, %n
  %turned = add i64 %column, %y
  %to = getelementptr float, ptr addrspace(1) %p, i64 %turned
  store float %a, ptr addrspace(1) %to
  ret void
}

define void @loads_columns(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
  %column = shl i64 %x, 10
  %turned = add i64 %column, %y
  %from = getelementptr float, ptr addrspace(1) %p, i64 %turned
  %a = load float, ptr addrspace(1) %from
  %row = mul i64 %y, %n
  %at = add i64 %row, %x
  %to = getelementptr float, ptr addrspace(1) %p, i64 %at
  store float %a, ptr addrspace(1) %to
  ret void
}

define void @along_rows(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
  %row = mul i64 %y, %n
  %at = add i64 %row, %x
  %place = getelementptr float, ptr addrspace(1) %p, i64 %at
  %a = load float, ptr addrspace(1) %place
  store float %a, ptr addrspace(1) %place
  ret void
}

; What is loaded behind a store may be what was stored.
define void @loads_again(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
  %column = mul i64 %x, %n
  %turned = add i64 %column, %y
  %to = getelementptr float, ptr addrspace(1) %p, i64 %turned
  store float 1.0, ptr addrspace(1) %to
  %a = load float, ptr addrspace(1) %p
  %next = getelementptr float, ptr addrspace(1) %to, i64 1000
  store float %a, ptr addrspace(1) %next
  ret void
}

define void @has_branches(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
  %column = mul i64 %x, %n
  %turned = add i64 %column, %y
  %some = icmp ult i64 %turned, %n
  br i1 %some, label %one, label %end
one:
  %to = getelementptr float, ptr addrspace(1) %p, i64 %turned
  store float 1.0, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; Of other rows, that number is another.
define void @counts_lanes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
  %column = mul i64 %x, %n
  %turned = add i64 %column, %y
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %turned
  store i64 %lane, ptr addrspace(1) %to
  ret void
}

define void @adds(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
  %column = mul i64 %x, %n
  %turned = add i64 %column, %y
  %to = getelementptr i32, ptr addrspace(1) %p, i64 %turned
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %to
  ret void
}
