; Conditions that do not change in a loop over work-items, and decide about its accesses.
; RUN: --stage=SeparateRowConditions

; CHECK: ; branch: separated
; CHECK-NEXT: ; choice: separated
; CHECK-NEXT: ; address: separated
; CHECK-NEXT: ; lane: left as it is
; CHECK-NEXT: ; value: left as it is
; CHECK-NEXT: ; other_loop: left as it is
; CHECK-NEXT: ; many: separated
; CHECK-NEXT: ; both: separated
; CHECK-NEXT: ; either: separated
; CHECK-NEXT: ; own: left as it is
; CHECK-NEXT: ; same_number: separated
; CHECK-NEXT: ; loop_inside: separated
; CHECK-NEXT: ; large: separated

; A loop with the second store and one without, which all lanes come to. The condition may be poison where the loop never asks.
; CHECK-LABEL: define void @branch(
; CHECK: [[FROZEN:%.*]] = freeze i1 %c
; CHECK-NEXT: br i1 [[FROZEN]], label %loop.preheader, label %loop.other.preheader
; CHECK: loop.other:
; CHECK: store float 1.0
; CHECK-NOT: store float
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK: loop:
; CHECK: store float 1.0
; CHECK: store float 2.0
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK-NOT: br i1 %c
define void @branch(ptr %p, ptr %q, i1 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a
  br i1 %c, label %also, label %latch
also:
  %b = getelementptr float, ptr %q, i64 %i
  store float 2.0, ptr %b
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; One for each way; cases that lead to the same one share it.
; CHECK-LABEL: define void @choice(
; CHECK: [[NUMBER:%.*]] = freeze i32 %c
; CHECK-DAG: [[IS0:%.*]] = icmp eq i32 [[NUMBER]], 0
; CHECK-DAG: [[IS7:%.*]] = icmp eq i32 [[NUMBER]], 7
; CHECK-COUNT-3: !llvm.loop
; CHECK-NOT: !llvm.loop
; CHECK: ret void
define void @choice(ptr %p, ptr %q, i32 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i64 %i
  %b = getelementptr float, ptr %q, i64 %i
  switch i32 %c, label %latch [
    i32 0, label %first
    i32 7, label %second
    i32 9, label %latch
  ]
first:
  store float 1.0, ptr %a
  br label %latch
second:
  store float 2.0, ptr %b
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; What chooses the address of an access that some rows do.
; CHECK-LABEL: define void @address(
; CHECK-COUNT-3: !llvm.loop
; CHECK-NOT: !llvm.loop
; CHECK: ret void
define void @address(ptr %p, ptr %q, i32 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  switch i32 %c, label %latch [
    i32 0, label %first
    i32 7, label %second
  ]
first:
  br label %access
second:
  br label %access
access:
  %from = phi ptr [ %p, %first ], [ %q, %second ]
  %a = getelementptr float, ptr %from, i64 %i
  store float 1.0, ptr %a
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; What each lane decides for itself.
define void @lane(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %c = icmp eq i64 %i, 7
  br i1 %c, label %also, label %latch
also:
  %b = getelementptr float, ptr %q, i64 %i
  store float 2.0, ptr %b
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; No access depends on it.
define void @value(ptr %p, i1 %c, float %v, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i64 %i
  br i1 %c, label %also, label %latch
also:
  %w = fadd float %v, 1.0
  br label %latch
latch:
  %x = phi float [ %v, %loop ], [ %w, %also ]
  store float %x, ptr %a
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; No loop over work-items.
define void @other_loop(ptr %p, ptr %q, i1 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  br i1 %c, label %also, label %latch
also:
  %b = getelementptr float, ptr %q, i64 %i
  store float 2.0, ptr %b
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Sixteen loops would be too many: some of the nine that there are still ask.
; CHECK-LABEL: define void @many(
; CHECK-COUNT-9: !llvm.loop
; CHECK-NOT: !llvm.loop
; CHECK: ret void
define void @many(ptr %p, i1 %c, i1 %d, i1 %e, i1 %f, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i64 %i
  br i1 %c, label %c1, label %c2
c1:
  store float 1.0, ptr %a
  br label %c2
c2:
  br i1 %d, label %d1, label %d2
d1:
  store float 2.0, ptr %a
  br label %d2
d2:
  br i1 %e, label %e1, label %e2
e1:
  store float 3.0, ptr %a
  br label %e2
e2:
  br i1 %f, label %f1, label %latch
f1:
  store float 4.0, ptr %a
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; What all lanes share is asked first, frozen, where a branch depends on that and on the lane: one loop asks the lanes alone, and the other nothing.
; CHECK-LABEL: define void @both(
; CHECK: [[SHARED:%.*]] = freeze i1 %c
; CHECK: br i1 {{%.*}}, label %loop.preheader, label %loop.other.preheader
; CHECK: loop.other:
; CHECK-NOT: store
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK: loop:
; CHECK: [[OWN:%.*]] = select i1 %first, i1 %second, i1 false
; CHECK: br i1 [[OWN]],
; CHECK: store float
; CHECK: br i1 {{.*}}, !llvm.loop
define void @both(ptr %p, i1 %c, i64 %m, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %first = icmp ugt i64 %i, 0
  %second = icmp ult i64 %i, %m
  %some = select i1 %first, i1 %c, i1 false
  %all = select i1 %some, i1 %second, i1 false
  br i1 %all, label %in, label %latch
in:
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; The same of conditions one of which is enough to do nothing.
; CHECK-LABEL: define void @either(
; CHECK: [[SHARED:%.*]] = freeze i1 %c
; CHECK: loop.other:
; CHECK: br i1 %first.other, label %latch.other, label %in.other
; CHECK: store float
; CHECK: loop:
; CHECK-NOT: store
; CHECK: ret void
define void @either(ptr %p, i1 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %first = icmp eq i64 %i, 0
  %none = select i1 %first, i1 true, i1 %c
  br i1 %none, label %latch, label %in
in:
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; No part of this is shared.
define void @own(ptr %p, i64 %m, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %first = icmp ugt i64 %i, 0
  %second = icmp ult i64 %i, %m
  %all = and i1 %first, %second
  br i1 %all, label %in, label %latch
in:
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; Choices by the same number are made once.
; CHECK-LABEL: define void @same_number(
; CHECK: [[NUMBER:%.*]] = freeze i32 %c
; CHECK-NOT: freeze i32 %c
; CHECK-COUNT-2: !llvm.loop
; CHECK-NOT: !llvm.loop
; CHECK: ret void
define void @same_number(ptr %p, ptr %q, i32 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i64 %i
  %b = getelementptr float, ptr %q, i64 %i
  switch i32 %c, label %between [
    i32 3, label %first
    i32 5, label %between
  ]
first:
  store float 1.0, ptr %a
  br label %between
between:
  switch i32 %c, label %latch [
    i32 3, label %second
    i32 5, label %latch
  ]
second:
  store float 2.0, ptr %b
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; A loop without the one inside of it, which only some outcomes have.
; CHECK-LABEL: define void @loop_inside(
; CHECK: br i1 {{%.*}}, label %loop.preheader, label %loop.other.preheader
; CHECK: loop.other:
; CHECK-NOT: store float 2.0
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK: loop:
; CHECK: store float 2.0
; CHECK: ret void
define void @loop_inside(ptr %p, ptr %q, i1 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a
  br i1 %c, label %inner, label %latch
inner:
  %k = phi i64 [ 0, %loop ], [ %l, %inner ]
  %b = getelementptr float, ptr %q, i64 %k
  store float 2.0, ptr %b
  %l = add i64 %k, 1
  %again = icmp ult i64 %l, %n
  br i1 %again, label %inner, label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; Of two conditions the one comes first that leaves less to both outcomes, here the second: the loop without the long block does not
; ask it, and has a loop for each outcome of the first one. With the block there is one, as two would be too large.
; CHECK-LABEL: define void @large(
; CHECK: freeze i1 %is.long
; CHECK-COUNT-3: !llvm.loop
; CHECK-NOT: !llvm.loop
; CHECK: ret void
define void @large(ptr %p, ptr %q, ptr %r, i1 %c, i1 %is.long, i32 %v0, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %a = getelementptr i32, ptr %p, i64 %i
  br i1 %c, label %also, label %between
also:
  store i32 1, ptr %a
  br label %between
between:
  br i1 %is.long, label %long, label %latch
long:
  %b = getelementptr i32, ptr %q, i64 %i
  %own = load i32, ptr %b
  %v1 = mul i32 %own, 1 %v2 = mul i32 %v1, 2 %v3 = mul i32 %v2, 3 %v4 = mul i32 %v3, 4 %v5 = mul i32 %v4, 5
  %v6 = mul i32 %v5, 6 %v7 = mul i32 %v6, 7 %v8 = mul i32 %v7, 8 %v9 = mul i32 %v8, 9 %v10 = mul i32 %v9, 10
  %v11 = mul i32 %v10, 11 %v12 = mul i32 %v11, 12 %v13 = mul i32 %v12, 13 %v14 = mul i32 %v13, 14 %v15 = mul i32 %v14, 15
  %v16 = mul i32 %v15, 16 %v17 = mul i32 %v16, 17 %v18 = mul i32 %v17, 18 %v19 = mul i32 %v18, 19 %v20 = mul i32 %v19, 20
  %v21 = mul i32 %v20, 21 %v22 = mul i32 %v21, 22 %v23 = mul i32 %v22, 23 %v24 = mul i32 %v23, 24 %v25 = mul i32 %v24, 25
  %v26 = mul i32 %v25, 26 %v27 = mul i32 %v26, 27 %v28 = mul i32 %v27, 28 %v29 = mul i32 %v28, 29 %v30 = mul i32 %v29, 30
  %v31 = mul i32 %v30, 31 %v32 = mul i32 %v31, 32 %v33 = mul i32 %v32, 33 %v34 = mul i32 %v33, 34 %v35 = mul i32 %v34, 35
  %v36 = mul i32 %v35, 36 %v37 = mul i32 %v36, 37 %v38 = mul i32 %v37, 38 %v39 = mul i32 %v38, 39 %v40 = mul i32 %v39, 40
  %v41 = mul i32 %v40, 41 %v42 = mul i32 %v41, 42 %v43 = mul i32 %v42, 43 %v44 = mul i32 %v43, 44 %v45 = mul i32 %v44, 45
  %v46 = mul i32 %v45, 46 %v47 = mul i32 %v46, 47 %v48 = mul i32 %v47, 48 %v49 = mul i32 %v48, 49 %v50 = mul i32 %v49, 50
  %v51 = mul i32 %v50, 51 %v52 = mul i32 %v51, 52 %v53 = mul i32 %v52, 53 %v54 = mul i32 %v53, 54 %v55 = mul i32 %v54, 55
  %v56 = mul i32 %v55, 56 %v57 = mul i32 %v56, 57 %v58 = mul i32 %v57, 58 %v59 = mul i32 %v58, 59 %v60 = mul i32 %v59, 60
  %v61 = mul i32 %v60, 61 %v62 = mul i32 %v61, 62 %v63 = mul i32 %v62, 63 %v64 = mul i32 %v63, 64 %v65 = mul i32 %v64, 65
  %v66 = mul i32 %v65, 66 %v67 = mul i32 %v66, 67 %v68 = mul i32 %v67, 68 %v69 = mul i32 %v68, 69 %v70 = mul i32 %v69, 70
  %v71 = mul i32 %v70, 71 %v72 = mul i32 %v71, 72 %v73 = mul i32 %v72, 73 %v74 = mul i32 %v73, 74 %v75 = mul i32 %v74, 75
  %v76 = mul i32 %v75, 76 %v77 = mul i32 %v76, 77 %v78 = mul i32 %v77, 78 %v79 = mul i32 %v78, 79 %v80 = mul i32 %v79, 80
  %v81 = mul i32 %v80, 81 %v82 = mul i32 %v81, 82 %v83 = mul i32 %v82, 83 %v84 = mul i32 %v83, 84 %v85 = mul i32 %v84, 85
  %v86 = mul i32 %v85, 86 %v87 = mul i32 %v86, 87 %v88 = mul i32 %v87, 88 %v89 = mul i32 %v88, 89 %v90 = mul i32 %v89, 90
  %v91 = mul i32 %v90, 91 %v92 = mul i32 %v91, 92 %v93 = mul i32 %v92, 93 %v94 = mul i32 %v93, 94 %v95 = mul i32 %v94, 95
  %v96 = mul i32 %v95, 96 %v97 = mul i32 %v96, 97 %v98 = mul i32 %v97, 98 %v99 = mul i32 %v98, 99 %v100 = mul i32 %v99, 100
  %v101 = mul i32 %v100, 101 %v102 = mul i32 %v101, 102 %v103 = mul i32 %v102, 103 %v104 = mul i32 %v103, 104 %v105 = mul i32 %v104, 105
  %v106 = mul i32 %v105, 106 %v107 = mul i32 %v106, 107 %v108 = mul i32 %v107, 108 %v109 = mul i32 %v108, 109 %v110 = mul i32 %v109, 110
  %v111 = mul i32 %v110, 111 %v112 = mul i32 %v111, 112 %v113 = mul i32 %v112, 113 %v114 = mul i32 %v113, 114 %v115 = mul i32 %v114, 115
  %v116 = mul i32 %v115, 116 %v117 = mul i32 %v116, 117 %v118 = mul i32 %v117, 118 %v119 = mul i32 %v118, 119 %v120 = mul i32 %v119, 120
  %v121 = mul i32 %v120, 121 %v122 = mul i32 %v121, 122 %v123 = mul i32 %v122, 123 %v124 = mul i32 %v123, 124 %v125 = mul i32 %v124, 125
  %v126 = mul i32 %v125, 126 %v127 = mul i32 %v126, 127 %v128 = mul i32 %v127, 128 %v129 = mul i32 %v128, 129 %v130 = mul i32 %v129, 130
  %v131 = mul i32 %v130, 131 %v132 = mul i32 %v131, 132 %v133 = mul i32 %v132, 133 %v134 = mul i32 %v133, 134 %v135 = mul i32 %v134, 135
  %v136 = mul i32 %v135, 136 %v137 = mul i32 %v136, 137 %v138 = mul i32 %v137, 138 %v139 = mul i32 %v138, 139 %v140 = mul i32 %v139, 140
  %v141 = mul i32 %v140, 141 %v142 = mul i32 %v141, 142 %v143 = mul i32 %v142, 143 %v144 = mul i32 %v143, 144 %v145 = mul i32 %v144, 145
  %v146 = mul i32 %v145, 146 %v147 = mul i32 %v146, 147 %v148 = mul i32 %v147, 148 %v149 = mul i32 %v148, 149 %v150 = mul i32 %v149, 150
  %v151 = mul i32 %v150, 151 %v152 = mul i32 %v151, 152 %v153 = mul i32 %v152, 153 %v154 = mul i32 %v153, 154 %v155 = mul i32 %v154, 155
  %v156 = mul i32 %v155, 156 %v157 = mul i32 %v156, 157 %v158 = mul i32 %v157, 158 %v159 = mul i32 %v158, 159 %v160 = mul i32 %v159, 160
  %v161 = mul i32 %v160, 161 %v162 = mul i32 %v161, 162 %v163 = mul i32 %v162, 163 %v164 = mul i32 %v163, 164 %v165 = mul i32 %v164, 165
  %v166 = mul i32 %v165, 166 %v167 = mul i32 %v166, 167 %v168 = mul i32 %v167, 168 %v169 = mul i32 %v168, 169 %v170 = mul i32 %v169, 170
  %v171 = mul i32 %v170, 171 %v172 = mul i32 %v171, 172 %v173 = mul i32 %v172, 173 %v174 = mul i32 %v173, 174 %v175 = mul i32 %v174, 175
  %v176 = mul i32 %v175, 176 %v177 = mul i32 %v176, 177 %v178 = mul i32 %v177, 178 %v179 = mul i32 %v178, 179 %v180 = mul i32 %v179, 180
  %v181 = mul i32 %v180, 181 %v182 = mul i32 %v181, 182 %v183 = mul i32 %v182, 183 %v184 = mul i32 %v183, 184 %v185 = mul i32 %v184, 185
  %v186 = mul i32 %v185, 186 %v187 = mul i32 %v186, 187 %v188 = mul i32 %v187, 188 %v189 = mul i32 %v188, 189 %v190 = mul i32 %v189, 190
  %v191 = mul i32 %v190, 191 %v192 = mul i32 %v191, 192 %v193 = mul i32 %v192, 193 %v194 = mul i32 %v193, 194 %v195 = mul i32 %v194, 195
  %v196 = mul i32 %v195, 196 %v197 = mul i32 %v196, 197 %v198 = mul i32 %v197, 198 %v199 = mul i32 %v198, 199 %v200 = mul i32 %v199, 200
  %v201 = mul i32 %v200, 201 %v202 = mul i32 %v201, 202 %v203 = mul i32 %v202, 203 %v204 = mul i32 %v203, 204 %v205 = mul i32 %v204, 205
  %v206 = mul i32 %v205, 206 %v207 = mul i32 %v206, 207 %v208 = mul i32 %v207, 208 %v209 = mul i32 %v208, 209 %v210 = mul i32 %v209, 210
  %v211 = mul i32 %v210, 211 %v212 = mul i32 %v211, 212 %v213 = mul i32 %v212, 213 %v214 = mul i32 %v213, 214 %v215 = mul i32 %v214, 215
  %v216 = mul i32 %v215, 216 %v217 = mul i32 %v216, 217 %v218 = mul i32 %v217, 218 %v219 = mul i32 %v218, 219 %v220 = mul i32 %v219, 220
  %v221 = mul i32 %v220, 221 %v222 = mul i32 %v221, 222 %v223 = mul i32 %v222, 223 %v224 = mul i32 %v223, 224 %v225 = mul i32 %v224, 225
  %v226 = mul i32 %v225, 226 %v227 = mul i32 %v226, 227 %v228 = mul i32 %v227, 228 %v229 = mul i32 %v228, 229 %v230 = mul i32 %v229, 230
  %v231 = mul i32 %v230, 231 %v232 = mul i32 %v231, 232 %v233 = mul i32 %v232, 233 %v234 = mul i32 %v233, 234 %v235 = mul i32 %v234, 235
  %v236 = mul i32 %v235, 236 %v237 = mul i32 %v236, 237 %v238 = mul i32 %v237, 238 %v239 = mul i32 %v238, 239 %v240 = mul i32 %v239, 240
  %v241 = mul i32 %v240, 241 %v242 = mul i32 %v241, 242 %v243 = mul i32 %v242, 243 %v244 = mul i32 %v243, 244 %v245 = mul i32 %v244, 245
  %v246 = mul i32 %v245, 246 %v247 = mul i32 %v246, 247 %v248 = mul i32 %v247, 248 %v249 = mul i32 %v248, 249 %v250 = mul i32 %v249, 250
  %v251 = mul i32 %v250, 251 %v252 = mul i32 %v251, 252 %v253 = mul i32 %v252, 253 %v254 = mul i32 %v253, 254 %v255 = mul i32 %v254, 255
  %v256 = mul i32 %v255, 256 %v257 = mul i32 %v256, 257 %v258 = mul i32 %v257, 258 %v259 = mul i32 %v258, 259 %v260 = mul i32 %v259, 260
  %v261 = mul i32 %v260, 261 %v262 = mul i32 %v261, 262 %v263 = mul i32 %v262, 263 %v264 = mul i32 %v263, 264 %v265 = mul i32 %v264, 265
  %v266 = mul i32 %v265, 266 %v267 = mul i32 %v266, 267 %v268 = mul i32 %v267, 268 %v269 = mul i32 %v268, 269 %v270 = mul i32 %v269, 270
  %v271 = mul i32 %v270, 271 %v272 = mul i32 %v271, 272 %v273 = mul i32 %v272, 273 %v274 = mul i32 %v273, 274 %v275 = mul i32 %v274, 275
  %v276 = mul i32 %v275, 276 %v277 = mul i32 %v276, 277 %v278 = mul i32 %v277, 278 %v279 = mul i32 %v278, 279 %v280 = mul i32 %v279, 280
  %v281 = mul i32 %v280, 281 %v282 = mul i32 %v281, 282 %v283 = mul i32 %v282, 283 %v284 = mul i32 %v283, 284 %v285 = mul i32 %v284, 285
  %v286 = mul i32 %v285, 286 %v287 = mul i32 %v286, 287 %v288 = mul i32 %v287, 288 %v289 = mul i32 %v288, 289 %v290 = mul i32 %v289, 290
  %v291 = mul i32 %v290, 291 %v292 = mul i32 %v291, 292 %v293 = mul i32 %v292, 293 %v294 = mul i32 %v293, 294 %v295 = mul i32 %v294, 295
  %v296 = mul i32 %v295, 296 %v297 = mul i32 %v296, 297 %v298 = mul i32 %v297, 298 %v299 = mul i32 %v298, 299 %v300 = mul i32 %v299, 300
  %v301 = mul i32 %v300, 301 %v302 = mul i32 %v301, 302 %v303 = mul i32 %v302, 303 %v304 = mul i32 %v303, 304 %v305 = mul i32 %v304, 305
  %v306 = mul i32 %v305, 306 %v307 = mul i32 %v306, 307 %v308 = mul i32 %v307, 308 %v309 = mul i32 %v308, 309 %v310 = mul i32 %v309, 310
  %v311 = mul i32 %v310, 311 %v312 = mul i32 %v311, 312 %v313 = mul i32 %v312, 313 %v314 = mul i32 %v313, 314 %v315 = mul i32 %v314, 315
  %v316 = mul i32 %v315, 316 %v317 = mul i32 %v316, 317 %v318 = mul i32 %v317, 318 %v319 = mul i32 %v318, 319 %v320 = mul i32 %v319, 320
  %v321 = mul i32 %v320, 321 %v322 = mul i32 %v321, 322 %v323 = mul i32 %v322, 323 %v324 = mul i32 %v323, 324 %v325 = mul i32 %v324, 325
  %v326 = mul i32 %v325, 326 %v327 = mul i32 %v326, 327 %v328 = mul i32 %v327, 328 %v329 = mul i32 %v328, 329 %v330 = mul i32 %v329, 330
  %v331 = mul i32 %v330, 331 %v332 = mul i32 %v331, 332 %v333 = mul i32 %v332, 333 %v334 = mul i32 %v333, 334 %v335 = mul i32 %v334, 335
  %v336 = mul i32 %v335, 336 %v337 = mul i32 %v336, 337 %v338 = mul i32 %v337, 338 %v339 = mul i32 %v338, 339 %v340 = mul i32 %v339, 340
  %v341 = mul i32 %v340, 341 %v342 = mul i32 %v341, 342 %v343 = mul i32 %v342, 343 %v344 = mul i32 %v343, 344 %v345 = mul i32 %v344, 345
  %v346 = mul i32 %v345, 346 %v347 = mul i32 %v346, 347 %v348 = mul i32 %v347, 348 %v349 = mul i32 %v348, 349 %v350 = mul i32 %v349, 350
  %v351 = mul i32 %v350, 351 %v352 = mul i32 %v351, 352 %v353 = mul i32 %v352, 353 %v354 = mul i32 %v353, 354 %v355 = mul i32 %v354, 355
  %v356 = mul i32 %v355, 356 %v357 = mul i32 %v356, 357 %v358 = mul i32 %v357, 358 %v359 = mul i32 %v358, 359 %v360 = mul i32 %v359, 360
  %v361 = mul i32 %v360, 361 %v362 = mul i32 %v361, 362 %v363 = mul i32 %v362, 363 %v364 = mul i32 %v363, 364 %v365 = mul i32 %v364, 365
  %v366 = mul i32 %v365, 366 %v367 = mul i32 %v366, 367 %v368 = mul i32 %v367, 368 %v369 = mul i32 %v368, 369 %v370 = mul i32 %v369, 370
  %v371 = mul i32 %v370, 371 %v372 = mul i32 %v371, 372 %v373 = mul i32 %v372, 373 %v374 = mul i32 %v373, 374 %v375 = mul i32 %v374, 375
  %v376 = mul i32 %v375, 376 %v377 = mul i32 %v376, 377 %v378 = mul i32 %v377, 378 %v379 = mul i32 %v378, 379 %v380 = mul i32 %v379, 380
  %v381 = mul i32 %v380, 381 %v382 = mul i32 %v381, 382 %v383 = mul i32 %v382, 383 %v384 = mul i32 %v383, 384 %v385 = mul i32 %v384, 385
  %v386 = mul i32 %v385, 386 %v387 = mul i32 %v386, 387 %v388 = mul i32 %v387, 388 %v389 = mul i32 %v388, 389 %v390 = mul i32 %v389, 390
  %v391 = mul i32 %v390, 391 %v392 = mul i32 %v391, 392 %v393 = mul i32 %v392, 393 %v394 = mul i32 %v393, 394 %v395 = mul i32 %v394, 395
  %v396 = mul i32 %v395, 396 %v397 = mul i32 %v396, 397 %v398 = mul i32 %v397, 398 %v399 = mul i32 %v398, 399 %v400 = mul i32 %v399, 400
  %v401 = mul i32 %v400, 401 %v402 = mul i32 %v401, 402 %v403 = mul i32 %v402, 403 %v404 = mul i32 %v403, 404 %v405 = mul i32 %v404, 405
  %v406 = mul i32 %v405, 406 %v407 = mul i32 %v406, 407 %v408 = mul i32 %v407, 408 %v409 = mul i32 %v408, 409 %v410 = mul i32 %v409, 410
  %v411 = mul i32 %v410, 411 %v412 = mul i32 %v411, 412 %v413 = mul i32 %v412, 413 %v414 = mul i32 %v413, 414 %v415 = mul i32 %v414, 415
  %v416 = mul i32 %v415, 416 %v417 = mul i32 %v416, 417 %v418 = mul i32 %v417, 418 %v419 = mul i32 %v418, 419 %v420 = mul i32 %v419, 420
  %v421 = mul i32 %v420, 421 %v422 = mul i32 %v421, 422 %v423 = mul i32 %v422, 423 %v424 = mul i32 %v423, 424 %v425 = mul i32 %v424, 425
  %v426 = mul i32 %v425, 426 %v427 = mul i32 %v426, 427 %v428 = mul i32 %v427, 428 %v429 = mul i32 %v428, 429 %v430 = mul i32 %v429, 430
  %v431 = mul i32 %v430, 431 %v432 = mul i32 %v431, 432 %v433 = mul i32 %v432, 433 %v434 = mul i32 %v433, 434 %v435 = mul i32 %v434, 435
  %v436 = mul i32 %v435, 436 %v437 = mul i32 %v436, 437 %v438 = mul i32 %v437, 438 %v439 = mul i32 %v438, 439 %v440 = mul i32 %v439, 440
  %v441 = mul i32 %v440, 441 %v442 = mul i32 %v441, 442 %v443 = mul i32 %v442, 443 %v444 = mul i32 %v443, 444 %v445 = mul i32 %v444, 445
  %v446 = mul i32 %v445, 446 %v447 = mul i32 %v446, 447 %v448 = mul i32 %v447, 448 %v449 = mul i32 %v448, 449 %v450 = mul i32 %v449, 450
  %v451 = mul i32 %v450, 451 %v452 = mul i32 %v451, 452 %v453 = mul i32 %v452, 453 %v454 = mul i32 %v453, 454 %v455 = mul i32 %v454, 455
  %v456 = mul i32 %v455, 456 %v457 = mul i32 %v456, 457 %v458 = mul i32 %v457, 458 %v459 = mul i32 %v458, 459 %v460 = mul i32 %v459, 460
  %v461 = mul i32 %v460, 461 %v462 = mul i32 %v461, 462 %v463 = mul i32 %v462, 463 %v464 = mul i32 %v463, 464 %v465 = mul i32 %v464, 465
  %v466 = mul i32 %v465, 466 %v467 = mul i32 %v466, 467 %v468 = mul i32 %v467, 468 %v469 = mul i32 %v468, 469 %v470 = mul i32 %v469, 470
  %v471 = mul i32 %v470, 471 %v472 = mul i32 %v471, 472 %v473 = mul i32 %v472, 473 %v474 = mul i32 %v473, 474 %v475 = mul i32 %v474, 475
  %v476 = mul i32 %v475, 476 %v477 = mul i32 %v476, 477 %v478 = mul i32 %v477, 478 %v479 = mul i32 %v478, 479 %v480 = mul i32 %v479, 480
  %v481 = mul i32 %v480, 481 %v482 = mul i32 %v481, 482 %v483 = mul i32 %v482, 483 %v484 = mul i32 %v483, 484 %v485 = mul i32 %v484, 485
  %v486 = mul i32 %v485, 486 %v487 = mul i32 %v486, 487 %v488 = mul i32 %v487, 488 %v489 = mul i32 %v488, 489 %v490 = mul i32 %v489, 490
  %v491 = mul i32 %v490, 491 %v492 = mul i32 %v491, 492 %v493 = mul i32 %v492, 493 %v494 = mul i32 %v493, 494 %v495 = mul i32 %v494, 495
  %v496 = mul i32 %v495, 496 %v497 = mul i32 %v496, 497 %v498 = mul i32 %v497, 498 %v499 = mul i32 %v498, 499 %v500 = mul i32 %v499, 500
  %v501 = mul i32 %v500, 501 %v502 = mul i32 %v501, 502 %v503 = mul i32 %v502, 503 %v504 = mul i32 %v503, 504 %v505 = mul i32 %v504, 505
  %v506 = mul i32 %v505, 506 %v507 = mul i32 %v506, 507 %v508 = mul i32 %v507, 508 %v509 = mul i32 %v508, 509 %v510 = mul i32 %v509, 510
  %v511 = mul i32 %v510, 511 %v512 = mul i32 %v511, 512 %v513 = mul i32 %v512, 513 %v514 = mul i32 %v513, 514 %v515 = mul i32 %v514, 515
  %v516 = mul i32 %v515, 516 %v517 = mul i32 %v516, 517 %v518 = mul i32 %v517, 518 %v519 = mul i32 %v518, 519 %v520 = mul i32 %v519, 520
  %v521 = mul i32 %v520, 521 %v522 = mul i32 %v521, 522 %v523 = mul i32 %v522, 523 %v524 = mul i32 %v523, 524 %v525 = mul i32 %v524, 525
  %v526 = mul i32 %v525, 526 %v527 = mul i32 %v526, 527 %v528 = mul i32 %v527, 528 %v529 = mul i32 %v528, 529 %v530 = mul i32 %v529, 530
  %v531 = mul i32 %v530, 531 %v532 = mul i32 %v531, 532 %v533 = mul i32 %v532, 533 %v534 = mul i32 %v533, 534 %v535 = mul i32 %v534, 535
  %v536 = mul i32 %v535, 536 %v537 = mul i32 %v536, 537 %v538 = mul i32 %v537, 538 %v539 = mul i32 %v538, 539 %v540 = mul i32 %v539, 540
  %v541 = mul i32 %v540, 541 %v542 = mul i32 %v541, 542 %v543 = mul i32 %v542, 543 %v544 = mul i32 %v543, 544 %v545 = mul i32 %v544, 545
  %v546 = mul i32 %v545, 546 %v547 = mul i32 %v546, 547 %v548 = mul i32 %v547, 548 %v549 = mul i32 %v548, 549 %v550 = mul i32 %v549, 550
  %v551 = mul i32 %v550, 551 %v552 = mul i32 %v551, 552 %v553 = mul i32 %v552, 553 %v554 = mul i32 %v553, 554 %v555 = mul i32 %v554, 555
  %v556 = mul i32 %v555, 556 %v557 = mul i32 %v556, 557 %v558 = mul i32 %v557, 558 %v559 = mul i32 %v558, 559 %v560 = mul i32 %v559, 560
  %v561 = mul i32 %v560, 561 %v562 = mul i32 %v561, 562 %v563 = mul i32 %v562, 563 %v564 = mul i32 %v563, 564 %v565 = mul i32 %v564, 565
  %v566 = mul i32 %v565, 566 %v567 = mul i32 %v566, 567 %v568 = mul i32 %v567, 568 %v569 = mul i32 %v568, 569 %v570 = mul i32 %v569, 570
  %v571 = mul i32 %v570, 571 %v572 = mul i32 %v571, 572 %v573 = mul i32 %v572, 573 %v574 = mul i32 %v573, 574 %v575 = mul i32 %v574, 575
  %v576 = mul i32 %v575, 576 %v577 = mul i32 %v576, 577 %v578 = mul i32 %v577, 578 %v579 = mul i32 %v578, 579 %v580 = mul i32 %v579, 580
  %v581 = mul i32 %v580, 581 %v582 = mul i32 %v581, 582 %v583 = mul i32 %v582, 583 %v584 = mul i32 %v583, 584 %v585 = mul i32 %v584, 585
  %v586 = mul i32 %v585, 586 %v587 = mul i32 %v586, 587 %v588 = mul i32 %v587, 588 %v589 = mul i32 %v588, 589 %v590 = mul i32 %v589, 590
  %v591 = mul i32 %v590, 591 %v592 = mul i32 %v591, 592 %v593 = mul i32 %v592, 593 %v594 = mul i32 %v593, 594 %v595 = mul i32 %v594, 595
  %v596 = mul i32 %v595, 596 %v597 = mul i32 %v596, 597 %v598 = mul i32 %v597, 598 %v599 = mul i32 %v598, 599 %v600 = mul i32 %v599, 600
  %v601 = mul i32 %v600, 601 %v602 = mul i32 %v601, 602 %v603 = mul i32 %v602, 603 %v604 = mul i32 %v603, 604 %v605 = mul i32 %v604, 605
  %v606 = mul i32 %v605, 606 %v607 = mul i32 %v606, 607 %v608 = mul i32 %v607, 608 %v609 = mul i32 %v608, 609 %v610 = mul i32 %v609, 610
  %v611 = mul i32 %v610, 611 %v612 = mul i32 %v611, 612 %v613 = mul i32 %v612, 613 %v614 = mul i32 %v613, 614 %v615 = mul i32 %v614, 615
  %v616 = mul i32 %v615, 616 %v617 = mul i32 %v616, 617 %v618 = mul i32 %v617, 618 %v619 = mul i32 %v618, 619 %v620 = mul i32 %v619, 620
  %v621 = mul i32 %v620, 621 %v622 = mul i32 %v621, 622 %v623 = mul i32 %v622, 623 %v624 = mul i32 %v623, 624 %v625 = mul i32 %v624, 625
  %v626 = mul i32 %v625, 626 %v627 = mul i32 %v626, 627 %v628 = mul i32 %v627, 628 %v629 = mul i32 %v628, 629 %v630 = mul i32 %v629, 630
  %v631 = mul i32 %v630, 631 %v632 = mul i32 %v631, 632 %v633 = mul i32 %v632, 633 %v634 = mul i32 %v633, 634 %v635 = mul i32 %v634, 635
  %v636 = mul i32 %v635, 636 %v637 = mul i32 %v636, 637 %v638 = mul i32 %v637, 638 %v639 = mul i32 %v638, 639 %v640 = mul i32 %v639, 640
  %v641 = mul i32 %v640, 641 %v642 = mul i32 %v641, 642 %v643 = mul i32 %v642, 643 %v644 = mul i32 %v643, 644 %v645 = mul i32 %v644, 645
  %v646 = mul i32 %v645, 646 %v647 = mul i32 %v646, 647 %v648 = mul i32 %v647, 648 %v649 = mul i32 %v648, 649 %v650 = mul i32 %v649, 650
  %v651 = mul i32 %v650, 651 %v652 = mul i32 %v651, 652 %v653 = mul i32 %v652, 653 %v654 = mul i32 %v653, 654 %v655 = mul i32 %v654, 655
  %v656 = mul i32 %v655, 656 %v657 = mul i32 %v656, 657 %v658 = mul i32 %v657, 658 %v659 = mul i32 %v658, 659 %v660 = mul i32 %v659, 660
  %v661 = mul i32 %v660, 661 %v662 = mul i32 %v661, 662 %v663 = mul i32 %v662, 663 %v664 = mul i32 %v663, 664 %v665 = mul i32 %v664, 665
  %v666 = mul i32 %v665, 666 %v667 = mul i32 %v666, 667 %v668 = mul i32 %v667, 668 %v669 = mul i32 %v668, 669 %v670 = mul i32 %v669, 670
  %v671 = mul i32 %v670, 671 %v672 = mul i32 %v671, 672 %v673 = mul i32 %v672, 673 %v674 = mul i32 %v673, 674 %v675 = mul i32 %v674, 675
  %v676 = mul i32 %v675, 676 %v677 = mul i32 %v676, 677 %v678 = mul i32 %v677, 678 %v679 = mul i32 %v678, 679 %v680 = mul i32 %v679, 680
  %v681 = mul i32 %v680, 681 %v682 = mul i32 %v681, 682 %v683 = mul i32 %v682, 683 %v684 = mul i32 %v683, 684 %v685 = mul i32 %v684, 685
  %v686 = mul i32 %v685, 686 %v687 = mul i32 %v686, 687 %v688 = mul i32 %v687, 688 %v689 = mul i32 %v688, 689 %v690 = mul i32 %v689, 690
  %v691 = mul i32 %v690, 691 %v692 = mul i32 %v691, 692 %v693 = mul i32 %v692, 693 %v694 = mul i32 %v693, 694 %v695 = mul i32 %v694, 695
  %v696 = mul i32 %v695, 696 %v697 = mul i32 %v696, 697 %v698 = mul i32 %v697, 698 %v699 = mul i32 %v698, 699
  store i32 %v699, ptr %b
  br label %latch
latch:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
