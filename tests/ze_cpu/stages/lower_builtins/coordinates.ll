; Built-in variables: where a work-item is.
; RUN: --stage=lower_builtins --sub-group-size=16

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
declare i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)
declare <3 x i64> @_Z32__spirv_BuiltInLocalInvocationIdv()
declare i64 @_Z28__spirv_BuiltInWorkgroupSizei(i32)
declare i32 @_Z40__spirv_BuiltInSubgroupLocalInvocationIdv()
declare i32 @_Z25__spirv_BuiltInSubgroupIdv()
declare i32 @_Z27__spirv_BuiltInSubgroupSizev()
declare i32 @_Z29__spirv_BuiltInSubgroupLtMaskv()
declare <4 x i32> @_Z29__spirv_BuiltInSubgroupGeMaskv()

; group * size + offset + local; neither signed nor unsigned arithmetic wraps.
; CHECK-LABEL: define i64 @global(
; CHECK-NEXT: [[P:%.*]] = getelementptr inbounds i8, ptr %group, i64 48
; CHECK-NEXT: [[SIZE:%.*]] = load i64, ptr [[P]], align 8, !range ![[RANGE:[0-9]+]], !invariant.load
; CHECK-NEXT: [[FIRST:%.*]] = mul nuw nsw i64 %gx, [[SIZE]]
; CHECK-NEXT: [[P:%.*]] = getelementptr inbounds i8, ptr %group, i64 72
; CHECK-NEXT: [[OFFSET:%.*]] = load i64, ptr [[P]], align 8, !invariant.load
; CHECK-NEXT: [[BOTH:%.*]] = add nuw nsw i64 [[FIRST]], [[OFFSET]]
; CHECK-NEXT: %a = add nuw nsw i64 [[BOTH]], %x
define i64 @global(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %a = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  ret i64 %a
}

; The number of a lane in its sub-group, and the number of the sub-group.
; CHECK-LABEL: define void @sub_group(
; CHECK-NEXT: [[LANE:%.*]] = and i64 %lane, 15
; CHECK-NEXT: trunc i64 [[LANE]] to i32
; CHECK-NEXT: [[NUMBER:%.*]] = lshr i64 %lane, 4
; CHECK-NEXT: trunc i64 [[NUMBER]] to i32
; The last sub-group may be a part of one.
; CHECK: [[FIRST:%.*]] = and i64 %lane, -16
; CHECK: [[LEFT:%.*]] = sub i64 {{%.*}}, [[FIRST]]
; CHECK-NEXT: call i64 @llvm.umin.i64(i64 [[LEFT]], i64 16)
define void @sub_group(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %a = call i32 @_Z40__spirv_BuiltInSubgroupLocalInvocationIdv()
  %b = call i32 @_Z25__spirv_BuiltInSubgroupIdv()
  %c = call i32 @_Z27__spirv_BuiltInSubgroupSizev()
  ret void
}

; Masks have only lanes that there are.
; CHECK-LABEL: define void @masks(
; CHECK: [[BIT:%.*]] = shl i64 1,
; CHECK: [[BELOW:%.*]] = sub i64 [[BIT]], 1
; CHECK: trunc i64 [[BELOW]] to i32
; CHECK: [[BIT:%.*]] = shl i64 1,
; CHECK: [[END:%.*]] = shl i64 1,
; CHECK: [[ALL:%.*]] = sub i64 [[END]], 1
; CHECK: [[BELOW:%.*]] = sub i64 [[BIT]], 1
; CHECK: [[NOT:%.*]] = xor i64 [[BELOW]], -1
; CHECK: and i64 [[ALL]], [[NOT]]
; CHECK: insertelement <4 x i32> zeroinitializer, i32 {{%.*}}, i64 0
define void @masks(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %a = call i32 @_Z29__spirv_BuiltInSubgroupLtMaskv()
  %b = call <4 x i32> @_Z29__spirv_BuiltInSubgroupGeMaskv()
  ret void
}

; Beyond the third dimension there is one work-item, with number 0, whether that is known here or not.
; CHECK-LABEL: define void @outside(
; CHECK-NEXT: call void @use(i64 0, i64 1)
; CHECK: icmp eq i32 %d, 0
; CHECK-NEXT: [[X:%.*]] = select i1 {{%.*}}, i64 %x, i64 0
; CHECK-NEXT: icmp eq i32 %d, 1
; CHECK-NEXT: [[Y:%.*]] = select i1 {{%.*}}, i64 %y, i64 [[X]]
; CHECK-NEXT: icmp eq i32 %d, 2
; CHECK-NEXT: %id = select i1 {{%.*}}, i64 %z, i64 [[Y]]
define void @outside(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %d) {
  %a = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 3)
  %b = call i64 @_Z28__spirv_BuiltInWorkgroupSizei(i32 3)
  call void @use(i64 %a, i64 %b)
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 %d)
  ret void
}
declare void @use(i64, i64)

; All three at once.
; CHECK-LABEL: define <3 x i64> @vector(
; CHECK-NEXT: insertelement <3 x i64> poison, i64 %x, i64 0
; CHECK-NEXT: insertelement <3 x i64> {{%.*}}, i64 %y, i64 1
; CHECK-NEXT: %a = insertelement <3 x i64> {{%.*}}, i64 %z, i64 2
define <3 x i64> @vector(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %a = call <3 x i64> @_Z32__spirv_BuiltInLocalInvocationIdv()
  ret <3 x i64> %a
}

; CHECK-LABEL: define i64 @none(
; CHECK-NEXT: ret i64 %x
define i64 @none(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  ret i64 %x
}
; CHECK: ![[RANGE]] = !{i64 1, i64 1025}
