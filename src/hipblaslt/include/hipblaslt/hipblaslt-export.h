/// What marks the functions of hipBLASLt.
#ifndef HIPBLASLT_EXPORT_H
#define HIPBLASLT_EXPORT_H

#define HIPBLASLT_EXPORT __attribute__((visibility("default")))
#define HIPBLASLT_NO_EXPORT __attribute__((visibility("hidden")))
#define HIPBLASLT_DEPRECATED __attribute__((deprecated))
#define HIPBLASLT_DEPRECATED_EXPORT HIPBLASLT_EXPORT HIPBLASLT_DEPRECATED
#define HIPBLASLT_DEPRECATED_NO_EXPORT HIPBLASLT_NO_EXPORT HIPBLASLT_DEPRECATED

#endif
