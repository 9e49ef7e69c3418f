; Offsets that carry alignments become 0; each kernel's memory is aligned for those that it uses.
; PASSES: hip-post-link-passes
; CHECK-NOT: @__chip_dynamic_shared
; CHECK: define {{.*}}spir_kernel void @small(ptr addrspace(3) align 4 %chip.dynamic_shared)
; CHECK: getelementptr{{.*}} ptr addrspace(3) %chip.dynamic_shared, i64 8
; CHECK: store i8 1
; CHECK: define {{.*}}spir_kernel void @large(i64 %i, ptr addrspace(3) align 64 %chip.dynamic_shared)
; CHECK: store i8 2, ptr addrspace(3) %chip.dynamic_shared
; CHECK: %[[P:.*]] = getelementptr{{.*}} ptr addrspace(3) %chip.dynamic_shared, i64 %i
; CHECK: store i8 3, ptr addrspace(3) %[[P]]
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@__chip_dynamic_shared = external addrspace(3) global [0 x i8], align 1
@__chip_dynamic_shared_offset.4 = external addrspace(1) global i8, align 4
@__chip_dynamic_shared_offset.64 = external addrspace(1) global i8, align 64

define spir_kernel void @small() {
  store i8 1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @__chip_dynamic_shared, i64 add (i64 ptrtoint (ptr addrspace(1) @__chip_dynamic_shared_offset.4 to i64), i64 8))
  ret void
}

define spir_kernel void @large(i64 %i) {
  store i8 2, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @__chip_dynamic_shared, i64 ptrtoint (ptr addrspace(1) @__chip_dynamic_shared_offset.4 to i64))
  %at = add i64 %i, ptrtoint (ptr addrspace(1) @__chip_dynamic_shared_offset.64 to i64)
  %p = getelementptr i8, ptr addrspace(3) @__chip_dynamic_shared, i64 %at
  store i8 3, ptr addrspace(3) %p
  ret void
}
