; Integer functions.
; RUN: --stage=lower_builtins

declare i32 @_Z20__spirv_ocl_u_mul_hijj(i32, i32)
declare i32 @_Z19__spirv_ocl_s_mul24ii(i32, i32)
declare i8 @_Z19__spirv_ocl_s_rhaddcc(i8, i8)
declare <2 x i16> @_Z21__spirv_ocl_s_mad_satDv2_sS_S_(<2 x i16>, <2 x i16>, <2 x i16>)
declare i32 @_Z24__spirv_BitFieldSExtractijj(i32, i32, i32)
declare { i32, i32 } @_Z18__spirv_ISubBorrowii(i32, i32)
declare void @_Z17__spirv_IAddCarryii(ptr, i32, i32)
declare i32 @_Z22__spirv_SUDotAccSatKHRiii(i32, i32, i32)
declare i32 @_Z17__spirv_ocl_u_absj(i32)
declare i8 @_Z15__spirv_ocl_clzc(i8)

; CHECK-LABEL: define void @high(
; CHECK-DAG: [[X:%.*]] = zext i32 %a to i64
; CHECK-DAG: [[Y:%.*]] = zext i32 %b to i64
; CHECK: [[PRODUCT:%.*]] = mul i64 [[X]], [[Y]]
; CHECK-NEXT: [[HIGH:%.*]] = lshr i64 [[PRODUCT]], 32
; CHECK-NEXT: trunc i64 [[HIGH]] to i32
; CHECK: [[X:%.*]] = shl i32 %a, 8
; CHECK-NEXT: ashr i32 [[X]], 8
define void @high(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %a, i32 %b) {
  %h = call i32 @_Z20__spirv_ocl_u_mul_hijj(i32 %a, i32 %b)
  %m = call i32 @_Z19__spirv_ocl_s_mul24ii(i32 %a, i32 %b)
  ret void
}

; In a type where the sum cannot overflow.
; CHECK-LABEL: define i8 @half_add(
; CHECK-DAG: [[X:%.*]] = sext i8 %a to i16
; CHECK-DAG: [[Y:%.*]] = sext i8 %b to i16
; CHECK: [[SUM:%.*]] = add i16 [[X]], [[Y]]
; CHECK-NEXT: [[UP:%.*]] = add i16 [[SUM]], 1
; CHECK-NEXT: [[HALF:%.*]] = lshr i16 [[UP]], 1
; CHECK-NEXT: trunc i16 [[HALF]] to i8
define i8 @half_add(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i8 %a, i8 %b) {
  %h = call i8 @_Z19__spirv_ocl_s_rhaddcc(i8 %a, i8 %b)
  ret i8 %h
}

; The wide type holds the product and the sum.
; CHECK-LABEL: define <2 x i16> @saturated(
; CHECK: mul <2 x i33>
; CHECK: add <2 x i33>
; CHECK: call <2 x i33> @llvm.smax.v2i33(<2 x i33> {{%.*}}, <2 x i33> splat (i33 -32768))
; CHECK: call <2 x i33> @llvm.smin.v2i33(<2 x i33> {{%.*}}, <2 x i33> splat (i33 32767))
; CHECK: trunc <2 x i33>
define <2 x i16> @saturated(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, <2 x i16> %a, <2 x i16> %b) {
  %h = call <2 x i16> @_Z21__spirv_ocl_s_mad_satDv2_sS_S_(<2 x i16> %a, <2 x i16> %b, <2 x i16> %a)
  ret <2 x i16> %h
}

; All bits of the base are a field too, and none: a shift by the width would be poison.
; CHECK-LABEL: define i32 @field(
; CHECK-NEXT: [[FULL:%.*]] = icmp uge i32 %count, 32
; CHECK-NEXT: [[SAFE:%.*]] = select i1 [[FULL]], i32 0, i32 %count
; CHECK-NEXT: [[ABOVE:%.*]] = shl i32 -1, [[SAFE]]
; CHECK-NEXT: [[BELOW:%.*]] = xor i32 [[ABOVE]], -1
; CHECK-NEXT: [[MASK:%.*]] = select i1 [[FULL]], i32 -1, i32 [[BELOW]]
; CHECK-NEXT: [[OFFSET:%.*]] = and i32 %offset, 31
; CHECK: xor i32
define i32 @field(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %base, i32 %offset, i32 %count) {
  %f = call i32 @_Z24__spirv_BitFieldSExtractijj(i32 %base, i32 %offset, i32 %count)
  ret i32 %f
}

; A pair of results, as a struct or through a pointer.
; CHECK-LABEL: define void @pairs(
; CHECK-DAG: sub i32 %a, %b
; CHECK-DAG: icmp ult i32 %a, %b
; CHECK: insertvalue { i32, i32 }
; CHECK: store { i32, i32 } {{%.*}}, ptr %p
define void @pairs(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %a, i32 %b, ptr %p) {
  %s = call { i32, i32 } @_Z18__spirv_ISubBorrowii(i32 %a, i32 %b)
  call void @_Z17__spirv_IAddCarryii(ptr %p, i32 %a, i32 %b)
  ret void
}

; Bytes of a word, signed ones times unsigned ones; saturation sees the true sum.
; CHECK-LABEL: define i32 @dot(
; CHECK: bitcast i32 %a to <4 x i8>
; CHECK-DAG: sext i8 {{%.*}} to i64
; CHECK-DAG: zext i8 {{%.*}} to i64
; CHECK: [[ALL:%.*]] = add i64 {{%.*}}, {{%.*}}
; CHECK: call i64 @llvm.smax.i64(i64 {{%.*}}, i64 -2147483648)
; CHECK: call i64 @llvm.smin.i64(i64 {{%.*}}, i64 2147483647)
define i32 @dot(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %a, i32 %b, i32 %c) {
  %d = call i32 @_Z22__spirv_SUDotAccSatKHRiii(i32 %a, i32 %b, i32 %c)
  ret i32 %d
}

; Zero has as many leading zeros as bits; an unsigned number is its own magnitude.
; CHECK-LABEL: define i32 @simple(
; CHECK-SAME: i64 %lane, i32 [[A:%.*]], i8 %c)
; CHECK-NEXT: call i8 @llvm.ctlz.i8(i8 %c, i1 false)
; CHECK-NEXT: ret i32 [[A]]
define i32 @simple(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %a, i8 %c) {
  %zeros = call i8 @_Z15__spirv_ocl_clzc(i8 %c)
  %m = call i32 @_Z17__spirv_ocl_u_absj(i32 %a)
  ret i32 %m
}
