; What cannot be taken apart is told, and is not left to the back end.
; PASSES: hip-post-link-passes
; FAILS
; CHECK-DAG: error: kernel 'exchange' uses a 128-bit integer in an operation (cmpxchg) that libCHIP's device compiler does not support yet
; CHECK-DAG: error: kernel 'vector' uses a 128-bit integer in an operation (load) that libCHIP's device compiler does not support yet
; CHECK-DAG: error: kernel 'assembly' uses a 128-bit integer in an operation (inline assembly) that libCHIP's device compiler does not support yet
; CHECK-DAG: error: the type or initial value of 'pairs' is made of 128-bit integers in a way that libCHIP's device compiler does not support yet
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@pairs = addrspace(1) externally_initialized global <2 x i128> <i128 1, i128 2>, align 32

define spir_kernel void @exchange(ptr addrspace(1) %p, i128 %expected, i128 %wanted) {
  %both = cmpxchg ptr addrspace(1) %p, i128 %expected, i128 %wanted seq_cst seq_cst, align 16
  ret void
}

define spir_kernel void @vector(ptr addrspace(1) %p) {
  %both = load <2 x i128>, ptr addrspace(1) %p, align 32
  store <2 x i128> %both, ptr addrspace(1) @pairs, align 32
  ret void
}

define spir_kernel void @assembly(ptr addrspace(1) %p) {
  %loaded = call i128 asm sideeffect "global_load_dwordx4 $0, $1 off glc dlc", "=v,v"(ptr addrspace(1) %p)
  store i128 %loaded, ptr addrspace(1) %p, align 16
  ret void
}
