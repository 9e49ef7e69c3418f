; PASSES: hip-post-link-passes
; CHECK: define {{.*}}@kernel
; CHECK-NOT: sadd.with
; CHECK-NOT: mul.with
; CHECK: mul i64 %{{.*}}, %{{.*}}
; CHECK: call spir_func i64 @_Z20__spirv_ocl_s_mul_hill
; CHECK: ashr i64 %{{.*}}, 63
; SPIRV-DAG: OpExtInst %{{.*}} s_mul_hi
; SPIRV: OpFunctionEnd
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)

define spir_kernel void @kernel(ptr addrspace(1) %out, i32 %a, i32 %b, i64 %c) {
  %1 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %s = extractvalue { i32, i1 } %1, 0
  %so = extractvalue { i32, i1 } %1, 1
  %2 = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %s, i32 %b)
  %m = extractvalue { i32, i1 } %2, 0
  %mo = extractvalue { i32, i1 } %2, 1
  %3 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %c, i64 %c)
  %lo = extractvalue { i64, i1 } %3, 1
  %o1 = or i1 %so, %mo
  %o = or i1 %o1, %lo
  %v = select i1 %o, i32 0, i32 %m
  store i32 %v, ptr addrspace(1) %out
  ret void
}
