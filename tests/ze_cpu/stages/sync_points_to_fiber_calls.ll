; With fibers, a synchronisation point is a call of the scheduler.
; RUN: --stage=sync_points_to_fiber_calls

; CHECK: declare i64 @ze_cpu_sync(ptr, i64, i64, i64, i32, i32)
declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)
declare i64 @other(ptr)

; CHECK-LABEL: define i64 @kernel(
; CHECK: call i64 @ze_cpu_sync(ptr %group, i64 %lane, i64 0, i64 0, i32 3, i32 65536)
; CHECK: call i64 @other(ptr %group)
define i64 @kernel(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 3, i32 65536)
  %b = call i64 @other(ptr %group)
  ret i64 %b
}
