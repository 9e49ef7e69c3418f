; A region in which only the lanes below a limit do anything is a loop over these.
; RUN-A: --stage=make_region_entry --function=below
; RUN-B: --stage=make_region_entry --function=first
; RUN-C: --stage=make_region_entry --function=below_shared
; RUN-D: --stage=make_region_entry --function=keeps
; RUN-E: --stage=make_region_entry --function=in_rows
; RUN-F: --stage=make_region_entry --function=others_act
; RUN-G: --stage=make_region_entry --function=sum

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; Few lanes are counted on to be there. Work-groups that are in parts, or in several rows, have code of their own.
; A-LABEL: define internal i32 @below.region1(
; A: %x = add
; A: icmp ult i64 %x, 40
; A-LABEL: define internal i32 @below.region1.1(
; A: [[WHOLE:%.*]] = icmp eq i64 %3, 0
; A-NEXT: [[ALL:%.*]] = and i1 [[WHOLE]], true
; A: [[ROW:%.*]] = icmp uge i64 {{%.*}}, %4
; A: [[BOTH:%.*]] = and i1 [[ALL]], [[ROW]]
; A: [[FEW:%.*]] = icmp ule i64 40, %4
; A: [[REGULAR:%.*]] = and i1 [[BOTH]], [[FEW]]
; A: br i1 [[REGULAR]], label %regular, label %other
; A: %left = phi i64 [ 40, %regular ], [ [[FEWER:%.*]], %lane.end ]
; A: [[FEWER]] = sub nuw nsw i64 %left, 1
; A: icmp ne i64 [[FEWER]], 0
; A: br i1 true,
; A: regular:
; A-NEXT: br label %lane
; A: other:
; A-NEXT: [[CUT:%.*]] = call i32 @below.region1(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4)
; A-NEXT: ret i32 [[CUT]]
define void @below(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %acts = icmp ult i64 %x, 40
  br i1 %acts, label %then, label %end
then:
  store i32 1, ptr addrspace(1) %element
  br label %end
end:
  ret void
}

; What goes by the number in the work-group is the same in any rows.
; B-LABEL: define internal i32 @first.region1.1(
; B-NOT: icmp uge
; B: %left = phi i64 [ 1, %regular ],
; B: br i1 false,
define void @first(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %n = trunc i64 %lane to i32
  %idle = icmp ne i32 %n, 0
  br i1 %idle, label %end, label %then
then:
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; A limit that is not known may be larger than the work-group, or none may be below.
; C-LABEL: define internal i32 @below_shared.region1.1(
; C: [[WIDE:%.*]] = sext i32 {{%.*}} to i64
; C-NEXT: [[LARGE:%.*]] = call i64 @llvm.smin.i64(i64 [[WIDE]], i64 4294967296)
; C-NEXT: [[LIMIT:%.*]] = add i64 [[LARGE]], 1
; C: regular:
; C-NEXT: [[COUNT:%.*]] = call i64 @llvm.smin.i64(i64 [[LIMIT]], i64 %4)
; C-NEXT: [[ANY:%.*]] = icmp sgt i64 [[COUNT]], 0
; C-NEXT: br i1 [[ANY]], label %lane, label %lanes.end
define void @below_shared(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %t = trunc i64 %x to i32
  %idle = icmp slt i32 %n, %t
  br i1 %idle, label %end, label %then
then:
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; Lanes that only keep something are not idle.
; D: define internal i32 @keeps.region1(
; D-NOT: @keeps.region1.1
define void @keeps(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %acts = icmp ult i64 %x, 40
  br i1 %acts, label %then, label %end
then:
  %a = load i32, ptr addrspace(1) %element
  br label %end
end:
  %kept = phi i32 [ %a, %then ], [ 3, %0 ]
  %r = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 2, i32 65536)
  store i32 %kept, ptr addrspace(1) %element
  ret void
}

; Nor do rows have one limit.
; E: define internal i32 @in_rows.region1(
; E-NOT: regular:
define void @in_rows(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %y
  %acts = icmp ult i64 %x, 40
  br i1 %acts, label %then, label %end
then:
  store i32 1, ptr addrspace(1) %element
  br label %end
end:
  ret void
}

; F: define internal i32 @others_act.region1(
; F-NOT: @others_act.region1.1
define void @others_act(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %acts = icmp ult i64 %x, 40
  br i1 %acts, label %then, label %end
then:
  store i32 1, ptr addrspace(1) %element
  br label %end
end:
  %all = phi i32 [ 1, %then ], [ 3, %0 ]
  store i32 %all, ptr addrspace(1) %p
  ret void
}

; A sum is below the limit where its number is below the difference, unless one of the two wraps around. What lanes that do nothing had
; before is what they have.
; G-LABEL: define internal i32 @sum.region1.2(
; G: [[SMALL:%.*]] = icmp sle i32 [[I:%.*]], 2147482623
; G-NEXT: [[PAIR:%.*]] = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 {{%.*}}, i32 [[I]])
; G-NEXT: [[LESS:%.*]] = extractvalue { i32, i1 } [[PAIR]], 0
; G-NEXT: [[WRAPS:%.*]] = extractvalue { i32, i1 } [[PAIR]], 1
; G-NEXT: [[STAYS:%.*]] = xor i1 [[WRAPS]], true
; G-NEXT: [[KNOWN:%.*]] = and i1 [[SMALL]], [[STAYS]]
; G-NEXT: [[LIMIT:%.*]] = sext i32 [[LESS]] to i64
; G: br i1 true,
define void @sum(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %n) {
entry:
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %t = trunc i64 %x to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %end ]
  %a = phi i32 [ 5, %entry ], [ %a.next, %end ]
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %number = add i32 %t, %i
  %acts = icmp slt i32 %number, %n
  br i1 %acts, label %then, label %end
then:
  %v = load i32, ptr addrspace(1) %element
  %b = add i32 %a, %v
  br label %end
end:
  %a.next = phi i32 [ %b, %then ], [ %a, %loop ]
  %i.next = add i32 %i, 64
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store i32 %a.next, ptr addrspace(1) %element
  ret void
}
