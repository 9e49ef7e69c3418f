; PASSES: hip-post-link-passes
; CHECK: define {{.*}}@reads(ptr addrspace(1) %out, ptr addrspace(1) noalias noundef readonly align 16 dereferenceable(2048) %chip.spilled.2048., ptr byval(%small) align 8 %small, i64 %i)
; CHECK-NOT: alloca
; CHECK: load i32, ptr addrspace(1)
; CHECK: define {{.*}}@writes({{.*}} %chip.spilled.2048., i64 %i)
; CHECK: [[OWN:%.*]] = alloca %large, align 16
; CHECK: call void @llvm.memcpy.p0.p1.i64(ptr align 16 [[OWN]], ptr addrspace(1) align 16 %chip.spilled.2048., i64 2048, i1 false)
; CHECK: define {{.*}}@at_the_limit({{.*}}byval(%limit)
; CHECK: define {{.*}}@many({{.*}} %chip.spilled.1000., ptr byval(%medium) {{.*}})
; Of two that are as large, both tell their size.
; CHECK: define {{.*}}@twice({{.*}} %chip.spilled.2048., {{.*}} %chip.spilled.2048.1)
; SPIRV-DAG: OpName [[READS:%.*]] "chip.spilled.2048."
; SPIRV-DAG: OpDecorate [[READS]] Alignment 16
; SPIRV: [[READS]] = OpFunctionParameter %_ptr_CrossWorkgroup
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

%large = type { [512 x i32] }
%small = type { i64, i64 }
%limit = type { [1024 x i8] }
%medium = type { [1000 x i8] }

define spir_kernel void @reads(ptr addrspace(1) %out, ptr byval(%large) align 16 %large, ptr byval(%small) align 8 %small, i64 %i) {
  %generic = addrspacecast ptr %large to ptr addrspace(4)
  %element = getelementptr i32, ptr addrspace(4) %generic, i64 %i
  %v = load i32, ptr addrspace(4) %element
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @writes(ptr addrspace(1) %out, ptr byval(%large) align 16 %large, i64 %i) {
  %element = getelementptr i32, ptr %large, i64 %i
  store i32 3, ptr %element
  %v = load i32, ptr %large
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @at_the_limit(ptr byval(%limit) align 4 %a) {
  ret void
}

define spir_kernel void @many(ptr byval(%medium) align 4 %a, ptr byval(%medium) align 4 %b) {
  ret void
}

define spir_kernel void @twice(ptr byval(%large) align 16 %a, ptr byval(%large) align 16 %b) {
  ret void
}
