; Lines that are only for messages go, and what a debugger wants stays.
; RUN: --stage=forget_lines

; CHECK-LABEL: define void @lines(
; CHECK-NOT: !dbg
; CHECK: store i8 1, ptr %p, align 1
; CHECK-NEXT: ret void
define void @lines(ptr %p) !dbg !4 {
  store i8 1, ptr %p, !dbg !8
  ret void
}

; CHECK-LABEL: define void @debugged(ptr %p) !dbg
; CHECK: store i8 1, ptr %p, align 1, !dbg
define void @debugged(ptr %p) !dbg !5 {
  store i8 1, ptr %p, !dbg !9
  ret void
}

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!2, !3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "k.hip", directory: "")
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: NoDebug)
!3 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!4 = distinct !DISubprogram(name: "lines", scope: !1, file: !1, line: 1, type: !6, unit: !2, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "debugged", scope: !1, file: !1, line: 1, type: !6, unit: !3, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocation(line: 2, scope: !4)
!9 = !DILocation(line: 2, scope: !5)
