; Gathers and scatters of a few lanes that are known are loads and stores of each.
; RUN: --stage=access_known_lanes

declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.scatter.v8i32.v8p0(<8 x i32>, <8 x ptr>, i32, <8 x i1>)

; CHECK: ; gather: accesses lanes
; CHECK: ; scatter: accesses lanes
; CHECK: ; many: left as it is
; CHECK: ; unknown: left as it is

; What the other lanes are given stays.
; CHECK-LABEL: define <8 x i32> @gather(
; CHECK-NEXT: [[P:%.*]] = extractelement <8 x ptr> %from, i64 1
; CHECK-NEXT: [[A:%.*]] = load i32, ptr [[P]], align 4
; CHECK-NEXT: [[ONE:%.*]] = insertelement <8 x i32> %otherwise, i32 [[A]], i64 1
; CHECK-NEXT: [[Q:%.*]] = extractelement <8 x ptr> %from, i64 6
; CHECK-NEXT: [[B:%.*]] = load i32, ptr [[Q]], align 4
; CHECK-NEXT: [[TWO:%.*]] = insertelement <8 x i32> [[ONE]], i32 [[B]], i64 6
; CHECK-NEXT: ret <8 x i32> [[TWO]]
define <8 x i32> @gather(<8 x ptr> %from, <8 x i32> %otherwise) {
  %loaded = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %from, i32 4, <8 x i1> <i1 0, i1 1, i1 0, i1 0, i1 0, i1 0, i1 1, i1 0>, <8 x i32> %otherwise)
  ret <8 x i32> %loaded
}

; CHECK-LABEL: define void @scatter(
; CHECK-NEXT: [[P:%.*]] = extractelement <8 x ptr> %to, i64 0
; CHECK-NEXT: [[A:%.*]] = extractelement <8 x i32> %values, i64 0
; CHECK-NEXT: store i32 [[A]], ptr [[P]], align 2
; CHECK-NEXT: ret void
define void @scatter(<8 x i32> %values, <8 x ptr> %to) {
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %values, <8 x ptr> %to, i32 2, <8 x i1> <i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0>)
  ret void
}

; CHECK-LABEL: define void @many(
; CHECK-NEXT: call void @llvm.masked.scatter
define void @many(<8 x i32> %values, <8 x ptr> %to) {
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %values, <8 x ptr> %to, i32 4, <8 x i1> <i1 1, i1 1, i1 0, i1 1, i1 0, i1 0, i1 0, i1 0>)
  ret void
}

; CHECK-LABEL: define void @unknown(
; CHECK-NEXT: call void @llvm.masked.scatter
define void @unknown(<8 x i32> %values, <8 x ptr> %to, <8 x i1> %mask) {
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %values, <8 x ptr> %to, i32 4, <8 x i1> %mask)
  ret void
}
