; The tool says which stages there are.
; RUN: --stage=nonsense
; FAILS
; CHECK: there is no stage "nonsense"; there are translate validate {{.*}}RegionPlan {{.*}}share_ends
