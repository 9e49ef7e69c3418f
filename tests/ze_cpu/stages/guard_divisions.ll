; A division by zero divides by one; so does the smallest number divided by minus one.
; RUN: --stage=guard_divisions

; CHECK-LABEL: define i32 @unsigned(
; CHECK: [[D:%.*]] = freeze i32 %d
; CHECK-NEXT: [[BAD:%.*]] = icmp eq i32 [[D]], 0
; CHECK-NEXT: [[ONE:%.*]] = select i1 [[BAD]], i32 1, i32 [[D]]
; CHECK-NEXT: udiv i32 %n, [[ONE]]
define i32 @unsigned(i32 %n, i32 %d) {
  %q = udiv i32 %n, %d
  ret i32 %q
}

; CHECK-LABEL: define <2 x i64> @signed(
; CHECK: [[D:%.*]] = freeze <2 x i64> %d
; CHECK-NEXT: [[ZERO:%.*]] = icmp eq <2 x i64> [[D]], zeroinitializer
; CHECK-NEXT: [[N:%.*]] = freeze <2 x i64> %n
; CHECK-DAG: [[SMALLEST:%.*]] = icmp eq <2 x i64> [[N]], splat (i64 -9223372036854775808)
; CHECK-DAG: [[MINUS:%.*]] = icmp eq <2 x i64> [[D]], splat (i64 -1)
; CHECK: [[OVERFLOWS:%.*]] = and <2 x i1> [[SMALLEST]], [[MINUS]]
; CHECK-NEXT: [[BAD:%.*]] = or <2 x i1> [[ZERO]], [[OVERFLOWS]]
; CHECK-NEXT: [[ONE:%.*]] = select <2 x i1> [[BAD]], <2 x i64> splat (i64 1), <2 x i64> [[D]]
; CHECK-NEXT: srem <2 x i64> [[N]], [[ONE]]
define <2 x i64> @signed(<2 x i64> %n, <2 x i64> %d) {
  %r = srem <2 x i64> %n, %d
  ret <2 x i64> %r
}

; Harmless divisors stay as they are; minus one is harmless for unsigned numbers, and so is all in floating point.
; CHECK-LABEL: define i32 @harmless(
; CHECK-NEXT: sdiv i32 %n, 7
; CHECK-NEXT: udiv i32 %a, -1
; CHECK-NEXT: fdiv float %f, 0.000000e+00
; CHECK-NEXT: ret i32 %b
define i32 @harmless(i32 %n, float %f) {
  %a = sdiv i32 %n, 7
  %b = udiv i32 %a, -1
  %g = fdiv float %f, 0.0
  ret i32 %b
}

; Constants that do harm.
; CHECK-LABEL: define i32 @harmful(
; CHECK: select i1 {{.*}}, i32 1, i32 {{.*}}
; CHECK-NEXT: udiv i32 %n, %
; CHECK: select i1 {{.*}}, i32 1, i32 {{.*}}
; CHECK-NEXT: sdiv i32 %{{.*}}, %
define i32 @harmful(i32 %n) {
  %a = udiv i32 %n, 0
  %b = sdiv i32 %a, -1
  ret i32 %b
}
