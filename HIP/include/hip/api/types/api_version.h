/// Which version of HIP's interface the headers declare, chosen as in hip_version.h, whose macros not all
/// headers may have.
///
/// hipcc reads headers of its own before the first line of a source, in which a program may still
/// choose the version: those do not include this one.
#pragma once

/// Whether the headers are those of HIP 7, and whether types, values and functions that it has added
/// are declared: the library sees those of every version, with what 6.4 has.
#if defined(HIP_FORCE_API_VERSION) && HIP_FORCE_API_VERSION >= 700
#define HIP_API_IS_7 1
#else
#define HIP_API_IS_7 0
#endif
#if HIP_API_IS_7 || defined(CHIP_EVERY_VERSION)
#define HIP_API_HAS_7 1
#else
#define HIP_API_HAS_7 0
#endif

/// What HIP 7 has changed of types of parameters that are passed in the same way.
#if HIP_API_IS_7
#define HIP_API_CONST_SINCE_7 const
#define HIP_API_UNSIGNED_SINCE_7 unsigned
#else
#define HIP_API_CONST_SINCE_7
#define HIP_API_UNSIGNED_SINCE_7
#endif
