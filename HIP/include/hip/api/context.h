/// Contexts: here a device, seen by driver code.
#pragma once

#include <hip/api/device_types.h>
#include <hip/api/error_types.h>
#include <hip/api/handles.h>
#include <hip/api/launch_types.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

/// A new context on a device, current for the calling thread.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int flags, hipDevice_t device);

/// Ends a context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxDestroy(hipCtx_t ctx);

/// Makes a context current and remembers the one before.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxPushCurrent(hipCtx_t ctx);

/// Goes back to the context before, and returns the one it leaves.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxPopCurrent(hipCtx_t *ctx);

/// Makes a context current; null takes the current one away.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSetCurrent(hipCtx_t ctx);

/// The current context of the calling thread, or null.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetCurrent(hipCtx_t *ctx);

/// The device of the current context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetDevice(hipDevice_t *device);

/// The version of the driver interface that a context has.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetApiVersion(hipCtx_t ctx, int *version);

/// The flags of the current context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetFlags(unsigned int *flags);

/// hipDeviceSynchronize for the current context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSynchronize(void);

/// A hint how to divide memory on chip.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSetCacheConfig(hipFuncCache_t config);

/// The hint of hipCtxSetCacheConfig.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetCacheConfig(hipFuncCache_t *config);

/// A hint for the banks of shared memory.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config);

/// The hint of hipCtxSetSharedMemConfig.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *config);

/// hipDeviceEnablePeerAccess for contexts. `flags` is 0.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned int flags);

/// hipDeviceDisablePeerAccess for contexts.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxDisablePeerAccess(hipCtx_t peer);

// The one context that runtime functions use

/// Flags of the primary context, and whether it is in use.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned int *flags, int *active);

/// The primary context of a device, with one more reference to it.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *ctx, hipDevice_t device);

/// Takes one reference away.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device);

/// Frees everything in the primary context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device);

/// The flags that the primary context starts with.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned int flags);

HIP_API_END
