// The functions that the headers of HIP 6.4 give a program, for a file that is compiled with those of HIP 7.
#pragma once

#include <hip/hip_ext.h>
#include <hip/hip_runtime_api.h>

namespace six {

/// Named as in HIP.
struct Functions {
  hipError_t (*bind_texture_2d)(size_t *, const textureReference *, const void *,
                                const hipChannelFormatDesc *, size_t, size_t, size_t);
  hipError_t (*bind_texture_to_array)(const textureReference *, hipArray_const_t,
                                      const hipChannelFormatDesc *);
  decltype(&::hipEventQuery) event_query;
  decltype(&::hipFree) free;
  decltype(&::hipFreeAsync) free_async;
  decltype(&::hipGetTextureAlignmentOffset) texture_alignment_offset;
  hipError_t (*launch_cooperative)(const void *, dim3, dim3, void **, unsigned int, hipStream_t);
  decltype(&::hipMemAdvise) advise;
  decltype(&::hipMemcpyWithStream) copy_with_stream;
  decltype(&::hipExtModuleLaunchKernel) launch_ext;
  decltype(&::hipHccModuleLaunchKernel) launch_hcc;
  decltype(&::hipModuleLaunchKernel) launch_module;
  decltype(&::hipModuleLaunchCooperativeKernel) launch_module_cooperative;
  decltype(&::hipPointerGetAttributes) pointer_attributes;
  decltype(&::hipRuntimeGetVersion) version;
  decltype(&::hipStreamAddCallback) add_callback;
};
extern const Functions functions;

/// HIP_VERSION there.
extern const int header_version;

/// hipLaunchKernelExC with one attribute, which makes the launch a cooperative one.
hipError_t launch_with_attribute(const void *kernel, hipStream_t stream);

} // namespace six
