; Operations of warps on ways out of a loop stay in the iteration: all ways go through the end of the loop's body, where threads wait.
; Where loops begin and end in the source is marked, and the marks are taken out.
; PASSES: chip-loop-exits
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64"

declare spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32, i1) #0
declare void @_Z16__chip_loop_markii(i32, i32)
declare spir_func void @other() #0
attributes #0 = { convergent nounwind }

; CHECK-LABEL: define internal <4 x i32> @ballot()
; CHECK-NEXT: [[B:%.*]] = call
; CHECK-NEXT: ret <4 x i32> [[B]]
define internal <4 x i32> @ballot() {
  %b = call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32 3, i1 true)
  ret <4 x i32> %b
}

; for (;;) { if (c) { ballot; break; } ++i; } other();
; CHECK-LABEL: define void @exit(
; CHECK-NOT: chip_loop_mark
; CHECK: body:
; CHECK: br i1 %is, label %out, label %[[STAY:.*]]
; CHECK: out:
; CHECK-NEXT: call <4 x i32> @ballot()
; CHECK-NEXT: br label %[[LEAVE:.*]]
; CHECK: [[STAY]]:
; CHECK-NEXT: br label %[[END:.*]]
; CHECK: [[LEAVE]]:
; CHECK-NEXT: br label %[[END]]
; CHECK: [[END]]:
; CHECK-NEXT: [[WAY:%.*]] = phi i32 [ 0, %[[STAY]] ], [ 1, %[[LEAVE]] ]
; CHECK-NEXT: call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib(i32 3, i1 false)
; CHECK-NEXT: [[STAYS:%.*]] = icmp eq i32 [[WAY]], 0
; CHECK-NEXT: br i1 [[STAYS]], label %next, label %behind
; CHECK: next:
; CHECK-NEXT: br label %body
; CHECK: behind:
; CHECK-NEXT: call spir_func void @other()
define void @exit(i1 %is) {
  call void @_Z16__chip_loop_markii(i32 0, i32 1)
  br label %body
body:
  call void @_Z16__chip_loop_markii(i32 1, i32 1)
  br i1 %is, label %out, label %next
out:
  call <4 x i32> @ballot()
  br label %behind
next:
  br label %body
behind:
  call void @_Z16__chip_loop_markii(i32 2, i32 1)
  call spir_func void @other()
  ret void
}

; for (;;) { if (c) break; } ballot: all threads are together.
; CHECK-LABEL: define void @behind(
; CHECK: br i1 %is, label %behind, label %next
; CHECK: next:
; CHECK-NEXT: br label %body
; CHECK: behind:
; CHECK-NEXT: call <4 x i32> @ballot()
define void @behind(i1 %is) {
  call void @_Z16__chip_loop_markii(i32 0, i32 1)
  br label %body
body:
  call void @_Z16__chip_loop_markii(i32 1, i32 1)
  br i1 %is, label %behind, label %next
next:
  br label %body
behind:
  call void @_Z16__chip_loop_markii(i32 2, i32 1)
  call <4 x i32> @ballot()
  ret void
}

; Threads that return, and those that go where a label is, do so by different ways; the value is known behind, too.
; CHECK-LABEL: define <4 x i32> @ways(
; CHECK: [[SLOT:%.*]] = alloca <4 x i32>
; CHECK: out:
; CHECK-NEXT: [[VALUE:%.*]] = call <4 x i32> @ballot()
; CHECK-NEXT: store <4 x i32> [[VALUE]], ptr [[SLOT]]
; CHECK: return:
; CHECK-NEXT: [[RELOAD:%.*]] = load <4 x i32>, ptr [[SLOT]]
; CHECK-NEXT: ret <4 x i32> [[RELOAD]]
; CHECK: loop.end:
; CHECK-NEXT: [[WAY:%.*]] = phi i32 [ 0, {{.*}} ], [ 1, {{.*}} ], [ 2, {{.*}} ]
; CHECK-NEXT: call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib
; CHECK-NEXT: switch i32 [[WAY]], label %next [
; CHECK-NEXT: i32 1, label %label
; CHECK-NEXT: i32 2, label %return
; CHECK-NEXT: ]
define <4 x i32> @ways(i1 %is, i1 %goes) {
  call void @_Z16__chip_loop_markii(i32 0, i32 1)
  br label %body
body:
  call void @_Z16__chip_loop_markii(i32 1, i32 1)
  br i1 %is, label %out, label %next
out:
  %b = call <4 x i32> @ballot()
  br i1 %goes, label %label, label %return
return:
  ret <4 x i32> %b
next:
  br label %body
label:
  call void @_Z16__chip_loop_markii(i32 3, i32 0)
  %c = call <4 x i32> @ballot()
  ret <4 x i32> %c
}

; while (active) if (c) { ballot; active = false; }: values that are propagated would lead out of the loop.
; CHECK-LABEL: define void @flag(
; CHECK: some:
; CHECK-NEXT: call <4 x i32> @ballot()
; CHECK: loop.end:
; CHECK: call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotib
; CHECK-NEXT: br label %next
; CHECK: next:
; CHECK-NEXT: br label %loop
define void @flag(ptr %active, i1 %is) {
  br label %loop
loop:
  %a = load i1, ptr %active
  br i1 %a, label %body, label %end
body:
  br i1 %is, label %some, label %next
some:
  call <4 x i32> @ballot()
  store i1 false, ptr %active
  br label %next
next:
  br label %loop
end:
  ret void
}

; Nobody comes past these, whatever becomes of the values: nothing changes.
; CHECK-LABEL: define void @together(
; CHECK-NOT: loop.end
; CHECK: ret void
define void @together(ptr %active, i1 %is) {
  br label %loop
loop:
  call <4 x i32> @ballot()
  %a = load i1, ptr %active
  br i1 %a, label %body, label %end
body:
  br i1 %is, label %some, label %next
some:
  call <4 x i32> @ballot()
  store i1 false, ptr %active
  br label %next
next:
  br label %loop
end:
  br label %do
do:
  call <4 x i32> @ballot()
  br i1 %is, label %do, label %done
done:
  ret void
}

; CHECK-LABEL: define void @none(
; CHECK-NEXT: br label %body
; CHECK: body:
; CHECK-NEXT: br i1 %is, label %out, label %next
; CHECK: out:
; CHECK-NEXT: call spir_func void @other()
; CHECK-NEXT: br label %behind
; CHECK: behind:
; CHECK-NEXT: ret void
; CHECK-NOT: chip_loop_mark
define void @none(i1 %is) {
  call void @_Z16__chip_loop_markii(i32 0, i32 1)
  br label %body
body:
  call void @_Z16__chip_loop_markii(i32 1, i32 1)
  br i1 %is, label %out, label %next
out:
  call spir_func void @other()
  br label %behind
next:
  br label %body
behind:
  call void @_Z16__chip_loop_markii(i32 2, i32 1)
  ret void
}

; Functions with such operations that call themselves are not to become loops.
; CHECK: define void @recursive(i32 %n) #[[KEPT:[0-9]+]]
define void @recursive(i32 %n) {
  %b = call <4 x i32> @ballot()
  %more = icmp ugt i32 %n, 0
  br i1 %more, label %deeper, label %end
deeper:
  %m = sub i32 %n, 1
  call void @recursive(i32 %m)
  ret void
end:
  ret void
}
; CHECK: define void @without(i32 %n) {
define void @without(i32 %n) {
  call void @without(i32 %n)
  ret void
}
; CHECK: attributes #[[KEPT]] = { "disable-tail-calls"="true" }
