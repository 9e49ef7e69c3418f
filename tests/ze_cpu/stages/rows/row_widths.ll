; Code for rows of usual lengths.
; RUN: --stage=make_region_entry --function=tile
; RUN-STRAIGHT: --stage=make_region_entry --function=straight
; RUN-LOOP: --stage=make_region_entry --function=loop
; RUN-SHORT: --stage=make_region_entry --function=short_vectors
; RUN-LINE: --stage=make_region_entry --function=line
; RUN-LARGE: --stage=make_region_entry --function=large

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; Chosen by the length of the rows, for lanes from the first on up to the end of a row: those of diverged lanes may be any.
; CHECK-LABEL: define internal i32 @tile.region0.rows(
; CHECK: [[SIZE:%.*]] = load i64, ptr {{%.*}}, align 8, !range
; CHECK-NEXT: [[FIRST:%.*]] = icmp eq i64 %3, 0
; CHECK-NEXT: [[WIDTH:%.*]] = select i1 [[FIRST]], i64 [[SIZE]], i64 0
; CHECK-NEXT: switch i64 [[WIDTH]], label %any [
; CHECK-NEXT: i64 8, label %[[EIGHT:.*]]
; CHECK-NEXT: i64 16, label
; CHECK-NEXT: i64 32, label
; CHECK: any:
; CHECK-NEXT: [[R:%.*]] = call i32 @tile.region0(
; CHECK-NEXT: ret i32 [[R]]
; CHECK: [[EIGHT]]:
; CHECK-NEXT: [[REST:%.*]] = and i64 %4, 7
; CHECK-NEXT: [[WHOLE:%.*]] = icmp eq i64 [[REST]], 0
; CHECK-NEXT: br i1 [[WHOLE]], label %{{.*}}, label %any
; Their lanes are counted down from that length, not up to what is left of the rows.
; CHECK-LABEL: define internal i32 @tile.region0.1(
; CHECK-NOT: @llvm.umin
; CHECK: %left = phi i64 [ 8, %row
; CHECK-NOT: @llvm.umin
; CHECK-LABEL: define internal i32 @tile.region0.2(
; CHECK: define void @tile.entry(
; CHECK: call i32 @tile.region0.rows(
define void @tile(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) #0 {
  %row = shl i64 %y, 8
  %index = add i64 %row, %x
  %place = getelementptr float, ptr addrspace(1) %p, i64 %index
  %a = load float, ptr addrspace(1) %place
  %is_first = icmp eq i64 %x, 0
  br i1 %is_first, label %first, label %all
first:
  store float 0.0, ptr addrspace(1) %place
  br label %all
all:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  store float %a, ptr addrspace(1) %place
  ret void
}

; Where all lanes do the same, once, most rows are not worth it, and none of larger kernels.
; STRAIGHT-LABEL: define internal i32 @straight.region0.rows(
; STRAIGHT: switch i64 {{%.*}}, label %any [
; STRAIGHT-NEXT: i64 16, label
; STRAIGHT-NEXT: ]
define void @straight(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) #0 {
  %row = shl i64 %y, 8
  %index = add i64 %row, %x
  %place = getelementptr float, ptr addrspace(1) %p, i64 %index
  %a = load float, ptr addrspace(1) %place
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  store float %a, ptr addrspace(1) %place
  ret void
}

; In a loop of the work-group.
; LOOP-NOT: @loop.region0.rows(
; LOOP-NOT: @loop.region2.rows(
; LOOP: define internal i32 @loop.region3.rows(
; LOOP: switch i64 {{%.*}}, label %any [
; LOOP-NEXT: i64 8, label
; LOOP-NEXT: i64 16, label
; LOOP-NEXT: ]
; LOOP-NOT: @loop.region4.rows(
define void @loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %row = shl i64 %y, 8
  %index = add i64 %row, %x
  %place = getelementptr float, ptr addrspace(1) %p, i64 %index
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  store float 1.0, ptr addrspace(1) %place
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; As long as two vectors.
; SHORT-LABEL: define internal i32 @short_vectors.region0.rows(
; SHORT: switch i64 {{%.*}}, label %any [
; SHORT-NEXT: i64 8, label
; SHORT-NEXT: i64 16, label
; SHORT-NEXT: ]
define void @short_vectors(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) #1 {
  %row = shl i64 %y, 8
  %index = add i64 %row, %x
  %place = getelementptr float, ptr addrspace(1) %p, i64 %index
  %is_first = icmp eq i64 %x, 0
  br i1 %is_first, label %first, label %all
first:
  store float 0.0, ptr addrspace(1) %place
  br label %all
all:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  ret void
}

; A kernel that does not tell rows apart: the whole group may be one.
; LINE-NOT: .rows(
define void @line(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) #0 {
  %place = getelementptr float, ptr addrspace(1) %p, i64 %x
  %a = load float, ptr addrspace(1) %place
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  store float %a, ptr addrspace(1) %place
  ret void
}

; More than 160 instructions have no copies.
; LARGE-NOT: @large.region0.rows(
; LARGE: @large.region1.rows(
define void @large(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) #0 {
  %row = shl i64 %y, 8
  %index = add i64 %row, %x
  %place = getelementptr float, ptr addrspace(1) %p, i64 %index
  %a0 = load float, ptr addrspace(1) %place
  %a1 = fadd float %a0, 1.0
  %a2 = fadd float %a1, 1.0
  %a3 = fadd float %a2, 1.0
  %a4 = fadd float %a3, 1.0
  %a5 = fadd float %a4, 1.0
  %a6 = fadd float %a5, 1.0
  %a7 = fadd float %a6, 1.0
  %a8 = fadd float %a7, 1.0
  %a9 = fadd float %a8, 1.0
  %a10 = fadd float %a9, 1.0
  %a11 = fadd float %a10, 1.0
  %a12 = fadd float %a11, 1.0
  %a13 = fadd float %a12, 1.0
  %a14 = fadd float %a13, 1.0
  %a15 = fadd float %a14, 1.0
  %a16 = fadd float %a15, 1.0
  %a17 = fadd float %a16, 1.0
  %a18 = fadd float %a17, 1.0
  %a19 = fadd float %a18, 1.0
  %a20 = fadd float %a19, 1.0
  %a21 = fadd float %a20, 1.0
  %a22 = fadd float %a21, 1.0
  %a23 = fadd float %a22, 1.0
  %a24 = fadd float %a23, 1.0
  %a25 = fadd float %a24, 1.0
  %a26 = fadd float %a25, 1.0
  %a27 = fadd float %a26, 1.0
  %a28 = fadd float %a27, 1.0
  %a29 = fadd float %a28, 1.0
  %a30 = fadd float %a29, 1.0
  %a31 = fadd float %a30, 1.0
  %a32 = fadd float %a31, 1.0
  %a33 = fadd float %a32, 1.0
  %a34 = fadd float %a33, 1.0
  %a35 = fadd float %a34, 1.0
  %a36 = fadd float %a35, 1.0
  %a37 = fadd float %a36, 1.0
  %a38 = fadd float %a37, 1.0
  %a39 = fadd float %a38, 1.0
  %a40 = fadd float %a39, 1.0
  %a41 = fadd float %a40, 1.0
  %a42 = fadd float %a41, 1.0
  %a43 = fadd float %a42, 1.0
  %a44 = fadd float %a43, 1.0
  %a45 = fadd float %a44, 1.0
  %a46 = fadd float %a45, 1.0
  %a47 = fadd float %a46, 1.0
  %a48 = fadd float %a47, 1.0
  %a49 = fadd float %a48, 1.0
  %a50 = fadd float %a49, 1.0
  %a51 = fadd float %a50, 1.0
  %a52 = fadd float %a51, 1.0
  %a53 = fadd float %a52, 1.0
  %a54 = fadd float %a53, 1.0
  %a55 = fadd float %a54, 1.0
  %a56 = fadd float %a55, 1.0
  %a57 = fadd float %a56, 1.0
  %a58 = fadd float %a57, 1.0
  %a59 = fadd float %a58, 1.0
  %a60 = fadd float %a59, 1.0
  %a61 = fadd float %a60, 1.0
  %a62 = fadd float %a61, 1.0
  %a63 = fadd float %a62, 1.0
  %a64 = fadd float %a63, 1.0
  %a65 = fadd float %a64, 1.0
  %a66 = fadd float %a65, 1.0
  %a67 = fadd float %a66, 1.0
  %a68 = fadd float %a67, 1.0
  %a69 = fadd float %a68, 1.0
  %a70 = fadd float %a69, 1.0
  %a71 = fadd float %a70, 1.0
  %a72 = fadd float %a71, 1.0
  %a73 = fadd float %a72, 1.0
  %a74 = fadd float %a73, 1.0
  %a75 = fadd float %a74, 1.0
  %a76 = fadd float %a75, 1.0
  %a77 = fadd float %a76, 1.0
  %a78 = fadd float %a77, 1.0
  %a79 = fadd float %a78, 1.0
  %a80 = fadd float %a79, 1.0
  %a81 = fadd float %a80, 1.0
  %a82 = fadd float %a81, 1.0
  %a83 = fadd float %a82, 1.0
  %a84 = fadd float %a83, 1.0
  %a85 = fadd float %a84, 1.0
  %a86 = fadd float %a85, 1.0
  %a87 = fadd float %a86, 1.0
  %a88 = fadd float %a87, 1.0
  %a89 = fadd float %a88, 1.0
  %a90 = fadd float %a89, 1.0
  %a91 = fadd float %a90, 1.0
  %a92 = fadd float %a91, 1.0
  %a93 = fadd float %a92, 1.0
  %a94 = fadd float %a93, 1.0
  %a95 = fadd float %a94, 1.0
  %a96 = fadd float %a95, 1.0
  %a97 = fadd float %a96, 1.0
  %a98 = fadd float %a97, 1.0
  %a99 = fadd float %a98, 1.0
  %a100 = fadd float %a99, 1.0
  %a101 = fadd float %a100, 1.0
  %a102 = fadd float %a101, 1.0
  %a103 = fadd float %a102, 1.0
  %a104 = fadd float %a103, 1.0
  %a105 = fadd float %a104, 1.0
  %a106 = fadd float %a105, 1.0
  %a107 = fadd float %a106, 1.0
  %a108 = fadd float %a107, 1.0
  %a109 = fadd float %a108, 1.0
  %a110 = fadd float %a109, 1.0
  %a111 = fadd float %a110, 1.0
  %a112 = fadd float %a111, 1.0
  %a113 = fadd float %a112, 1.0
  %a114 = fadd float %a113, 1.0
  %a115 = fadd float %a114, 1.0
  %a116 = fadd float %a115, 1.0
  %a117 = fadd float %a116, 1.0
  %a118 = fadd float %a117, 1.0
  %a119 = fadd float %a118, 1.0
  %a120 = fadd float %a119, 1.0
  %a121 = fadd float %a120, 1.0
  %a122 = fadd float %a121, 1.0
  %a123 = fadd float %a122, 1.0
  %a124 = fadd float %a123, 1.0
  %a125 = fadd float %a124, 1.0
  %a126 = fadd float %a125, 1.0
  %a127 = fadd float %a126, 1.0
  %a128 = fadd float %a127, 1.0
  %a129 = fadd float %a128, 1.0
  %a130 = fadd float %a129, 1.0
  %a131 = fadd float %a130, 1.0
  %a132 = fadd float %a131, 1.0
  %a133 = fadd float %a132, 1.0
  %a134 = fadd float %a133, 1.0
  %a135 = fadd float %a134, 1.0
  %a136 = fadd float %a135, 1.0
  %a137 = fadd float %a136, 1.0
  %a138 = fadd float %a137, 1.0
  %a139 = fadd float %a138, 1.0
  %a140 = fadd float %a139, 1.0
  %a141 = fadd float %a140, 1.0
  %a142 = fadd float %a141, 1.0
  %a143 = fadd float %a142, 1.0
  %a144 = fadd float %a143, 1.0
  %a145 = fadd float %a144, 1.0
  %a146 = fadd float %a145, 1.0
  %a147 = fadd float %a146, 1.0
  %a148 = fadd float %a147, 1.0
  %a149 = fadd float %a148, 1.0
  %a150 = fadd float %a149, 1.0
  %a151 = fadd float %a150, 1.0
  %a152 = fadd float %a151, 1.0
  %a153 = fadd float %a152, 1.0
  %a154 = fadd float %a153, 1.0
  %a155 = fadd float %a154, 1.0
  %a156 = fadd float %a155, 1.0
  %a157 = fadd float %a156, 1.0
  %a158 = fadd float %a157, 1.0
  %a159 = fadd float %a158, 1.0
  %a160 = fadd float %a159, 1.0
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  store float %a160, ptr addrspace(1) %place
  ret void
}

attributes #0 = { "target-features"="+avx2,+avx512vl" }
attributes #1 = { "target-features"="+avx2" }
