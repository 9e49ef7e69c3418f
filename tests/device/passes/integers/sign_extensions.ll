; What is known not to be negative is extended with its sign: SPIR-V cannot say the former.
; PASSES: chip-sign-extensions
; CHECK-LABEL: @extensions(
; CHECK: %known = sext i32 %a to i64
; CHECK: %unknown = zext i32 %a to i64
; CHECK: %vector = sext <2 x i8> %v to <2 x i32>
; CHECK: %truth = zext nneg i1 %c to i32
define void @extensions(ptr addrspace(1) %p, i32 %a, <2 x i8> %v, i1 %c) {
  %known = zext nneg i32 %a to i64
  %unknown = zext i32 %a to i64
  %vector = zext nneg <2 x i8> %v to <2 x i32>
  %truth = zext nneg i1 %c to i32
  store i64 %known, ptr addrspace(1) %p
  store i64 %unknown, ptr addrspace(1) %p
  store <2 x i32> %vector, ptr addrspace(1) %p
  store i32 %truth, ptr addrspace(1) %p
  ret void
}
