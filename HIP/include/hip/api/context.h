/// Contexts of the driver interface. In HIP a context is a device: contexts of one device share
/// everything, and are equal. Each host thread has a current device, which hipSetDevice replaces and
/// hipGetDevice tells, and a stack of those that were current when it pushed a context. So a thread
/// always has a current context, before it pushes one and after it has popped the last.
#pragma once

#include <hip/api/types/api_version.h>
#include <hip/api/types/device_types.h>
#include <hip/api/types/error_types.h>
#include <hip/api/types/handles.h>
#include <hip/api/types/launch_types.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

/// Stores the context of a device, sets the flags of the device, which are those of
/// hipSetDeviceFlags and all stored, and pushes the context as hipCtxPushCurrent does.
/// Errors: hipErrorInvalidValue (`ctx` is null, or `flags` has unknown bits or more than one way to
/// wait), @device-number.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int flags, hipDevice_t device);

/// Ends the use of a context. If it is the one that the calling thread pushed last, it is popped.
/// Nothing of the device is freed: the context of hipCtxCreate is the device, and other contexts of
/// it are equal. Threads that have pushed it keep it.
/// Errors: hipErrorInvalidValue (`ctx` is null), hipErrorInvalidContext (`ctx` is not a context),
/// @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxDestroy(hipCtx_t ctx);

/// Makes the device of a context the current device of the calling thread. hipCtxPopCurrent makes the
/// one current again that is current now.
/// Errors: hipErrorInvalidContext (`ctx` is null or not a context), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxPushCurrent(hipCtx_t ctx);

/// Stores the current context of the calling thread, and makes current what was so at the last
/// hipCtxCreate, hipCtxPushCurrent or hipCtxSetCurrent that pushed one. `ctx` may be null.
/// Errors: hipErrorInvalidContext (the thread has pushed no context, or popped all), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxPopCurrent(hipCtx_t *ctx);

/// Replaces the current context of the calling thread, as hipSetDevice does. If the thread has pushed
/// none, the context is pushed. Null pops the last context that was pushed, if there is one.
/// Errors: hipErrorInvalidContext (`ctx` is neither null nor a context), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSetCurrent(hipCtx_t ctx);

/// Stores the context of the current device of the calling thread. It is never null.
/// Errors: hipErrorInvalidValue (`ctx` is null), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetCurrent(hipCtx_t *ctx);

/// Stores the number of the current device of the calling thread, as hipGetDevice does.
/// Errors: hipErrorInvalidValue (`device` is null), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetDevice(hipDevice_t *device);

/// Stores the version of the driver interface, which HIP gives as 4 for all contexts. `ctx` may be
/// null.
/// Errors: hipErrorInvalidValue (`version` is null), hipErrorInvalidContext (`ctx` is neither null
/// nor a context), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetApiVersion(hipCtx_t ctx, HIP_API_UNSIGNED_SINCE_7 int *version);

/// Stores the flags of the current device, as hipGetDeviceFlags does.
/// Errors: hipErrorInvalidValue (`flags` is null), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetFlags(unsigned int *flags);

/// @like hipDeviceSynchronize
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSynchronize(void);

/// @like hipDeviceSetCacheConfig
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSetCacheConfig(hipFuncCache_t config);

/// @like hipDeviceGetCacheConfig
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetCacheConfig(hipFuncCache_t *config);

/// @like hipDeviceSetSharedMemConfig
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config);

/// @like hipDeviceGetSharedMemConfig
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *config);

/// Lets kernels of the current device use memory of the device of a context, as
/// hipDeviceEnablePeerAccess does. `flags` is 0.
/// Errors: hipErrorInvalidValue (`flags` is not 0), hipErrorInvalidContext (`peer` is not a
/// context), hipErrorInvalidDevice (`peer` is of the current device, or its memory cannot be
/// reached), hipErrorPeerAccessUnsupported (the devices have different drivers),
/// hipErrorPeerAccessAlreadyEnabled (access is enabled already), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned int flags);

/// Ends the access that hipCtxEnablePeerAccess or hipDeviceEnablePeerAccess enabled for the current
/// device.
/// Errors: hipErrorInvalidContext (`peer` is not a context), hipErrorInvalidDevice (`peer` is of the
/// current device), hipErrorPeerAccessNotEnabled (access is not enabled), @start.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxDisablePeerAccess(hipCtx_t peer);

// Primary contexts

/// Stores the flags of a device, and 1 if its context is in use or 0 if not: whether it was retained,
/// or the program has memory or has had streams on the device. `flags` and `active` may be null.
/// Errors: @device-number.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned int *flags, int *active);

/// Stores the context of a device and adds a reference to it, so that it is in use. The context does
/// not become current.
/// Errors: hipErrorInvalidValue (`ctx` is null), @device-number.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *ctx, hipDevice_t device);

/// Removes a reference from the context of a device, if it has any. The context stays valid, and
/// nothing is freed.
/// Errors: @device-number.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device);

/// Waits for the work of a device and frees everything on it, as hipDeviceReset does for the current
/// device. The references of hipDevicePrimaryCtxRetain stay.
/// Errors: hipErrorInvalidDevice (`device` is not the number of a device), @work.
/// Stream: The host waits for all streams of the device. Capture: @wide.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device);

/// Sets the flags of a device whose context is not in use. They are those of hipSetDeviceFlags, and
/// all stored.
/// Errors: hipErrorContextAlreadyInUse (the context is in use), hipErrorInvalidValue (`flags` has
/// unknown bits or more than one way to wait), @device-number.
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned int flags);

HIP_API_END
