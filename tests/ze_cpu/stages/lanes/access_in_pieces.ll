; Vectors of all lanes in a variable that loops over lanes access in smaller vectors.
; RUN: --stage=access_in_pieces

; CHECK: ; shuffle: in pieces
; CHECK: ; alike: left as it is
; CHECK: ; apart: left as it is
; CHECK: ; of_others: left as it is
; CHECK: ; uneven: left as it is
; CHECK: ; ordered: left as it is

; CHECK-LABEL: define void @shuffle(
; CHECK: store <4 x float> %low, ptr %kept
; CHECK: %[[A:.*]] = load <4 x i32>, ptr %kept, align 64
; CHECK: %[[HIGH:.*]] = getelementptr inbounds i8, ptr %kept, i64 16
; CHECK: %[[B:.*]] = load <4 x i32>, ptr %[[HIGH]], align 16
; CHECK: %[[ALL:.*]] = shufflevector <4 x i32> %[[A]], <4 x i32> %[[B]], <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: %moved = shufflevector <8 x i32> %[[ALL]]
; CHECK: %[[C:.*]] = shufflevector <8 x i32> %moved, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: store <4 x i32> %[[C]], ptr %to, align 32
; CHECK: %[[D:.*]] = shufflevector <8 x i32> %moved, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
; CHECK: %[[TO:.*]] = getelementptr inbounds i8, ptr %to, i64 16
; CHECK: store <4 x i32> %[[D]], ptr %[[TO]], align 16
define void @shuffle(<4 x float> %low, <4 x float> %high) {
  %kept = alloca [64 x i8], align 64
  %next = getelementptr inbounds i8, ptr %kept, i64 16
  %to = getelementptr inbounds i8, ptr %kept, i64 32
  store <4 x float> %low, ptr %kept, align 16
  store <4 x float> %high, ptr %next, align 16
  %v = load <8 x i32>, ptr %kept, align 64
  %moved = shufflevector <8 x i32> %v, <8 x i32> poison, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 4, i32 5, i32 6, i32 7>
  store <8 x i32> %moved, ptr %to, align 32
  ret void
}

; Nobody accesses it in smaller ones.
define void @alike(<8 x i32> %v) {
  %kept = alloca [64 x i8], align 64
  %to = getelementptr inbounds i8, ptr %kept, i64 32
  store <8 x i32> %v, ptr %kept, align 32
  store <8 x i32> %v, ptr %to, align 32
  ret void
}

define void @apart(<8 x i32> %v, <4 x i32> %w) {
  %kept = alloca [64 x i8], align 64
  %other = alloca [64 x i8], align 64
  store <8 x i32> %v, ptr %kept, align 32
  store <4 x i32> %w, ptr %other, align 16
  ret void
}

; Memory that is no variable of the function.
define void @of_others(ptr %p, <8 x i32> %v, <4 x i32> %w) {
  store <8 x i32> %v, ptr %p, align 32
  store <4 x i32> %w, ptr %p, align 16
  ret void
}

define void @uneven(<6 x i64> %v, <4 x i64> %w, <2 x i16> %tiny) {
  %kept = alloca [64 x i8], align 64
  store <6 x i64> %v, ptr %kept, align 16
  store <4 x i64> %w, ptr %kept, align 16
  store <2 x i16> %tiny, ptr %kept, align 4
  ret void
}

define void @ordered(<8 x i32> %v, <4 x i32> %w) {
  %kept = alloca [64 x i8], align 64
  store volatile <8 x i32> %v, ptr %kept, align 32
  store <4 x i32> %w, ptr %kept, align 16
  ret void
}
