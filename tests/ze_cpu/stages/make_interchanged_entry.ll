; A loop that all work-items go through side by side becomes the driver's, with the lanes inside of it.
; RUN: --stage=make_interchanged_entry --function=sums
; RUN-NONE: --stage=make_interchanged_entry --function=no_loop

; CHECK: ; sums: lane 4 bytes, of those private 0, by work-group
; CHECK-LABEL: define void @sums.entry(
; Short rows are left to the kernel as it was.
; CHECK: icmp uge i64 {{%.*}}, 8
; CHECK: br i1 {{%.*}}, label %bounds, label %apart
; CHECK: together:
; CHECK: br label %region0
; CHECK: apart:
; CHECK: call void @sums(
define void @sums(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %row = mul i64 %i, %n
  %index = add i64 %row, %x
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %value = load float, ptr addrspace(1) %from
  %next = fadd float %sum, %value
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %next, ptr addrspace(1) %to
  ret void
}

; NONE: ; no_loop: not cut
; NONE: define void @no_loop(
define void @no_loop(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
  store i32 1, ptr addrspace(1) %out
  ret void
}
