/// What hipcc includes before the first line of every HIP source.
///
/// The functions of <math.h> must be declared for the device before any standard header is read:
/// the compiler then takes the constexpr functions of that header for host functions, and `using`
/// declarations in namespace std find both.
#pragma once

// A command that also compiles C includes it there, too.
#ifdef __HIP__

#include <hip/api/types/qualifiers.h>

#include <hip/spirv_detail/amd/libraries.h>
#include <hip/spirv_detail/math/cmath.h>
#include <hip/spirv_detail/math/min_max.h>
#include <hip/spirv_detail/services/assert.h>
#include <hip/spirv_detail/services/malloc.h>
#include <hip/spirv_detail/services/printf.h>
#include <hip/spirv_detail/types/bytes.h>

// What <<<>>> needs, and no more of the host interface: a source may choose the version of that in its first line.
#ifndef __HIPCC_RTC__
#include <hip/api/language/launch_syntax.h>
extern "C" HIP_PUBLIC_API hipError_t hipLaunchKernel(const void *function, dim3 grid_dim,
                                                     dim3 block_dim, void **args,
                                                     size_t shared_bytes, hipStream_t stream);
#endif

#endif
