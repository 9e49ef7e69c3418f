; A lane's own numbers: the digits that a division takes apart, with other digits put between them.
; RUN: --stage=keep_lock_step

; CHECK: ; halves: does not wait
; CHECK: ; halves_of_any: waits
; CHECK: ; mask: does not wait
; CHECK: ; wide_mask: does not wait
; CHECK: ; narrow_mask: waits
; CHECK: ; wide_mask_of_any: waits
; CHECK: ; mask_of_each_lane: waits
; CHECK: ; lower_of_each_lane: waits
; CHECK: ; division: does not wait
; CHECK: ; signed_division: does not wait
; CHECK: ; division_by_any: waits
; CHECK: ; division_of_negative: waits
; CHECK: ; next_block: waits
; CHECK: ; quarters: does not wait
; CHECK: ; four_quarters_on: waits
; CHECK: ; no_digits: waits
; CHECK: ; sum: waits
; CHECK: ; beside: waits
; CHECK: ; half_way: waits
; CHECK: ; too_wide: waits
; CHECK: ; with_any: waits
; CHECK: ; of_any: waits
; CHECK: ; two_dimensions: waits
; CHECK: ; in_turn: waits
; CHECK: ; lower_in_turn: waits
; CHECK: ; in_turn_behind_barrier: does not wait
; CHECK: ; moves: waits
; CHECK: ; moves_behind_barrier: does not wait

; Two halves of blocks, in which a power of two says which bits are taken apart.
define void @halves(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = shl i64 1, %n
  %mask = add i64 %d, -1
  %k = and i64 %x, %mask
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

; The bits below any other number do not.
define void @halves_of_any(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = add i64 %n, 0
  %mask = add i64 %d, -1
  %k = and i64 %x, %mask
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

; Another way to write the mask.
define void @mask(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = shl i64 1, %n
  %not = shl i64 -1, %n
  %mask = xor i64 %not, -1
  %k = and i64 %x, %mask
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

; The mask may have bits that no coordinate has, but it must have all others.
define void @wide_mask(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = shl i64 1, %n
  %mask = add i64 %d, 1023
  %k = and i64 %x, %mask
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

define void @narrow_mask(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = shl i64 1, %n
  %mask = add i64 %d, 511
  %k = and i64 %x, %mask
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

; Other numbers may have them.
define void @wide_mask_of_any(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %x3 = mul i64 %x, 3
  %d = shl i64 1, %n
  %mask = add i64 %d, 1023
  %k = and i64 %x3, %mask
  %twice = shl i64 %x3, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

; All lanes must have the same mask.
define void @mask_of_each_lane(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %place = getelementptr i64, ptr addrspace(1) %in, i64 %x
  %v = load i64, ptr addrspace(1) %place
  %d = shl i64 1, %v
  %mask = add i64 %d, -1
  %k = and i64 %x, %mask
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

define void @lower_of_each_lane(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %place = getelementptr i64, ptr addrspace(1) %in, i64 %x
  %v = load i64, ptr addrspace(1) %place
  %d = shl i64 1, %v
  %mask = add i64 %d, -1
  %k = and i64 %x, %mask
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %a = load i32, ptr addrspace(3) %l
  store i32 1, ptr addrspace(3) %l
  ret void
}

; What a division leaves may be that of any number.
define void @division(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = add i64 %n, 0
  %k = urem i64 %x, %d
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

define void @signed_division(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = add i64 %n, 0
  %k = srem i64 %x, %d
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

define void @division_by_any(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %place = getelementptr i64, ptr addrspace(1) %in, i64 %x
  %v = load i64, ptr addrspace(1) %place
  %k = urem i64 %x, %v
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %a = load i32, ptr addrspace(3) %l
  store i32 1, ptr addrspace(3) %l
  ret void
}

; But not of one that may be negative.
define void @division_of_negative(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %t = sub i64 %x, 5
  %d = add i64 %n, 0
  %k = srem i64 %t, %d
  %twice = shl i64 %t, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

; Two digits fit a place, not a third; of four, four do.
define void @next_block(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = add i64 %n, 0
  %k = urem i64 %x, %d
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %d2 = shl i64 %d, 1
  %high = add i64 %low, %d2
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

define void @quarters(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = add i64 %n, 0
  %k = urem i64 %x, %d
  %four = shl i64 %x, 2
  %k3 = mul i64 %k, 3
  %low = sub i64 %four, %k3
  %d3 = mul i64 %d, 3
  %high = add i64 %low, %d3
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

define void @four_quarters_on(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = add i64 %n, 0
  %k = urem i64 %x, %d
  %four = shl i64 %x, 2
  %k3 = mul i64 %k, 3
  %low = sub i64 %four, %k3
  %d4 = mul i64 %d, 4
  %high = add i64 %low, %d4
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

; What is left of the division alone is that of many lanes.
define void @no_digits(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = add i64 %n, 0
  %k = urem i64 %x, %d
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %k
  store i32 1, ptr addrspace(3) %s
  %a = load i32, ptr addrspace(3) %s
  ret void
}

define void @sum(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %k = urem i64 %x, %n
  %i = add i64 %x, %k
  %s = getelementptr i32, ptr addrspace(3) %p, i64 %i
  store i32 1, ptr addrspace(3) %s
  %a = load i32, ptr addrspace(3) %s
  ret void
}

; Places between two digits are those of other lanes.
define void @beside(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = add i64 %n, 0
  %k = urem i64 %x, %d
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %next = add i64 %low, %d
  %high = add i64 %next, 1
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

define void @half_way(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %k = urem i64 %x, %n
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %i = shl i64 %low, 1
  %j = add i64 %i, %n
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %j
  %a = load i32, ptr addrspace(3) %l
  store i32 1, ptr addrspace(3) %h
  ret void
}

; So is what lies behind a place.
define void @too_wide(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = add i64 %n, 0
  %k = urem i64 %x, %d
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i64, ptr addrspace(3) %l
  %b = load i64, ptr addrspace(3) %h
  store i64 %b, ptr addrspace(3) %l
  store i64 %a, ptr addrspace(3) %h
  ret void
}

; Nothing may be added that each lane has of its own.
define void @with_any(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %place = getelementptr i64, ptr addrspace(1) %in, i64 %x
  %v = load i64, ptr addrspace(1) %place
  %d = add i64 %n, 0
  %k = urem i64 %x, %d
  %twice = shl i64 %x, 1
  %of_x = sub i64 %twice, %k
  %low = add i64 %of_x, %v
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

define void @of_any(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %place = getelementptr i64, ptr addrspace(1) %in, i64 %x
  %v = load i64, ptr addrspace(1) %place
  %t = add i64 %x, %v
  %d = shl i64 1, %n
  %mask = add i64 %d, -1
  %k = and i64 %t, %mask
  %twice = shl i64 %t, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

; A coordinate has to be the only one.
define void @two_dimensions(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  store i64 %y, ptr addrspace(1) %in
  %d = add i64 %n, 0
  %k = urem i64 %x, %d
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  ret void
}

; With another divisor they are other numbers, so that lanes have to meet in between.
define void @in_turn(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  br label %loop
loop:
  %d = phi i64 [ %n, %0 ], [ %d2, %loop ]
  %k = urem i64 %x, %d
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  %d2 = lshr i64 %d, 1
  %more = icmp ne i64 %d2, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @lower_in_turn(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  br label %loop
loop:
  %d = phi i64 [ %n, %0 ], [ %d2, %loop ]
  %k = urem i64 %x, %d
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %a = load i32, ptr addrspace(3) %l
  store i32 1, ptr addrspace(3) %l
  %d2 = lshr i64 %d, 1
  %more = icmp ne i64 %d2, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @in_turn_behind_barrier(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  br label %loop
loop:
  %d = phi i64 [ %n, %0 ], [ %d2, %loop ]
  %k = urem i64 %x, %d
  %twice = shl i64 %x, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %d2 = lshr i64 %d, 1
  %more = icmp ne i64 %d2, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Nor are numbers that move on those of before.
define void @moves(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = shl i64 1, %n
  %mask = add i64 %d, -1
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %i1, %loop ]
  %t = add i64 %x, %i
  %k = and i64 %t, %mask
  %twice = shl i64 %t, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @moves_behind_barrier(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(3) %p, ptr addrspace(1) %in, i64 %n) {
  %d = shl i64 1, %n
  %mask = add i64 %d, -1
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %i1, %loop ]
  %t = add i64 %x, %i
  %k = and i64 %t, %mask
  %twice = shl i64 %t, 1
  %low = sub i64 %twice, %k
  %high = add i64 %low, %d
  %l = getelementptr i32, ptr addrspace(3) %p, i64 %low
  %h = getelementptr i32, ptr addrspace(3) %p, i64 %high
  %a = load i32, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(3) %h
  store i32 %b, ptr addrspace(3) %l
  store i32 %a, ptr addrspace(3) %h
  call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 0, i32 65536)
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)
