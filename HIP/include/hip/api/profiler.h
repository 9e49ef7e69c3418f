/// What profilers ask.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/handles.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

/// Starts the profiler.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipProfilerStart(void);

/// Stops the profiler.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipProfilerStop(void);

/// The name of the function with a profiler's number.
const char *hipApiName(uint32_t id);

/// The name of a kernel of a module.
const char *hipKernelNameRef(const hipFunction_t function);

/// The name of the kernel behind a host function.
const char *hipKernelNameRefByPtr(const void *function, hipStream_t stream);

/// A precompiled header for hiprtc, and its bytes; null and 0 if there is none.
void __hipGetPCH(const char **pch, unsigned int *size);

HIP_API_END
