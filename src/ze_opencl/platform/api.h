// The functions of the OpenCL ICD loader, which is opened when the driver is initialised and not linked: a machine without one
// has no OpenCL devices, and nothing else to complain about.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <string>

namespace ze_opencl {

/// Calls `X(name)` for each function that a loader of OpenCL 2.1 and later exports: clName.
#define ZE_OPENCL_FUNCTIONS(X)                                                                     \
  X(BuildProgram)                                                                                  \
  X(CreateCommandQueueWithProperties)                                                              \
  X(CreateContext)                                                                                 \
  X(CreateKernel)                                                                                  \
  X(CreateProgramWithIL)                                                                           \
  X(EnqueueBarrierWithWaitList)                                                                    \
  X(EnqueueCopyBuffer)                                                                             \
  X(EnqueueFillBuffer)                                                                             \
  X(EnqueueMarkerWithWaitList)                                                                     \
  X(EnqueueNDRangeKernel)                                                                          \
  X(EnqueueReadBuffer)                                                                             \
  X(EnqueueSVMMemFill)                                                                             \
  X(EnqueueSVMMemcpy)                                                                              \
  X(EnqueueWriteBuffer)                                                                            \
  X(Finish)                                                                                        \
  X(Flush)                                                                                         \
  X(GetDeviceAndHostTimer)                                                                         \
  X(GetDeviceIDs)                                                                                  \
  X(GetDeviceInfo)                                                                                 \
  X(GetEventInfo)                                                                                  \
  X(GetEventProfilingInfo)                                                                         \
  X(GetExtensionFunctionAddressForPlatform)                                                        \
  X(GetKernelWorkGroupInfo)                                                                        \
  X(GetMemObjectInfo)                                                                              \
  X(GetPlatformIDs)                                                                                \
  X(GetPlatformInfo)                                                                               \
  X(GetProgramBuildInfo)                                                                           \
  X(ReleaseCommandQueue)                                                                           \
  X(ReleaseContext)                                                                                \
  X(ReleaseEvent)                                                                                  \
  X(ReleaseKernel)                                                                                 \
  X(ReleaseMemObject)                                                                              \
  X(ReleaseProgram)                                                                                \
  X(RetainEvent)                                                                                   \
  X(SVMAlloc)                                                                                      \
  X(SVMFree)                                                                                       \
  X(SetEventCallback)                                                                              \
  X(SetKernelArg)                                                                                  \
  X(SetKernelArgSVMPointer)                                                                        \
  X(SetKernelExecInfo)                                                                             \
  X(WaitForEvents)
/// And for each that only newer ones have: null where there is none.
#define ZE_OPENCL_NEWER_FUNCTIONS(X) X(CreateBufferWithProperties)

struct Api {
#define ZE_OPENCL_MEMBER(name) decltype(&::cl##name) name;
  ZE_OPENCL_FUNCTIONS(ZE_OPENCL_MEMBER)
  ZE_OPENCL_NEWER_FUNCTIONS(ZE_OPENCL_MEMBER)
#undef ZE_OPENCL_MEMBER
};

/// The loader's functions. Valid once open_api() has returned true, for as long as the process lives.
const Api &api();
/// Opens libOpenCL.so.1. False, and why in `reason`, if there is none or it lacks a function.
bool open_api(std::string &reason);

} // namespace ze_opencl
