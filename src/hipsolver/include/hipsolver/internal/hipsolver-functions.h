/// The first interface of hipSOLVER. Work is done in the order of the handle's stream, and what became
/// of it is in devInfo then: 0, or as LAPACK has it. The caller's workspace may be null.
#ifndef HIPSOLVER_FUNCTIONS_H
#define HIPSOLVER_FUNCTIONS_H

#include "hipsolver-export.h"
#include "hipsolver-types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A handle for the current device, whose work goes to the null stream until another is set.
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverCreate(hipsolverHandle_t *handle);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDestroy(hipsolverHandle_t handle);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverSetStream(hipsolverHandle_t handle,
                                                      hipStream_t streamId);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverGetStream(hipsolverHandle_t handle,
                                                      hipStream_t *streamId);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverSetDeterministicMode(hipsolverHandle_t handle,
                                                                 hipsolverDeterministicMode_t mode);
HIPSOLVER_EXPORT hipsolverStatus_t
hipsolverGetDeterministicMode(hipsolverHandle_t handle, hipsolverDeterministicMode_t *mode);

/// What functions of Jacobi's method are told changes nothing: LAPACK divides and conquers, makes no
/// sweeps, and what is asked for afterwards is 0.
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverCreateGesvdjInfo(hipsolverGesvdjInfo_t *info);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDestroyGesvdjInfo(hipsolverGesvdjInfo_t info);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverXgesvdjSetMaxSweeps(hipsolverGesvdjInfo_t info,
                                                                int max_sweeps);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverXgesvdjSetSortEig(hipsolverGesvdjInfo_t info,
                                                              int sort_eig);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverXgesvdjSetTolerance(hipsolverGesvdjInfo_t info,
                                                                double tolerance);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverXgesvdjGetResidual(hipsolverHandle_t handle,
                                                               hipsolverGesvdjInfo_t info,
                                                               double *residual);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverXgesvdjGetSweeps(hipsolverHandle_t handle,
                                                             hipsolverGesvdjInfo_t info,
                                                             int *executed_sweeps);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverCreateSyevjInfo(hipsolverSyevjInfo_t *info);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverDestroySyevjInfo(hipsolverSyevjInfo_t info);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverXsyevjSetMaxSweeps(hipsolverSyevjInfo_t info,
                                                               int max_sweeps);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverXsyevjSetSortEig(hipsolverSyevjInfo_t info,
                                                             int sort_eig);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverXsyevjSetTolerance(hipsolverSyevjInfo_t info,
                                                               double tolerance);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverXsyevjGetResidual(hipsolverHandle_t handle,
                                                              hipsolverSyevjInfo_t info,
                                                              double *residual);
HIPSOLVER_EXPORT hipsolverStatus_t hipsolverXsyevjGetSweeps(hipsolverHandle_t handle,
                                                            hipsolverSyevjInfo_t info,
                                                            int *executed_sweeps);

#include "hipsolver-functions-of-types.h"

#ifdef __cplusplus
}
#endif

#endif
