; PASSES: chip-sub-group-size
; CHECK: define spir_kernel void @kernel() !intel_reqd_sub_group_size [[SIZE:![0-9]+]]
; CHECK: define spir_func void @function() {
; CHECK: [[SIZE]] = !{i32 32}
; SPIRV: OpExecutionMode %{{.*}} SubgroupSize 32
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define spir_kernel void @kernel() {
  ret void
}

define spir_func void @function() {
  ret void
}
