/// What the compiler makes of a launch in angle brackets.
#pragma once

#include <hip/api/types/dim3.h>
#include <hip/api/types/error_types.h>
#include <hip/api/types/handles.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

/// Stores what stands in `<<<>>>` while the arguments of the launch are evaluated. Calls may be
/// nested. For the compiler only.
/// Errors: hipErrorOutOfMemory (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hipError_t __hipPushCallConfiguration(dim3 grid_dim, dim3 block_dim, size_t shared_bytes __dparm(0),
                                      hipStream_t stream __dparm(0));

/// Takes back what the last __hipPushCallConfiguration of the calling thread stored. For the
/// compiler only.
/// Errors: hipErrorMissingConfiguration (nothing is stored).
/// Stream: @none. Capture: @allowed.
hipError_t __hipPopCallConfiguration(dim3 *grid_dim, dim3 *block_dim, size_t *shared_bytes,
                                     hipStream_t *stream);

HIP_API_END
