; Built-in variables lie in known ranges, which LLVM is told.
; RUN: --stage=declare_builtin_ranges --sub-group-size=16

; CHECK: declare range(i64 0, 1024) i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)
; CHECK: declare range(i32 0, 16) i32 @_Z40__spirv_BuiltInSubgroupLocalInvocationIdv()
; A size is never 0, and may be the largest.
; CHECK: declare range(i64 1, 1025) i64 @_Z28__spirv_BuiltInWorkgroupSizei(i32)
; CHECK: declare range(i64 1, 4294967296) i64 @_Z28__spirv_BuiltInNumWorkgroupsi(i32)
declare i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)
declare i32 @_Z40__spirv_BuiltInSubgroupLocalInvocationIdv()
declare i64 @_Z28__spirv_BuiltInWorkgroupSizei(i32)
declare i64 @_Z28__spirv_BuiltInNumWorkgroupsi(i32)

; Vectors have a range for all elements.
; CHECK: declare range(i64 0, 1024) <3 x i64> @_Z32__spirv_BuiltInLocalInvocationIdv()
declare <3 x i64> @_Z32__spirv_BuiltInLocalInvocationIdv()

; In a narrow type the upper limit may be no number any more.
; CHECK: declare i32 @_Z26__spirv_BuiltInWorkgroupIdi(i32)
; CHECK: declare i8 @_Z32__spirv_BuiltInLocalInvocationIdci(i32)
declare i32 @_Z26__spirv_BuiltInWorkgroupIdi(i32)
declare i8 @_Z32__spirv_BuiltInLocalInvocationIdci(i32)

; Nothing is known of global numbers, and nothing of functions that are no built-in variables or have a body.
; CHECK: declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
; CHECK: declare i64 @BuiltInLocalInvocationId(i32)
; CHECK: define i64 @_Z35__spirv_BuiltInLocalInvocationIndexv()
declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
declare i64 @BuiltInLocalInvocationId(i32)
define i64 @_Z35__spirv_BuiltInLocalInvocationIndexv() {
  ret i64 5000
}
