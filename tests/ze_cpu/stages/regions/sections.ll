; What sub-groups that have all their lanes go through by themselves, and what they keep on the stack meanwhile.
; RUN-A: --stage=RegionPlan --function=chain
; RUN-B: --stage=RegionPlan --function=first_sub_group
; RUN-J: --stage=RegionPlan --function=some_lanes
; RUN-K: --stage=RegionPlan --function=small_part
; RUN-C: --stage=RegionPlan --function=nothing_moves
; RUN-G: --stage=RegionPlan --function=of_the_work_group
; RUN-H: --stage=RegionPlan --function=waits_between
; RUN-I: --stage=RegionPlan --function=waits_at_a_point
; RUN-D: --stage=RegionPlan --function=chain --by-sub-group
; RUN-E: --stage=make_region_entry --function=chain
; RUN-F: --stage=make_region_entry --function=first_sub_group

declare i64 @ze_cpu.sync(ptr, i64, i64, i64, i32, i32)

; From the kernel's beginning to the barrier is a section.
; A: section: cuts 0 1 2, regions 0 1 2 3, from region 0, exits 3
; A: slot %s: lane at {{[0-9]+}}, 4 bytes, on the stack at
; A-NEXT: slot %t: lane at {{[0-9]+}}, 4 bytes, on the stack at
; A-NEXT: slot %u: lane at {{[0-9]+}}, 4 bytes{{$}}
; A-NEXT: cut 0 carries i32, value lane at {{[0-9]+}}, 4 bytes, on the stack at
; A-NEXT: cut 1 carries i32, value lane at {{[0-9]+}}, 4 bytes, on the stack at
; ze_cpu_exchange finds its operands in memory.
; A-NEXT: cut 2 carries i32, value lane at {{[0-9]+}}, 4 bytes, parameter lane at {{[0-9]+}}, 8 bytes{{$}}

; Where no lane diverges, a sub-group keeps everything on the stack.
; D-NOT: section
; D: slot %s: lane at {{[0-9]+}}, 4 bytes, on the stack at
; D: cut 0 carries i32, value lane at {{[0-9]+}}, 4 bytes, on the stack at

; Work-groups that do not consist of whole sub-groups go from region to region together.
; E-LABEL: define internal i32 @chain.section(ptr noalias %0, ptr noalias %1, i64 %2, i64 %3, i32 %4)
; E: sub_group:
; E: call void @llvm.lifetime.start
; E: left:
; E: call void @llvm.lifetime.end
; E: region0:
; E-NEXT: call i32 @chain.region0
; E: cut0:
; E-NEXT: {{.*}} add
; E-NEXT: call void @chain.exchange1
; E-NEXT: br label %region1
; E-LABEL: define void @chain.entry(
; E: br i1 {{%.*}}, label %section, label %other
; E: section:
; E-NEXT: call i32 @chain.section(ptr {{.*}}, ptr {{.*}}, i64 {{.*}}, i64 {{.*}}, i32 0)
; E-NEXT: br label %cut3
; E: other:
; E: call i32 @chain.region0
define void @chain(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %a = load i32, ptr addrspace(1) %element
  %b = zext i32 %a to i64
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %b, i64 1, i32 1, i32 3)
  %c = trunc i64 %s to i32
  %d = add i32 %c, 7
  %e = zext i32 %d to i64
  %t = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %e, i64 2, i32 2, i32 3)
  %f = trunc i64 %t to i32
  %g = mul i32 %f, 5
  %h = zext i32 %g to i64
  %u = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %h, i64 %lane, i32 3, i32 6)
  %i = trunc i64 %u to i32
  store i32 %i, ptr addrspace(1) %element
  %v = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 4, i32 65536)
  store i32 0, ptr addrspace(1) %element
  ret void
}

; What is a branch for each sub-group lets the lanes of the work-group diverge, and not those of a sub-group.
; B: region 1: exits 2 1, one for a sub-group;
; B: section: cuts 1, regions 1 2, from region 1, exits 2
; B: slot %s: lane at {{[0-9]+}}, 4 bytes, on the stack
; B-NEXT: cut 1 carries i32, value lane at {{[0-9]+}}, 4 bytes, on the stack
; F-LABEL: define internal i32 @first_sub_group.section(
; F: switch i32 {{%.*}}, label %left
; F-NEXT: i32 1, label %cut1
; F-LABEL: define void @first_sub_group.entry(
; F: call i32 @first_sub_group.section(
; F-NEXT: switch i32 {{%.*}}, label %diverged
define void @first_sub_group(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %r = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %first = icmp ult i64 %x, 32
  br i1 %first, label %then, label %end
then:
  %a = load i32, ptr addrspace(1) %element
  %b = zext i32 %a to i64
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %b, i64 1, i32 2, i32 3)
  %c = trunc i64 %s to i32
  store i32 %c, ptr addrspace(1) %element
  br label %end
end:
  ret void
}

; What is needed where lanes may come that have diverged is in memory.
; J: region 1: exits 2 1;
; J: section: cuts 1, regions 1 2, from region 1, exits 2
; J: slot %s: lane at {{[0-9]+}}, 4 bytes, on the stack
; J-NEXT: cut 1 carries i32, value lane at {{[0-9]+}}, 4 bytes{{$}}
define void @some_lanes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %r = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 65536)
  %first = icmp ult i64 %x, 33
  br i1 %first, label %then, label %end
then:
  %a = load i32, ptr addrspace(1) %element
  %b = zext i32 %a to i64
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %b, i64 1, i32 2, i32 3)
  %c = trunc i64 %s to i32
  store i32 %c, ptr addrspace(1) %element
  br label %end
end:
  ret void
}

; What all lanes of the work-group exchange is in memory.
; G: section: cuts 1, regions 1 2, from region 1, exits 2
; G: slot %s: lane at {{[0-9]+}}, 4 bytes{{$}}
; G: slot %t: lane at {{[0-9]+}}, 4 bytes, on the stack
define void @of_the_work_group(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %w = trunc i64 %x to i32
  %zero = zext i32 %w to i64
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 0, i32 1, i32 65807)
  %c = trunc i64 %s to i32
  store i32 %c, ptr addrspace(1) %element
  %first = icmp ult i64 %x, 32
  br i1 %first, label %then, label %end
then:
  %t = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %zero, i64 1, i32 2, i32 3)
  %d = trunc i64 %t to i32
  store i32 %d, ptr addrspace(1) %element
  br label %end
end:
  ret void
}

; A sub-group that waits for what another one stores must not be let through before that has come as far.
; H: cut 1: shuffle_xor of sub_group
; H-NOT: section
define void @waits_between(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
entry:
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 1, i32 1, i32 3)
  store volatile i64 %s, ptr addrspace(1) %p
  %t = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %s, i64 2, i32 2, i32 3)
  br label %loop
loop:
  %seen = load volatile i64, ptr addrspace(1) %p
  %again = icmp eq i64 %seen, 0
  br i1 %again, label %loop, label %done
done:
  store i64 %t, ptr addrspace(1) %p
  %v = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 3, i32 65536)
  ret void
}

; I: cut 0: shuffle_xor of sub_group
; I-NOT: section
define void @waits_at_a_point(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %seen = load i64, ptr addrspace(1) %p
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %seen, i64 1, i32 1, i32 3)
  %again = icmp eq i64 %s, %x
  br i1 %again, label %loop, label %done
done:
  %v = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 2, i32 65536)
  ret void
}

; Where sub-groups only wait, all lanes of the work-group go through a region in one loop.
; C-NOT: section
; C: cut 0: barrier of sub_group
define void @nothing_moves(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %x
  store i32 1, ptr addrspace(1) %element
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 1, i32 0)
  %t = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 2, i32 65536)
  store i32 2, ptr addrspace(1) %element
  ret void
}

; A section may be small where the kernel is large.
; K: section: cuts 0, regions 0 1, from region 0, exits 1
define void @small_part(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr addrspace(1) %p) {
  %s = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 %x, i64 1, i32 1, i32 3)
  store i64 %s, ptr addrspace(1) %p
  %b1 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 2, i32 65536)
  %b2 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 3, i32 65536)
  %b3 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 4, i32 65536)
  %b4 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 5, i32 65536)
  %b5 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 6, i32 65536)
  %b6 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 7, i32 65536)
  %b7 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 8, i32 65536)
  %b8 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 9, i32 65536)
  %b9 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 10, i32 65536)
  %b10 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 11, i32 65536)
  %b11 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 12, i32 65536)
  %b12 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 13, i32 65536)
  %b13 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 14, i32 65536)
  %b14 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 15, i32 65536)
  %b15 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 16, i32 65536)
  %b16 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 17, i32 65536)
  %b17 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 18, i32 65536)
  %b18 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 19, i32 65536)
  %b19 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 20, i32 65536)
  %b20 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 21, i32 65536)
  %b21 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 22, i32 65536)
  %b22 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 23, i32 65536)
  %b23 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 24, i32 65536)
  %b24 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 25, i32 65536)
  %b25 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 26, i32 65536)
  %b26 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 27, i32 65536)
  %b27 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 28, i32 65536)
  %b28 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 29, i32 65536)
  %b29 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 30, i32 65536)
  %b30 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 31, i32 65536)
  %b31 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 32, i32 65536)
  %b32 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 33, i32 65536)
  %b33 = call i64 @ze_cpu.sync(ptr %group, i64 %lane, i64 0, i64 0, i32 34, i32 65536)
  ret void
}
