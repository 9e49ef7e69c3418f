; Accesses through clang's generic parameters become global ones.
; PASSES: hip-post-link-passes
; CHECK-DAG: @itself = {{.*}}addrspace(1) externally_initialized global i64 0, align 8
; CHECK-DAG: @plain = {{.*}}global ptr addrspace(4) null, align 8
; CHECK: define {{.*}}@parameter
; CHECK-NOT: addrspace(4)
; CHECK: store i32 1, ptr addrspace(1)
; CHECK: define {{.*}}@variable
; CHECK-NOT: addrspace(4)
; CHECK: load i32, ptr addrspace(1)
; CHECK: define {{.*}}@choose
; CHECK: [[NUMBER:%.*]] = ptrtoint ptr @first to i64
; CHECK: inttoptr i64 [[NUMBER]] to ptr
; CHECK: select i1
; CHECK: define {{.*}}@is_itself
; CHECK: load ptr addrspace(4), ptr addrspace(1) @itself
; SPIRV: OpCapability FunctionPointersINTEL
; SPIRV: OpFunctionEnd
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@counter = internal addrspace(1) global [4 x i32] zeroinitializer
@itself = addrspace(1) externally_initialized global ptr addrspace(4) null, align 8
@plain = addrspace(1) externally_initialized global ptr addrspace(4) null, align 8

define spir_kernel void @parameter(ptr addrspace(1) %p, i64 %i) {
  %number = ptrtoint ptr addrspace(1) %p to i64
  %generic = inttoptr i64 %number to ptr addrspace(4)
  %element = getelementptr i32, ptr addrspace(4) %generic, i64 %i
  store i32 1, ptr addrspace(4) %element
  ret void
}

define spir_kernel void @variable(ptr addrspace(1) %p) {
  %v = load i32, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) addrspacecast (ptr addrspace(1) @counter to ptr addrspace(4)), i64 4)
  store i32 %v, ptr addrspace(1) %p
  store i32 3, ptr addrspace(1) @counter
  ret void
}

define internal spir_func i32 @first(i32 %i) noinline {
  ret i32 %i
}

define internal spir_func i32 @second(i32 %i) noinline {
  ret i32 1
}

define spir_kernel void @choose(ptr addrspace(1) %p, i1 %c, i32 %i) {
  %function = select i1 %c, ptr @first, ptr @second
  %v = call spir_func i32 %function(i32 %i)
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; The type of @itself would contain itself.
define spir_kernel void @is_itself(ptr addrspace(1) %p) {
  %v = load ptr addrspace(4), ptr addrspace(4) addrspacecast (ptr addrspace(1) @itself to ptr addrspace(4))
  %same = icmp eq ptr addrspace(4) %v, addrspacecast (ptr addrspace(1) @itself to ptr addrspace(4))
  %number = zext i1 %same to i32
  store i32 %number, ptr addrspace(1) %p
  %w = load ptr addrspace(4), ptr addrspace(1) @plain
  store ptr addrspace(4) %w, ptr addrspace(4) addrspacecast (ptr addrspace(1) @plain to ptr addrspace(4))
  ret void
}
