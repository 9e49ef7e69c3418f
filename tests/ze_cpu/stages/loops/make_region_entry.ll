; A kernel becomes regions, each a loop over lanes, and a driver that goes from one to the next.
; RUN: --stage=make_region_entry --function=barrier
; RUN-SUB: --stage=make_region_entry --function=sub_group --sub-group-size=16
; RUN-DIVERGED: --stage=make_region_entry --function=diverged
; RUN-GRID: --stage=make_region_entry --function=grid
; RUN-CALLS: --stage=make_region_entry --function=calls
; RUN-DYNAMIC: --stage=make_region_entry --function=dynamic
; RUN-LARGE: --stage=make_region_entry --function=large
; RUN-STRUCT: --stage=make_region_entry --function=struct
; RUN-LONG: --stage=make_region_entry --function=long --sub-group-size=16

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; Each region runs a range of lanes, and leaves behind what the next needs. What the barrier orders needs one fence, the driver's.
; CHECK: ; barrier: lane 4 bytes, of those private 0, by work-group
; CHECK: @barrier.points = internal constant [1 x {{.*}}] [{{.*}} { ptr null, ptr null, ptr null, ptr null, i64 0, i32 65536,
; CHECK: declare void @barrier(
; CHECK-LABEL: define internal i32 @barrier.region0(
; CHECK-NOT: fence
; CHECK: %kept = load i32, {{.*}} !llvm.access.group [[GROUP:!.*]]
; CHECK-NEXT: [[PLACE:%.*]] = getelementptr inbounds [4 x i8], ptr {{%.*}}, i64 %place
; CHECK-NEXT: store i32 %kept, ptr [[PLACE]], align 4, !llvm.access.group [[GROUP]]
; CHECK: ret i32 0
; CHECK-LABEL: define internal i32 @barrier.region1(
; CHECK: [[PLACE:%.*]] = getelementptr inbounds [4 x i8], ptr {{%.*}}, i64 %place
; CHECK-NEXT: [[KEPT:%.*]] = load i32, ptr [[PLACE]]
; CHECK: add i32 [[KEPT]],
; A range of lanes may begin and end inside of a row of work-items.
; CHECK: divide:
; CHECK: udiv i64 %3,
; CHECK: ret i32 1
; CHECK-LABEL: define void @barrier.entry(
; CHECK: region0:
; CHECK-NEXT: call i32 @barrier.region0(
; CHECK-NEXT: br label %cut0
; CHECK: cut0:
; CHECK-NEXT: fence seq_cst
; CHECK-NEXT: br label %region1
define void @barrier(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %kept = load i32, ptr addrspace(1) %element
  fence seq_cst
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %sum = add i32 %kept, %n
  store i32 %sum, ptr addrspace(1) %element
  ret void
}

; With operations of sub-groups alone, sub-group after sub-group runs: those that have all their lanes in one row of work-items, and
; others. These may have all their lanes, too: then they exchange values as quickly.
; SUB: ; sub_group: lane 8 bytes, of those private 0, by sub-group
; SUB-LABEL: define internal i32 @sub_group.region0(
; SUB-SAME: i64 %3, i64 %4, i64 %5, i64 %6, ptr %7)
; SUB: %left = phi i64 [ 16, %entry ]
; SUB-LABEL: define internal void @sub_group.exchange1.{{[0-9]+}}(
; SUB: icmp eq i64 {{%.*}}, 16
; SUB: whole:
; SUB: call i64 @llvm.vector.reduce.add.v16i64(
; SUB: part:
; SUB: call void @ze_cpu_exchange(
; SUB-LABEL: define internal void @sub_group.part(
; SUB: call void @sub_group.exchange1.{{[0-9]+}}(
; SUB-LABEL: define void @sub_group.entry(
; SUB: sub_group:
; SUB: call void @sub_group.exchange1(
; SUB: part:
; SUB: call void @sub_group.part(
define void @sub_group(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %sum = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 0, i32 1, i32 270)
  %element = getelementptr i64, ptr addrspace(1) %p, i64 %x
  store i64 %sum, ptr addrspace(1) %element
  ret void
}

; Where lanes diverge, each notes where it is, and other code runs them until they are together again.
; DIVERGED-LABEL: define internal i32 @diverged.region0(
; DIVERGED: lane.end:
; DIVERGED-NEXT: [[REACHED:%.*]] = phi i32 [ 1, %end ], [ 0, %then ]
; DIVERGED-NEXT: [[PLACE:%.*]] = getelementptr inbounds [4 x i8],
; DIVERGED-NEXT: store i32 [[REACHED]], ptr [[PLACE]], align 4, !llvm.access.group
; DIVERGED: select i1 {{%.*}}, i32 {{%.*}}, i32 -1
; DIVERGED-LABEL: define void @diverged.entry(
; DIVERGED: region0:
; DIVERGED-NEXT: [[END:%.*]] = call i32 @diverged.region0(
; DIVERGED-NEXT: switch i32 [[END]], label %diverged [
; DIVERGED: diverged:
; DIVERGED-NEXT: [[CUT:%.*]] = call i32 @ze_cpu_run_diverged(
; DIVERGED-NEXT: switch i32 [[CUT]], label %cut1 [
; DIVERGED-NEXT: i32 0, label %cut0
define void @diverged(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %odd = icmp ugt i64 %x, 3
  br i1 %odd, label %then, label %end
then:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  br label %end
end:
  store i32 1, ptr addrspace(1) %p
  ret void
}

; What cannot be cut, or would keep too much, stays as it is.
; GRID: ; grid: not cut
; GRID-NOT: .region0(
; GRID: define void @grid(
define void @grid(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 131072)
  ret void
}

; CALLS: ; calls: not cut
; CALLS: call i64 @ze_cpu.sync(
define void @calls(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  call void @waits(ptr %group, i64 %lane)
  ret void
}
define internal void @waits(ptr %group, i64 %lane) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; DYNAMIC: ; dynamic: not cut
define void @dynamic(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %n) {
  %own = alloca i32, i32 %n
  store volatile i32 1, ptr %own
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; LARGE: ; large: not cut
define void @large(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %own = alloca [262145 x i8]
  store volatile i8 1, ptr %own
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; A struct that the kernel writes: each lane has a copy.
; STRUCT: ; struct: lane 12 bytes, of those private 12, by work-group
; STRUCT-LABEL: define internal i32 @struct.region0(
; STRUCT: lane:
; STRUCT: [[PLACE:%.*]] = and i64 %place, {{%.*}}
; STRUCT-NEXT: [[COPY:%.*]] = getelementptr inbounds [12 x i8], ptr {{%.*}}, i64 [[PLACE]]
; STRUCT: call void @llvm.memcpy.p0.p0.i64(ptr align 4 [[COPY]], ptr align 1 {{%.*}}, i64 12, i1 false)
; STRUCT-NEXT: store volatile i32 1, ptr [[COPY]]
define void @struct(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr byval([3 x i32]) align 4 %values) {
  store volatile i32 1, ptr %values
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; Of kernels with many regions, what is not for whole sub-groups in rows is small code: it would take as long again to compile.
; LONG-LABEL: define internal i32 @long.region0.{{[0-9]+}}(
; LONG-SAME: [[SMALL:#[0-9]+]]
; LONG-LABEL: define internal void @long.part(
; LONG: call void @ze_cpu_exchange(
; LONG: attributes [[SMALL]] = { minsize noinline
define void @long(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %s0 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 0, i32 1, i32 270)
  %s1 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s0, i64 0, i32 2, i32 270)
  %s2 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s1, i64 0, i32 3, i32 270)
  %s3 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s2, i64 0, i32 4, i32 270)
  %s4 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s3, i64 0, i32 5, i32 270)
  %s5 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s4, i64 0, i32 6, i32 270)
  %s6 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s5, i64 0, i32 7, i32 270)
  %s7 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s6, i64 0, i32 8, i32 270)
  %s8 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s7, i64 0, i32 9, i32 270)
  %s9 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s8, i64 0, i32 10, i32 270)
  %s10 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s9, i64 0, i32 11, i32 270)
  %s11 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s10, i64 0, i32 12, i32 270)
  %s12 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s11, i64 0, i32 13, i32 270)
  %s13 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s12, i64 0, i32 14, i32 270)
  %s14 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s13, i64 0, i32 15, i32 270)
  %s15 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s14, i64 0, i32 16, i32 270)
  %s16 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s15, i64 0, i32 17, i32 270)
  %s17 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s16, i64 0, i32 18, i32 270)
  %s18 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s17, i64 0, i32 19, i32 270)
  %s19 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s18, i64 0, i32 20, i32 270)
  %s20 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s19, i64 0, i32 21, i32 270)
  %s21 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s20, i64 0, i32 22, i32 270)
  %s22 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s21, i64 0, i32 23, i32 270)
  %s23 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s22, i64 0, i32 24, i32 270)
  %element = getelementptr i64, ptr addrspace(1) %p, i64 %x
  store i64 %s23, ptr addrspace(1) %element
  ret void
}
