; The back end takes a loop around an exchange whose results the optimiser has joined.
; PASSES: chip-struct-phis
; CHECK-NOT: phi { i32, i1 }
; CHECK: phi i32 [ [[FIRST:%.*]], %entry ], [ [[NEXT:%.*]], %again ]
; CHECK: phi i1
; SPIRV: OpPhi
; SPIRV: OpAtomicCompareExchange
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define spir_kernel void @count(ptr addrspace(1) %word) {
entry:
  %first = cmpxchg ptr addrspace(1) %word, i32 0, i32 1 monotonic monotonic
  br label %loop
loop:
  %pair = phi { i32, i1 } [ %first, %entry ], [ %next, %again ]
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %again
again:
  %found = extractvalue { i32, i1 } %pair, 0
  %more = add i32 %found, 1
  %next = cmpxchg ptr addrspace(1) %word, i32 %found, i32 %more monotonic monotonic
  br label %loop
end:
  ret void
}
