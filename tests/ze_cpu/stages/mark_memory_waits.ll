; Loops that wait for what others write.
; RUN: --stage=mark_memory_waits

; CHECK: ; volatile_load: waits
; CHECK: ; atomic_load: waits
; CHECK: ; fence: waits
; CHECK: ; votes: waits
; CHECK: ; lock: waits
; CHECK: ; polls: waits
; CHECK: ; polls_local: waits
; CHECK: ; lock_local: waits
; CHECK: ; lock_local_if_free: waits
; CHECK: ; maximum_local: does not wait
; CHECK: ; counts_local: does not wait
; CHECK: ; maximum: does not wait
; CHECK: ; table: does not wait
; CHECK: ; ordinary_load: does not wait
; CHECK: ; writes: does not wait
; CHECK: ; own: does not wait
; CHECK-LABEL: define void @volatile_load(
; CHECK: br i1 %none
; CHECK: call void @ze_cpu_wait(ptr null)
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 17)
; CHECK-NEXT: br label %wait
define void @volatile_load(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p) {
  br label %wait
wait:
  %v = load volatile i32, ptr %p
  %none = icmp eq i32 %v, 0
  br i1 %none, label %wait, label %done
done:
  ret void
}

; Fences in between change nothing.
; CHECK-LABEL: define void @atomic_load(
; CHECK: fence acquire
; CHECK: call void @ze_cpu_wait(ptr null)
define void @atomic_load(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p) {
  br label %wait
wait:
  %v = load atomic i32, ptr %p monotonic, align 4
  fence acquire
  %none = icmp eq i32 %v, 0
  br i1 %none, label %wait, label %done
done:
  ret void
}

; CHECK-LABEL: define void @fence(
; CHECK: call void @ze_cpu_wait(ptr null)
define void @fence(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p) {
  br label %wait
wait:
  %v = load i32, ptr %p
  fence syncscope("singlethread") seq_cst
  %none = icmp eq i32 %v, 0
  br i1 %none, label %wait, label %done
done:
  ret void
}

; A sub-group may wait together.
; CHECK-LABEL: define void @votes(
; CHECK: call void @ze_cpu_wait(ptr null)
define void @votes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p) {
  br label %wait
wait:
  %v = load volatile i32, ptr %p
  %vote = zext i32 %v to i64
  %any = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %vote, i64 0, i32 0, i32 10)
  %none = icmp eq i64 %any, 0
  br i1 %none, label %wait, label %done
done:
  ret void
}

; Who takes a lock waits for whoever has it, and an operation that changes nothing only reads.
; CHECK-LABEL: define void @lock(
; CHECK: call void @ze_cpu_wait(ptr null)
define void @lock(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p) {
  br label %wait
wait:
  %v = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst
  %taken = extractvalue { i32, i1 } %v, 1
  br i1 %taken, label %done, label %wait
done:
  ret void
}
; CHECK-LABEL: define void @polls(
; CHECK: call void @ze_cpu_wait(ptr null)
define void @polls(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p) {
  br label %wait
wait:
  %v = atomicrmw add ptr %p, i32 0 seq_cst
  %none = icmp eq i32 %v, 0
  br i1 %none, label %wait, label %done
done:
  ret void
}

; On work-group memory such operations are a load and a store.
; CHECK-LABEL: define void @polls_local(
; CHECK: call void @ze_cpu_wait(ptr null)
define void @polls_local(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  br label %wait
wait:
  %v = load atomic i32, ptr addrspace(3) %p unordered, align 4
  %same = add i32 %v, 0
  store atomic i32 %same, ptr addrspace(3) %p unordered, align 4
  %none = icmp eq i32 %v, 0
  br i1 %none, label %wait, label %done
done:
  ret void
}
; CHECK-LABEL: define void @lock_local(
; CHECK: call void @ze_cpu_wait(ptr null)
define void @lock_local(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  br label %wait
wait:
  %v = load atomic i32, ptr addrspace(3) %p unordered, align 4
  store atomic i32 1, ptr addrspace(3) %p unordered, align 4
  %taken = icmp eq i32 %v, 0
  br i1 %taken, label %done, label %wait
done:
  ret void
}
; CHECK-LABEL: define void @lock_local_if_free(
; CHECK: call void @ze_cpu_wait(ptr null)
define void @lock_local_if_free(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  br label %wait
wait:
  %v = load atomic i32, ptr addrspace(3) %p unordered, align 4
  %is = icmp eq i32 %v, 0
  %new = select i1 %is, i32 1, i32 %v
  store atomic i32 %new, ptr addrspace(3) %p unordered, align 4
  br i1 %is, label %done, label %wait
done:
  ret void
}
; CHECK-LABEL: define void @maximum_local(
; CHECK-NOT: ze_cpu_wait
define void @maximum_local(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  br label %loop
loop:
  %old = phi i32 [ 0, %0 ], [ %v, %loop ]
  %larger = add i32 %old, 1
  %v = load atomic i32, ptr addrspace(3) %p unordered, align 4
  %is = icmp eq i32 %v, %old
  %new = select i1 %is, i32 %larger, i32 %v
  store atomic i32 %new, ptr addrspace(3) %p unordered, align 4
  br i1 %is, label %done, label %loop
done:
  ret void
}
; CHECK-LABEL: define void @counts_local(
; CHECK-NOT: ze_cpu_wait
define void @counts_local(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  br label %wait
wait:
  %v = load atomic i32, ptr addrspace(3) %p unordered, align 4
  %more = add i32 %v, 1
  store atomic i32 %more, ptr addrspace(3) %p unordered, align 4
  %none = icmp eq i32 %v, 0
  br i1 %none, label %wait, label %done
done:
  ret void
}

; To try again with what was read is no wait, nor to try at the next place.
; CHECK: define void @maximum(
; CHECK-NOT: ze_cpu_wait
define void @maximum(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p) {
  %first = load i32, ptr %p
  br label %loop
loop:
  %old = phi i32 [ %first, %0 ], [ %read, %loop ]
  %new = add i32 %old, 1
  %v = cmpxchg ptr %p, i32 %old, i32 %new seq_cst seq_cst
  %read = extractvalue { i32, i1 } %v, 0
  %done = extractvalue { i32, i1 } %v, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
; CHECK: define void @table(
; CHECK-NOT: ze_cpu_wait
define void @table(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %slot = getelementptr i32, ptr %p, i64 %i
  %next = add i64 %i, 1
  %v = cmpxchg ptr %slot, i32 0, i32 1 seq_cst seq_cst
  %done = extractvalue { i32, i1 } %v, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; An ordinary load is not seen to change, who writes goes on, and nobody else writes a private variable.
; CHECK: define void @ordinary_load(
; CHECK-NOT: ze_cpu_wait
define void @ordinary_load(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p) {
  br label %wait
wait:
  %v = load i32, ptr %p
  %none = icmp eq i32 %v, 0
  br i1 %none, label %wait, label %done
done:
  ret void
}
; CHECK: define void @writes(
; CHECK-NOT: ze_cpu_wait
define void @writes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p, ptr %q) {
  br label %loop
loop:
  %v = load volatile i32, ptr %p
  store i32 %v, ptr %q
  %again = icmp eq i32 %v, 0
  br i1 %again, label %loop, label %done
done:
  ret void
}
; CHECK: define void @own(
; CHECK-NOT: ze_cpu_wait
; CHECK: declare
define void @own(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %p = alloca i32
  br label %loop
loop:
  %v = load volatile i32, ptr %p
  %again = icmp eq i32 %v, 0
  br i1 %again, label %loop, label %done
done:
  ret void
}

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)
