; Every function of a unit, and every call of one, gets the parameters that tell where its work-item is.
; RUN: --stage=add_context_parameters --shared=elsewhere

declare void @elsewhere(i32)
declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
declare i32 @llvm.ctpop.i32(i32)
@table = addrspace(1) constant [1 x ptr] [ptr @callee]

; A pointer to a function means one with the parameters.
; CHECK: @table = addrspace(1) constant [1 x ptr] [ptr @callee]

; Builtins and intrinsics keep theirs.
; CHECK-DAG: declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
; CHECK-DAG: declare i32 @llvm.ctpop.i32(i32)

; What another unit defines has the parameters too.
; CHECK-DAG: declare void @elsewhere(ptr noundef nonnull, i64, i64, i64, i64, i64, i32)

; CHECK-LABEL: define void @kernel(ptr noundef nonnull %0, i64 %1, i64 %2, i64 %3, i64 %4, i64 %5, ptr %code)
; CHECK: %id = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
; CHECK: %sum = call fast float @callee(ptr %0, i64 %1, i64 %2, i64 %3, i64 %4, i64 %5, float 1.000000e+00)
; CHECK: call void @elsewhere(ptr %0, i64 %1, i64 %2, i64 %3, i64 %4, i64 %5, i32 7)
; CHECK: call void %code(ptr %0, i64 %1, i64 %2, i64 %3, i64 %4, i64 %5, i8 signext 3)
; CHECK: call i32 @llvm.ctpop.i32(i32 1)
; CHECK: call void asm sideeffect "", ""()
define void @kernel(ptr %code) {
  %id = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %sum = call fast float @callee(float 1.0)
  call void @elsewhere(i32 7)
  call void %code(i8 signext 3)
  %bits = call i32 @llvm.ctpop.i32(i32 1)
  call void asm sideeffect "", ""()
  ret void
}

; Reading coordinates reads memory: a function is not free of that any more.
; CHECK-LABEL: define float @callee(ptr noundef nonnull %0, i64 %1, i64 %2, i64 %3, i64 %4, i64 %5, float %x)
; CHECK-SAME: #[[ATTRIBUTES:[0-9]+]]
define float @callee(float %x) nounwind memory(none) speculatable {
  ret float %x
}

; A result through memory must be the first parameter, which it no longer is.
; CHECK-LABEL: define void @returns_struct(
; CHECK-SAME: i64 %5, ptr noalias %result)
define void @returns_struct(ptr noalias sret([4 x i64]) %result) {
  ret void
}

; CHECK: attributes #[[ATTRIBUTES]] = { nounwind }
