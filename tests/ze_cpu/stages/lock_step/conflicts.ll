; Which places of two lanes may be the same: a lane's own slot, and whatever is told apart from another lane's.
; RUN: --stage=keep_lock_step

; CHECK: ; one_lane: does not wait
; CHECK: ; two_lanes: waits
; CHECK: ; other_lanes: waits
; CHECK: ; behind_one_lane: waits
; CHECK: ; one_column: waits
; CHECK: ; slots_of_columns: waits
; CHECK: ; far: does not wait
; CHECK: ; near: waits
; CHECK: ; bins: does not wait
; CHECK: ; near_bins: waits
; CHECK: ; overlapping_bins: waits
; CHECK: ; overlapping: waits
; CHECK: ; even_and_odd: does not wait
; CHECK: ; store_reaches_next: waits
; CHECK: ; load_reaches_next: waits
; CHECK: ; lower_half: does not wait
; CHECK: ; upper_half: does not wait
; CHECK: ; one_too_many: waits
; CHECK: ; pairs: does not wait
; CHECK: ; pairs_of_any: waits
; CHECK: ; known_lane: does not wait
; CHECK: ; any_length: waits
; CHECK: ; one_of_two_objects: waits
; CHECK: ; one_of_two_places: waits
; CHECK: ; other_stride: waits
; CHECK: ; low_bits: waits
; CHECK: ; moves: waits
; CHECK: ; moves_behind_barrier: does not wait
; CHECK: ; pairs_in_turn: waits
; CHECK: ; two_numbers: waits
; CHECK: ; stays: does not wait

; What only one lane executes it exchanges with nobody; two lanes that execute one part each do.
define void @one_lane(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n, i64 %m) {
  %is = icmp eq i64 %x, 0
  br i1 %is, label %then, label %end
then:
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %n
  store i32 1, ptr addrspace(3) %s
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %m
  %a = load i32, ptr addrspace(3) %l
  br label %end
end:
  ret void
}

define void @two_lanes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n, i64 %m) {
  %is = icmp eq i64 %x, 0
  br i1 %is, label %then, label %next
then:
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %n
  store i32 1, ptr addrspace(3) %s
  br label %next
next:
  %other = icmp eq i64 %x, 1
  br i1 %other, label %last, label %end
last:
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %m
  %a = load i32, ptr addrspace(3) %l
  br label %end
end:
  ret void
}

; All others do, whom the condition leaves out, and so do all behind it.
define void @other_lanes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n, i64 %m) {
  %is = icmp eq i64 %x, 0
  br i1 %is, label %end, label %then
then:
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %n
  store i32 1, ptr addrspace(3) %s
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %m
  %a = load i32, ptr addrspace(3) %l
  br label %end
end:
  ret void
}

define void @behind_one_lane(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n, i64 %m, ptr addrspace(1) %in) {
  %is = icmp eq i64 %x, 0
  br i1 %is, label %then, label %end
then:
  store i64 1, ptr addrspace(1) %in
  br label %end
end:
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %n
  store i32 1, ptr addrspace(3) %s
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %m
  %a = load i32, ptr addrspace(3) %l
  ret void
}

; One coordinate tells lanes apart only where there is no other.
define void @one_column(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n, i64 %m, ptr addrspace(1) %in) {
  store i64 %y, ptr addrspace(1) %in
  %is = icmp eq i64 %x, 0
  br i1 %is, label %then, label %end
then:
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %n
  store i32 1, ptr addrspace(3) %s
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %m
  %a = load i32, ptr addrspace(3) %l
  br label %end
end:
  ret void
}

define void @slots_of_columns(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in) {
  store i64 %y, ptr addrspace(1) %in
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %s
  %a = load i32, ptr addrspace(3) %s
  ret void
}

; Places are apart that are further from each other than the lanes of a sub-group reach.
define void @far(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %i = add i64 %x, 64
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %s
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i32, ptr addrspace(3) %l
  ret void
}

define void @near(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %i = add i64 %x, 1
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %s
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i32, ptr addrspace(3) %l
  ret void
}

; Whole multiples of that may be added, but of no less.
define void @bins(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in) {
  %place = getelementptr i64, ptr addrspace(1) %in, i64 %x
  %v = load i64, ptr addrspace(1) %place
  %far = mul i64 %v, 64
  %i = add i64 %far, %x
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %i
  store i32 1, ptr addrspace(3) %s
  %a = load i32, ptr addrspace(3) %s
  ret void
}

define void @near_bins(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in) {
  %place = getelementptr i64, ptr addrspace(1) %in, i64 %x
  %v = load i64, ptr addrspace(1) %place
  %far = mul i64 %v, 16
  %i = add i64 %far, %x
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %i
  store i32 1, ptr addrspace(3) %s
  %a = load i32, ptr addrspace(3) %s
  ret void
}

define void @overlapping_bins(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in) {
  %place = getelementptr i64, ptr addrspace(1) %in, i64 %x
  %v = load i64, ptr addrspace(1) %place
  %far = mul i64 %v, 256
  %i = add i64 %far, %x
  %s = getelementptr i8, ptr addrspace(3) %p, i64 %i
  store i32 1, ptr addrspace(3) %s
  %a = load i32, ptr addrspace(3) %s
  ret void
}

; Slots are no closer than what is stored there.
define void @overlapping(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %s = getelementptr i8, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %s
  %a = load i32, ptr addrspace(3) %s
  ret void
}

; Remainders tell places apart, if neither access reaches the next place.
define void @even_and_odd(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %i = mul i64 %x, 2
  %j = add i64 %i, 1
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %i
  store i32 1, ptr addrspace(3) %s
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %j
  %a = load i32, ptr addrspace(3) %l
  ret void
}

define void @store_reaches_next(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %i = mul i64 %x, 2
  %j = add i64 %i, 1
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %i
  store i64 1, ptr addrspace(3) %s
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %j
  %a = load i32, ptr addrspace(3) %l
  ret void
}

define void @load_reaches_next(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %i = mul i64 %x, 2
  %j = add i64 %i, 1
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %j
  store i32 1, ptr addrspace(3) %s
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i64, ptr addrspace(3) %l
  ret void
}

; Bounds do, in either order, as far as they go.
define void @lower_half(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n) {
  %is = icmp ult i64 %x, %n
  br i1 %is, label %then, label %end
then:
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %s
  %i = add i64 %x, %n
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i32, ptr addrspace(3) %l
  br label %end
end:
  ret void
}

define void @upper_half(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n) {
  %is = icmp ult i64 %x, %n
  br i1 %is, label %then, label %end
then:
  %i = add i64 %x, %n
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i32, ptr addrspace(3) %l
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %s
  br label %end
end:
  ret void
}

define void @one_too_many(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n) {
  %is = icmp ule i64 %x, %n
  br i1 %is, label %then, label %end
then:
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %s
  %i = add i64 %x, %n
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i32, ptr addrspace(3) %l
  br label %end
end:
  ret void
}

; Of two lanes whose numbers differ by a mask, one acts for both; with a mask of its own, it may meet anyone.
define void @pairs(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n) {
  %i = xor i64 %x, %n
  %is = icmp ugt i64 %i, %x
  br i1 %is, label %then, label %end
then:
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i32, ptr addrspace(3) %l
  store i32 1, ptr addrspace(3) %s
  store i32 1, ptr addrspace(3) %l
  br label %end
end:
  ret void
}

define void @pairs_of_any(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in) {
  %place = getelementptr i64, ptr addrspace(1) %in, i64 %x
  %v = load i64, ptr addrspace(1) %place
  %i = xor i64 %x, %v
  %is = icmp ugt i64 %i, %x
  br i1 %is, label %then, label %end
then:
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i32, ptr addrspace(3) %l
  store i32 1, ptr addrspace(3) %s
  store i32 1, ptr addrspace(3) %l
  br label %end
end:
  ret void
}

; The slot of a lane whose number a condition tells is its own.
define void @known_lane(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %s
  %is = icmp eq i64 %x, 0
  br i1 %is, label %then, label %end
then:
  %a = load i32, ptr addrspace(3) %p
  br label %end
end:
  ret void
}

; Of accesses that may be of any length nothing is known, nor of pointers to one of several places.
define void @any_length(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %q, i64 %n) {
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %s
  call void @llvm.memcpy.p1.p3.i64(ptr addrspace(1) %q, ptr addrspace(3) %s, i64 %n, i1 false)
  ret void
}

define void @one_of_two_objects(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(1) %in) {
  %place = getelementptr i64, ptr addrspace(1) %in, i64 %x
  %v = load i64, ptr addrspace(1) %place
  %c = icmp eq i64 %v, 0
  %b = select i1 %c, ptr addrspace(3) %p, ptr addrspace(3) %q
  %s = getelementptr i32, ptr addrspace(3) %b, i64 %x
  store i32 1, ptr addrspace(3) %s
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %a = load i32, ptr addrspace(3) %l
  ret void
}

define void @one_of_two_places(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in) {
  %place = getelementptr i64, ptr addrspace(1) %in, i64 %x
  %v = load i64, ptr addrspace(1) %place
  %c = icmp eq i64 %v, 0
  %next = getelementptr i32, ptr addrspace(3) %p, i64 1
  %b = select i1 %c, ptr addrspace(3) %p, ptr addrspace(3) %next
  %s = getelementptr i32, ptr addrspace(3) %b, i64 %x
  store i32 1, ptr addrspace(3) %s
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %a = load i32, ptr addrspace(3) %l
  ret void
}

; Lanes meet where two strides do.
define void @other_stride(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %i = mul i64 %x, 2
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 1, ptr addrspace(3) %s
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i32, ptr addrspace(3) %l
  ret void
}

; The low bits of a number tell only so many lanes apart.
define void @low_bits(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p) {
  %i = and i64 %x, 7
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %i
  store i32 1, ptr addrspace(3) %s
  %a = load i32, ptr addrspace(3) %s
  ret void
}

; A slot moves on where what it is computed from is computed anew between two accesses.
define void @moves(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n, i64 %m) {
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %d = mul i64 %k, %n
  %i = add i64 %x, %d
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i32, ptr addrspace(3) %s
  store i32 1, ptr addrspace(3) %s
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %m
  br i1 %more, label %loop, label %end
end:
  ret void
}

; But not where lanes have met before, as they are all computed alike.
define void @moves_behind_barrier(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n, i64 %m) {
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %d = mul i64 %k, %n
  %i = add i64 %x, %d
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i32, ptr addrspace(3) %s
  store i32 1, ptr addrspace(3) %s
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %m
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Nor are pairs the same with another mask.
define void @pairs_in_turn(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n) {
  br label %loop
loop:
  %j = phi i64 [ %n, %0 ], [ %j1, %latch ]
  %i = xor i64 %x, %j
  %is = icmp ugt i64 %i, %x
  br i1 %is, label %then, label %latch
then:
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i32, ptr addrspace(3) %l
  store i32 1, ptr addrspace(3) %s
  store i32 1, ptr addrspace(3) %l
  br label %latch
latch:
  %j1 = lshr i64 %j, 1
  %more = icmp ne i64 %j1, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Sums of two numbers of a lane may be those of another.
define void @two_numbers(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in) {
  store i64 %y, ptr addrspace(1) %in
  %i = add i64 %lane, %x
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %i
  store i32 1, ptr addrspace(3) %s
  %a = load i32, ptr addrspace(3) %s
  ret void
}

define void @stays(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, i64 %n, i64 %m) {
  %d = udiv i64 %n, 3
  %i = add i64 %x, %d
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %a = load i32, ptr addrspace(3) %s
  store i32 1, ptr addrspace(3) %s
  %b = load i32, ptr addrspace(3) %s
  ret void
}

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)
declare void @llvm.memcpy.p1.p3.i64(ptr addrspace(1), ptr addrspace(3), i64, i1)
