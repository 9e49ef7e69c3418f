/// The version of hipBLAS's interface, which is that of ROCm 6.4.
#ifndef HIPBLAS_VERSION_H
#define HIPBLAS_VERSION_H

#define hipblasVersionMajor 2
#define hipblasVersionMinor 4
#define hipblaseVersionMinor hipblasVersionMinor ///< As older programs spell it.
#define hipblasVersionPatch 0
#define hipblasVersionTweak

#endif
