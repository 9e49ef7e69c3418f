; PASSES: chip-undefined-values
; CHECK: define i32 @called(i32 %x)
; CHECK: call i32 @called(i32 %x)
; CHECK: call void %f(i32 signext %x)
; CHECK: load i8, ptr %p, align 1, !range
; CHECK-NOT: !noundef
; CHECK: call void @llvm.assume(i1 noundef %known)
; CHECK: declare i32 @declared(ptr nonnull dereferenceable(4))
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

define noundef i32 @called(i32 noundef %x) {
  ret i32 %x
}

define void @caller(ptr noundef %p, ptr %f, i32 %x) {
  %result = call noundef i32 @called(i32 noundef %x)
  call void %f(i32 noundef signext %x)
  %byte = load i8, ptr %p, align 1, !range !0, !noundef !1
  %known = trunc i8 %byte to i1
  call void @llvm.assume(i1 noundef %known)
  ret void
}

declare noundef i32 @declared(ptr noundef nonnull dereferenceable(4))
declare void @llvm.assume(i1 noundef)

!0 = !{i8 0, i8 2}
!1 = !{}
