; Image instructions become calls of functions that take three coordinates and four channels.
; RUN: --stage=lower_builtins

; An image is a pointer here already, and a sampled image a pointer and a number.
declare <4 x float> @_Z17__spirv_ImageReadPvDv2_i(ptr, <2 x i32>)
declare i32 @_Z18__spirv_ImageFetchPvi(ptr, i32)
declare <4 x i32> @_Z30__spirv_ImageSampleExplicitLodPvDv2_iif({ ptr, i64 }, <2 x i32>, i32, float)
declare <4 x float> @_Z30__spirv_ImageSampleExplicitLodPvfif({ ptr, i64 }, float, i32, float)
declare void @_Z18__spirv_ImageWritePvDv4_iDv2_f(ptr, <4 x i32>, <2 x float>)
declare { ptr, i64 } @_Z20__spirv_SampledImagePvl(ptr, i64)
declare <2 x i32> @_Z22__spirv_ImageQuerySizePv(ptr)
declare i32 @_Z24__spirv_ImageQueryLevelsPv(ptr)

; CHECK-LABEL: define void @reads(
; CHECK: call <4 x float> @ze_cpu_image_read_float(ptr %p, i32 {{%.*}}, i32 {{%.*}}, i32 0)
; CHECK: [[TEXEL:%.*]] = call <4 x i32> @ze_cpu_image_read_integer(ptr %p, i32 %i, i32 0, i32 0)
; CHECK-NEXT: %b = extractelement <4 x i32> [[TEXEL]], i64 0
define void @reads(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p, <2 x i32> %c, i32 %i) {
  %a = call <4 x float> @_Z17__spirv_ImageReadPvDv2_i(ptr %p, <2 x i32> %c)
  %b = call i32 @_Z18__spirv_ImageFetchPvi(ptr %p, i32 %i)
  ret void
}

; Whole coordinates fetch, others sample.
; CHECK-LABEL: define void @samples(
; CHECK: call <4 x i32> @ze_cpu_image_fetch_integer(ptr {{%.*}}, i64 {{%.*}}, i32 {{%.*}}, i32 {{%.*}}, i32 0)
; CHECK: call <4 x float> @ze_cpu_image_sample_float(ptr {{%.*}}, i64 {{%.*}}, float %f, float 0.000000e+00, float 0.000000e+00)
define void @samples(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p, i64 %s, <2 x i32> %c, float %f) {
  %both = call { ptr, i64 } @_Z20__spirv_SampledImagePvl(ptr %p, i64 %s)
  %a = call <4 x i32> @_Z30__spirv_ImageSampleExplicitLodPvDv2_iif({ ptr, i64 } %both, <2 x i32> %c, i32 2, float 0.0)
  %b = call <4 x float> @_Z30__spirv_ImageSampleExplicitLodPvfif({ ptr, i64 } %both, float %f, i32 2, float 0.0)
  ret void
}

; Of four coordinates the fourth means nothing; channels that are not given are 0.
; CHECK-LABEL: define void @writes(
; CHECK-COUNT-4: extractelement <4 x i32> %c
; CHECK: insertelement <4 x float> zeroinitializer, float {{%.*}}, i64 0
; CHECK-NEXT: [[TEXEL:%.*]] = insertelement <4 x float> {{%.*}}, float {{%.*}}, i64 1
; CHECK-NEXT: call void @ze_cpu_image_write_float(ptr %p, i32 {{%.*}}, i32 {{%.*}}, i32 {{%.*}}, <4 x float> [[TEXEL]])
define void @writes(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p, <4 x i32> %c, <2 x float> %t) {
  call void @_Z18__spirv_ImageWritePvDv4_iDv2_f(ptr %p, <4 x i32> %c, <2 x float> %t)
  ret void
}

; CHECK-LABEL: define i32 @queries(
; CHECK: call i32 @ze_cpu_image_query(ptr %p, i32 [[FIRST:[0-9]+]])
; CHECK: call i32 @ze_cpu_image_query(ptr %p, i32
; CHECK: ret i32 1
define i32 @queries(ptr %group, i64 %gx, i64 %x, i64 %y, i64 %z, i64 %lane, ptr %p) {
  %a = call <2 x i32> @_Z22__spirv_ImageQuerySizePv(ptr %p)
  %b = call i32 @_Z24__spirv_ImageQueryLevelsPv(ptr %p)
  ret i32 %b
}

; What only reads may be moved; what writes may not.
; CHECK: declare <4 x float> @ze_cpu_image_read_float(ptr, i32, i32, i32) #[[READS:[0-9]+]]
; CHECK: declare void @ze_cpu_image_write_float(ptr, i32, i32, i32, <4 x float>) #[[WRITES:[0-9]+]]
; CHECK: attributes #[[READS]] = { nounwind willreturn memory(read) }
; CHECK: attributes #[[WRITES]] = { nounwind willreturn }
