; Loops that write whole lines exist a second time, with stores that pass by the caches.
; RUN: --stage=add_nontemporal_loops

; CHECK: ; copies: 4 non-temporal bytes
; CHECK-NEXT: ; reads_too: 0 non-temporal bytes
; CHECK-NEXT: ; gaps: 0 non-temporal bytes
; CHECK-NEXT: ; pairs: 4 non-temporal bytes
; CHECK-NEXT: ; masked: 4 non-temporal bytes
; CHECK-NEXT: ; fenced: 0 non-temporal bytes
; CHECK-NEXT: ; scalars: 0 non-temporal bytes
; CHECK-NEXT: ; not_global: 0 non-temporal bytes
; CHECK-NEXT: ; masked_by_memory: 0 non-temporal bytes

; If the launch writes more than the caches hold, and where the memory is aligned to the stores.
; CHECK-LABEL: define void @copies(
; CHECK: [[PLACE:%.*]] = getelementptr inbounds i8, ptr %group, i64 192
; CHECK-NEXT: [[WANTED:%.*]] = load i64, ptr [[PLACE]]
; CHECK: and i64 {{%.*}}, 31
; CHECK-DAG: icmp ne i64 [[WANTED]], 0
; CHECK-DAG: icmp eq i64 {{%.*}}, 0
; CHECK: [[NONTEMPORAL:%.*]] = and i1
; CHECK-NEXT: br i1 [[NONTEMPORAL]], label %[[COPY:.*]], label %[[LOOP:.*]]
; CHECK: store <8 x float> %value.nontemporal, {{.*}}, align 32, !nontemporal
; CHECK: store <8 x float> %value, {{.*}}, align 4{{$}}
define void @copies(ptr noalias %group, i64 %first, i64 %last) {
entry:
  %place = getelementptr inbounds i8, ptr %group, i64 104
  %arguments = load ptr, ptr %place, align 8, !invariant.load !0
  %out = load ptr addrspace(1), ptr %arguments, align 8, !invariant.load !0
  %in_place = getelementptr inbounds i8, ptr %arguments, i64 8
  %in = load ptr addrspace(1), ptr %in_place, align 8, !invariant.load !0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %value = load <8 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i
  store <8 x float> %value, ptr addrspace(1) %to, align 4
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %j, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What is read too is in the cache already.
define void @reads_too(ptr noalias %group, i64 %first, i64 %last) {
entry:
  %place = getelementptr inbounds i8, ptr %group, i64 104
  %arguments = load ptr, ptr %place, align 8, !invariant.load !0
  %out = load ptr addrspace(1), ptr %arguments, align 8, !invariant.load !0
  %in_place = getelementptr inbounds i8, ptr %arguments, i64 8
  %in = load ptr addrspace(1), ptr %in_place, align 8, !invariant.load !0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i
  %value = load <8 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i
  store <8 x float> %value, ptr addrspace(1) %to, align 4
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %j, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Lines of which only a part is written.
define void @gaps(ptr noalias %group, i64 %first, i64 %last) {
entry:
  %place = getelementptr inbounds i8, ptr %group, i64 104
  %arguments = load ptr, ptr %place, align 8, !invariant.load !0
  %out = load ptr addrspace(1), ptr %arguments, align 8, !invariant.load !0
  %in_place = getelementptr inbounds i8, ptr %arguments, i64 8
  %in = load ptr addrspace(1), ptr %in_place, align 8, !invariant.load !0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %twice = mul nuw nsw i64 %i, 2
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %value = load <8 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %twice
  store <8 x float> %value, ptr addrspace(1) %to, align 4
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %j, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Several stores that together leave nothing out.
; CHECK-LABEL: define void @pairs(
; CHECK-COUNT-2: align 16, !nontemporal
define void @pairs(ptr noalias %group, i64 %first, i64 %last) {
entry:
  %place = getelementptr inbounds i8, ptr %group, i64 104
  %arguments = load ptr, ptr %place, align 8, !invariant.load !0
  %out = load ptr addrspace(1), ptr %arguments, align 8, !invariant.load !0
  %in_place = getelementptr inbounds i8, ptr %arguments, i64 8
  %in = load ptr addrspace(1), ptr %in_place, align 8, !invariant.load !0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %value = load <4 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i
  store <4 x float> %value, ptr addrspace(1) %to, align 4
  %upper = getelementptr inbounds i8, ptr addrspace(1) %to, i64 16
  store <4 x float> %value, ptr addrspace(1) %upper, align 4
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %j, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}

; No processor has stores past the caches with a mask: where it has all elements, a second form of the block has none.
; CHECK-LABEL: define void @masked(
; CHECK: icmp eq i8 {{%.*}}, -1
; CHECK: br i1 {{%.*}}, label %[[WHOLE:.*]], label %[[PART:.*]]
; CHECK: store <8 x float> {{.*}}, align 32, !nontemporal
define void @masked(ptr noalias %group, i64 %first, i64 %last) {
entry:
  %place = getelementptr inbounds i8, ptr %group, i64 104
  %arguments = load ptr, ptr %place, align 8, !invariant.load !0
  %out = load ptr addrspace(1), ptr %arguments, align 8, !invariant.load !0
  %in_place = getelementptr inbounds i8, ptr %arguments, i64 8
  %in = load ptr addrspace(1), ptr %in_place, align 8, !invariant.load !0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %splat = insertelement <8 x i64> poison, i64 %i, i64 0
  %all = shufflevector <8 x i64> %splat, <8 x i64> poison, <8 x i32> zeroinitializer
  %index = add <8 x i64> %all, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %limit = insertelement <8 x i64> poison, i64 %first, i64 0
  %limits = shufflevector <8 x i64> %limit, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask = icmp ult <8 x i64> %index, %limits
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i
  call void @llvm.masked.store.v8f32.p1(<8 x float> splat (float 1.0), ptr addrspace(1) %to, i32 4, <8 x i1> %mask)
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %j, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Memory in an order that others see.
define void @fenced(ptr noalias %group, i64 %first, i64 %last) {
entry:
  %place = getelementptr inbounds i8, ptr %group, i64 104
  %arguments = load ptr, ptr %place, align 8, !invariant.load !0
  %out = load ptr addrspace(1), ptr %arguments, align 8, !invariant.load !0
  %in_place = getelementptr inbounds i8, ptr %arguments, i64 8
  %in = load ptr addrspace(1), ptr %in_place, align 8, !invariant.load !0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  fence seq_cst
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %value = load <8 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i
  store <8 x float> %value, ptr addrspace(1) %to, align 4
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %j, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Single numbers.
define void @scalars(ptr noalias %group, i64 %first, i64 %last) {
entry:
  %place = getelementptr inbounds i8, ptr %group, i64 104
  %arguments = load ptr, ptr %place, align 8, !invariant.load !0
  %out = load ptr addrspace(1), ptr %arguments, align 8, !invariant.load !0
  %in_place = getelementptr inbounds i8, ptr %arguments, i64 8
  %in = load ptr addrspace(1), ptr %in_place, align 8, !invariant.load !0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %value = load float, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i
  store float %value, ptr addrspace(1) %to, align 4
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %j, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A thread's own memory.
define void @not_global(ptr noalias %group, i64 %first, i64 %last) {
entry:
  %place = getelementptr inbounds i8, ptr %group, i64 104
  %arguments = load ptr, ptr %place, align 8, !invariant.load !0
  %out = load ptr addrspace(1), ptr %arguments, align 8, !invariant.load !0
  %in_place = getelementptr inbounds i8, ptr %arguments, i64 8
  %in = load ptr addrspace(1), ptr %in_place, align 8, !invariant.load !0
  %memory = load ptr, ptr %group, align 8, !invariant.load !0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %value = load <8 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds float, ptr %memory, i64 %i
  store <8 x float> %value, ptr %to, align 4
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %j, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A mask that leaves elements out here and there, and not just at the end.
define void @masked_by_memory(ptr noalias %group, i64 %first, i64 %last) {
entry:
  %place = getelementptr inbounds i8, ptr %group, i64 104
  %arguments = load ptr, ptr %place, align 8, !invariant.load !0
  %out = load ptr addrspace(1), ptr %arguments, align 8, !invariant.load !0
  %in_place = getelementptr inbounds i8, ptr %arguments, i64 8
  %in = load ptr addrspace(1), ptr %in_place, align 8, !invariant.load !0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %value = load <8 x float>, ptr addrspace(1) %from, align 4
  %mask = fcmp ogt <8 x float> %value, zeroinitializer
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i
  call void @llvm.masked.store.v8f32.p1(<8 x float> %value, ptr addrspace(1) %to, i32 4, <8 x i1> %mask)
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %j, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}

declare void @llvm.masked.store.v8f32.p1(<8 x float>, ptr addrspace(1), i32, <8 x i1>)

!0 = !{}
