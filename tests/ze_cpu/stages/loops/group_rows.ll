; Neighbouring work-groups that are run as one.
; RUN: --stage=group_rows
; RUN-BOUNDS: --stage=group_rows --function=bounded

; CHECK: ; numbered: groups of any size
; CHECK-NEXT: ; written_out: groups of 16
; CHECK-NEXT: ; bounded: groups of any size
; CHECK-NEXT: ; two_sizes: apart
; CHECK-NEXT: ; local_number: apart
; CHECK-NEXT: ; group_number: apart
; CHECK-NEXT: ; wrapped: apart
; CHECK-NEXT: ; lane: apart
; CHECK-NEXT: ; shared: apart
; CHECK-NEXT: ; columns: apart
; CHECK-NEXT: ; chosen: groups of any size
; CHECK-NEXT: ; texture: groups of any size
; CHECK-NEXT: ; clamped: groups of any size
; CHECK-NEXT: ; elements: groups of any size
; CHECK-NEXT: ; turned: apart

; As many groups as 1024 work-items make up at a time, those that are left over too, in rows that are as long as theirs together.
; CHECK-LABEL: define void @numbered.entry(
; CHECK: [[SIZE:%.*]] = load i64, ptr {{.*}}, !range
; CHECK-NEXT: [[MOST:%.*]] = udiv i64 1024, [[SIZE]]
; CHECK: groups:
; CHECK-NEXT: [[FIRST:%.*]] = phi i64 [ %1, %entry ], [ [[NEXT:%.*]], %groups.next ]
; CHECK: [[LEFT:%.*]] = sub nuw nsw i64 %2, [[FIRST]]
; CHECK: [[COUNT:%.*]] = call i64 @llvm.umin.i64(i64 [[LEFT]],
; CHECK: [[LENGTH:%.*]] = mul nuw nsw i64 [[COUNT]],
; CHECK: groups.next:
; CHECK-NEXT: [[NEXT]] = add nuw nsw i64 [[FIRST]], [[COUNT]]
; CHECK: call void @numbered(ptr %0, i64 [[FIRST]], i64 [[X:%.*]], i64 %y
; CHECK: [[XS:%.*]] = add nuw nsw i64 [[X]], 1
; CHECK-NEXT: icmp ult i64 [[XS]], [[LENGTH]]
define void @numbered(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
  %place = getelementptr inbounds i8, ptr %group, i64 48
  %size = load i64, ptr %place, !invariant.load !0
  %short = trunc i64 %size to i32
  %number = trunc i64 %gx to i32
  %first = mul i32 %number, %short
  %own = trunc i64 %x to i32
  %i = add i32 %own, %first
  %wide = sext i32 %i to i64
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %wide
  store i32 %i, ptr addrspace(1) %to
  ret void
}

; The size of a group is known at run time only: others are run one by one.
; CHECK-LABEL: define void @written_out.entry(
; CHECK: [[IS:%.*]] = icmp eq i64 {{%.*}}, 16
; CHECK-NEXT: select i1 [[IS]], i64 {{%.*}}, i64 1
define void @written_out(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
  %first = shl i64 %gx, 4
  %i = add i64 %first, %x
  %to = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %i
  store i64 %i, ptr addrspace(1) %to
  ret void
}

; Where not all are inside of the bounds, the groups are run one by one.
; BOUNDS-LABEL: define void @bounded.entry(
; BOUNDS: groups:
; BOUNDS: [[FIRST:%.*]] = phi i64 [ %1, %entry ], [ [[FIRST]], %singly ], [ {{%.*}}, %groups.next ]
; BOUNDS: [[APART:%.*]] = phi i64 [ 0, %entry ], [ [[COUNT:%.*]], %singly ], [ [[REST:%.*]], %groups.next ]
; BOUNDS: [[SINGLY:%.*]] = icmp eq i64 [[APART]], 0
; BOUNDS: select i1 [[SINGLY]], i64 {{%.*}}, i64 1
; BOUNDS: [[REST]] = call i64 @llvm.usub.sat.i64(i64 [[APART]], i64 1)
; BOUNDS: apart:
; BOUNDS-NEXT: br i1 {{%.*}}, label %single, label %singly
define void @bounded(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out, i64 %n) {
entry:
  %place = getelementptr inbounds i8, ptr %group, i64 48
  %size = load i64, ptr %place, !invariant.load !0
  %first = mul i64 %gx, %size
  %i = add i64 %first, %x
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %do, label %leave
do:
  %to = getelementptr inbounds i8, ptr addrspace(1) %out, i64 %i
  store i8 1, ptr addrspace(1) %to
  ret void
leave:
  ret void
}

define void @two_sizes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
  %first = shl i64 %gx, 4
  %i = add i64 %first, %x
  %second = mul i64 %gx, 8
  %j = add i64 %second, %x
  %to = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %i
  store i64 %j, ptr addrspace(1) %to
  ret void
}

define void @local_number(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
  %first = shl i64 %gx, 4
  %i = add i64 %first, %x
  %to = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %i
  store i64 %x, ptr addrspace(1) %to
  ret void
}

define void @group_number(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
  %first = shl i64 %gx, 4
  %i = add i64 %first, %x
  %to = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %i
  store i64 %gx, ptr addrspace(1) %to
  ret void
}

; What has 32 bits may have wrapped around for one group and not yet for the one before.
define void @wrapped(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
  %number = trunc i64 %gx to i32
  %first = shl i32 %number, 4
  %wide = zext i32 %first to i64
  %i = add i64 %wide, %x
  %to = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %i
  store i64 %i, ptr addrspace(1) %to
  ret void
}

define void @lane(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out) {
  %first = shl i64 %gx, 4
  %i = add i64 %first, %x
  %to = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %i
  store i64 %lane, ptr addrspace(1) %to
  ret void
}

; Each group has a memory of its own.
define void @shared(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out, ptr addrspace(3) %own) {
  %first = shl i64 %gx, 4
  %i = add i64 %first, %x
  store i64 %i, ptr addrspace(3) %own
  %value = load i64, ptr addrspace(3) %own
  %to = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %i
  store i64 %value, ptr addrspace(1) %to
  ret void
}

; Groups are tiles here: a row of several would touch more lines than the caches hold until the next row.
define void @columns(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out, i64 %n) {
  %first = shl i64 %gx, 4
  %i = add i64 %first, %x
  %column = mul i64 %i, %n
  %index = add i64 %column, %y
  %to = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %index
  store i64 %i, ptr addrspace(1) %to
  ret void
}

; A condition that moves a place by one makes no other place of it.
define void @chosen(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out, i64 %n) {
  %place = getelementptr inbounds i8, ptr %group, i64 48
  %size = load i64, ptr %place, !invariant.load !0
  %first = mul i64 %gx, %size
  %i = add i64 %first, %x
  %last = icmp ult i64 %i, %n
  %more = zext i1 %last to i64
  %index = add i64 %i, %more
  %to = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %index
  store i64 %i, ptr addrspace(1) %to
  ret void
}

; Coordinates of a texture, in elements or in parts of its width, with or without a filter.
define void @texture(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out, i64 %n, float %width) {
  %place = getelementptr inbounds i8, ptr %group, i64 48
  %size = load i64, ptr %place, !invariant.load !0
  %first = mul i64 %gx, %size
  %i = add i64 %first, %x
  %number = sitofp i64 %i to float
  %middle = fadd float %number, 0.5
  %low = call float @llvm.floor.f32(float %middle)
  %part = fsub float %middle, %low
  %scaled = fmul float %part, %width
  %normalized = icmp eq i64 %n, 1
  %coordinate = select i1 %normalized, float %scaled, float %middle
  %bounded = call float @llvm.maxnum.f32(float %coordinate, float -2.0)
  %fixed = call float @llvm.fmuladd.f32(float %bounded, float 256.0, float -127.5)
  %whole = fptosi float %fixed to i64
  %index = ashr i64 %whole, 8
  %offset = shl i64 %index, 2
  %base = ptrtoint ptr addrspace(1) %out to i64
  %address = add i64 %base, %offset
  %from = inttoptr i64 %address to ptr addrspace(1)
  %value = load i32, ptr addrspace(1) %from
  ret void
}

; At the border, neighbours have the same place.
define void @clamped(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out, i64 %n, float %width) {
  %place = getelementptr inbounds i8, ptr %group, i64 48
  %size = load i64, ptr %place, !invariant.load !0
  %first = mul i64 %gx, %size
  %i = add i64 %first, %x
  %is.inside = icmp ult i64 %i, %n
  %chosen = select i1 %is.inside, i64 %i, i64 0
  %index = call i64 @llvm.smin.i64(i64 %chosen, i64 %n)
  %from = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %index
  %value = load i32, ptr addrspace(1) %from
  ret void
}

; Elements of a size that is found at run time.
define void @elements(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out, i64 %n, float %width) {
  %place = getelementptr inbounds i8, ptr %group, i64 48
  %size = load i64, ptr %place, !invariant.load !0
  %first = mul i64 %gx, %size
  %i = add i64 %first, %x
  %bytes = and i64 %n, 127
  %offset = mul i64 %i, %bytes
  %from = getelementptr inbounds i8, ptr addrspace(1) %out, i64 %offset
  %value = load i32, ptr addrspace(1) %from
  ret void
}

; Neighbours have different rows of the texture.
define void @turned(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %out, i64 %n, float %width) {
  %place = getelementptr inbounds i8, ptr %group, i64 48
  %size = load i64, ptr %place, !invariant.load !0
  %first = mul i64 %gx, %size
  %i = add i64 %first, %x
  %number = sitofp i64 %i to float
  %sine = fmul float %number, %width
  %row = fptosi float %sine to i64
  %offset = mul i64 %row, %n
  %from = getelementptr inbounds i8, ptr addrspace(1) %out, i64 %offset
  %value = load i32, ptr addrspace(1) %from
  ret void
}

declare float @llvm.floor.f32(float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.fmuladd.f32(float, float, float)
declare i64 @llvm.smin.i64(i64, i64)

!0 = !{}
