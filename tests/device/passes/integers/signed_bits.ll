; A bit with a sign is 0 or -1: the back end would convert it to 0 or 1.
; PASSES: chip-signed-bits
; CHECK-LABEL: @conversions(
; CHECK: %bit = select i1 %c, float -1.000000e+00, float 0.000000e+00
; CHECK: %vector = select <2 x i1> %v, <2 x double> splat (double -1.000000e+00), <2 x double> zeroinitializer
; CHECK: %truth = uitofp i1 %c to float
; CHECK: %number = sitofp i8 %a to float
define void @conversions(ptr addrspace(1) %p, i1 %c, <2 x i1> %v, i8 %a) {
  %bit = sitofp i1 %c to float
  %vector = sitofp <2 x i1> %v to <2 x double>
  %truth = uitofp i1 %c to float
  %number = sitofp i8 %a to float
  store float %bit, ptr addrspace(1) %p
  store <2 x double> %vector, ptr addrspace(1) %p
  store float %truth, ptr addrspace(1) %p
  store float %number, ptr addrspace(1) %p
  ret void
}
