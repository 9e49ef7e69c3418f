/// The version of the HIP interface that these headers declare: 6.4, or 7.2 where
/// HIP_FORCE_API_VERSION is at least 700. Programs define that before the first HIP header, as
/// 100 * major + minor; the same library runs programs of either version.
#ifndef HIP_VERSION_H
#define HIP_VERSION_H

#if !defined(HIP_FORCE_API_VERSION) || HIP_FORCE_API_VERSION < 700
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 4
#define HIP_VERSION_PATCH 43484
#else
#define HIP_VERSION_MAJOR 7
#define HIP_VERSION_MINOR 2
#define HIP_VERSION_PATCH 53211
#endif
#define HIP_VERSION_GITHASH "libchip"
#define HIP_VERSION_BUILD_ID 0
#define HIP_VERSION_BUILD_NAME ""

/// One number that grows with every version: 60443484 is 6.4.43484.
#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)

/// __hipGetPCH is declared.
#define __HIP_HAS_GET_PCH 1

#endif
