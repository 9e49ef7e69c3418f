; RUN: --stage=place_local_variables
; FAILS
; CHECK: work-group variable huge is too large
@huge = internal addrspace(3) global [4294967296 x i8] undef

define void @kernel(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane) {
  store i8 1, ptr addrspace(3) @huge
  ret void
}
