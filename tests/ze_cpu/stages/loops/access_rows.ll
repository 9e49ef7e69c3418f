; Gathers and scatters of neighbouring elements.
; RUN-A: --stage=access_rows --function=load_rows
; RUN-B: --stage=access_rows --function=store_rows
; RUN-C: --stage=access_rows --function=written_between
; RUN-D: --stage=access_rows --function=masked
; RUN-E: --stage=access_rows --function=too_far
; RUN-F: --stage=access_rows --function=dependent
; RUN-G: --stage=access_rows --function=same_place

declare <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x float>)
declare void @llvm.masked.scatter.v4f32.v4p0(<4 x float>, <4 x ptr>, i32, <4 x i1>)

; Each row is loaded once, and nothing else than what was; the columns are what the gathers gave.
; A-LABEL: define <4 x float> @load_rows(
; A: [[ROW0:%.*]] = extractelement <4 x ptr> %rows, i64 0
; A-NEXT: [[BEGIN0:%.*]] = getelementptr i8, ptr [[ROW0]], i64 -4
; A-NEXT: call <4 x float> @llvm.masked.load.v4f32.p0(ptr {{.*}}[[BEGIN0]], {{.*}}<4 x i1> splat (i1 true), <4 x float> poison)
; A-COUNT-3: call <4 x float> @llvm.masked.load
; A-COUNT-8: shufflevector <4 x float>
; A-NOT: gather
; A: [[S:%.*]] = fsub <4 x float>
; A: ret <4 x float>
define <4 x float> @load_rows(<4 x ptr> %rows) {
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %rows, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %p = getelementptr i8, <4 x ptr> %rows, i64 4
  %b = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %p, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %q = getelementptr float, <4 x ptr> %p, i64 1
  %c = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %q, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %r = getelementptr i8, <4 x ptr> %rows, i64 -4
  %d = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %r, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %s = fsub <4 x float> %a, %b
  %t = fmul <4 x float> %c, %d
  %u = fadd <4 x float> %s, %t
  ret <4 x float> %u
}

; Lanes that do not depend on each other store one after the other.
; B-LABEL: define void @store_rows(
; B-COUNT-8: shufflevector <4 x float>
; B: [[ROW0:%.*]] = extractelement <4 x ptr> %rows, i64 0
; B-COUNT-4: call void @llvm.masked.store.v4f32.p0(
; B-NOT: scatter
; B: ret void
define void @store_rows(<4 x ptr> %rows, <4 x float> %a, <4 x float> %b, <4 x float> %c, <4 x float> %d) {
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %a, <4 x ptr> %rows, i32 4, <4 x i1> splat (i1 true)), !llvm.access.group !0
  %p = getelementptr i8, <4 x ptr> %rows, i64 4
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %b, <4 x ptr> %p, i32 4, <4 x i1> splat (i1 true)), !llvm.access.group !0
  %q = getelementptr i8, <4 x ptr> %rows, i64 8
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %c, <4 x ptr> %q, i32 4, <4 x i1> splat (i1 true)), !llvm.access.group !0
  %r = getelementptr i8, <4 x ptr> %rows, i64 12
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %d, <4 x ptr> %r, i32 4, <4 x i1> splat (i1 true)), !llvm.access.group !0
  ret void
}

; What is stored in between, the later gathers have to see.
; C: store float
; C: call {{.*}}@llvm.masked.gather
; C-NOT: masked.load
define <4 x float> @written_between(<4 x ptr> %rows, ptr %other) {
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %rows, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %p = getelementptr i8, <4 x ptr> %rows, i64 4
  %b = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %p, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  store float 0.0, ptr %other
  %q = getelementptr i8, <4 x ptr> %rows, i64 8
  %c = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %q, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %r = getelementptr i8, <4 x ptr> %rows, i64 12
  %d = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %r, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %s = fsub <4 x float> %a, %b
  %t = fmul <4 x float> %c, %d
  %u = fadd <4 x float> %s, %t
  ret <4 x float> %u
}

; A lane that takes no part has no row.
; D-NOT: masked.load
; D: ret
define <4 x float> @masked(<4 x ptr> %rows, <4 x i1> %mask) {
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %rows, i32 4, <4 x i1> %mask, <4 x float> poison)
  %p = getelementptr i8, <4 x ptr> %rows, i64 4
  %b = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %p, i32 4, <4 x i1> %mask, <4 x float> poison)
  %q = getelementptr i8, <4 x ptr> %rows, i64 8
  %c = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %q, i32 4, <4 x i1> %mask, <4 x float> poison)
  %r = getelementptr i8, <4 x ptr> %rows, i64 12
  %d = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %r, i32 4, <4 x i1> %mask, <4 x float> poison)
  %s = fsub <4 x float> %a, %b
  %t = fmul <4 x float> %c, %d
  %u = fadd <4 x float> %s, %t
  ret <4 x float> %u
}

; A row is one vector at most.
; E-NOT: masked.load
; E: ret
define <4 x float> @too_far(<4 x ptr> %rows) {
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %rows, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %p = getelementptr i8, <4 x ptr> %rows, i64 4
  %b = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %p, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %q = getelementptr i8, <4 x ptr> %rows, i64 16
  %c = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %q, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %r = getelementptr i8, <4 x ptr> %rows, i64 20
  %d = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %r, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %s = fsub <4 x float> %a, %b
  %t = fmul <4 x float> %c, %d
  %u = fadd <4 x float> %s, %t
  ret <4 x float> %u
}

; Where rows may overlap, as of the steps of a loop in a work-item, the last store of the source is the last one.
; F-NOT: masked.store
; F: ret
define void @dependent(<4 x ptr> %rows, <4 x float> %a) {
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %a, <4 x ptr> %rows, i32 4, <4 x i1> splat (i1 true))
  %p = getelementptr i8, <4 x ptr> %rows, i64 4
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %a, <4 x ptr> %p, i32 4, <4 x i1> splat (i1 true))
  %q = getelementptr i8, <4 x ptr> %rows, i64 8
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %a, <4 x ptr> %q, i32 4, <4 x i1> splat (i1 true))
  %r = getelementptr i8, <4 x ptr> %rows, i64 12
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %a, <4 x ptr> %r, i32 4, <4 x i1> splat (i1 true))
  ret void
}

; The same element twice: the later store is what remains.
; G-NOT: masked.store
; G: ret
define void @same_place(<4 x ptr> %rows, <4 x float> %a, <4 x float> %b) {
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %a, <4 x ptr> %rows, i32 4, <4 x i1> splat (i1 true)), !llvm.access.group !0
  %p = getelementptr i8, <4 x ptr> %rows, i64 4
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %a, <4 x ptr> %p, i32 4, <4 x i1> splat (i1 true)), !llvm.access.group !0
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %b, <4 x ptr> %rows, i32 4, <4 x i1> splat (i1 true)), !llvm.access.group !0
  %r = getelementptr i8, <4 x ptr> %rows, i64 8
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %a, <4 x ptr> %r, i32 4, <4 x i1> splat (i1 true)), !llvm.access.group !0
  ret void
}

!0 = distinct !{}
