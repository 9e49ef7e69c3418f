; Loops that wait for what others write.
; RUN: --stage=waits_for_memory

; CHECK: ; volatile_load: waits
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
; CHECK: ; atomic_load: waits
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

; An ordinary load is not seen to change, who writes goes on, and nobody else writes a private variable.
; CHECK: ; ordinary_load: does not wait
define void @ordinary_load(ptr %p) {
  br label %wait
wait:
  %v = load i32, ptr %p
  %none = icmp eq i32 %v, 0
  br i1 %none, label %wait, label %done
done:
  ret void
}
; CHECK: ; writes: does not wait
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
; CHECK: ; own: does not wait
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
