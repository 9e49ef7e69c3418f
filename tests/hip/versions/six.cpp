#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "six.h"

const six::Functions six::functions = {&hipBindTexture2D,
                                       &hipBindTextureToArray,
                                       &hipEventQuery,
                                       &hipFree,
                                       &hipFreeAsync,
                                       &hipGetTextureAlignmentOffset,
                                       &hipLaunchCooperativeKernel,
                                       &hipMemAdvise,
                                       &hipMemcpyWithStream,
                                       &hipExtModuleLaunchKernel,
                                       &hipHccModuleLaunchKernel,
                                       &hipModuleLaunchKernel,
                                       &hipModuleLaunchCooperativeKernel,
                                       &hipPointerGetAttributes,
                                       &hipRuntimeGetVersion,
                                       &hipStreamAddCallback};

const int six::header_version = HIP_VERSION;
static_assert(HIP_VERSION_MAJOR == 6);

hipError_t six::launch_with_attribute(const void *kernel, hipStream_t stream) {
  hipLaunchAttribute attributes[2] = {};
  attributes[0].id = hipLaunchAttributePriority;
  attributes[1].id = hipLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  hipLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = 2;
  return hipLaunchKernelExC(&config, kernel, nullptr);
}
