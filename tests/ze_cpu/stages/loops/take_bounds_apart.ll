; Where masks would make work-items access memory one by one, groups that are wholly inside of the kernel's bounds do not ask.
; RUN: --stage=take_bounds_apart

; CHECK: ; bytes: has bounds
; CHECK-NEXT: ; structures: has bounds
; CHECK-NEXT: ; divisions: has bounds
; CHECK-NEXT: ; side_by_side: left as it is
; CHECK-NEXT: ; unbounded: left as it is

; CHECK-LABEL: define void @bytes(
; CHECK: br i1 %inside, label %in, label %out
define void @bytes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
entry:
  %inside = icmp ult i64 %x, %n
  br i1 %inside, label %in, label %out
in:
  %place = getelementptr i8, ptr addrspace(1) %p, i64 %x
  store i8 1, ptr addrspace(1) %place
  br label %out
out:
  ret void
}

define void @structures(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
entry:
  %inside = icmp ult i64 %x, %n
  br i1 %inside, label %in, label %out
in:
  %place = getelementptr [4 x float], ptr addrspace(1) %p, i64 %x
  store float 1.0, ptr addrspace(1) %place
  br label %out
out:
  ret void
}

define void @divisions(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
entry:
  %inside = icmp ult i64 %x, %n
  br i1 %inside, label %in, label %out
in:
  %quotient = udiv i64 %x, %n
  %place = getelementptr i64, ptr addrspace(1) %p, i64 %x
  store i64 %quotient, ptr addrspace(1) %place
  br label %out
out:
  ret void
}

define void @side_by_side(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
entry:
  %inside = icmp ult i64 %x, %n
  br i1 %inside, label %in, label %out
in:
  %place = getelementptr float, ptr addrspace(1) %p, i64 %x
  store float 1.0, ptr addrspace(1) %place
  br label %out
out:
  ret void
}

define void @unbounded(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) {
  %place = getelementptr i8, ptr addrspace(1) %p, i64 %x
  store i8 1, ptr addrspace(1) %place
  ret void
}

; The copy, and who may run it.
; CHECK-LABEL: define internal void @bytes.inner(
; CHECK-NEXT: entry:
; CHECK-NOT: br i1
; CHECK: store i8 1
; CHECK-LABEL: define internal i1 @bytes.inner.inside(
; CHECK: icmp ult i64 %{{[0-9]+}}, %{{[0-9]+}}
; CHECK-LABEL: define void @bytes.entry(
; CHECK: [[ALL:%.*]] = icmp eq i32 {{%.*}}, 0
; CHECK-NEXT: br i1 [[ALL]], label %together, label %apart
; CHECK: [[INSIDE:%.*]] = call i1 @bytes.inner.inside(
; CHECK-NEXT: [[NOT:%.*]] = xor i1 [[INSIDE]], true
; CHECK: [[WIDE:%.*]] = zext i1 [[NOT]] to i32
; CHECK: or i32 {{%.*}}, [[WIDE]]
; CHECK: together:
; CHECK: apart:
; CHECK: call void @bytes.inner(
; CHECK: call void @bytes(
