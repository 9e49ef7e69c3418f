; Relational instructions, loads and stores of packed vectors, shuffles by variable masks.
; RUN: --stage=lower_builtins

declare i1 @_Z11__spirv_AnyDv4_b(<4 x i1>)
declare <4 x i8> @_Z13__spirv_IsNanDv4_f(<4 x float>)
declare <4 x i32> @_Z18__spirv_ocl_selectDv4_iS_S_(<4 x i32>, <4 x i32>, <4 x i32>)
declare i32 @_Z18__spirv_ocl_selectiii(i32, i32, i32)
declare <2 x i32> @_Z20__spirv_ocl_shuffle2Dv3_iS_Dv2_j(<3 x i32>, <3 x i32>, <2 x i32>)
declare <3 x i32> @_Z18__spirv_ocl_vloadnlPU3AS1i(i64, ptr addrspace(1))
declare <3 x float> @_Z24__spirv_ocl_vloada_halfnlPU3AS1Dh(i64, ptr addrspace(1))
declare void @_Z25__spirv_ocl_vstore_half_rflPU3AS1Dhi(float, i64, ptr addrspace(1), i32)
declare void @_Z20__spirv_ocl_prefetchPU3AS1im(ptr addrspace(1), i64)

; Truth of a scalar is a bit; of vectors, all bits.
; CHECK-LABEL: define void @truth(
; CHECK-NEXT: call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %b)
; CHECK-NEXT: [[NAN:%.*]] = call <4 x i1> @llvm.is.fpclass.v4f32(<4 x float> %f, i32 3)
; CHECK-NEXT: sext <4 x i1> [[NAN]] to <4 x i8>
define void @truth(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, <4 x i1> %b, <4 x float> %f) {
  %a = call i1 @_Z11__spirv_AnyDv4_b(<4 x i1> %b)
  %n = call <4 x i8> @_Z13__spirv_IsNanDv4_f(<4 x float> %f)
  ret void
}

; The highest bit decides for vectors, any bit for scalars.
; CHECK-LABEL: define void @selects(
; CHECK-NEXT: [[C:%.*]] = icmp slt <4 x i32> %c, zeroinitializer
; CHECK-NEXT: select <4 x i1> [[C]], <4 x i32> %b, <4 x i32> %a
; CHECK-NEXT: [[C:%.*]] = icmp ne i32 %n, 0
; CHECK-NEXT: select i1 [[C]], i32 2, i32 1
define void @selects(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, <4 x i32> %a, <4 x i32> %b, <4 x i32> %c, i32 %n) {
  %v = call <4 x i32> @_Z18__spirv_ocl_selectDv4_iS_S_(<4 x i32> %a, <4 x i32> %b, <4 x i32> %c)
  %s = call i32 @_Z18__spirv_ocl_selectiii(i32 1, i32 2, i32 %n)
  ret void
}

; Vectors of three count as four.
; CHECK-LABEL: define <2 x i32> @shuffled(
; CHECK: [[WITHIN:%.*]] = and i32 [[INDEX:%.*]], 3
; CHECK: extractelement <3 x i32> %a, i32 [[WITHIN]]
; CHECK: and i32 [[INDEX]], 4
define <2 x i32> @shuffled(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, <3 x i32> %a, <3 x i32> %b, <2 x i32> %m) {
  %v = call <2 x i32> @_Z20__spirv_ocl_shuffle2Dv3_iS_Dv2_j(<3 x i32> %a, <3 x i32> %b, <2 x i32> %m)
  ret <2 x i32> %v
}

; Packed: three elements are three, but four in the aligned forms. What lies there is aligned as an element.
; CHECK-LABEL: define void @packed(
; CHECK: [[FIRST:%.*]] = mul i64 %x, 3
; CHECK: load i32, ptr addrspace(1) {{%.*}}, align 4
; CHECK: [[FIRST:%.*]] = mul i64 %x, 4
; CHECK: [[HALF:%.*]] = load half, ptr addrspace(1) {{%.*}}, align 2
; CHECK: fpext half [[HALF]] to float
define void @packed(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %a = call <3 x i32> @_Z18__spirv_ocl_vloadnlPU3AS1i(i64 %x, ptr addrspace(1) %p)
  %b = call <3 x float> @_Z24__spirv_ocl_vloada_halfnlPU3AS1Dh(i64 %x, ptr addrspace(1) %p)
  ret void
}

; To zero: the neighbour where the nearest is on the other side.
; CHECK-LABEL: define void @rounded(
; CHECK: [[NEAREST:%.*]] = fptrunc float %f to half
; CHECK-NEXT: [[BACK:%.*]] = fpext half [[NEAREST]] to float
; CHECK-DAG: fcmp olt float %f, [[BACK]]
; CHECK-DAG: fcmp ogt float %f, [[BACK]]
; CHECK: store half {{%.*}}, ptr addrspace(1) {{%.*}}, align 2
define void @rounded(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, float %f, ptr addrspace(1) %p) {
  call void @_Z25__spirv_ocl_vstore_half_rflPU3AS1Dhi(float %f, i64 %x, ptr addrspace(1) %p, i32 1)
  ret void
}

; A prefetch does nothing, and LLVM's own vectors stay.
; CHECK-LABEL: define <4 x i32> @plain(
; CHECK-NEXT: add <4 x i32> %a, %a
; CHECK-NEXT: ret
define <4 x i32> @plain(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, <4 x i32> %a, ptr addrspace(1) %p) {
  call void @_Z20__spirv_ocl_prefetchPU3AS1im(ptr addrspace(1) %p, i64 1)
  %b = add <4 x i32> %a, %a
  ret <4 x i32> %b
}
