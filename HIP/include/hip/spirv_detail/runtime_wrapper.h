/// What hipcc includes before the first line of every HIP source.
///
/// The functions of <math.h> must be declared for the device before any standard header is read:
/// the compiler then takes the constexpr functions of that header for host functions, and `using`
/// declarations in namespace std find both.
#pragma once

// A command that also compiles C includes it there, too.
#ifdef __HIP__

#include <hip/api/qualifiers.h>

#include <hip/spirv_detail/assert.h>
#include <hip/spirv_detail/bytes.h>
#include <hip/spirv_detail/cmath.h>
#include <hip/spirv_detail/malloc.h>
#include <hip/spirv_detail/min_max.h>
#include <hip/spirv_detail/printf.h>

// What <<<>>> needs.
#ifndef __HIPCC_RTC__
#include <hip/api/launch.h>
#endif

#endif
