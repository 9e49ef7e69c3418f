; Only what kernels use of the runtime's services gets a variable.
; PASSES: hip-post-link-passes
; CHECK: @__chip_messages = {{.*}}addrspace(1) externally_initialized global ptr addrspace(1) null
; CHECK-NOT: __chip_heap
; CHECK: define spir_kernel void @says
; CHECK: load ptr addrspace(1), ptr addrspace(1) @__chip_messages
; SPIRV: OpDecorate %__chip_messages LinkageAttributes "__chip_messages" Export
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

declare hidden spir_func ptr addrspace(4) @__chip_messages_address()
declare hidden spir_func ptr addrspace(4) @__chip_heap_address()

define spir_kernel void @says(i32 %n) {
  %messages = call spir_func ptr addrspace(4) @__chip_messages_address()
  store i32 %n, ptr addrspace(4) %messages
  ret void
}
; Nobody calls it.
define hidden spir_func void @allocates() {
  %heap = call spir_func ptr addrspace(4) @__chip_heap_address()
  store i32 1, ptr addrspace(4) %heap
  ret void
}
