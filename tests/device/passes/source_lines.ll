; PASSES: chip-source-lines
; Accesses to memory get a mark in front, whose function has the file's name: one for those of the same line and column in a block.
; CHECK-LABEL: define void @accesses(
; CHECK-SAME: ptr addrspace(1) %p) {
; CHECK-NEXT: call spir_func void @"__chip_line:/source/app.hip"(i32 7, i32 3)
; CHECK-NEXT: %a = load i32
; CHECK-NEXT: %b = add i32
; CHECK-NEXT: store i32 %b
; CHECK-NEXT: call spir_func void @"__chip_line:/source/app.hip"(i32 7, i32 12)
; CHECK-NEXT: store i32 0
; CHECK-NEXT: call spir_func void @"__chip_line:/other.h"(i32 3, i32 0)
; CHECK-NEXT: store i32 1
; Of HIP's own headers, the line of the call.
; CHECK-NEXT: call spir_func void @"__chip_line:/source/app.hip"(i32 9, i32 0)
; CHECK-NEXT: store i32 2
; CHECK-NEXT: store i32 3
; CHECK-NEXT: br label
; CHECK: next:
; CHECK-NEXT: call spir_func void @"__chip_line:/source/app.hip"(i32 9, i32 0)
; CHECK-NEXT: store i32 4
; CHECK-NOT: !dbg
define void @accesses(ptr addrspace(1) %p) !dbg !4 {
  %a = load i32, ptr addrspace(1) %p, !dbg !5
  %b = add i32 %a, 1, !dbg !5
  store i32 %b, ptr addrspace(1) %p, !dbg !5
  store i32 0, ptr addrspace(1) %p, !dbg !13
  store i32 1, ptr addrspace(1) %p, !dbg !6
  store i32 2, ptr addrspace(1) %p, !dbg !7
  store i32 3, ptr addrspace(1) %p
  br label %next, !dbg !5
next:
  store i32 4, ptr addrspace(1) %p, !dbg !8
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: NoDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "./app.hip", directory: "/source")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "accesses", file: !2, line: 5, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 7, column: 3, scope: !4)
!6 = !DILocation(line: 3, scope: !9)
!7 = !DILocation(line: 100, scope: !10, inlinedAt: !8)
!8 = !DILocation(line: 9, scope: !4)
!9 = !DILexicalBlockFile(scope: !4, file: !11, discriminator: 0)
!10 = distinct !DISubprogram(name: "helper", file: !12, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DIFile(filename: "/other.h", directory: "/source")
!12 = !DIFile(filename: "/include/hip/spirv_detail/device.h", directory: "/")
!13 = !DILocation(line: 7, column: 12, scope: !4)
