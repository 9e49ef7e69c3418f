; Gathers and scatters of neighbouring elements.
; RUN-A: --stage=access_rows --function=load_rows
; RUN-B: --stage=access_rows --function=store_rows
; RUN-C: --stage=access_rows --function=written_between
; RUN-D: --stage=access_rows --function=masked
; RUN-E: --stage=access_rows --function=too_far
; RUN-F: --stage=access_rows --function=dependent
; RUN-G: --stage=access_rows --function=same_place
; RUN-H: --stage=access_rows --function=pairs
; RUN-I: --stage=access_rows --function=gap

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

; Two elements of each lane are loaded together where each lane's follow those of the lane before, and gathered where they do not.
; H-LABEL: define <4 x float> @pairs(
; H: [[PLACES:%.*]] = ptrtoint <4 x ptr> %rows to <4 x i64>
; H: [[FIRST:%.*]] = extractelement <4 x i64> [[PLACES]], i64 0
; H: [[ADJACENT:%.*]] = add <4 x i64> {{%.*}}, <i64 0, i64 8, i64 16, i64 24>
; H-NEXT: [[DIFFER:%.*]] = icmp ne <4 x i64> [[PLACES]], [[ADJACENT]]
; H-NEXT: [[BITS:%.*]] = bitcast <4 x i1> [[DIFFER]] to i4
; H-NEXT: [[SOME:%.*]] = icmp ne i4 [[BITS]], 0
; H-NEXT: br i1 [[SOME]], label %[[APART:.*]], label %[[TOGETHER:.*]]
; H: [[APART]]:
; H-COUNT-2: call <4 x float> @llvm.masked.gather
; H: [[TOGETHER]]:
; H-NEXT: [[BEGIN:%.*]] = extractelement <4 x ptr> %rows, i64 0
; H-NEXT: [[PLACE:%.*]] = getelementptr i8, ptr [[BEGIN]], i64 0
; H-NEXT: [[ALL:%.*]] = load <8 x float>, ptr [[PLACE]], align 4
; H-NEXT: shufflevector <8 x float> [[ALL]], <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
; H-NEXT: shufflevector <8 x float> [[ALL]], <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
; H-NOT: @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %
; H: ret <4 x float>
define <4 x float> @pairs(<4 x ptr> %rows) {
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %rows, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %p = getelementptr i8, <4 x ptr> %rows, i64 4
  %b = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %p, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %sum = fadd <4 x float> %a, %b
  ret <4 x float> %sum
}

; What lies between is nobody's: the last element may be the end of memory.
; I-LABEL: define <4 x float> @gap(
; I-NOT: load <
; I: ret <4 x float>
define <4 x float> @gap(<4 x ptr> %rows) {
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %rows, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %p = getelementptr i8, <4 x ptr> %rows, i64 8
  %b = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %p, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %sum = fadd <4 x float> %a, %b
  ret <4 x float> %sum
}

!0 = distinct !{}
