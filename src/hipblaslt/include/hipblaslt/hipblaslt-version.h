/// The version of hipBLASLt's interface, which is that of ROCm 6.4.
#ifndef HIPBLASLT_VERSION_H
#define HIPBLASLT_VERSION_H

#define HIPBLASLT_VERSION_MAJOR 0
#define HIPBLASLT_VERSION_MINOR 12
#define HIPBLASLT_VERSION_PATCH 0
#define HIPBLASLT_VERSION_TWEAK

#endif
