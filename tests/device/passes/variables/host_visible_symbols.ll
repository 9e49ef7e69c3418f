; PASSES: hip-post-link-passes
; CHECK: @constant_table = {{(dso_local )?}}addrspace(1) externally_initialized global i32 7
; CHECK: @static_texture = {{(dso_local )?}}addrspace(1) externally_initialized global %struct.texture zeroinitializer
; CHECK-NOT: @unused
; CHECK-NOT: define hidden spir_kernel
; CHECK: define {{(dso_local )?}}spir_kernel void @kernel
; SPIRV-DAG: LinkageAttributes "constant_table" Export
; SPIRV-DAG: OpEntryPoint Kernel %{{.*}} "kernel"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@constant_table = hidden addrspace(1) externally_initialized constant i32 7
%struct.texture = type { ptr }
@static_texture = internal addrspace(1) global %struct.texture undef
@unused = hidden addrspace(1) constant i32 7

define hidden spir_kernel void @kernel(ptr addrspace(1) %out) {
  %v = load i32, ptr addrspace(1) @constant_table
  %texture = load volatile ptr, ptr addrspace(1) @static_texture
  store i32 %v, ptr addrspace(1) %out
  ret void
}
