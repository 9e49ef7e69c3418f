; Addresses go to the kernel, padding gets a value, everything else stays where it was.
; PASSES: hip-post-link-passes
; CHECK-DAG: @table = {{.*}}global { i32, [2 x ptr addrspace(4)], ptr } { i32 5, [2 x ptr addrspace(4)] zeroinitializer, ptr null }
; CHECK-DAG: @self = {{.*}}global i64 0
; CHECK-DAG: @padded = {{.*}}global { i8, [15 x i8], i32, [12 x i8] } { i8 1, [15 x i8] zeroinitializer, i32 2, [12 x i8] zeroinitializer }
; CHECK: define {{(dso_local )?}}spir_kernel void @__chip_init_globals()
; CHECK-DAG: store ptr addrspace(4) %{{.*}}, ptr addrspace(1) @self
; CHECK-DAG: getelementptr inbounds {{.*}}@text, i64 2
; CHECK-DAG: ptrtoint ptr @function to i64
; CHECK: ret void
; SPIRV: OpEntryPoint Kernel %{{.*}} "__chip_init_globals"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

@text = internal addrspace(1) constant [4 x i8] c"abc\00"
@table = addrspace(1) externally_initialized global { i32, [2 x ptr addrspace(4)], ptr } { i32 5, [2 x ptr addrspace(4)] [ptr addrspace(4) addrspacecast (ptr addrspace(1) @text to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) getelementptr inbounds (i8, ptr addrspace(1) @text, i64 2) to ptr addrspace(4))], ptr @function }
@self = addrspace(1) externally_initialized constant ptr addrspace(4) addrspacecast (ptr addrspace(1) @self to ptr addrspace(4))
@padded = addrspace(1) externally_initialized global { i8, [15 x i8], i32, [12 x i8] } { i8 1, [15 x i8] undef, i32 2, [12 x i8] undef }

define hidden spir_func i32 @function(i32 %i) noinline {
  ret i32 %i
}

define spir_kernel void @kernel(ptr addrspace(1) %out) {
  %v = load i32, ptr addrspace(1) @table
  store i32 %v, ptr addrspace(1) %out
  ret void
}
