; Gathers and scatters of which no lane takes part are passed by.
; RUN: --stage=skip_empty_masks

declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.scatter.v8i32.v8p0(<8 x i32>, <8 x ptr>, i32, <8 x i1>)
declare void @llvm.masked.scatter.v2i32.v2p0(<2 x i32>, <2 x ptr>, i32, <2 x i1>)

; Where the mask is empty, the result is what the gather was given for such lanes.
; CHECK-LABEL: define <8 x i32> @gather(
; CHECK: [[BITS:%.*]] = bitcast <8 x i1> %mask to i8
; CHECK-NEXT: [[SOME:%.*]] = icmp ne i8 [[BITS]], 0
; CHECK-NEXT: br i1 [[SOME]], label %[[THEN:.*]], label %[[AFTER:.*]]
; CHECK: [[THEN]]:
; CHECK-NEXT: %loaded = call <8 x i32> @llvm.masked.gather
; CHECK-NEXT: br label %[[AFTER]]
; CHECK: [[AFTER]]:
; CHECK-NEXT: [[RESULT:%.*]] = phi <8 x i32> [ %loaded, %[[THEN]] ], [ %otherwise, %entry ]
; CHECK-NEXT: ret <8 x i32> [[RESULT]]
define <8 x i32> @gather(<8 x ptr> %from, <8 x i1> %mask, <8 x i32> %otherwise) {
entry:
  %loaded = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %from, i32 4, <8 x i1> %mask, <8 x i32> %otherwise)
  ret <8 x i32> %loaded
}

; What lanes load from the same place is loaded once, where any of them takes part.
; CHECK-LABEL: define <8 x i32> @load_once(
; CHECK: br i1 {{%.*}}, label %[[THEN:.*]], label %[[AFTER:.*]]
; CHECK: [[THEN]]:
; CHECK-NEXT: [[ONE:%.*]] = load i32, ptr %p, align 4
; CHECK-NEXT: [[FIRST:%.*]] = insertelement <8 x i32> poison, i32 [[ONE]], i64 0
; CHECK-NEXT: [[ALL:%.*]] = shufflevector <8 x i32> [[FIRST]]
; CHECK-NEXT: [[LOADED:%.*]] = select <8 x i1> %mask, <8 x i32> [[ALL]], <8 x i32> %otherwise
; CHECK: [[AFTER]]:
; CHECK-NEXT: phi <8 x i32> [ [[LOADED]], %[[THEN]] ], [ %otherwise, %entry ]
; CHECK-NOT: @llvm.masked.gather
; CHECK: ret
define <8 x i32> @load_once(ptr %p, <8 x i1> %mask, <8 x i32> %otherwise) {
entry:
  %one = insertelement <8 x ptr> poison, ptr %p, i64 0
  %from = shufflevector <8 x ptr> %one, <8 x ptr> poison, <8 x i32> zeroinitializer
  %loaded = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %from, i32 4, <8 x i1> %mask, <8 x i32> %otherwise)
  ret <8 x i32> %loaded
}

; Up to a quarter of the lanes store one after the other.
; CHECK-LABEL: define void @scatter(
; CHECK: [[ALL:%.*]] = zext i8 {{%.*}} to i64
; CHECK-NEXT: [[COUNT:%.*]] = call i64 @llvm.ctpop.i64(i64 [[ALL]])
; CHECK-NEXT: icmp ule i64 [[COUNT]], 2
; CHECK: one.lane:
; CHECK-NEXT: [[LEFT:%.*]] = phi i64 [ [[ALL]],
; CHECK-NEXT: [[LANE:%.*]] = call i64 @llvm.cttz.i64(i64 [[LEFT]], i1 true)
; CHECK: [[PLACE:%.*]] = load ptr,
; CHECK: [[VALUE:%.*]] = load i32,
; CHECK-NEXT: store i32 [[VALUE]], ptr [[PLACE]], align 4
; CHECK: call void @llvm.masked.scatter
define void @scatter(<8 x i32> %values, <8 x ptr> %to, <8 x i1> %mask) {
entry:
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %values, <8 x ptr> %to, i32 4, <8 x i1> %mask)
  ret void
}

; A quarter of two lanes is none.
; CHECK-LABEL: define void @short(
; CHECK: icmp ne i2
; CHECK-NOT: one.lane
; CHECK: ret void
define void @short(<2 x i32> %values, <2 x ptr> %to, <2 x i1> %mask) {
entry:
  call void @llvm.masked.scatter.v2i32.v2p0(<2 x i32> %values, <2 x ptr> %to, i32 4, <2 x i1> %mask)
  ret void
}

; Of lanes that store to the same place, the last that takes part has its value there.
; CHECK-LABEL: define void @same_place(
; CHECK: br i1
; CHECK: [[ALL:%.*]] = bitcast <8 x i1> %mask to i8
; CHECK-NEXT: [[ABOVE:%.*]] = call i8 @llvm.ctlz.i8(i8 [[ALL]], i1 true)
; CHECK-NEXT: [[LAST:%.*]] = sub i8 7, [[ABOVE]]
; CHECK-NEXT: [[VALUE:%.*]] = extractelement <8 x i32> %values, i8 [[LAST]]
; CHECK-NEXT: store i32 [[VALUE]], ptr %to, align 4
; CHECK-NOT: @llvm.masked.scatter
; CHECK: ret void
define void @same_place(<8 x i32> %values, ptr %to, <8 x i1> %mask) {
entry:
  %first = insertelement <8 x ptr> poison, ptr %to, i64 0
  %all = shufflevector <8 x ptr> %first, <8 x ptr> poison, <8 x i32> zeroinitializer
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %values, <8 x ptr> %all, i32 4, <8 x i1> %mask)
  ret void
}

; So is one that is computed from such places.
; CHECK-LABEL: define void @same_offset(
; CHECK: [[PLACE:%.*]] = getelementptr inbounds i8, ptr %to, i64 36
; CHECK: store i32 {{%.*}}, ptr [[PLACE]], align 4
; CHECK-NOT: @llvm.masked.scatter
; CHECK: ret void
define void @same_offset(<8 x i32> %values, ptr %to, <8 x i1> %mask) {
entry:
  %first = insertelement <8 x ptr> poison, ptr %to, i64 0
  %all = shufflevector <8 x ptr> %first, <8 x ptr> poison, <8 x i32> zeroinitializer
  %places = getelementptr inbounds i8, <8 x ptr> %all, i64 36
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %values, <8 x ptr> %places, i32 4, <8 x i1> %mask)
  ret void
}

; A mask that is known is left alone.
; CHECK-LABEL: define void @whole(
; CHECK-NEXT: entry:
; CHECK-NEXT: call void @llvm.masked.scatter
; CHECK-NEXT: ret void
define void @whole(<8 x i32> %values, <8 x ptr> %to) {
entry:
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %values, <8 x ptr> %to, i32 4, <8 x i1> splat (i1 true))
  ret void
}
