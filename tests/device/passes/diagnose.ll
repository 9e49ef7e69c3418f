; Everything at once, with the kernel that needs it, and only once.
; PASSES: hip-post-link-passes
; FAILS
; CHECK: error: kernel 'first(int)' uses 'helper(int)', which has no definition in device code
; CHECK-NEXT: error: kernel 'first(int)' uses 'puts', which libCHIP's device compiler does not support yet
; CHECK-NEXT: error: kernel 'second()' uses 'calloc', which libCHIP's
; CHECK-NEXT: error: kernel 'second()' contains inline assembly for another processor ("s_nop 0")
; CHECK-NEXT: error: kernel 'second()' uses '__builtin_debugtrap'
; CHECK-NOT: error
; CHECK-NOT: Stack dump
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@format = internal addrspace(1) constant [2 x i8] c"a\00"
declare spir_func i32 @puts(ptr addrspace(4), ...)
declare spir_func ptr addrspace(4) @calloc(i64)
declare spir_func void @_Z6helperi(i32)
declare spir_func void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)
declare void @llvm.debugtrap()

define internal spir_func void @inner() noinline {
  %n = call spir_func i32 (ptr addrspace(4), ...) @puts(ptr addrspace(4) addrspacecast (ptr addrspace(1) @format to ptr addrspace(4)))
  %m = call spir_func i32 (ptr addrspace(4), ...) @puts(ptr addrspace(4) addrspacecast (ptr addrspace(1) @format to ptr addrspace(4)))
  ret void
}

define spir_kernel void @_Z5firsti(i32 %i) {
  call spir_func void @_Z6helperi(i32 %i)
  call spir_func void @inner()
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)
  ret void
}

define spir_kernel void @_Z6secondv() {
  %p = call spir_func ptr addrspace(4) @calloc(i64 8)
  call void asm sideeffect "", "~{memory}"()
  call void asm sideeffect "s_nop 0", ""()
  call void @llvm.debugtrap()
  unreachable
}
