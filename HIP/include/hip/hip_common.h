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

#ifdef __GNUC__
#define HIP_PUBLIC_API __attribute__((visibility("default")))
#else
#define HIP_PUBLIC_API
#endif
#define HIP_INTERNAL_EXPORTED_API HIP_PUBLIC_API

#include <hip/api/types/arch_features.h>

#endif
