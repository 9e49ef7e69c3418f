/// What every HIP header needs first: the platform's macros and what a device can do.
#ifndef HIP_INCLUDE_HIP_HIP_COMMON_H
#define HIP_INCLUDE_HIP_HIP_COMMON_H

#ifdef __HIP_PLATFORM_NVIDIA__
#error "These headers are libCHIP's: __HIP_PLATFORM_NVIDIA__ asks for another implementation of HIP"
#endif

/// Our own platform, and the one whose code paths applications should take: programs and test
/// suites tell only AMD from NVIDIA.
#ifndef __HIP_PLATFORM_SPIRV__
#define __HIP_PLATFORM_SPIRV__ 1
#endif
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif

/// 1 where a HIP compiler reads the header, 0 where a host compiler does.
#if defined(__clang__) && defined(__HIP__)
#define __HIP_CLANG_ONLY__ 1
#else
#define __HIP_CLANG_ONLY__ 0
#endif

/// Whether the headers are those of HIP 7 (hip_version.h), and whether types, values and functions
/// that it has added are declared: the library sees those of every version, with what 6.4 has.
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

#ifdef __GNUC__
#define HIP_PUBLIC_API __attribute__((visibility("default")))
#else
#define HIP_PUBLIC_API
#endif
#define HIP_INTERNAL_EXPORTED_API HIP_PUBLIC_API

#include <hip/api/types/arch_features.h>

#endif
