; A format that only the run knows cannot be printed from a table of strings.
; PASSES: chip-printf
; FAILS
; CHECK: error: 'says(char const*)' calls printf with a format that is not a string literal
; CHECK-NOT: error
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

declare spir_func i32 @__chip_printf(ptr addrspace(4), ...)

define spir_kernel void @_Z4saysPKc(ptr addrspace(4) %format) {
  %a = call spir_func i32 (ptr addrspace(4), ...) @__chip_printf(ptr addrspace(4) %format)
  ret void
}
