; Barriers and collective operations become synchronisation points.
; RUN: --stage=lower_builtins --sub-group-size=16

; CHECK: ; barriers: synchronises
; CHECK: ; grid: synchronises the grid
; CHECK: ; moves: synchronises
; CHECK: ; reductions: synchronises
; CHECK-NOT: ; local:
; CHECK: ; votes: synchronises
; CHECK: ; floats: synchronises
declare void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)
declare void @_Z21__spirv_MemoryBarrierii(i32, i32)
declare float @_Z30__spirv_GroupNonUniformShuffleifj(i32, float, i32)
declare <2 x i16> @_Z31__spirv_SubgroupShuffleXorINTELDv2_sj(<2 x i16>, i32)
declare i8 @_Z27__spirv_GroupNonUniformSMiniic(i32, i32, i8)
declare i32 @_Z27__spirv_GroupNonUniformIAddiiij(i32, i32, i32, i32)
declare half @_Z17__spirv_GroupFAddiiDh(i32, i32, half)
declare i1 @_Z31__spirv_GroupNonUniformAllEqualif(i32, float)
declare i32 @_Z37__spirv_GroupNonUniformBallotBitCountiiDv4_j(i32, i32, <4 x i32>)
declare i1 @_Z26__spirv_GroupNonUniformAnyib(i32, i1)
declare <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32, i1)

; Memory needs an order between work-groups only: a barrier's own memory is in order.
; CHECK-LABEL: define void @barriers(
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
; CHECK-NEXT: fence seq_cst
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 0)
; CHECK-NEXT: ret void
define void @barriers(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 272)
  call void @_Z22__spirv_ControlBarrieriii(i32 3, i32 1, i32 528)
  ret void
}

; CHECK-LABEL: define void @grid(
; CHECK: call i64 @ze_cpu.sync({{.*}}, i32 131072)
define void @grid(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  call void @_Z22__spirv_ControlBarrieriii(i32 1, i32 1, i32 528)
  ret void
}

; Values travel as 64-bit integers, vectors element by element.
; CHECK-LABEL: define void @moves(
; CHECK: [[LANE:%.*]] = zext i32 %n to i64
; CHECK: [[BITS:%.*]] = bitcast float %f to i32
; CHECK-NEXT: [[WIDE:%.*]] = zext i32 [[BITS]] to i64
; CHECK-NEXT: [[MOVED:%.*]] = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 [[WIDE]], i64 [[LANE]], i32 0, i32 2)
; CHECK-NEXT: [[NARROW:%.*]] = trunc i64 [[MOVED]] to i32
; CHECK-NEXT: bitcast i32 [[NARROW]] to float
; CHECK-COUNT-2: call i64 @ze_cpu.sync({{.*}}, i32 3)
; CHECK-NOT: ze_cpu.sync
; CHECK: ret void
define void @moves(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, float %f, i32 %n, <2 x i16> %v) {
  %a = call float @_Z30__spirv_GroupNonUniformShuffleifj(i32 3, float %f, i32 %n)
  %b = call <2 x i16> @_Z31__spirv_SubgroupShuffleXorINTELDv2_sj(<2 x i16> %v, i32 1)
  ret void
}

; Signed numbers are extended as such; a scan without its own element begins with the identity; a cluster has a size.
; CHECK-LABEL: define void @reductions(
; CHECK: [[WIDE:%.*]] = sext i8 %c to i64
; CHECK-NEXT: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 [[WIDE]], i64 0, i32 0, i32 782)
; CHECK: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 {{%.*}}, i64 127, i32 0, i32 784)
; CHECK: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 {{%.*}}, i64 4, i32 0, i32 270)
; CHECK: call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 {{%.*}}, i64 0, i32 0, i32 10)
define void @reductions(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i8 %c, i32 %n, i1 %is) {
  %a = call i8 @_Z27__spirv_GroupNonUniformSMiniic(i32 3, i32 0, i8 %c)
  %b = call i8 @_Z27__spirv_GroupNonUniformSMiniic(i32 3, i32 2, i8 %c)
  %d = call i32 @_Z27__spirv_GroupNonUniformIAddiiij(i32 3, i32 3, i32 %n, i32 4)
  %e = call i1 @_Z26__spirv_GroupNonUniformAnyib(i32 3, i1 %is)
  ret void
}

; A ballot's bits are counted by each lane for itself, and a fence of the work-group is for the compiler only. Of a sub-group of 16
; there are 16 bits.
; CHECK-LABEL: define i32 @local(
; CHECK-NOT: ze_cpu.sync
; CHECK: and i64 {{%.*}}, 65535
; CHECK: call i64 @llvm.ctpop.i64
; CHECK: fence syncscope("singlethread") seq_cst
; CHECK-NOT: ze_cpu.sync
; CHECK: ret i32
define i32 @local(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, <4 x i32> %mask) {
  %a = call i32 @_Z37__spirv_GroupNonUniformBallotBitCountiiDv4_j(i32 3, i32 0, <4 x i32> %mask)
  call void @_Z21__spirv_MemoryBarrierii(i32 2, i32 272)
  ret i32 %a
}

; Nothing is made of a vote's result if nobody wants it.
; CHECK-LABEL: define <4 x i32> @votes(
; CHECK: call i64 @ze_cpu.sync({{.*}}, i32 9)
; CHECK-NEXT: [[VOTES:%.*]] = call i64 @ze_cpu.sync({{.*}}, i32 9)
; CHECK-NEXT: trunc i64 [[VOTES]] to i32
define <4 x i32> @votes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %a = call <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32 3, i1 true)
  %b = call <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32 3, i1 true)
  ret <4 x i32> %b
}

; Half precision is carried out in single; zeros are equal, and NaN is not equal to itself.
; CHECK-LABEL: define void @floats(
; CHECK: fpext half %h to float
; CHECK: call i64 @ze_cpu.sync({{.*}}, i32 68110)
; CHECK: fptrunc float {{%.*}} to half
; CHECK: [[ORDERED:%.*]] = fcmp ord float %f, %f
; CHECK: [[ZERO:%.*]] = fcmp oeq float %f, 0.000000e+00
; CHECK: select i1 [[ZERO]], float 0.000000e+00, float %f
; CHECK: call i64 @ze_cpu.sync({{.*}}, i32 12)
; CHECK: and i1 {{%.*}}, [[ORDERED]]
define void @floats(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, half %h, float %f) {
  %a = call half @_Z17__spirv_GroupFAddiiDh(i32 2, i32 0, half %h)
  %b = call i1 @_Z31__spirv_GroupNonUniformAllEqualif(i32 3, float %f)
  ret void
}
