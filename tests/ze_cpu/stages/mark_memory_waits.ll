; Loops that wait for what others write.
; RUN: --stage=mark_memory_waits

; CHECK: ; volatile_load: waits
; CHECK: ; atomic_load: waits
; CHECK: ; fence: waits
; CHECK: ; ordinary_load: does not wait
; CHECK: ; writes: does not wait
; CHECK: ; own: does not wait
; CHECK-LABEL: define void @volatile_load(
; CHECK: call void @ze_cpu_wait()
; CHECK-NEXT: br i1 %none
define void @volatile_load(ptr %p) {
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
; CHECK: call void @ze_cpu_wait()
define void @atomic_load(ptr %p) {
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
; CHECK: call void @ze_cpu_wait()
define void @fence(ptr %p) {
  br label %wait
wait:
  %v = load i32, ptr %p
  fence syncscope("singlethread") seq_cst
  %none = icmp eq i32 %v, 0
  br i1 %none, label %wait, label %done
done:
  ret void
}

; An ordinary load is not seen to change, who writes goes on, and nobody else writes a private variable.
; CHECK-LABEL: define void @ordinary_load(
; CHECK-NOT: ze_cpu_wait
define void @ordinary_load(ptr %p) {
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
define void @writes(ptr %p, ptr %q) {
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
define void @own() {
  %p = alloca i32
  br label %loop
loop:
  %v = load volatile i32, ptr %p
  %again = icmp eq i32 %v, 0
  br i1 %again, label %loop, label %done
done:
  ret void
}
