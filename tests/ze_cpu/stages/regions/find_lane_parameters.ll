; Shuffles whose source lane is computed from the own one alone.
; RUN: --stage=find_lane_parameters --sub-group-size=4
; RUN-LOADED: --stage=load_lane_parameters --sub-group-size=4

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; The next lane, and the own one at the end; the parameter of 8 bits stands in the code.
; CHECK-LABEL: define i64 @down(
; CHECK: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 0, i32 1, i32 2), !ze_cpu.lane_parameters [[DOWN:![0-9]+]]
; Where markers become calls, lanes load it.
; LOADED-LABEL: define i64 @down(
; LOADED: zext i32 %from to i64
; LOADED-NEXT: [[NUMBER:%.*]] = and i64 %lane, 3
; LOADED-NEXT: [[PLACE:%.*]] = getelementptr inbounds i8, ptr {{@.*}}, i64 [[NUMBER]]
; LOADED-NEXT: [[FROM:%.*]] = load i8, ptr [[PLACE]]
; LOADED-NEXT: [[WIDE:%.*]] = zext i8 [[FROM]] to i64
; LOADED-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 [[WIDE]], i32 1, i32 2)
; LOADED-NOT: !ze_cpu.lane_parameters
define i64 @down(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %v) {
  %wide = and i64 %lane, 3
  %number = trunc i64 %wide to i32
  %last = icmp eq i32 %number, 3
  %step = select i1 %last, i32 0, i32 1
  %from = add i32 %number, %step
  %parameter = zext i32 %from to i64
  %r = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 %parameter, i32 1, i32 2)
  ret i64 %r
}

; The same number for all is an ordinary parameter; numbers that are too large stay so.
; CHECK-LABEL: define i64 @others(
; CHECK: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 2, i32 1, i32 2)
; CHECK-NOT: !ze_cpu.lane_parameters
; CHECK: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 0, i32 2, i32 2), !ze_cpu.lane_parameters [[FAR:![0-9]+]]
define i64 @others(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %v) {
  %number = and i64 %lane, 3
  %nothing = and i64 %number, 4
  %two = or i64 %nothing, 2
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 %two, i32 1, i32 2)
  %far = sub i64 %number, 1
  %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 %far, i32 2, i32 2)
  %c = add i64 %a, %b
  ret i64 %c
}

; What depends on more than the lane's number in its sub-group is left alone, and so are votes.
; CHECK-LABEL: define i64 @unknown(
; CHECK-NOT: !ze_cpu.lane_parameters
; CHECK: ret i64
define i64 @unknown(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %v, i64 %n) {
  %number = and i64 %lane, 3
  %by_argument = add i64 %number, %n
  %a = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 %by_argument, i32 1, i32 2)
  %of_group = add i64 %lane, 1
  %b = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 %of_group, i32 2, i32 2)
  %other = and i64 %lane, 7
  %c = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 %other, i32 3, i32 2)
  %vote = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %v, i64 %number, i32 4, i32 9)
  %d = add i64 %a, %b
  %e = add i64 %d, %c
  %f = add i64 %e, %vote
  ret i64 %f
}

; CHECK-DAG: [[DOWN]] = !{[4 x i8] c"\01\02\03\03"}
; CHECK-DAG: [[FAR]] = !{[4 x i8] c"\FF\00\01\02"}
