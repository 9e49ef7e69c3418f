; PASSES: hip-post-link-passes
; FAILS
; CHECK: error: kernel 'k(unsigned long*, unsigned long)' uses a 256-bit integer, which libCHIP's device compiler does not support yet
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define spir_kernel void @_Z1kPmm(ptr addrspace(1) %out, i64 %n) {
  %wide = zext i64 %n to i256
  %square = mul i256 %wide, %wide
  %upper = lshr i256 %square, 64
  %v = trunc i256 %upper to i64
  store i64 %v, ptr addrspace(1) %out
  ret void
}
