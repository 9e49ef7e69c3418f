/// Contexts of the driver interface. In HIP a context is a device.
#pragma once

#include <hip/api/types/device_types.h>
#include <hip/api/types/error_types.h>
#include <hip/api/types/handles.h>
#include <hip/api/types/launch_types.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

/// Creates a context on a device and makes it current for the calling thread. `flags` is as for
/// hipSetDeviceFlags. In HIP a context is the device itself, so that contexts of one device share
/// everything.
/// Errors: hipErrorInvalidValue (`ctx` is null, or `flags` is unknown), @device-number.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int flags, hipDevice_t device);

/// Destroys a context. If it is current for the calling thread, the context before becomes current.
/// Errors: hipErrorInvalidValue (`ctx` is null).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxDestroy(hipCtx_t ctx);

/// Makes a context current for the calling thread, above the one that was current.
/// Errors: hipErrorInvalidContext (`ctx` is null or not a context), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxPushCurrent(hipCtx_t ctx);

/// Removes the current context of the calling thread, stores it, and makes the one below it
/// current. `ctx` may be null.
/// Errors: hipErrorInvalidContext (the thread has no context to remove), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxPopCurrent(hipCtx_t *ctx);

/// Replaces the current context of the calling thread. Null removes it, and the one below it
/// becomes current.
/// Errors: hipErrorInvalidContext (`ctx` is not a context), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSetCurrent(hipCtx_t ctx);

/// Stores the current context of the calling thread, or null if it has none.
/// Errors: hipErrorInvalidValue (`ctx` is null), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetCurrent(hipCtx_t *ctx);

/// Stores the device of the current context of the calling thread.
/// Errors: hipErrorInvalidValue (`device` is null), hipErrorInvalidContext (the thread has no
/// context), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetDevice(hipDevice_t *device);

/// Stores the version of the driver interface of a context. HIP on AMD devices does not support it.
/// Errors: hipErrorInvalidValue (`version` is null), hipErrorNotSupported (always, on AMD devices).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetApiVersion(hipCtx_t ctx, int *version);

/// Stores the flags of the current context. HIP on AMD devices does not support it; use
/// hipGetDeviceFlags.
/// Errors: hipErrorInvalidValue (`flags` is null), hipErrorNotSupported (always, on AMD devices).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetFlags(unsigned int *flags);

/// Waits until all work of the current context is done. HIP on AMD devices does not support it; use
/// hipDeviceSynchronize.
/// Errors: hipErrorNotSupported (always, on AMD devices).
/// Stream: The host waits for all streams of the current context. Capture: @wide.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSynchronize(void);

/// Sets how memory on the chip should be divided between cache and shared memory. HIP on AMD
/// devices does not support it, as their cache cannot be divided.
/// Errors: hipErrorNotSupported (always, on AMD devices).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSetCacheConfig(hipFuncCache_t config);

/// Stores how memory on the chip is divided between cache and shared memory. HIP on AMD devices
/// does not support it, as their cache cannot be divided.
/// Errors: hipErrorNotSupported (always, on AMD devices).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetCacheConfig(hipFuncCache_t *config);

/// Sets the width of the banks of shared memory. HIP on AMD devices does not support it, as the
/// width cannot be changed.
/// Errors: hipErrorNotSupported (always, on AMD devices).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config);

/// Stores the width of the banks of shared memory. On AMD devices it is always 4 bytes.
/// Errors: hipErrorInvalidValue (`config` is null), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *config);

/// Lets kernels of the current context use memory of the context `peer`. `flags` is 0. HIP on AMD
/// devices always allows it.
/// Errors: hipErrorInvalidValue (`flags` is not 0), hipErrorInvalidContext (`peer` is not a
/// context), hipErrorPeerAccessAlreadyEnabled (access is enabled already), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned int flags);

/// Ends the access that hipCtxEnablePeerAccess enabled for the current context.
/// Errors: hipErrorInvalidContext (`peer` is not a context), hipErrorPeerAccessNotEnabled (access
/// is not enabled), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxDisablePeerAccess(hipCtx_t peer);

// Primary contexts

/// Stores the flags of the primary context of a device, and 1 if it is in use or 0 if not. The
/// functions of the runtime use the primary context.
/// Errors: hipErrorInvalidValue (`flags` or `active` is null), @device-number.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned int *flags, int *active);

/// Stores the primary context of a device and adds a reference to it. The context does not become
/// current.
/// Errors: hipErrorInvalidValue (`ctx` is null), @device-number.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *ctx, hipDevice_t device);

/// Removes a reference from the primary context of a device. In HIP on AMD devices the context
/// stays.
/// Errors: @device-number.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device);

/// Frees everything in the primary context of a device, as hipDeviceReset does for the current
/// device.
/// Errors: @device-number.
/// Stream: The host waits for all streams of the device. Capture: @wide.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device);

/// Sets the flags with which the primary context of a device begins, as for hipSetDeviceFlags.
/// Errors: hipErrorInvalidValue (`flags` is unknown), hipErrorContextAlreadyInUse (the context is
/// in use), @device-number.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned int flags);

HIP_API_END
