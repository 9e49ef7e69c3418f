; Code for synchronisation points at which all lanes are.
; RUN: --stage=make_exchange --function=work_group
; RUN-SUB: --stage=make_exchange --function=sub_group --by-sub-group --sub-group-size=4
; RUN-MIXED: --stage=make_exchange --function=sub_group --sub-group-size=4
; RUN-JOINED: --stage=make_exchange --function=joined --sub-group-size=4
; RUN-NONE: --stage=make_exchange --function=nothing

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; A sum of all lanes: one result, as it is the same for all.
; CHECK-LABEL: define internal void @work_group.exchange1(
; CHECK: [[FIRST:%.*]] = load i64, {{.*}} !llvm.access.group
; CHECK: fold:
; CHECK-NEXT: phi i64 [ 1, %entry ]
; CHECK-NEXT: [[TOTAL:%.*]] = phi i64 [ [[FIRST]], %entry ]
; CHECK: fold.body:
; CHECK: [[NEXT:%.*]] = load i64,
; CHECK-NEXT: add i64 [[TOTAL]], [[NEXT]]
; CHECK: fold.end:
; CHECK-NEXT: [[PLACE:%.*]] = getelementptr inbounds i8, ptr %1, i64 0
; CHECK-NEXT: store i64 [[TOTAL]], ptr [[PLACE]]
; CHECK-NEXT: ret void

; A scan without its own element begins with the identity, and each lane gets the sum before it is added to.
; CHECK-LABEL: define internal void @work_group.exchange2(
; CHECK: store i64 0,
; CHECK: [[TOTAL:%.*]] = phi i64 [ %
; CHECK: [[SUM:%.*]] = add i64 [[TOTAL]],
; CHECK: store i64 [[TOTAL]],

; With its own element; floats are added as such.
; CHECK-LABEL: define internal void @work_group.exchange3(
; CHECK: [[SUM:%.*]] = fadd float
; CHECK-NEXT: [[BITS:%.*]] = bitcast float [[SUM]] to i32
; CHECK: store i32 [[BITS]],

; A lane that names one that does not exist gets 0.
; CHECK-LABEL: define internal void @work_group.exchange4(
; CHECK: [[BY:%.*]] = load i64, {{.*}} !llvm.access.group
; CHECK-NEXT: [[EXISTS:%.*]] = icmp ult i64 [[BY]],
; CHECK-NEXT: [[SOURCE:%.*]] = select i1 [[EXISTS]], i64 [[BY]], i64 %lane
; CHECK: [[READ:%.*]] = load i32, {{.*}} !llvm.access.group
; CHECK-NEXT: select i1 [[EXISTS]], i32 [[READ]], i32 0
; CHECK: !llvm.loop
define i64 @work_group(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %w = trunc i64 %x to i32
  %zero = zext i32 %w to i64
  %sum = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 0, i32 1, i32 65806)
  %scan = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 0, i32 2, i32 65808)
  %floats = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 0, i32 3, i32 68111)
  %one = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 %x, i32 4, i32 65543)
  %a = add i64 %sum, %scan
  %b = add i64 %a, %floats
  %c = add i64 %b, %one
  ret i64 %c
}

; A sub-group that has all its lanes is a vector: values move by a shuffle, in which lanes at the edge get 0.
; SUB-LABEL: define internal void @sub_group.exchange1(
; SUB: shufflevector <4 x i32> {{%.*}}, <4 x i32> zeroinitializer, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
; SUB-LABEL: define internal void @sub_group.exchange2(
; SUB: [[SET:%.*]] = icmp ne <4 x i32> {{%.*}}, zeroinitializer
; SUB-NEXT: [[BITS:%.*]] = bitcast <4 x i1> [[SET]] to i4
; SUB-NEXT: zext i4 [[BITS]] to i32
; SUB-LABEL: define internal void @sub_group.exchange3(
; SUB: call i32 @llvm.vector.reduce.umin.v4i32
; For rare operations ze_cpu_exchange is enough.
; SUB-LABEL: define internal void @sub_group.exchange4(
; SUB: call void @ze_cpu_exchange(ptr %0, ptr %1, i64 0, i64 4, ptr @point4)
; SUB-NEXT: ret void
; SUB-LABEL: define internal void @sub_group.exchange5(
; SUB: xor i64
; SUB: icmp ult i64 {{%.*}}, 4

; Where teams are work-groups, sub-groups that have all their lanes are vectors, and a last one that has not is left to the code that
; there is.
; MIXED-LABEL: define internal void @sub_group.exchange1(
; MIXED: sub_group:
; MIXED: [[COUNT:%.*]] = call i64 @llvm.umin.i64(i64 {{%.*}}, i64 4)
; MIXED: icmp eq i64 [[COUNT]], 4
; MIXED: whole:
; MIXED: shufflevector <4 x i32>
; MIXED: part:
; MIXED: call void @ze_cpu_exchange(ptr %0, ptr %1, i64 {{%.*}}, i64 [[COUNT]], ptr @point1)
define i64 @sub_group(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %w = trunc i64 %x to i32
  %zero = zext i32 %w to i64
  %down = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 1, i32 1, i32 5)
  fence syncscope("singlethread") seq_cst
  %vote = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 0, i32 2, i32 9)
  %min = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 0, i32 3, i32 1294)
  %clusters = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 2, i32 4, i32 270)
  %from = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 %x, i32 5, i32 3)
  %a = add i64 %down, %vote
  %b = add i64 %a, %min
  %c = add i64 %b, %clusters
  %d = add i64 %c, %from
  ret i64 %d
}

; Joined operations are carried out in one go, without those that nobody wants; in part by one call, which finds the others.
; JOINED: define internal void @joined.exchange1(
; JOINED: whole:
; JOINED: bitcast <4 x i1> {{%.*}} to i4
; JOINED: [[VOTES:%.*]] = shufflevector <4 x i32> {{%.*}}, <4 x i32> poison, <4 x i32> zeroinitializer
; JOINED: store <4 x i32> [[VOTES]]
; JOINED: shufflevector <4 x i32> {{%.*}}, <4 x i32> zeroinitializer, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
; JOINED: part:
; JOINED-NEXT: call void @ze_cpu_exchange(ptr %0, ptr %1, i64 {{%.*}}, i64 {{%.*}}, ptr @point1)
; JOINED-NEXT: br label %done
; JOINED-NOT: define internal
define i64 @joined(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %w = trunc i64 %x to i32
  %zero = zext i32 %w to i64
  %vote = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 0, i32 1, i32 9)
  %unused = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 0, i32 2, i32 10)
  %down = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 1, i32 3, i32 5)
  %sum = add i64 %vote, %down
  ret i64 %sum
}

; NONE: nothing to exchange at point 1
; NONE: nothing to exchange at point 2
; NONE-NOT: define internal
define void @nothing(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %unused = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 0, i32 2, i32 270)
  ret void
}
