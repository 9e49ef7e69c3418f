; What keeps threads together at the end of a loop goes with the loop; where there is a loop, or somebody wants the result, it stays,
; and so does what the program has for that, which votes for something.
; PASSES: chip-loop-ends
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

declare spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32, i1) #0
declare spir_func void @other() #0
attributes #0 = { convergent nounwind }

; CHECK-LABEL: define void @unrolled(
; CHECK-NOT: Ballot
; CHECK: call spir_func void @other()
; CHECK-NEXT: call spir_func void @other()
; CHECK-NEXT: ret void
define void @unrolled() {
  call spir_func void @other()
  %a = call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32 3, i1 false)
  call spir_func void @other()
  %b = call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32 3, i1 false)
  ret void
}

; CHECK-LABEL: define void @loop(
; CHECK: body:
; CHECK-NEXT: call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32 3, i1 false)
; CHECK: behind:
; CHECK-NEXT: ret void
define void @loop(i1 %again) {
  br label %body
body:
  %a = call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32 3, i1 false)
  br i1 %again, label %body, label %behind
behind:
  %b = call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32 3, i1 false)
  ret void
}

; CHECK-LABEL: define <4 x i32> @wanted(
; CHECK-NEXT: call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(
define <4 x i32> @wanted() {
  %a = call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32 3, i1 false)
  ret <4 x i32> %a
}

; CHECK-LABEL: define void @syncwarp(
; CHECK-NEXT: call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32 3, i1 true)
define void @syncwarp() {
  %a = call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32 3, i1 true)
  ret void
}
