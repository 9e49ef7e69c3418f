; Accesses that the threads of a warp count on making together are marked for the optimiser: volatile ones of memory that they share, and
; fences; and where ways join again of which one has some. Private variables and functions without any stay as they are.
; PASSES: chip-mark-lock-step
; CHECK-LABEL: define void @shared(
; CHECK-NEXT: call void asm sideeffect "# lock step", ""() [[MARK:#[0-9]+]]
; CHECK-NEXT: load volatile
; CHECK-NEXT: store volatile
; CHECK-NEXT: call void @shared
; CHECK-NEXT: call void asm sideeffect "# lock step"
; CHECK-NEXT: fence
; CHECK-NEXT: ret void

; CHECK-LABEL: define void @private(
; CHECK-NOT: asm
; CHECK: ret void

; CHECK-LABEL: define void @joins(
; CHECK: none:
; CHECK-NEXT: load i32
; CHECK-NEXT: br
; CHECK: join:
; CHECK-NEXT: br
; CHECK: some:
; CHECK-NEXT: call void @shared
; CHECK: end:
; CHECK-NEXT: %v = phi
; CHECK-NEXT: call void asm sideeffect "# lock step"
; CHECK-NEXT: ret void

; CHECK: attributes [[MARK]] = { convergent nounwind willreturn memory(inaccessiblemem: readwrite) }
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define void @shared(ptr addrspace(4) %p) {
  %x = load volatile i32, ptr addrspace(4) %p
  store volatile i32 %x, ptr addrspace(4) %p
  call void @shared(ptr addrspace(4) %p)
  fence syncscope("workgroup") seq_cst
  ret void
}

define void @private(ptr addrspace(4) %p) {
  %v = alloca i32
  %w = addrspacecast ptr %v to ptr addrspace(4)
  store volatile i32 1, ptr addrspace(4) %w
  store i32 1, ptr addrspace(4) %p
  ret void
}

define void @joins(ptr addrspace(4) %p, i1 %a, i1 %b) {
  br i1 %a, label %none, label %join
none:
  %x = load i32, ptr addrspace(4) %p
  br label %join
join:
  br i1 %b, label %some, label %end
some:
  call void @shared(ptr addrspace(4) %p)
  br label %end
end:
  %v = phi i32 [ 0, %join ], [ 1, %some ]
  ret void
}
