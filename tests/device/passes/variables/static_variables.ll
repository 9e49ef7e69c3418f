; PASSES: chip-static-variables
; CHECK: @pointer = addrspace(1) global ptr addrspace(4) getelementptr (i8, ptr addrspace(4) addrspacecast (ptr addrspace(1) @table.static.1234 to ptr addrspace(4)), i64 4)
; CHECK: load i32, ptr addrspace(1) @counter.static.1234
; CHECK: store ptr @kernel.intern.1234
; CHECK: load i32, ptr addrspace(1) @other
; CHECK: load i32, ptr addrspace(1) @defined,
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@table = external addrspace(1) global [4 x i32]
@pointer = addrspace(1) global ptr addrspace(4) getelementptr (i8, ptr addrspace(4) addrspacecast (ptr addrspace(1) @table to ptr addrspace(4)), i64 4)
@counter = external addrspace(1) global i32
@other = external addrspace(1) global i32
@defined = internal addrspace(1) global i32 1
@table.static.1234 = addrspace(1) externally_initialized global [4 x i32] zeroinitializer
@counter.static.1234 = addrspace(1) externally_initialized global i32 5
@defined.static.1234 = addrspace(1) externally_initialized global i32 5

declare spir_kernel void @kernel()
define spir_kernel void @kernel.intern.1234() {
  ret void
}

define spir_kernel void @user(ptr addrspace(1) %out) {
  %a = load i32, ptr addrspace(1) @counter
  store i32 %a, ptr addrspace(1) %out
  store ptr @kernel, ptr addrspace(1) %out
  %b = load i32, ptr addrspace(1) @other
  store i32 %b, ptr addrspace(1) %out
  %c = load i32, ptr addrspace(1) @defined
  store i32 %c, ptr addrspace(1) %out
  ret void
}
