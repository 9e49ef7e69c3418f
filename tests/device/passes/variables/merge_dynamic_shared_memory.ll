; Arrays that a function uses together, itself or in what it calls, become places in one, at an offset that carries the alignment.
; PASSES: chip-merge-dynamic-shared-memory
; CHECK-NOT: @bytes
; CHECK-NOT: @doubles
; CHECK: @__chip_dynamic_shared = external addrspace(3) global [0 x i8], align 1
; CHECK: @__chip_dynamic_shared_offset.1 = external addrspace(1) global i8, align 1
; CHECK: @__chip_dynamic_shared_offset.16 = external addrspace(1) global i8, align 16
; CHECK: define internal spir_func i8 @helper()
; CHECK: getelementptr{{.*}} @__chip_dynamic_shared, i64 ptrtoint (ptr addrspace(1) @__chip_dynamic_shared_offset.1 to i64)
; CHECK: define spir_kernel void @uses(
; CHECK: store double 1.000000e+00, {{.*}} @__chip_dynamic_shared, i64 ptrtoint (ptr addrspace(1) @__chip_dynamic_shared_offset.16 to i64)
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@bytes = external hidden addrspace(3) global [0 x i8], align 1
@doubles = external hidden addrspace(3) global [0 x double], align 16

define internal spir_func i8 @helper() noinline {
  %v = load i8, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) addrspacecast (ptr addrspace(3) @bytes to ptr addrspace(4)), i64 12)
  ret i8 %v
}

define spir_kernel void @uses(ptr addrspace(1) noundef %out) {
  %v = call spir_func i8 @helper() noinline
  store i8 %v, ptr addrspace(1) %out
  store double 1.0, ptr addrspace(3) @doubles
  ret void
}
