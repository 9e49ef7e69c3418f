; Calls of functions with points are numbered with them, and are in the lane's list of calls while they last.
; RUN: --stage=order_sync_points

; CHECK: ; next id 7
declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; CHECK-LABEL: define void @recursive(
; CHECK: %call = alloca [16 x i8], align 8
; CHECK: @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 1, i32 9)
; CHECK: deeper:
; CHECK: [[LIST:%[0-9]+]] = getelementptr inbounds ptr, ptr {{%[0-9]+}}, i64 %lane
; CHECK: [[CALLER:%[0-9]+]] = load ptr, ptr [[LIST]], align 8
; CHECK: store ptr [[CALLER]]
; CHECK: store i32 2,
; CHECK: store ptr %call, ptr [[LIST]], align 8
; CHECK-NEXT: call void @recursive(
; CHECK-NEXT: store ptr [[CALLER]], ptr [[LIST]], align 8
; CHECK: @ze_cpu.sync(ptr %group, i64 %lane, i64 2, i64 0, i32 3, i32 9)
define void @recursive(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 %is) {
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 1, i64 0, i32 0, i32 9)
  br i1 %is, label %deeper, label %end
deeper:
  call void @recursive(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 false)
  br label %end
end:
  %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 2, i64 0, i32 0, i32 9)
  ret void
}

; CHECK-LABEL: define void @none(
; CHECK-NOT: alloca
; CHECK: ret void
define void @none(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  ret void
}

; Lanes may be in the function for longer than others: they wait at the end of the body.
; CHECK-LABEL: define void @kernel(
; CHECK: call void @none(
; CHECK: loop:
; CHECK: store i32 4,
; CHECK: call void @recursive(
; CHECK: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 5, i32 1)
; CHECK-NEXT: br i1 %is
; CHECK: end:
; CHECK: store i32 6,
; CHECK: call void @recursive(
define void @kernel(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 %is) {
  call void @none(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane)
  br label %loop
loop:
  call void @recursive(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 %is)
  br i1 %is, label %loop, label %end
end:
  call void @recursive(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 %is)
  ret void
}
