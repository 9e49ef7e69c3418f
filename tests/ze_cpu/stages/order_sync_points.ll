; Synchronisation points are numbered in the order of the program, and a lane that can leave a loop's body early waits at its end.
; RUN: --stage=order_sync_points --first-id=5

; CHECK: ; next id 18
declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; The blocks are not written in the order of the program.
; CHECK-LABEL: define void @branches(
; CHECK: last:
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 3, i64 0, i32 7, i32 65536)
; CHECK: then:
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 2, i64 0, i32 6, i32 65536)
; CHECK: first:
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 5, i32 65536)
define void @branches(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 %is) {
  br label %first
last:
  %c = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 3, i64 0, i32 0, i32 65536)
  ret void
then:
  %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 2, i64 0, i32 0, i32 65536)
  br label %last
first:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 0, i32 65536)
  br i1 %is, label %then, label %last
}

; A function without points keeps its loops as they are.
; CHECK-LABEL: define void @none(
; CHECK: br i1 %is, label %loop, label %end
; CHECK-NOT: preheader
; CHECK: ret void
define void @none(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 %is) {
  br i1 %is, label %loop, label %end
loop:
  br i1 %is, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @skippable(
; CHECK: then:
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 8, i32 9)
; CHECK: next:
; CHECK: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 9, i32 1)
; CHECK-NEXT: br i1 %more
; CHECK: end:
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 2, i64 0, i32 10, i32 65536)
define void @skippable(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 %is, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  br i1 %is, label %then, label %next
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 0, i32 9)
  br label %next
next:
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 2, i64 0, i32 0, i32 65536)
  ret void
}

; Nobody can skip the operation, and a barrier nobody may skip: nothing is to be added.
; CHECK-LABEL: define void @not_skippable(
; CHECK: i32 11, i32 9)
; CHECK-NOT: i32 1)
; CHECK: i32 12, i32 65536)
; CHECK-NOT: i32 1)
; CHECK: i32 13, i32 65536)
; CHECK-NOT: i32 1)
; CHECK: ret void
define void @not_skippable(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 %is, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 0, i32 9)
  br i1 %is, label %then, label %next
then:
  %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  br label %next
next:
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  %c = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 2, i64 0, i32 0, i32 65536)
  ret void
}

; All lanes meet at the end of the body, with an operation of the program: nothing is to be added.
; CHECK-LABEL: define void @meets_at_end(
; CHECK: i32 14, i32 9)
; CHECK: i32 15, i32 9)
; CHECK-NOT: i32 1)
; CHECK: ret void
define void @meets_at_end(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 %is, i1 %more) {
entry:
  br label %loop
loop:
  br i1 %is, label %then, label %meet
then:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 0, i32 9)
  br label %meet
meet:
  %leaves = phi i1 [ true, %then ], [ false, %loop ]
  %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 0, i32 9)
  br i1 %leaves, label %end, label %next
next:
  br label %loop
end:
  ret void
}

; Some lanes carry out the operation of the inner loop more often: they meet behind it.
; CHECK-LABEL: define void @inner_loop_at_end(
; CHECK: i32 16, i32 9)
; CHECK: i32 17, i32 1)
define void @inner_loop_at_end(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 %again, i1 %more) {
entry:
  br label %loop
loop:
  br label %inner
inner:
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 0, i32 9)
  br i1 %again, label %inner, label %next
next:
  br i1 %more, label %loop, label %end
end:
  ret void
}
