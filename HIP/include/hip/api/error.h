/// The last error of a host thread, and errors as text.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

/// The last error of the calling thread, which is hipSuccess afterwards.
hipError_t hipGetLastError(void);

/// The last error of the calling thread whatever was called since, which is hipSuccess afterwards.
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
