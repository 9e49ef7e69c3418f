/// Macros that the declarations of the host API are written with.
#pragma once

#include <hip/hip_common.h>

/// Between these two, declarations have C linkage and are exported from the library, which is
/// otherwise compiled with hidden visibility.
#ifdef __cplusplus
#define HIP_API_EXTERN_C_BEGIN extern "C" {
#define HIP_API_EXTERN_C_END }
#else
#define HIP_API_EXTERN_C_BEGIN
#define HIP_API_EXTERN_C_END
#endif
#ifdef __GNUC__
#define HIP_API_BEGIN _Pragma("GCC visibility push(default)") HIP_API_EXTERN_C_BEGIN
#define HIP_API_END HIP_API_EXTERN_C_END _Pragma("GCC visibility pop")
#else
#define HIP_API_BEGIN HIP_API_EXTERN_C_BEGIN
#define HIP_API_END HIP_API_EXTERN_C_END
#endif

/// The default value of a parameter; C has none.
#ifdef __cplusplus
#define __dparm(x) = x
#else
#define __dparm(x)
#endif

#ifdef _MSC_VER
#define HIP_DEPRECATED(msg) __declspec(deprecated(msg))
#else
#define HIP_DEPRECATED(msg) __attribute__((deprecated(msg)))
#endif
#define HIP_DEPRECATED_MSG "HIP deprecates this function and a later version may not have it"
