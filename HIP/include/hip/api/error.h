/// The last error of a host thread, and errors as text.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

/// The last error of the calling thread, which is hipSuccess afterwards.
hipError_t hipGetLastError(void);

/// What the calling thread's last call of HIP returned (hipErrorNotReady and hipSuccess too), which
/// is hipSuccess afterwards. The functions of this section that ask for the last error are no such
/// calls, and the error that hipGetLastError returns stays what it is.
hipError_t hipExtGetLastError(void);

/// The last error of the calling thread, which stays.
hipError_t hipPeekAtLastError(void);

/// The name of an error, "hipErrorInvalidValue" say; the text lives for ever.
const char *hipGetErrorName(hipError_t error);

/// A sentence about an error; the text lives for ever.
const char *hipGetErrorString(hipError_t error);

/// hipGetErrorName for driver code; hipErrorInvalidValue, and null, for a number that is no error.
hipError_t hipDrvGetErrorName(hipError_t error, const char **text);

/// hipGetErrorString for driver code; hipErrorInvalidValue, and null, for a number that is no
/// error.
hipError_t hipDrvGetErrorString(hipError_t error, const char **text);

HIP_API_END
