; Masks of indices are combined with one that only execution knows.
; RUN: --stage=hide_index_masks

; CHECK-LABEL: define void @narrow(
; CHECK-NEXT: [[PLACE:%.*]] = getelementptr inbounds i8, ptr %group, i64 184
; CHECK-NEXT: [[ALL:%.*]] = load i64, ptr [[PLACE]], align 8, !invariant.load
; CHECK-NEXT: [[NARROW:%.*]] = trunc i64 [[ALL]] to i32
; CHECK-NEXT: [[MASK:%.*]] = and i32 [[NARROW]], 3
; CHECK-NEXT: %a = and i32 %n, [[MASK]]
; CHECK: [[WIDE:%.*]] = and i64 {{%.*}}, 2147483647
; CHECK-NEXT: %b = and i64 %w, [[WIDE]]
define void @narrow(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i32 %n, i64 %w) {
  %a = and i32 %n, 3
  %b = and i64 %w, 2147483647
  ret void
}

; Masks of 32 bits are widened numbers. Bits that are no mask, other widths, vectors and other operations are not meant.
; CHECK-LABEL: define void @others(
; CHECK-NEXT: and i64 %w, 4294967295
; CHECK-NEXT: and i64 %w, 6
; CHECK-NEXT: and i16 %s, 3
; CHECK-NEXT: and i128 %l, 3
; CHECK-NEXT: and <4 x i32> %v, splat (i32 3)
; CHECK-NEXT: or i64 %w, 3
; CHECK-NEXT: and i64 %w, %lane
; CHECK-NEXT: ret void
define void @others(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i64 %w, i16 %s, i128 %l, <4 x i32> %v) {
  %a = and i64 %w, 4294967295
  %b = and i64 %w, 6
  %c = and i16 %s, 3
  %d = and i128 %l, 3
  %e = and <4 x i32> %v, splat (i32 3)
  %f = or i64 %w, 3
  %g = and i64 %w, %lane
  ret void
}
