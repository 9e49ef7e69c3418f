/// What marks the functions of hipBLAS.
#ifndef HIPBLAS_EXPORT_H
#define HIPBLAS_EXPORT_H

#define HIPBLAS_EXPORT __attribute__((visibility("default")))
#define HIPBLAS_NO_EXPORT __attribute__((visibility("hidden")))
#define HIPBLAS_DEPRECATED __attribute__((deprecated))
#define HIPBLAS_DEPRECATED_EXPORT HIPBLAS_EXPORT HIPBLAS_DEPRECATED
#define HIPBLAS_DEPRECATED_NO_EXPORT HIPBLAS_NO_EXPORT HIPBLAS_DEPRECATED

#endif
