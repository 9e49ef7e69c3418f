/// What marks the functions of hipSOLVER.
#ifndef HIPSOLVER_EXPORT_H
#define HIPSOLVER_EXPORT_H

#define HIPSOLVER_EXPORT __attribute__((visibility("default")))
#define HIPSOLVER_NO_EXPORT __attribute__((visibility("hidden")))
#define HIPSOLVER_DEPRECATED __attribute__((deprecated))
#define HIPSOLVER_DEPRECATED_EXPORT HIPSOLVER_EXPORT HIPSOLVER_DEPRECATED
#define HIPSOLVER_DEPRECATED_NO_EXPORT HIPSOLVER_NO_EXPORT HIPSOLVER_DEPRECATED

#endif
