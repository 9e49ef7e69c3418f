; Variables that only the host uses are read by a kernel: others would not be written, or not be kept by a driver.
; PASSES: hip-post-link-passes
; CHECK: @table = {{.*}}global [2 x i32] [i32 1, i32 2]
; CHECK: define {{(dso_local )?}}spir_kernel void @__chip_init_globals()
; CHECK: load volatile i8, ptr addrspace(1) @table
; CHECK-NEXT: ret void
; SPIRV: OpEntryPoint Kernel %{{.*}} "__chip_init_globals"
; SPIRV: LinkageAttributes "table" Export
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@table = hidden addrspace(1) externally_initialized constant [2 x i32] [i32 1, i32 2]
