; What lanes access by bits of their numbers is loaded and stored as one vector where it lies side by side.
; RUN-A: --stage=access_adjacent_lanes --function=masked
; RUN-B: --stage=access_adjacent_lanes --function=stored
; RUN-C: --stage=access_adjacent_lanes --function=addresses
; RUN-D: --stage=access_adjacent_lanes --function=few_bits
; RUN-E: --stage=access_adjacent_lanes --function=loaded
; RUN-F: --stage=access_adjacent_lanes --function=strided
; RUN-G: --stage=access_adjacent_lanes --function=twice

declare <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x float>)
declare void @llvm.masked.scatter.v4f32.v4p0(<4 x float>, <4 x ptr>, i32, <4 x i1>)

; Numbers of 32 bits count the lanes unless the last one of them wraps around before it is widened.
; A-LABEL: define <4 x float> @masked(
; A: [[BITS:%.*]] = and <4 x i32> %number, %mask
; A-NEXT: [[KNOWN:%.*]] = freeze <4 x i32> [[BITS]]
; A-NEXT: [[FIRST:%.*]] = extractelement <4 x i32> [[KNOWN]], i64 0
; A: [[COUNTED:%.*]] = add <4 x i32> {{%.*}}, <i32 0, i32 1, i32 2, i32 3>
; A-NEXT: [[DIFFER:%.*]] = icmp ne <4 x i32> [[KNOWN]], [[COUNTED]]
; A: [[SOME:%.*]] = icmp ne i4 {{%.*}}, 0
; A: [[LAST:%.*]] = icmp ugt i32 {{%.*}}, -4
; A-NEXT: [[APART:%.*]] = or i1 [[SOME]], [[LAST]]
; A-NEXT: br i1 [[APART]], label %[[ONE_BY_ONE:.*]], label %[[TOGETHER:.*]], !prof
; A: [[ONE_BY_ONE]]:
; A-NEXT: zext <4 x i32> [[BITS]] to <4 x i64>
; A-NEXT: getelementptr float, ptr %p, <4 x i64>
; A-NEXT: [[GATHERED:%.*]] = call <4 x float> @llvm.masked.gather
; A: [[TOGETHER]]:
; A: [[WIDE:%.*]] = zext i32 {{%.*}} to i64
; A-NEXT: [[PLACE:%.*]] = getelementptr float, ptr %p, i64 [[WIDE]]
; A-NEXT: [[LOADED:%.*]] = load <4 x float>, ptr [[PLACE]], align 4
; A: phi <4 x float> [ [[LOADED]], %[[TOGETHER]] ], [ [[GATHERED]], %[[ONE_BY_ONE]] ]
define <4 x float> @masked(ptr %p, i32 %first, i32 %bits) {
  %f = insertelement <4 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <4 x i32> %f, <4 x i32> poison, <4 x i32> zeroinitializer
  %number = add <4 x i32> %firsts, <i32 0, i32 1, i32 2, i32 3>
  %m = insertelement <4 x i32> poison, i32 %bits, i64 0
  %mask = shufflevector <4 x i32> %m, <4 x i32> poison, <4 x i32> zeroinitializer
  %masked = and <4 x i32> %number, %mask
  %wide = zext <4 x i32> %masked to <4 x i64>
  %places = getelementptr float, ptr %p, <4 x i64> %wide
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %places, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %a
}

; Lanes that do not take part do not store.
; B-LABEL: define void @stored(
; B: icmp sgt i32 {{%.*}}, 2147483644
; B: call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %a, <4 x ptr> {{%.*}}, i32 4, <4 x i1> %active)
; B: call void @llvm.masked.store.v4f32.p0(<4 x float> %a, ptr {{%.*}}, i32 4, <4 x i1> %active)
define void @stored(ptr %p, i32 %first, i32 %bits, <4 x float> %a, <4 x i1> %active) {
  %f = insertelement <4 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <4 x i32> %f, <4 x i32> poison, <4 x i32> zeroinitializer
  %number = add <4 x i32> %firsts, <i32 0, i32 1, i32 2, i32 3>
  %m = insertelement <4 x i32> poison, i32 %bits, i64 0
  %distance = shufflevector <4 x i32> %m, <4 x i32> poison, <4 x i32> zeroinitializer
  %crossed = xor <4 x i32> %number, %distance
  %wide = sext <4 x i32> %crossed to <4 x i64>
  %places = getelementptr float, ptr %p, <4 x i64> %wide
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %a, <4 x ptr> %places, i32 4, <4 x i1> %active)
  ret void
}

; C-LABEL: define <4 x float> @addresses(
; C: add <4 x i64> {{%.*}}, <i64 0, i64 4, i64 8, i64 12>
; C: [[PLACE:%.*]] = inttoptr i64 {{%.*}} to ptr
; C-NEXT: [[BEHIND:%.*]] = getelementptr i8, ptr [[PLACE]], i64 8
; C-NEXT: load <4 x float>, ptr [[BEHIND]], align 4
define <4 x float> @addresses(<4 x i64> %unused, i64 %base, i64 %last) {
  %l = insertelement <4 x i64> poison, i64 %last, i64 0
  %lasts = shufflevector <4 x i64> %l, <4 x i64> poison, <4 x i32> zeroinitializer
  %x = call <4 x i64> @llvm.umin.v4i64(<4 x i64> <i64 0, i64 1, i64 2, i64 3>, <4 x i64> %lasts)
  %bytes = shl <4 x i64> %x, splat (i64 2)
  %b = insertelement <4 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <4 x i64> %b, <4 x i64> poison, <4 x i32> zeroinitializer
  %address = add <4 x i64> %bases, %bytes
  %pointers = inttoptr <4 x i64> %address to <4 x ptr>
  %places = getelementptr i8, <4 x ptr> %pointers, i64 8
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %places, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %a
}

; Two lanes of four are at the same place at least.
; D-LABEL: define <4 x float> @few_bits(
; D-NOT: load <
; D: ret
define <4 x float> @few_bits(ptr %p, i32 %first) {
  %f = insertelement <4 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <4 x i32> %f, <4 x i32> poison, <4 x i32> zeroinitializer
  %number = add <4 x i32> %firsts, <i32 0, i32 1, i32 2, i32 3>
  %masked = and <4 x i32> %number, splat (i32 1)
  %wide = zext <4 x i32> %masked to <4 x i64>
  %places = getelementptr float, ptr %p, <4 x i64> %wide
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %places, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %a
}

; Numbers from anywhere are not likely to count lanes.
; E-LABEL: define <4 x float> @loaded(
; E-NOT: load <4 x float>
; E: ret
define <4 x float> @loaded(ptr %p, ptr %numbers) {
  %number = load <4 x i32>, ptr %numbers
  %masked = and <4 x i32> %number, splat (i32 255)
  %wide = zext <4 x i32> %masked to <4 x i64>
  %places = getelementptr float, ptr %p, <4 x i64> %wide
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %places, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %a
}

; F-LABEL: define <4 x float> @strided(
; F-NOT: load <
; F: ret
define <4 x float> @strided(ptr %p, i32 %first) {
  %f = insertelement <4 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <4 x i32> %f, <4 x i32> poison, <4 x i32> zeroinitializer
  %number = add <4 x i32> %firsts, <i32 0, i32 1, i32 2, i32 3>
  %masked = and <4 x i32> %number, splat (i32 255)
  %wide = zext <4 x i32> %masked to <4 x i64>
  %places = getelementptr [2 x float], ptr %p, <4 x i64> %wide
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %places, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %a
}

; The same numbers are looked at once.
; G-LABEL: define <4 x float> @twice(
; G-COUNT-1: icmp ne <4 x i32>
; G: load <4 x float>, ptr
; G-NOT: icmp ne <4 x i32>
; G: load <4 x float>, ptr
; G: ret
define <4 x float> @twice(ptr %p, ptr %q, i32 %first, <4 x i32> %mask) {
  %f = insertelement <4 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <4 x i32> %f, <4 x i32> poison, <4 x i32> zeroinitializer
  %number = add <4 x i32> %firsts, <i32 0, i32 1, i32 2, i32 3>
  %masked = xor <4 x i32> %number, splat (i32 4)
  %wide = zext <4 x i32> %masked to <4 x i64>
  %places = getelementptr float, ptr %p, <4 x i64> %wide
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %places, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %others = getelementptr float, ptr %q, <4 x i64> %wide
  %b = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %others, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %sum = fadd <4 x float> %a, %b
  ret <4 x float> %sum
}
