; PASSES: hip-post-link-passes
; CHECK-LABEL: define {{.*}}@ordered
; CHECK: call spir_func i32 @_Z18__spirv_AtomicLoadPU3AS1iii(ptr addrspace(1) %p, i32 1, i32 770)
; CHECK: call spir_func void @_Z19__spirv_AtomicStorePU3AS1iiii(ptr addrspace(1) %q, i32 2, i32 772, i32 %
; CHECK: call spir_func void @_Z21__spirv_MemoryBarrierii(i32 1, i32 776)
; CHECK: call spir_func void @_Z21__spirv_MemoryBarrierii(i32 0, i32 772)
; CHECK-NEXT: atomicrmw add {{.*}} monotonic
; CHECK-NEXT: call spir_func void @_Z21__spirv_MemoryBarrierii(i32 0, i32 770)
; CHECK-LABEL: define {{.*}}@loops
; CHECK-NOT: nand
; CHECK: cmpxchg ptr addrspace(1) %{{.*}}, i32
; CHECK: cmpxchg ptr addrspace(1) %{{.*}}, i32
; SPIRV: OpAtomicLoad
; SPIRV: OpAtomicStore
; SPIRV: OpMemoryBarrier
; SPIRV: OpMemoryBarrier
; SPIRV: OpAtomicIAdd
; SPIRV: OpMemoryBarrier
; SPIRV: OpAtomicCompareExchange
; SPIRV: OpAtomicCompareExchange
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define spir_kernel void @ordered(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %v = load atomic i32, ptr addrspace(1) %p syncscope("device") acquire, align 4
  store atomic i32 %v, ptr addrspace(1) %q syncscope("workgroup") release, align 4
  fence syncscope("device") acq_rel
  %o = atomicrmw add ptr addrspace(1) %p, i32 1 acq_rel
  ret void
}

define spir_kernel void @loops(ptr addrspace(1) %p, i32 %i, i16 %s) {
  %n = atomicrmw nand ptr addrspace(1) %p, i32 %i syncscope("device") monotonic
  %h = atomicrmw add ptr addrspace(1) %p, i16 %s syncscope("device") monotonic
  store i32 %n, ptr addrspace(1) %p
  store i16 %h, ptr addrspace(1) %p
  ret void
}
