; PASSES: hip-post-link-passes
; FAILS
; CHECK: error: device function 'walk(int)' uses an 'extern __shared__' array, but it is recursive
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@array = external hidden addrspace(3) global [0 x i32], align 4

define internal spir_func void @_Z4walki(i32 %n) {
  store i32 %n, ptr addrspace(3) @array
  %more = icmp sgt i32 %n, 0
  br i1 %more, label %again, label %end
again:
  %less = sub i32 %n, 1
  call spir_func void @_Z4walki(i32 %less)
  store i32 %less, ptr addrspace(3) @array
  br label %end
end:
  ret void
}

define spir_kernel void @kernel(i32 %n) {
  call spir_func void @_Z4walki(i32 %n)
  ret void
}
