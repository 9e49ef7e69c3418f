/// Functions for profilers.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/handles.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

/// Tells a profiler that is attached to the process and sees its calls to start. The call itself does
/// nothing.
/// Errors: @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipProfilerStart(void);

/// Tells a profiler that is attached to the process and sees its calls to stop. The call itself does
/// nothing.
/// Errors: @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipProfilerStop(void);

/// Returns the name of the function to which AMD's profilers give the number `id`, such as
/// "hipMalloc", or "unknown" for a number that no function has. The text is never freed.
/// Errors: none; the function returns a text.
/// Stream: @none. Capture: @allowed.
const char *hipApiName(uint32_t id);

/// Returns the name of a kernel of a module in the device code, or null for a handle that is null or
/// no kernel of a loaded module. The text is valid as long as the kernel.
/// Errors: none is returned; a handle that is not null and not live becomes the last error.
/// Stream: @none. Capture: @allowed.
const char *hipKernelNameRef(const hipFunction_t function);

/// Returns the name in the device code of a kernel of the program, given by its host function, on
/// the device of `stream`. The text is valid as long as the kernel. If there is no such kernel, the
/// result is null.
/// Errors: none is returned; a failure becomes the last error.
/// Stream: @none. Capture: @allowed.
const char *hipKernelNameRefByPtr(const void *function, hipStream_t stream);

/// Stores the address and the size in bytes of a precompiled header for hiprtc; libCHIP has none, and
/// stores null and 0. A pointer that is null is not stored through. For compilers only.
/// Errors: none; the function returns nothing.
/// Stream: @none. Capture: @allowed.
void __hipGetPCH(const char **pch, unsigned int *size);

HIP_API_END
