; What a lane reads and writes while it has a lock that it has taken for itself: it is alone, and need not meet others.
; RUN: --stage=keep_lock_step

; CHECK: ; locked: does not wait
; CHECK: ; locked_if_free: does not wait
; CHECK: ; unlocked: waits
; CHECK: ; unlocked_by_store: waits
; CHECK: ; next_to_lock: waits
; CHECK: ; of_one_for_all: waits
; CHECK: ; tries_twice: waits
; CHECK: ; polls: waits
; CHECK: ; met_before: waits
; CHECK-LABEL: define void @met_before(
; CHECK: store i32 1
; CHECK: call i64 @ze_cpu.sync
; CHECK-NEXT: br label %try
; CHECK-NOT: call i64 @ze_cpu.sync
; CHECK: ret void

define void @locked(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %q) {
  br label %try
try:
  %v = atomicrmw xchg ptr addrspace(1) %p, i32 1 seq_cst
  %is = icmp eq i32 %v, 0
  br i1 %is, label %has, label %try
has:
  %a = load i32, ptr addrspace(3) %q
  %b = add i32 %a, 1
  %small = icmp ult i32 %b, 5
  br i1 %small, label %change, label %free
change:
  store i32 %b, ptr addrspace(3) %q
  br label %free
free:
  fence seq_cst
  store atomic i32 0, ptr addrspace(1) %p release, align 4
  ret void
}

; An update of work-group memory is a load and a store.
define void @locked_if_free(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(3) %q) {
  br label %try
try:
  %v = load atomic i32, ptr addrspace(3) %p unordered, align 4
  %is = icmp eq i32 %v, 0
  %new = select i1 %is, i32 1, i32 %v
  store atomic i32 %new, ptr addrspace(3) %p unordered, align 4
  br i1 %is, label %has, label %try
has:
  %a = load i32, ptr addrspace(3) %q
  %b = add i32 %a, 1
  store i32 %b, ptr addrspace(3) %q
  %w = load atomic i32, ptr addrspace(3) %p unordered, align 4
  store atomic i32 0, ptr addrspace(3) %p unordered, align 4
  ret void
}

; Others may have it by then.
define void @unlocked(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %q) {
  br label %try
try:
  %v = atomicrmw xchg ptr addrspace(1) %p, i32 1 seq_cst
  %is = icmp eq i32 %v, 0
  br i1 %is, label %has, label %try
has:
  %a = load i32, ptr addrspace(3) %q
  %b = add i32 %a, 1
  store atomic i32 0, ptr addrspace(1) %p release, align 4
  store i32 %b, ptr addrspace(3) %q
  ret void
}
define void @unlocked_by_store(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %q) {
  br label %try
try:
  %v = atomicrmw xchg ptr addrspace(1) %p, i32 1 seq_cst
  %is = icmp eq i32 %v, 0
  br i1 %is, label %has, label %try
has:
  %a = load i32, ptr addrspace(3) %q
  %b = add i32 %a, 1
  store volatile i32 0, ptr addrspace(1) %p
  store i32 %b, ptr addrspace(3) %q
  ret void
}
; What lies beside the lock may be the lock.
define void @next_to_lock(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %q) {
  %next = getelementptr i32, ptr addrspace(1) %p, i64 %gx
  br label %try
try:
  %v = atomicrmw xchg ptr addrspace(1) %p, i32 1 seq_cst
  %is = icmp eq i32 %v, 0
  br i1 %is, label %has, label %try
has:
  %a = load i32, ptr addrspace(3) %q
  store i32 0, ptr addrspace(1) %next
  store i32 %a, ptr addrspace(3) %q
  ret void
}

; All lanes come here, one of which has the lock.
define void @of_one_for_all(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %q) {
  %first = icmp eq i64 %lane, 0
  br i1 %first, label %try, label %all
try:
  %v = atomicrmw xchg ptr addrspace(1) %p, i32 1 seq_cst
  %is = icmp eq i32 %v, 0
  br i1 %is, label %has, label %try
has:
  br label %all
all:
  %a = load i32, ptr addrspace(3) %q
  %b = add i32 %a, 1
  store i32 %b, ptr addrspace(3) %q
  ret void
}

; Who gives up has no lock, nor has who waits for a flag.
define void @tries_twice(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %q) {
  br label %try
try:
  %i = phi i32 [ 0, %0 ], [ %j, %try ]
  %j = add i32 %i, 1
  %v = atomicrmw xchg ptr addrspace(1) %p, i32 1 seq_cst
  %is = icmp eq i32 %v, 0
  %last = icmp eq i32 %j, 2
  %go = or i1 %is, %last
  br i1 %go, label %has, label %try
has:
  %a = load i32, ptr addrspace(3) %q
  %b = add i32 %a, 1
  store i32 %b, ptr addrspace(3) %q
  ret void
}
define void @polls(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %q) {
  br label %try
try:
  %v = atomicrmw or ptr addrspace(1) %p, i32 0 seq_cst
  %is = icmp ne i32 %v, 0
  br i1 %is, label %has, label %try
has:
  %a = load i32, ptr addrspace(3) %q
  %b = add i32 %a, 1
  store i32 %b, ptr addrspace(3) %q
  ret void
}

; What is to be ordered with accesses before is so before the lock is taken.
define void @met_before(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, ptr addrspace(3) %q) {
  %own = getelementptr i32, ptr addrspace(3) %q, i64 %lane
  store i32 1, ptr addrspace(3) %own
  br label %try
try:
  %v = atomicrmw xchg ptr addrspace(1) %p, i32 1 seq_cst
  %is = icmp eq i32 %v, 0
  br i1 %is, label %has, label %try
has:
  %a = load i32, ptr addrspace(3) %q
  %b = add i32 %a, 1
  store i32 %b, ptr addrspace(3) %q
  store atomic i32 0, ptr addrspace(1) %p release, align 4
  ret void
}
