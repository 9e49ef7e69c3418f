; Which accesses of memory lanes have to meet between: of each function one may or may not depend on what another lane does.
; RUN: --stage=keep_lock_step
; RUN-ALONE: --stage=keep_lock_step --sub-group-size=1

; A sub-group of one lane exchanges nothing.
; ALONE: ; generic: does not wait
; ALONE-NOT: : waits

; CHECK: ; generic: waits
; CHECK: ; private: does not wait
; CHECK: ; constant: does not wait
; CHECK: ; fence_of_all: does not wait
; CHECK: ; fences_of_vote: does not wait
; CHECK: ; atomic_of_all: waits
; CHECK: ; atomic_of_group: does not wait
; CHECK: ; atomic_and_fence: does not wait
; CHECK: ; atomics: does not wait
; CHECK: ; unlocks: does not wait
; CHECK: ; atomic_store_and_load: waits
; CHECK: ; update: waits
; CHECK: ; update_alone: does not wait
; CHECK: ; copy_from: waits
; CHECK: ; copy_to: waits
; CHECK: ; copy_within: waits
; CHECK: ; same_object: waits
; CHECK: ; group_and_all: does not wait
; CHECK: ; variables: does not wait
; CHECK: ; stores: does not wait
; CHECK: ; overwritten: waits
; CHECK: ; part_meets: waits
; CHECK: ; part_at_barrier: does not wait
; CHECK: ; all_meet: does not wait
; CHECK: ; calls_through: waits
; CHECK: ; calls_fence: waits
; CHECK: ; calls_plain: does not wait
; CHECK: ; ordinary_before_call: does not wait

; CHECK-LABEL: define void @overwritten(
; CHECK: store i32 1
; CHECK-NEXT: call i64 @ze_cpu.sync(
; CHECK-NEXT: store i32 2
; CHECK-NEXT: call i64 @ze_cpu.sync(
; CHECK-NEXT: load i32

; Where a pointer points, only its origin may tell.
define void @generic(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %generic = addrspacecast ptr addrspace(3) %p to ptr addrspace(4)
  store i32 1, ptr addrspace(4) %generic
  %a = load i32, ptr addrspace(3) %p
  ret void
}

; What a lane has alone is exchanged with nobody, nor what nobody stores to.
define void @private(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %own = alloca i32
  store volatile i32 1, ptr %own
  %a = load volatile i32, ptr addrspace(1) %p
  ret void
}

define void @constant(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(2) %q) {
  store volatile i32 1, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(2) %q
  ret void
}

; A fence that is not one of the work-group alone orders no work-group memory.
define void @fence_of_all(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(3) %q) {
  store i32 1, ptr addrspace(3) %p
  fence seq_cst
  %a = load i32, ptr addrspace(3) %q
  ret void
}

; Nor do those beside a point where lanes meet: that orders it.
define void @fences_of_vote(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(3) %q) {
  %own = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %own
  fence syncscope("singlethread") seq_cst
  %vote = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 0, i32 9)
  fence syncscope("singlethread") seq_cst
  store i32 2, ptr addrspace(3) %own
  %a = load i32, ptr addrspace(3) %own
  ret void
}

; Atomic updates in memory of all are ordered as volatile accesses are; in work-group memory they are not, nor by fences.
define void @atomic_of_all(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = load volatile i32, ptr addrspace(1) %q
  %b = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
  ret void
}

define void @atomic_of_group(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(3) %q) {
  %a = load volatile i32, ptr addrspace(3) %q
  %b = atomicrmw add ptr addrspace(3) %p, i32 1 seq_cst
  ret void
}

define void @atomic_and_fence(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(3) %q) {
  store i32 1, ptr addrspace(3) %p
  fence syncscope("singlethread") seq_cst
  %b = atomicrmw add ptr addrspace(3) %q, i32 1 seq_cst
  ret void
}

; Between themselves they have no order.
define void @atomics(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %a = atomicrmw add ptr addrspace(3) %p, i32 1 seq_cst
  %b = atomicrmw add ptr addrspace(3) %p, i32 1 seq_cst
  ret void
}

; Nor have an update and an atomic store, as they take a lock and free it; an atomic load may be of what was stored.
define void @unlocks(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %a = cmpxchg ptr addrspace(3) %p, i32 0, i32 1 seq_cst seq_cst
  store atomic i32 0, ptr addrspace(3) %p release, align 4
  %b = atomicrmw xchg ptr addrspace(3) %p, i32 1 seq_cst
  ret void
}
define void @atomic_store_and_load(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  store atomic i32 0, ptr addrspace(3) %p monotonic, align 4
  %b = load atomic i32, ptr addrspace(3) %p monotonic, align 4
  ret void
}

; An update that was lowered to a load and a store is both at the load, and nothing comes between the two.
define void @update(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %a = load atomic i32, ptr addrspace(3) %p unordered, align 4
  store atomic i32 1, ptr addrspace(3) %p unordered, align 4
  %b = load i32, ptr addrspace(3) %p
  ret void
}

define void @update_alone(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %a = load atomic i32, ptr addrspace(3) %p unordered, align 4
  store atomic i32 1, ptr addrspace(3) %p unordered, align 4
  ret void
}

; Copies load and store; one within work-group memory does so in two steps.
define void @copy_from(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %q) {
  store i32 1, ptr addrspace(3) %p
  call void @llvm.memcpy.p1.p3.i64(ptr addrspace(1) %q, ptr addrspace(3) %p, i64 4, i1 false)
  ret void
}

define void @copy_to(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %q) {
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) %p, ptr addrspace(1) %q, i64 4, i1 false)
  %a = load i32, ptr addrspace(3) %p
  ret void
}

define void @copy_within(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n) {
  %from = getelementptr i32, ptr addrspace(3) %p, i64 %n
  call void @llvm.memcpy.p3.p3.i64(ptr addrspace(3) %p, ptr addrspace(3) %from, i64 4, i1 false)
  ret void
}

; Ordinary accesses count where a volatile one is of the same object.
define void @same_object(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  ret void
}

; Work-group memory is no memory of all, and no variable is another.
define void @group_and_all(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %q) {
  store volatile i32 1, ptr addrspace(3) %p
  %a = load volatile i32, ptr addrspace(1) %q
  ret void
}

define void @variables(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %n) {
  store volatile i32 1, ptr addrspace(1) @one
  %a = load volatile i32, ptr addrspace(1) @other
  ret void
}

; Stores alone exchange nothing, whatever is loaded elsewhere.
define void @stores(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(3) %q) {
  store i32 1, ptr addrspace(3) %p
  store i32 2, ptr addrspace(3) %p
  %a = load i32, ptr addrspace(3) %q
  ret void
}

; Where something is exchanged, their order matters as well.
define void @overwritten(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  store i32 1, ptr addrspace(3) %p
  store i32 2, ptr addrspace(3) %p
  %a = load i32, ptr addrspace(3) %p
  ret void
}

; Lanes of one way that met each other have not waited for the others, unless it was at a barrier of the work-group, or all come that way.
define void @part_meets(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %is = icmp ult i64 %lane, 7
  br i1 %is, label %then, label %end
then:
  store volatile i32 1, ptr addrspace(3) %p
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 1)
  br label %end
end:
  %a = load volatile i32, ptr addrspace(3) %p
  ret void
}

define void @part_at_barrier(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %is = icmp ult i64 %lane, 7
  br i1 %is, label %then, label %end
then:
  store volatile i32 1, ptr addrspace(3) %p
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  br label %end
end:
  %a = load volatile i32, ptr addrspace(3) %p
  ret void
}

define void @all_meet(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i1 %is) {
  br i1 %is, label %then, label %end
then:
  store volatile i32 1, ptr addrspace(3) %p
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 1)
  br label %end
end:
  %a = load volatile i32, ptr addrspace(3) %p
  ret void
}

; What a function calls counts as its own; a fence in it does, too.
define void @calls_through(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  store volatile i32 1, ptr addrspace(3) %p
  call void @through(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p)
  ret void
}

define void @calls_fence(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  store volatile i32 1, ptr addrspace(3) %p
  call void @fences(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane)
  ret void
}

; Functions that order nothing are called as they are, and ordinary accesses are not ordered by those that do.
define void @calls_plain(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  store volatile i32 1, ptr addrspace(3) %p
  call void @plain(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p)
  ret void
}

define void @ordinary_before_call(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  store i32 1, ptr addrspace(3) %p
  call void @through(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p)
  ret void
}

define void @through(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  call void @called(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p)
  ret void
}
define void @called(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %a = load volatile i32, ptr addrspace(3) %p
  ret void
}
define void @fences(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  fence syncscope("singlethread") seq_cst
  ret void
}
define void @plain(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %a = load i32, ptr addrspace(3) %p
  ret void
}

@one = addrspace(1) global i32 0
@other = addrspace(1) global i32 0
declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)
declare void @llvm.memcpy.p1.p3.i64(ptr addrspace(1), ptr addrspace(3), i64, i1)
declare void @llvm.memcpy.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p3.p3.i64(ptr addrspace(3), ptr addrspace(3), i64, i1)
