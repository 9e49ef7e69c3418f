/// HIP together with raw Level Zero in one process: the native objects behind those of HIP, objects
/// of HIP made from native ones, and order between the two without a wait of the host. For C and
/// C++. Nothing of this makes a launch slower.
#ifndef CHIP_INCLUDE_CHIP_INTEROP_H
#define CHIP_INCLUDE_CHIP_INTEROP_H

// Who made an object owns it. Handles that libCHIP gives out are valid as long as the object of HIP
// that they belong to, and are not to be destroyed; objects that it is given have to live until it
// is told that they go. Libraries of both sides have to use the same loader (libze_loader.so.1).

#include <hip/hip_interop.h>
#include <hip/hip_runtime_api.h>
#include <level_zero/ze_api.h>

/// Appends commands to a list, and returns how that ended.
typedef ze_result_t (*chipAppend_t)(ze_command_list_handle_t list, void *user_data);

HIP_API_BEGIN

// Devices and contexts

/// Stores the native objects of a device. Each pointer may be null. All devices of one driver have
/// one context, in which memory that HIP allocates is known.
/// Errors: @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t chipDeviceGetNative(int device, ze_driver_handle_t *driver, ze_device_handle_t *native,
                               ze_context_handle_t *context);

/// Makes HIP work with a context that the program has made: the `count` elements of `devices`, which
/// are of `driver` and in `context`, are HIP's devices from 0 on, whatever the environment says. This
/// has to come before any other call of HIP but those that the compiler makes. It succeeds again for
/// the same context. The context has to live until the process ends. Where this fails, HIP starts as
/// ever with the next call.
/// Errors: hipErrorInvalidValue (a handle is null, or `count` is 0), hipErrorSetOnActiveProcess (HIP
/// works with another context already, or without one of the devices), hipErrorNotSupported (the
/// driver lacks what HIP needs), hipErrorUnknown (the driver failed), @start.
/// Stream: @none. Capture: @allowed.
hipError_t chipInitFromNative(ze_driver_handle_t driver, ze_context_handle_t context,
                              const ze_device_handle_t *devices, unsigned int count);

// Streams

/// Calls `append(list, user_data)` once, before this returns, with the immediate command list of a
/// stream: what it appends to the list is work of the stream, ordered as a kernel that is launched
/// there. It must not call HIP, keep the list, or wait. If it fails, commands that it has appended
/// stay.
/// Errors: hipErrorInvalidValue (`append` is null or returned an error about arguments),
/// hipErrorUnknown (`append` returned another error of Level Zero; those that HIP has a code for
/// become that), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t chipStreamAppend(hipStream_t stream, chipAppend_t append, void *user_data);

/// Stores the immediate command list of a stream, for libraries that keep one. It is in order and
/// asynchronous, and all earlier work of the stream is in it. What is appended to it is ordered with
/// the work that HIP appends, before and after it; hipStreamSynchronize, hipStreamQuery and
/// hipEventRecord count it, and from now on ask the driver each time. The null stream and blocking
/// streams wait for each other only when HIP appends to one: chipStreamAppend or an event orders more.
/// A list is for one thread at a time: while others use the stream, chipStreamAppend is the way.
/// Errors: hipErrorInvalidValue (`list` is null), @stream.
/// Stream: @none. Capture: @uncapturable.
hipError_t chipStreamGetNative(hipStream_t stream, ze_command_list_handle_t *list);

/// Creates a stream of the current device from an immediate command list that the program has made,
/// in order and asynchronous, of that device and its context: what HIP and the program append is
/// ordered in the list. `flags` is as for hipStreamCreateWithFlags. hipStreamDestroy waits for the
/// list, which the program destroys afterwards. chipStreamGetNative tells what is as for the list of
/// any other stream that is given out.
/// Errors: hipErrorInvalidValue (`stream` or `list` is null, `flags` is unknown, or `list` is not an
/// immediate list of the current device and its context),
/// hipErrorOutOfMemory (there is not enough memory), @work.
/// Stream: @none. Capture: @allowed.
hipError_t chipStreamFromNative(hipStream_t *stream, ze_command_list_handle_t list,
                                unsigned int flags);

// Events

/// Stores a native event that is signalled when what `event` was last recorded behind is complete.
/// Immediate command lists of the same context can wait for it, and so can the host. It is valid
/// until the event is recorded again or destroyed: waits that were appended before stay as they
/// are. Null where there is nothing to wait for: the event was not recorded, or all before its
/// record was complete already. The event must not be signalled or reset. Of an event of
/// chipEventFromNative, this is the one that it stands for.
/// Errors: hipErrorInvalidHandle (`event` is not a live event), hipErrorInvalidValue (`native` is
/// null), hipErrorCapturedEvent (the event was last recorded in a stream that is captured), @start.
/// Stream: @none. Capture: @allowed.
hipError_t chipEventGetNative(hipEvent_t event, ze_event_handle_t *native);

/// Creates an event for the current device that stands for a native one, of its context.
/// hipStreamWaitEvent makes streams wait until that is signalled, by whomever; hipEventQuery and
/// hipEventSynchronize ask it; hipEventRecord signals it in the stream's order. Nothing resets it. It
/// has no time. Streams that are captured take it as an event that was recorded outside, which can
/// be waited for with hipEventWaitExternal, and signalled with hipEventRecordExternal, by a node of
/// the graph. It must live until the last command that waits for it or signals it is complete, and
/// until hipEventDestroy.
/// Errors: hipErrorInvalidValue (`event` or `native` is null), hipErrorOutOfMemory (there is not
/// enough memory), @start.
/// Stream: @none. Capture: @allowed.
hipError_t chipEventFromNative(hipEvent_t *event, ze_event_handle_t native);

// Memory. An address means the same to HIP and to Level Zero.

/// Stores which allocation of Level Zero an address lies in. Each pointer may be null. Memory of a
/// pool is a part of a larger allocation. `device` is null for memory of the host.
/// Errors: hipErrorInvalidValue (`address` is not in memory that HIP allocated or was told of, or is
/// in memory of hipHostRegister, which Level Zero did not allocate), @start.
/// Stream: @none. Capture: @allowed.
hipError_t chipMemGetNative(const void *address, void **base, size_t *bytes,
                            ze_device_handle_t *device, ze_context_handle_t *context);

/// Tells HIP of memory that the program allocated by calls of Level Zero in a context of HIP's:
/// kernels, copies, fills and hipPointerGetAttributes then take it for memory of hipMalloc,
/// hipHostMalloc or hipMallocManaged. hipFree and hipHostFree do not free it, nor does
/// hipDeviceReset.
/// Errors: hipErrorInvalidValue (`address` is not the beginning of such memory, or HIP knows it
/// already), hipErrorOutOfMemory (there is not enough memory), @start.
/// Stream: @none. Capture: @allowed.
hipError_t chipMemFromNative(void *address);

/// Lets HIP forget memory of chipMemFromNative, which has to come before the program frees it. No
/// work may use the memory then: the call does not wait.
/// Errors: hipErrorInvalidValue (`address` is not the beginning of memory of chipMemFromNative),
/// @start.
/// Stream: @none. Capture: @allowed.
hipError_t chipMemForget(void *address);

HIP_API_END

#endif
