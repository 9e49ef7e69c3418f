; Work-group variables become places in the memory that the executing thread provides.
; RUN: --stage=place_local_variables
; RUN-SHARED: --stage=place_local_variables --placed=shared=48 --placed-bytes=100

@shared = internal addrspace(3) global [2 x i32] undef
@words = internal addrspace(3) global [3 x i32] undef, align 4
@lines = internal addrspace(3) global [64 x i8] undef, align 128
@unused = internal addrspace(3) global [64 x i8] undef
@global = addrspace(1) global i32 0

; CHECK: ; lines at 128
; CHECK: ; shared at 0
; CHECK: ; words at 16
; CHECK-NEXT: ; 192 bytes of work-group memory
; CHECK-NOT: addrspace(3) global
; CHECK: @global = addrspace(1) global i32 0
; CHECK-NOT: addrspace(3) global

; Those of another unit stay where they are, and the unit's own follow.
; SHARED: ; lines at 128
; SHARED: ; shared at 48
; SHARED: ; words at 112
; SHARED-NEXT: ; 192 bytes of work-group memory

; One address in each function, at its beginning.
; CHECK-LABEL: define void @kernel(
; CHECK: [[PLACE:%.*]] = getelementptr inbounds i8, ptr %group, i64 96
; CHECK-NEXT: [[MEMORY:%.*]] = load ptr, ptr [[PLACE]], align 8, !invariant.load
; CHECK-NEXT: [[WORDS:%.*]] = getelementptr inbounds i8, ptr [[MEMORY]], i64 16
; CHECK-NEXT: [[ADDRESS:%.*]] = addrspacecast ptr [[WORDS]] to ptr addrspace(3)
; CHECK: then:
; CHECK-NEXT: store i32 1, ptr addrspace(3) [[ADDRESS]]
; CHECK-NEXT: [[SECOND:%.*]] = getelementptr i8, ptr addrspace(3) [[ADDRESS]], i64 4
; CHECK-NEXT: store i32 2, ptr addrspace(3) [[SECOND]]
define void @kernel(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, i1 %is) {
  br i1 %is, label %then, label %end
then:
  store i32 1, ptr addrspace(3) @words
  store i32 2, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @words, i64 4)
  br label %end
end:
  ret void
}

; CHECK-LABEL: define i32 @other(
; CHECK: getelementptr inbounds i8, ptr {{%.*}}, i64 128
; CHECK: load i32, ptr addrspace(3)
define i32 @other(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %line = load i32, ptr addrspace(3) @lines
  %word = load i32, ptr addrspace(3) @words
  %one = load i32, ptr addrspace(3) @shared
  %sum = add i32 %line, %word
  ret i32 %sum
}

; CHECK-LABEL: define i32 @none(
; CHECK-NEXT: load i32, ptr addrspace(1) @global
; CHECK-NEXT: ret i32
define i32 @none(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  %word = load i32, ptr addrspace(1) @global
  ret i32 %word
}
