; Both arrays are the same memory: one parameter, the last, with the larger alignment. The device function becomes part of the kernel.
; PASSES: hip-post-link-passes
; CHECK-NOT: @bytes
; CHECK-NOT: @doubles
; CHECK-NOT: @helper
; CHECK: define {{.*}}spir_kernel void @uses(ptr addrspace(1) {{.*}}%out, i32 %i, ptr addrspace(3) align 16 %chip.dynamic_shared)
; CHECK: getelementptr i8, ptr addrspace(3) %chip.dynamic_shared, i64 12
; CHECK: define {{.*}}spir_kernel void @uses_not(ptr addrspace(1) {{[^,)]*}})
; More than the parameter may ask for: the kernel rounds up.
; CHECK: define {{.*}}spir_kernel void @aligns(ptr addrspace(3) align 128 %chip.dynamic_shared.896)
; CHECK: ptrtoint ptr addrspace(3) %chip.dynamic_shared.896 to i64
; CHECK: and i64 {{.*}}, 1023
; CHECK: %[[BEGIN:.*]] = getelementptr inbounds {{.*}}i8, ptr addrspace(3) %chip.dynamic_shared.896, i64
; CHECK: store {{.*}} ptr addrspace(3) %[[BEGIN]]
; SPIRV: OpName %{{.*}} "chip.dynamic_shared.896"
; SPIRV: OpTypePointer Workgroup
; SPIRV: %chip_dynamic_shared = OpFunctionParameter %_ptr_Workgroup_
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@bytes = external hidden addrspace(3) global [0 x i8], align 1
@doubles = external hidden addrspace(3) global [0 x double], align 16

@wide = external hidden addrspace(3) global [0 x i8], align 1024

define internal spir_func i8 @helper() noinline {
  %v = load i8, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) addrspacecast (ptr addrspace(3) @bytes to ptr addrspace(4)), i64 12)
  ret i8 %v
}

define spir_kernel void @uses(ptr addrspace(1) noundef %out, i32 %i) {
  %v = call spir_func i8 @helper() noinline
  store i8 %v, ptr addrspace(1) %out
  store double 1.0, ptr addrspace(3) @doubles
  ret void
}

define spir_kernel void @uses_not(ptr addrspace(1) %out) {
  store i8 1, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @aligns() {
  store i32 1, ptr addrspace(3) @wide
  ret void
}
