/// The version of the HIP interface that these headers declare.
#ifndef HIP_VERSION_H
#define HIP_VERSION_H

#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 4
#define HIP_VERSION_PATCH 43484
#define HIP_VERSION_GITHASH "libchip"
#define HIP_VERSION_BUILD_ID 0
#define HIP_VERSION_BUILD_NAME ""

/// One number that grows with every version: 60443484 is 6.4.43484.
#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)

/// __hipGetPCH is declared.
#define __HIP_HAS_GET_PCH 1

#endif
