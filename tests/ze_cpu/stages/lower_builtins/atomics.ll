; Atomic instructions.
; RUN: --stage=lower_builtins

declare i32 @_Z18__spirv_AtomicIAddPU3AS1iiii(ptr addrspace(1), i32, i32, i32)
declare i32 @_Z18__spirv_AtomicIAddPU3AS3iiii(ptr addrspace(3), i32, i32, i32)
declare i32 @_Z18__spirv_AtomicLoadPU3AS1iii(ptr addrspace(1), i32, i32)
declare void @_Z19__spirv_AtomicStorePU3AS1iiii(ptr addrspace(1), i32, i32, i32)
declare i64 @_Z24__spirv_AtomicIDecrementPU3AS1lii(ptr addrspace(1), i32, i32)
declare i32 @_Z29__spirv_AtomicCompareExchangePU3AS1iiiiii(ptr addrspace(1), i32, i32, i32, i32, i32)
declare ptr addrspace(3) @_Z40__spirv_GenericCastToPtrExplicit_ToLocalPU3AS4vi(ptr addrspace(4), i32)

; CHECK-LABEL: define void @orders(
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 7 monotonic, align 4
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 7 acq_rel, align 4
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 7 seq_cst, align 4
; An order that is not known before execution is the strictest.
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 7 seq_cst, align 4
; CHECK: atomicrmw sub ptr addrspace(1) %p, i64 1 release, align 8
define void @orders(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p, i32 %order) {
  %a = call i32 @_Z18__spirv_AtomicIAddPU3AS1iiii(ptr addrspace(1) %p, i32 1, i32 512, i32 7)
  %b = call i32 @_Z18__spirv_AtomicIAddPU3AS1iiii(ptr addrspace(1) %p, i32 1, i32 6, i32 7)
  %c = call i32 @_Z18__spirv_AtomicIAddPU3AS1iiii(ptr addrspace(1) %p, i32 1, i32 16, i32 7)
  %d = call i32 @_Z18__spirv_AtomicIAddPU3AS1iiii(ptr addrspace(1) %p, i32 1, i32 %order, i32 7)
  %e = call i64 @_Z24__spirv_AtomicIDecrementPU3AS1lii(ptr addrspace(1) %p, i32 1, i32 4)
  ret void
}

; A load cannot release, and a store cannot acquire.
; CHECK-LABEL: define void @one_sided(
; CHECK: load atomic i32, ptr addrspace(1) %p acquire, align 4
; CHECK: load atomic i32, ptr addrspace(1) %p monotonic, align 4
; CHECK: store atomic i32 7, ptr addrspace(1) %p release, align 4
; CHECK: store atomic i32 7, ptr addrspace(1) %p monotonic, align 4
define void @one_sided(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %a = call i32 @_Z18__spirv_AtomicLoadPU3AS1iii(ptr addrspace(1) %p, i32 1, i32 8)
  %b = call i32 @_Z18__spirv_AtomicLoadPU3AS1iii(ptr addrspace(1) %p, i32 1, i32 4)
  call void @_Z19__spirv_AtomicStorePU3AS1iiii(ptr addrspace(1) %p, i32 1, i32 8, i32 7)
  call void @_Z19__spirv_AtomicStorePU3AS1iiii(ptr addrspace(1) %p, i32 1, i32 2, i32 7)
  ret void
}

; SPIR-V has the new value first; a failure cannot be stricter than success.
; CHECK-LABEL: define i32 @compare_exchange(
; CHECK: [[PAIR:%.*]] = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 acq_rel acquire, align 4
; CHECK-NEXT: %a = extractvalue { i32, i1 } [[PAIR]], 0
; CHECK-NEXT: [[PAIR:%.*]] = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 seq_cst seq_cst, align 4
; CHECK-NEXT: %b = extractvalue { i32, i1 } [[PAIR]], 0
define i32 @compare_exchange(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %a = call i32 @_Z29__spirv_AtomicCompareExchangePU3AS1iiiiii(ptr addrspace(1) %p, i32 1, i32 4, i32 2, i32 2, i32 1)
  %b = call i32 @_Z29__spirv_AtomicCompareExchangePU3AS1iiiiii(ptr addrspace(1) %p, i32 1, i32 2, i32 16, i32 2, i32 1)
  ret i32 %b
}

; Work-group memory belongs to one thread: nobody sees between the read and the write, which stay atomic for the vectoriser.
; CHECK-LABEL: define i32 @work_group(
; CHECK-NEXT: %a = load atomic i32, ptr addrspace(3) %p unordered, align 4
; CHECK-NEXT: [[SUM:%.*]] = add i32 %a, 7
; CHECK-NEXT: store atomic i32 [[SUM]], ptr addrspace(3) %p unordered, align 4
; CHECK-NEXT: ret i32 %a
define i32 @work_group(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %a = call i32 @_Z18__spirv_AtomicIAddPU3AS3iiii(ptr addrspace(3) %p, i32 2, i32 16, i32 7)
  ret i32 %a
}

; Which memory a generic pointer points to shows in its address: here between the beginning and the end of the work-group's.
; CHECK-LABEL: define ptr addrspace(3) @kind(
; CHECK-DAG: addrspacecast ptr addrspace(4) %p to ptr addrspace(3)
; CHECK-DAG: getelementptr inbounds i8, ptr %group, i64 96
; CHECK-DAG: getelementptr inbounds i8, ptr %group, i64 112
; CHECK-DAG: icmp uge i64
; CHECK-DAG: icmp ult i64
; CHECK: select i1 {{%.*}}, ptr addrspace(3) {{%.*}}, ptr addrspace(3) null
define ptr addrspace(3) @kind(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(4) %p) {
  %local = call ptr addrspace(3) @_Z40__spirv_GenericCastToPtrExplicit_ToLocalPU3AS4vi(ptr addrspace(4) %p, i32 4)
  ret ptr addrspace(3) %local
}

; Functions of others, by names that only look like it, stay.
; CHECK-LABEL: define i32 @others(
; CHECK-NEXT: call i32 @AtomicIAdd(
; CHECK-NEXT: call i32 @_Z22__spirv_AtomicSomethingPU3AS1i(
; CHECK-NEXT: call i32 @_Z99__spirv_AtomicLoad(
; CHECK-NEXT: ret i32
declare i32 @AtomicIAdd(ptr addrspace(1), i32, i32, i32)
declare i32 @_Z22__spirv_AtomicSomethingPU3AS1i(ptr addrspace(1))
declare i32 @_Z99__spirv_AtomicLoad(ptr addrspace(1), i32, i32)
define i32 @others(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %a = call i32 @AtomicIAdd(ptr addrspace(1) %p, i32 1, i32 16, i32 7)
  %b = call i32 @_Z22__spirv_AtomicSomethingPU3AS1i(ptr addrspace(1) %p)
  %c = call i32 @_Z99__spirv_AtomicLoad(ptr addrspace(1) %p, i32 1, i32 16)
  ret i32 %a
}
