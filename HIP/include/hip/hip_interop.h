/// Native handles in the form that programs know of other HIP runtimes over Level Zero.
/// chip/interop.h has libCHIP's own functions, which say more and do more.
#ifndef HIP_INCLUDE_HIP_HIP_INTEROP_H
#define HIP_INCLUDE_HIP_HIP_INTEROP_H

#include <stdint.h>

#include <hip/api/types/macros.h>

HIP_API_BEGIN

/// Stores native handles behind `stream`, which is a hipStream_t, in `handles`. There are six: a
/// text, "level0", the driver, the device, the context, null for a command queue, and the stream's
/// immediate command list. With null `handles`, only their number is stored in `count`. With both,
/// `count` holds the number that fit, and receives that of the handles: where fewer than six fit,
/// but four, they are driver, device, context and null. The list is the one of chipStreamGetNative:
/// with the four, no list is given out. HIP still owns all of them.
/// Errors: hipErrorInvalidValue (`handles` and `count` are both null, or `*count` is less than 4),
/// hipErrorContextIsDestroyed (`stream` is not a live stream), @work.
/// Stream: @none. Capture: @uncapturable.
int hipGetBackendNativeHandles(uintptr_t stream, uintptr_t *handles, int *count);

/// Makes HIP work with a context that the program has made: `handles` are driver, device, context
/// and a command queue, which is not used and may be null, or the six of
/// hipGetBackendNativeHandles. The device is the only one that HIP has then. This has to come
/// before any other call of HIP; chipInitFromNative tells the rest.
/// Errors: hipErrorInvalidValue (`handles` is null, `count` is neither 4 nor 6, or driver, device or
/// context is null), hipErrorSetOnActiveProcess (HIP works with another context already), @start.
/// Stream: @none. Capture: @allowed.
int hipInitFromNativeHandles(const uintptr_t *handles, int count);

/// Returns the ze_event_handle_t of a hipEvent_t as chipEventGetNative stores it, or null where
/// that fails or there is nothing to wait for.
/// Errors: none; the function returns a handle.
/// Stream: @none. Capture: @allowed.
void *hipGetNativeEventFromHipEvent(void *event);

/// Returns a hipEvent_t that stands for a ze_event_handle_t, made by chipEventFromNative, or null.
/// hipEventDestroy destroys it, and not the other one.
/// Errors: none; the function returns a handle.
/// Stream: @none. Capture: @allowed.
void *hipGetHipEventFromNativeEvent(void *event);

HIP_API_END

#endif
