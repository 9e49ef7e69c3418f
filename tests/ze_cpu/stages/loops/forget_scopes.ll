; Declarations of scopes go, so that a loop's accesses are all independent; which accesses are of which scope stays.
; RUN: --stage=ForgetScopes

; CHECK: ; scoped: forgotten
; CHECK-NEXT: ; plain: left as it is

; CHECK-LABEL: define void @scoped(
; CHECK: lane:
; CHECK-NEXT: %i = phi
; CHECK-NEXT: %v = load i32, ptr %a, align 4, !alias.scope [[SCOPE:![0-9]+]], !llvm.access.group
; CHECK-NEXT: store i32 %v, ptr %b, align 4, !noalias [[SCOPE]], !llvm.access.group
; CHECK-NEXT: %j = add
; CHECK-NOT: noalias.scope.decl(
; CHECK: ret void
define void @scoped(ptr %a, ptr %b, i64 %n) {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %j, %lane ]
  call void @llvm.experimental.noalias.scope.decl(metadata !1)
  %v = load i32, ptr %a, align 4, !alias.scope !1, !llvm.access.group !0
  store i32 %v, ptr %b, align 4, !noalias !1, !llvm.access.group !0
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %lane, label %end
end:
  ret void
}

define void @plain(ptr %a) {
  store i32 1, ptr %a, align 4
  ret void
}

declare void @llvm.experimental.noalias.scope.decl(metadata)

!0 = distinct !{}
!1 = !{!2}
!2 = distinct !{!2, !3, !"a"}
!3 = distinct !{!3, !"kernel"}
