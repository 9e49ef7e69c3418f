; What a function that others call has to wait for on their behalf.
; RUN: --stage=keep_lock_step --called

; A fence may be about what the caller has stored, or will.
; CHECK-LABEL: define void @fence(
; CHECK-NEXT: call i64 @ze_cpu.sync(
; CHECK-NEXT: fence syncscope("singlethread") seq_cst
; CHECK-NEXT: call i64 @ze_cpu.sync(
; CHECK-NEXT: ret void
define void @fence(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  fence syncscope("singlethread") seq_cst
  ret void
}

; A way without an access changes nothing for the caller.
; CHECK-LABEL: define void @one_way(
; CHECK: access:
; CHECK-NEXT: call i64 @ze_cpu.sync(
; CHECK-NEXT: load volatile
; CHECK-NEXT: call i64 @ze_cpu.sync(
; CHECK-NEXT: ret void
; CHECK: none:
; CHECK-NEXT: ret void
define void @one_way(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i1 %is) {
  br i1 %is, label %access, label %none
access:
  %a = load volatile i32, ptr addrspace(3) %p
  ret void
none:
  ret void
}

; An argument is another object in each lane, whatever the function says of its own accesses.
; CHECK-LABEL: define void @restricted(
; CHECK: store volatile
; CHECK-NEXT: call i64 @ze_cpu.sync(
; CHECK-NEXT: load volatile
define void @restricted(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %p, ptr addrspace(1) %q) {
  store volatile i32 1, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %q
  ret void
}

; Nothing is waited for where nothing is ordered.
; CHECK-LABEL: define void @ordinary(
; CHECK-NOT: ze_cpu.sync
; CHECK: ret void
define void @ordinary(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  %a = load i32, ptr addrspace(1) %p
  ret void
}
