; A pointer that is stored where a variable begins does not make the variable a pointer.
; PASSES: chip-local-aggregates
; CHECK-LABEL: @choose(
; CHECK: [[FIRST:%.*]] = getelementptr inbounds [3 x ptr addrspace(4)], ptr %names, i32 0, i32 0
; CHECK-NEXT: store ptr addrspace(4) %a, ptr [[FIRST]]
; CHECK: store ptr addrspace(4) %b, ptr %second
; CHECK-LABEL: @copy(
; A variable's address that is itself stored is left alone.
; CHECK: store ptr %pair, ptr %place
; CHECK: [[MEMBER:%.*]] = getelementptr inbounds { { ptr addrspace(4) }, i64 }, ptr %pair, i32 0, i32 0, i32 0
; CHECK-NEXT: load ptr addrspace(4), ptr [[MEMBER]]
; SPIRV-DAG: [[ARRAY:%.*]] = OpTypeArray %_ptr_Generic_uchar
; SPIRV-DAG: [[POINTER:%.*]] = OpTypePointer Function [[ARRAY]]
; SPIRV: OpVariable [[POINTER]] Function
; SPIRV: OpVariable %_ptr_Function__struct
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define spir_kernel void @choose(ptr addrspace(1) %to, ptr addrspace(4) %a, ptr addrspace(4) %b, i64 %i) {
  %names = alloca [3 x ptr addrspace(4)], align 8
  store ptr addrspace(4) %a, ptr %names, align 8
  %second = getelementptr inbounds i8, ptr %names, i64 8
  store ptr addrspace(4) %b, ptr %second, align 8
  %third = getelementptr inbounds i8, ptr %names, i64 16
  store ptr addrspace(4) %a, ptr %third, align 8
  %chosen = getelementptr inbounds ptr addrspace(4), ptr %names, i64 %i
  %name = load ptr addrspace(4), ptr %chosen, align 8
  store ptr addrspace(4) %name, ptr addrspace(1) %to, align 8
  ret void
}

define spir_kernel void @copy(ptr addrspace(1) %from, ptr addrspace(1) %to, i64 %i) {
  %pair = alloca { { ptr addrspace(4) }, i64 }, align 8
  %place = alloca ptr, align 8
  store ptr %pair, ptr %place, align 8
  call void @llvm.memcpy.p0.p1.i64(ptr align 8 %pair, ptr addrspace(1) align 8 %from, i64 16, i1 false)
  %first = load ptr addrspace(4), ptr %pair, align 8
  store ptr addrspace(4) %first, ptr addrspace(1) %to, align 8
  ret void
}
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
