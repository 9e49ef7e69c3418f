; PASSES: hip-post-link-passes
; CHECK-LABEL: define {{.*}}@extend
; CHECK: add i32
; CHECK: and i32 %{{.*}}, 131071
; CHECK-LABEL: define {{.*}}@compare
; CHECK: shl i64 %{{.*}}, 31
; CHECK: ashr i64 %{{.*}}, 31
; CHECK: icmp slt i64
; CHECK-LABEL: define {{.*}}@memory
; CHECK: load i16
; CHECK: load i8
; CHECK-NOT: i24
; SPIRV-NOT: OpTypeInt 24
; SPIRV: OpFunctionEnd
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define spir_kernel void @extend(ptr addrspace(1) %out, i64 %n) {
  %a = trunc i64 %n to i17
  %sum = add i17 %a, %a
  %v = zext i17 %sum to i64
  store i64 %v, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @compare(ptr addrspace(1) %out, i64 %n) {
  %a = trunc i64 %n to i33
  %less = icmp slt i33 %a, 5
  %v = zext i1 %less to i32
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @memory(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %a = load i24, ptr addrspace(1) %in, align 1
  %some = icmp eq i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %x = phi i24 [ %a, %entry ], [ %y, %loop ]
  %y = lshr i24 %x, 1
  %more = icmp ne i24 %y, 0
  br i1 %more, label %loop, label %end
end:
  %r = phi i24 [ %a, %entry ], [ %y, %loop ]
  store i24 %r, ptr addrspace(1) %out, align 1
  ret void
}
