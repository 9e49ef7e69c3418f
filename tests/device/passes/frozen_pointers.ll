; The back end takes a pointer that was frozen and is compared with null. Integers stay frozen.
; PASSES: chip-prepare-module
; CHECK: define spir_kernel void @count
; CHECK-NOT: freeze ptr
; CHECK: freeze i64
; SPIRV: OpPtrEqual
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define spir_kernel void @count(ptr addrspace(1) %map, i64 %index) {
entry:
  %generic = addrspacecast ptr addrspace(1) %map to ptr addrspace(4)
  %place = freeze ptr addrspace(4) %generic
  %offset = freeze i64 %index
  %none = icmp eq ptr addrspace(4) %place, null
  br i1 %none, label %done, label %store
store:
  %element = getelementptr i32, ptr addrspace(4) %place, i64 %offset
  store i32 1, ptr addrspace(4) %element
  br label %done
done:
  ret void
}
