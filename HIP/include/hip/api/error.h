/// The last error of a host thread, and the names of errors.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

/// Returns the last error of the calling host thread and sets it back to hipSuccess.
/// hipErrorNotReady is never kept, since it is not a failure.
/// Errors: none of its own; the result is the error of an earlier call.
/// Stream: @none. Capture: @allowed.
hipError_t hipGetLastError(void);

/// Returns what the calling host thread's last call of HIP returned (hipErrorNotReady and hipSuccess
/// too), and sets it back to hipSuccess. The functions that ask for the last error are no such
/// calls, and the error that hipGetLastError returns stays what it is.
/// Errors: none of its own; the result is the error of an earlier call.
/// Stream: @none. Capture: @allowed.
hipError_t hipExtGetLastError(void);

/// Returns the last error of the calling host thread and keeps it.
/// Errors: none of its own; the result is the error of an earlier call.
/// Stream: @none. Capture: @allowed.
hipError_t hipPeekAtLastError(void);

/// Returns the name of an error, such as "hipErrorInvalidValue". The text is valid until the
/// process ends. An unknown number gives "hipErrorUnknown".
/// Errors: none; the function returns a text.
/// Stream: @none. Capture: @allowed.
const char *hipGetErrorName(hipError_t error);

/// Returns a short description of an error. The text is valid until the process ends. An unknown
/// number gives "unrecognized error code".
/// Errors: none; the function returns a text.
/// Stream: @none. Capture: @allowed.
const char *hipGetErrorString(hipError_t error);

/// Stores the name of an error, such as "hipErrorInvalidValue", or null if the number is not an
/// error. The text is valid until the process ends.
/// Errors: hipErrorInvalidValue (`text` is null, or `error` is not an error).
/// Stream: @none. Capture: @allowed.
hipError_t hipDrvGetErrorName(hipError_t error, const char **text);

/// Stores a short description of an error, or null if the number is not an error. The text is valid
/// until the process ends.
/// Errors: hipErrorInvalidValue (`text` is null, or `error` is not an error).
/// Stream: @none. Capture: @allowed.
hipError_t hipDrvGetErrorString(hipError_t error, const char **text);

HIP_API_END
