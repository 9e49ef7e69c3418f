/// The second interface of hipSOLVER, whose parameters are those of cuSOLVER: the same functions.
#ifndef HIPSOLVER_DENSE_H
#define HIPSOLVER_DENSE_H

#include "hipsolver-export.h"
#include "hipsolver-types.h"

typedef hipsolverHandle_t hipsolverDnHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnCreate(hipsolverHandle_t *handle);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnDestroy(hipsolverHandle_t handle);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnSetStream(hipsolverHandle_t handle,
                                                        hipStream_t streamId);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnGetStream(hipsolverHandle_t handle,
                                                        hipStream_t *streamId);
HIPSOLVER_EXPORT hipsolverStatus_t
hipsolverDnSetDeterministicMode(hipsolverHandle_t handle, hipsolverDeterministicMode_t mode);
HIPSOLVER_EXPORT hipsolverStatus_t
hipsolverDnGetDeterministicMode(hipsolverHandle_t handle, hipsolverDeterministicMode_t *mode);

HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnCreateGesvdjInfo(hipsolverGesvdjInfo_t *info);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnDestroyGesvdjInfo(hipsolverGesvdjInfo_t info);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnXgesvdjSetMaxSweeps(hipsolverGesvdjInfo_t info,
                                                                  int max_sweeps);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnXgesvdjSetSortEig(hipsolverGesvdjInfo_t info,
                                                                int sort_eig);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnXgesvdjSetTolerance(hipsolverGesvdjInfo_t info,
                                                                  double tolerance);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnXgesvdjGetResidual(hipsolverHandle_t handle,
                                                                 hipsolverGesvdjInfo_t info,
                                                                 double *residual);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnXgesvdjGetSweeps(hipsolverHandle_t handle,
                                                               hipsolverGesvdjInfo_t info,
                                                               int *executed_sweeps);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnCreateSyevjInfo(hipsolverSyevjInfo_t *info);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnDestroySyevjInfo(hipsolverSyevjInfo_t info);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnXsyevjSetMaxSweeps(hipsolverSyevjInfo_t info,
                                                                 int max_sweeps);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnXsyevjSetSortEig(hipsolverSyevjInfo_t info,
                                                               int sort_eig);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnXsyevjSetTolerance(hipsolverSyevjInfo_t info,
                                                                 double tolerance);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnXsyevjGetResidual(hipsolverHandle_t handle,
                                                                hipsolverSyevjInfo_t info,
                                                                double *residual);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDnXsyevjGetSweeps(hipsolverHandle_t handle,
                                                              hipsolverSyevjInfo_t info,
                                                              int *executed_sweeps);

#include "hipsolver-dense-of-types.h"

#ifdef __cplusplus
}
#endif

#endif
