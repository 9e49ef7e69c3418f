; Private arrays become values where that makes all places known.
; RUN: --stage=take_arrays_apart
; RUN-REGIONS: --stage=make_region_entry --function=around

; CHECK: ; counted: taken apart
; CHECK-NEXT: ; rows_and_columns: taken apart
; CHECK-NEXT: ; any_place: left as it is
; CHECK-NEXT: ; long: left as it is
; CHECK-NEXT: ; given_away: left as it is
; CHECK-NEXT: ; waits: left as it is
; CHECK-NEXT: ; around: taken apart

declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)
declare void @other(ptr)

; The loop around what the values are used for stays.
; CHECK-LABEL: define void @counted(
; CHECK-NOT: alloca
; CHECK-COUNT-4: load float, ptr addrspace(1)
; CHECK: outer:
; CHECK-COUNT-4: fmul float
; CHECK-NOT: fmul
; CHECK: br i1 %more, label %outer, label %end
; CHECK: end:
; CHECK-COUNT-4: store float
define void @counted(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, float %factor) {
entry:
  %own = alloca [4 x float]
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %own, ptr addrspace(1) align 4 %in, i64 16, i1 false)
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %k, %inner ]
  %place = getelementptr inbounds float, ptr %own, i64 %j
  %value = load float, ptr %place
  %product = fmul float %value, %factor
  store float %product, ptr %place
  %k = add i64 %j, 1
  %again = icmp ne i64 %k, 4
  br i1 %again, label %inner, label %latch
latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %outer, label %end
end:
  br label %copy
copy:
  %c = phi i64 [ 0, %end ], [ %d, %copy ]
  %mine = getelementptr inbounds float, ptr %own, i64 %c
  %result = load float, ptr %mine
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %c
  store float %result, ptr addrspace(1) %to
  %d = add i64 %c, 1
  %rest = icmp ne i64 %d, 4
  br i1 %rest, label %copy, label %leave
leave:
  ret void
}

; Loops inside of each other.
; CHECK-LABEL: define void @rows_and_columns(
; CHECK-NOT: alloca
; CHECK-COUNT-6: store i32
; CHECK-NOT: store
; CHECK: ret void
define void @rows_and_columns(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
entry:
  %own = alloca [2 x [3 x i32]]
  br label %fill
fill:
  %f = phi i64 [ 0, %entry ], [ %g, %fill ]
  %at = getelementptr inbounds i32, ptr %own, i64 %f
  %number = trunc i64 %f to i32
  store i32 %number, ptr %at
  %g = add i64 %f, 1
  %more = icmp ne i64 %g, 6
  br i1 %more, label %fill, label %rows
rows:
  %r = phi i64 [ 0, %fill ], [ %s, %latch ]
  %row = getelementptr inbounds [3 x i32], ptr %own, i64 %r
  br label %columns
columns:
  %c = phi i64 [ 0, %rows ], [ %d, %columns ]
  %place = getelementptr inbounds i32, ptr %row, i64 %c
  %value = load i32, ptr %place
  %index = add i64 %r, %c
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %index
  store i32 %value, ptr addrspace(1) %to
  %d = add i64 %c, 1
  %again = icmp ne i64 %d, 3
  br i1 %again, label %columns, label %latch
latch:
  %s = add i64 %r, 1
  %rest = icmp ne i64 %s, 2
  br i1 %rest, label %rows, label %end
end:
  ret void
}

define void @any_place(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
entry:
  %own = alloca [4 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %place = getelementptr inbounds i32, ptr %own, i64 %i
  store i32 1, ptr %place
  %j = add i64 %i, 1
  %more = icmp ne i64 %j, 4
  br i1 %more, label %loop, label %end
end:
  %mine = getelementptr inbounds i32, ptr %own, i64 %x
  %value = load i32, ptr %mine
  store i32 %value, ptr addrspace(1) %out
  ret void
}

; More iterations than are worth it.
define void @long(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
entry:
  %own = alloca [100 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %place = getelementptr inbounds i32, ptr %own, i64 %i
  %number = trunc i64 %i to i32
  store i32 %number, ptr %place
  %j = add i64 %i, 1
  %more = icmp ne i64 %j, 100
  br i1 %more, label %loop, label %end
end:
  %value = load i32, ptr %own
  store i32 %value, ptr addrspace(1) %out
  ret void
}

define void @given_away(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
entry:
  %own = alloca [4 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %place = getelementptr inbounds i32, ptr %own, i64 %i
  store i32 1, ptr %place
  %j = add i64 %i, 1
  %more = icmp ne i64 %j, 4
  br i1 %more, label %loop, label %end
end:
  call void @other(ptr %own)
  ret void
}

; Points where work-items wait for each other have to stay the same.
define void @waits(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
entry:
  %own = alloca [4 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %place = getelementptr inbounds i32, ptr %own, i64 %i
  store i32 1, ptr %place
  %wait = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %j = add i64 %i, 1
  %more = icmp ne i64 %j, 4
  br i1 %more, label %loop, label %end
end:
  %value = load i32, ptr %own
  store i32 %value, ptr addrspace(1) %out
  ret void
}

; Before a kernel is cut at its barriers: nothing of the array is left in the lanes' memory.
; REGIONS: ; around: lane {{[0-9]+}} bytes, of those private 0, by work-group
define void @around(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %own = alloca [4 x float]
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %own, ptr addrspace(1) align 4 %in, i64 16, i1 false)
  %wait = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %place = getelementptr inbounds float, ptr %own, i64 %i
  %value = load float, ptr %place
  %at = add i64 %i, %x
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %at
  store float %value, ptr addrspace(1) %to
  %j = add i64 %i, 1
  %more = icmp ne i64 %j, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}
