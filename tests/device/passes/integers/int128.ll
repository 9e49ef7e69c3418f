; 128-bit integers are pairs of 64-bit ones: in memory, as parameters and results, as values.
; PASSES: hip-post-link-passes
; CHECK-NOT: i128
; CHECK-DAG: %struct.S{{.*}} = type { i8, [15 x i8], [2 x i64] }
; CHECK-DAG: @variable = {{.*}}global %struct.S{{.*}} { i8 1, [15 x i8] zeroinitializer, [2 x i64] [i64 -2, i64 -1] }, align 16
; CHECK-DAG: @table = {{.*}}global [2 x [2 x i64]] {{\[}}[2 x i64] [i64 5, i64 1], [2 x i64] zeroinitializer], align 16
; CHECK-LABEL: define {{.*}}spir_func <2 x i64> @sum(i64 %a, i64 %{{.*}}, i32 zeroext %other, i64 %b, i64 %{{.*}})
; CHECK: %[[LOW:.*]] = add i64
; CHECK: icmp ult i64 %[[LOW]]
; CHECK: ret <2 x i64>
; CHECK-LABEL: define {{.*}}spir_kernel void @kernel(<2 x i64> %value, ptr byval(%struct.S{{.*}}) align 16 %s, ptr addrspace(1)
; CHECK: alloca [2 x i64], align 16
; CHECK: call spir_func <2 x i64> @sum(i64 %{{.*}}, i64 %{{.*}}, i32 7, i64 5, i64 0)
; CHECK: store i64 %{{.*}}, ptr addrspace(1) %{{.*}}, align 16
; CHECK: store i64 %{{.*}}, ptr addrspace(1) %{{.*}}, align 8
; CHECK-LABEL: define {{.*}}@product
; CHECK: call spir_func i64 @_Z20__spirv_ocl_u_mul_hill(i64 %a, i64 %b)
; CHECK-NOT: mul i64
; CHECK: store i64
; CHECK-LABEL: define {{.*}}@loop
; CHECK: phi i64
; CHECK: phi i64
; CHECK-LABEL: define {{.*}}@choose
; CHECK: switch i32
; CHECK-LABEL: define {{.*}}@widths
; CHECK: and i64 %{{.*}}, 68719476735
; CHECK-LABEL: define {{.*}}@checked
; CHECK-NOT: with.overflow
; CHECK-LABEL: define {{.*}}@divide
; CHECK: call spir_func <2 x i64> @__chip_udiv128(
; CHECK-LABEL: define {{.*}}@__chip_udiv128(i64
; CHECK-NOT: i128
; SPIRV-NOT: OpTypeInt 128
; SPIRV: OpFunctionEnd
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

%struct.S = type { i8, [15 x i8], i128 }
@variable = addrspace(1) externally_initialized global %struct.S { i8 1, [15 x i8] undef, i128 -2 }, align 16
@table = addrspace(1) externally_initialized global [2 x i128] [i128 18446744073709551621, i128 0], align 16

define hidden spir_func noundef i128 @sum(i128 noundef %a, i32 zeroext %other, i128 range(i128 0, 9) %b) noinline {
  %s = add i128 %a, %b
  ret i128 %s
}

define spir_kernel void @kernel(i128 %value, ptr byval(%struct.S) align 16 %s, ptr addrspace(1) %out) {
  %kept = alloca i128, align 16
  store volatile i128 %value, ptr %kept, align 16
  %v = load volatile i128, ptr %kept, align 16
  %r = call spir_func i128 @sum(i128 %v, i32 7, i128 5)
  %member = getelementptr inbounds %struct.S, ptr %s, i32 0, i32 2
  %m = load i128, ptr %member, align 16
  %x = xor i128 %m, %r
  store i128 %x, ptr addrspace(1) %out, align 16
  ret void
}

define spir_kernel void @product(i64 %a, i64 %b, ptr addrspace(1) %out) {
  %wide_a = zext i64 %a to i128
  %wide_b = zext i64 %b to i128
  %product = mul i128 %wide_a, %wide_b
  %high = lshr i128 %product, 64
  %v = trunc i128 %high to i64
  store i64 %v, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @loop(i128 %n, ptr addrspace(1) %out) {
entry:
  br label %body
body:
  %i = phi i128 [ 0, %entry ], [ %next, %body ]
  %next = add i128 %i, 3
  %again = icmp slt i128 %next, %n
  br i1 %again, label %body, label %end
end:
  store i128 %i, ptr addrspace(1) %out, align 16
  ret void
}

define spir_kernel void @choose(i128 %n, ptr addrspace(1) %out) {
entry:
  switch i128 %n, label %end [
    i128 18446744073709551616, label %one
    i128 -1, label %two
  ]
one:
  br label %end
two:
  br label %end
end:
  %r = phi i32 [ 1, %entry ], [ 2, %one ], [ 3, %two ]
  store i32 %r, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @widths(i128 %n, ptr addrspace(1) %out) {
  %part = trunc i128 %n to i100
  %more = add i100 %part, 1
  %v = zext i100 %more to i128
  store i128 %v, ptr addrspace(1) %out, align 16
  ret void
}

declare { i128, i1 } @llvm.umul.with.overflow.i128(i128, i128)

define spir_kernel void @checked(i128 %a, i128 %b, ptr addrspace(1) %out) {
  %both = call { i128, i1 } @llvm.umul.with.overflow.i128(i128 %a, i128 %b)
  %value = extractvalue { i128, i1 } %both, 0
  %overflow = extractvalue { i128, i1 } %both, 1
  %r = select i1 %overflow, i128 -1, i128 %value
  store i128 %r, ptr addrspace(1) %out, align 16
  ret void
}

define spir_kernel void @divide(i128 %a, i128 %b, ptr addrspace(1) %out) {
  %q = sdiv i128 %a, %b
  store i128 %q, ptr addrspace(1) %out, align 16
  ret void
}
