; Loops that each work-item begins at its own number get one end for a row of work-items.
; RUN: --stage=share_ends

; CHECK: ; guarded: shares ends
; CHECK: ; unguarded: shares ends
; CHECK: ; own_bound: left as it is
; CHECK: ; index_is_used: left as it is
; CHECK: ; variable: left as it is
; CHECK: ; same_start: left as it is

; The work-item with the smallest number decides for all; the others do nothing in a turn that is none of theirs, but go on counting.
; Those whose numbers would overflow there return at once.
; CHECK-LABEL: define void @guarded(
; CHECK-NEXT: regular:
; CHECK: [[FIRST:%.*]] = trunc i64 0 to i32
; CHECK: call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %n, i32 %step)
; CHECK: icmp sgt i32 %step, 0
; CHECK: br i1 {{%.*}}, label %entry, label %irregular
; CHECK: entry:
; CHECK: [[GOES:%.*]] = icmp slt i32 [[FIRST]], %n
; CHECK-NEXT: br i1 [[GOES]], label %before, label %end
; CHECK: loop:
; CHECK-NEXT: [[SMALLEST:%.*]] = phi i32 [ [[FIRST]], %before ], [ [[NEXT:%.*]], %[[STEP:.*]] ]
; CHECK: [[MINE:%.*]] = icmp slt i32 %i, %n
; CHECK-NEXT: br i1 [[MINE]], label %turn, label %[[STEP]]
; CHECK: [[STEP]]:
; What is counted in a turn that is none of theirs may overflow: no promise is made.
; CHECK: = add i32 %i, %step
; CHECK: [[NEXT]] = add i32 [[SMALLEST]], %step
; CHECK-NEXT: [[MORE:%.*]] = icmp slt i32 [[NEXT]], %n
; CHECK-NEXT: br i1 [[MORE]], label %loop, label %out
; Who had nothing to do goes on as if it had gone around.
; CHECK: out:
; CHECK-NEXT: br i1 %some, label %behind, label %end
; CHECK: irregular:
; CHECK-NEXT: ret void
define void @guarded(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n, i32 %step) {
entry:
  %start = trunc i64 %x to i32
  %some = icmp slt i32 %start, %n
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i32 [ %start, %before ], [ %j, %loop ]
  %element = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %element
  %j = add nsw i32 %i, %step
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  ret void
}

; With nothing before the loop that asks, all must take the first turn. A sum keeps what it has in a turn that is none of theirs.
; CHECK-LABEL: define void @unguarded(
; CHECK: [[TAKES:%.*]] = icmp ult i64 %x, %n
; CHECK-NEXT: [[REGULAR:%.*]] = and i1 {{%.*}}, [[TAKES]]
; CHECK-NEXT: br i1 [[REGULAR]], label %entry, label %irregular
; CHECK: [[SUM:%.*]] = phi i64 [ %next, %turn ], [ %sum, %loop ]
; CHECK: phi i64 [ [[SUM]],
define void @unguarded(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n, i64 %step) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %x, %entry ], [ %j, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %sum, %i
  %j = add i64 %i, %step
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  store i64 %next, ptr addrspace(1) %p
  ret void
}

; Each has a bound of its own.
define void @own_bound(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %step) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %x, %entry ], [ %j, %loop ]
  store i64 %i, ptr addrspace(1) %p
  %j = add i64 %i, %step
  %more = icmp ult i64 %j, %lane
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Behind the loop the index would be another.
define void @index_is_used(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n, i64 %step) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %x, %entry ], [ %j, %loop ]
  %j = add i64 %i, %step
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  store i64 %j, ptr addrspace(1) %p
  ret void
}

; A variable of the kernel would no longer be in its first block.
define void @variable(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n, i64 %step) {
entry:
  %own = alloca i64
  br label %loop
loop:
  %i = phi i64 [ %x, %entry ], [ %j, %loop ]
  store i64 %i, ptr %own
  %j = add i64 %i, %step
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; All begin at the same number.
define void @same_start(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i64 %n, i64 %step) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %gx, %entry ], [ %j, %loop ]
  store i64 %i, ptr addrspace(1) %p
  %j = add i64 %i, %step
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
