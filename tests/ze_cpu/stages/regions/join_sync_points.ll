; Operations of a sub-group that lanes can come to at once.
; RUN: --stage=join_sync_points

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; Votes about the bits of a number: what each needs comes before the first, what needs their results behind the last.
; CHECK-LABEL: define i64 @bits(
; CHECK-NEXT: %low = and i64 %v, 1
; CHECK-NEXT: %shifted = lshr i64 %v, 1
; CHECK-NEXT: %next = and i64 %shifted, 1
; CHECK-NEXT: %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %low, i64 0, i32 1, i32 9)
; CHECK-NEXT: %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %next, i64 0, i32 2, i32 9)
; CHECK-NEXT: %other = xor i64 %a, -1
; CHECK-NEXT: %both = and i64 %other, %b
define i64 @bits(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %v) {
  %low = and i64 %v, 1
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %low, i64 0, i32 1, i32 9)
  %other = xor i64 %a, -1
  %shifted = lshr i64 %v, 1
  %next = and i64 %shifted, 1
  %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %next, i64 0, i32 2, i32 9)
  %both = and i64 %other, %b
  ret i64 %both
}

; One that needs the result of another begins anew; so does one behind a barrier, or behind memory that others may look at.
; CHECK-LABEL: define i64 @apart(
; CHECK-NEXT: %a = call
; CHECK-NEXT: %more = add i64 %a, 1
; CHECK-NEXT: %b = call
; CHECK-NEXT: %barrier = call
; CHECK-NEXT: %c = call
; CHECK-NEXT: store i64 %c
; CHECK-NEXT: %d = call
; CHECK-NEXT: %kept = load i64
; CHECK-NEXT: %e = call
; CHECK-NEXT: ret
define i64 @apart(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %v, ptr addrspace(3) %p) {
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 1, i32 1, i32 5)
  %more = add i64 %a, 1
  %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %more, i64 2, i32 2, i32 5)
  %barrier = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 3, i32 0)
  %c = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 0, i32 4, i32 9)
  store i64 %c, ptr addrspace(3) %p
  %d = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 0, i32 5, i32 10)
  %kept = load i64, ptr addrspace(3) %p
  %e = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 0, i32 6, i32 9)
  ret i64 %e
}

; A load of what does not change is no memory in this sense. Reductions stay where they are, as operations of work-groups do.
; CHECK-LABEL: define i64 @kinds(
; CHECK-NEXT: %n = load i64
; CHECK-NEXT: %a = call
; CHECK-NEXT: %b = call
; CHECK-NEXT: %unrelated = add
; CHECK-NEXT: %sum = call
; CHECK-NEXT: %unrelated.too = add
; CHECK-NEXT: %c = call
; CHECK-NEXT: %of.group = call
define i64 @kinds(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %v) {
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 0, i32 1, i32 9)
  %n = load i64, ptr %group, !invariant.load !0
  %unrelated = add i64 %v, 1
  %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %n, i64 0, i32 2, i32 10)
  %sum = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 0, i32 3, i32 270)
  %unrelated.too = add i64 %unrelated, 1
  %c = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 0, i32 4, i32 9)
  %of.group = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 0, i32 5, i32 65545)
  ret i64 %unrelated.too
}

!0 = !{}
