; The address of a work-group variable is not known when variables get their initial values.
; RUN: --stage=place_local_variables
; FAILS
; CHECK: the address of work-group variable words is in the initial value of another variable
@words = internal addrspace(3) global [3 x i32] undef
@pointer = addrspace(1) global ptr addrspace(3) @words
