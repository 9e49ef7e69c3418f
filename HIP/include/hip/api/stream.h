/// Streams: queues whose work runs in order.
#pragma once

#include <hip/api/types/macros.h>
#include <hip/api/types/stream_types.h>

HIP_API_BEGIN

// Creation and destruction

/// Creates a stream on the current device. It is ordered with the null stream, as hipStreamDefault
/// says.
/// Errors: hipErrorInvalidValue (`stream` is null), hipErrorOutOfMemory (there is not enough
/// memory), @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamCreate(hipStream_t *stream);

/// Creates a stream on the current device. `flags` is hipStreamDefault, or hipStreamNonBlocking for
/// a stream that is not ordered with the null stream.
/// Errors: hipErrorInvalidValue (`stream` is null, or `flags` is unknown), hipErrorOutOfMemory
/// (there is not enough memory), @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags);

/// Creates a stream with a priority on the current device. `flags` is as for
/// hipStreamCreateWithFlags. A `priority` outside the range of hipDeviceGetStreamPriorityRange is
/// moved to its nearest end.
/// Errors: hipErrorInvalidValue (`stream` is null, or `flags` is unknown), hipErrorOutOfMemory
/// (there is not enough memory), @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags, int priority);

/// Destroys a stream. Work that it still has runs to its end.
/// Errors: hipErrorInvalidResourceHandle (`stream` is null, hipStreamLegacy or hipStreamPerThread),
/// hipErrorContextIsDestroyed (`stream` is not a live stream).
/// Stream: The host does not wait for the work of the stream. Capture: Allowed. A capture that began
/// in the stream ends and its graph is lost; what another stream has captured stays part of its
/// capture.
hipError_t hipStreamDestroy(hipStream_t stream);

/// Creates a stream on the current device that should use only the compute units whose bits are set
/// in `mask`. `size` is the number of 32-bit words in `mask`. libCHIP stores the mask, but the work
/// of the stream may use all compute units.
/// Errors: hipErrorInvalidValue (`stream` or `mask` is null, or `size` is 0), hipErrorOutOfMemory
/// (there is not enough memory), @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipExtStreamCreateWithCUMask(hipStream_t *stream, uint32_t size, const uint32_t *mask);

/// Stores the mask of the compute units that a stream may use, one bit for each. `size` is the
/// number of 32-bit words in `mask`.
/// Errors: hipErrorInvalidValue (`mask` is null, or `size` words are too few for the compute units
/// of the device), @stream.
/// Stream: @none. Capture: @allowed.
hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t size, uint32_t *mask);

// Queries

/// Returns hipSuccess if all work of the stream is done, and hipErrorNotReady if it is not.
/// hipErrorNotReady does not become the last error.
/// Errors: hipErrorNotReady (work of the stream is still running or waiting), @stream.
/// Stream: The host does not wait. For the null stream, the work of all streams that are ordered
/// with it counts. Capture: Not allowed on a capturing stream: the call returns
/// hipErrorStreamCaptureUnsupported and invalidates the capture.
hipError_t hipStreamQuery(hipStream_t stream);

/// Stores the flags with which a stream was created.
/// Errors: hipErrorInvalidValue (`flags` is null, or `stream` is null), @stream.
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags);

/// Stores the priority of a stream. That of the null stream is 0.
/// Errors: hipErrorInvalidValue (`priority` is null), @stream.
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamGetPriority(hipStream_t stream, int *priority);

/// Stores a number that no other stream of the process has or had.
/// Errors: hipErrorInvalidValue (`id` is null), @stream.
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamGetId(hipStream_t stream, unsigned long long *id);

/// Stores the device of a stream. That of the null stream is the current device.
/// Errors: hipErrorInvalidValue (`device` is null), @stream.
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device);

/// Returns the number of the device of a stream, or -1 if `stream` is not a live stream. That of
/// the null stream is the current device.
/// Errors: none is returned; a failure becomes the last error.
/// Stream: @none. Capture: @allowed.
int hipGetStreamDeviceId(hipStream_t stream);

// Waiting and order

/// Waits until all work of the stream is done. For the null stream, this includes the work of all
/// streams that are ordered with it.
/// Errors: @stream.
/// Stream: The host waits for the work of `stream`. Capture: Not allowed on a capturing stream: the
/// call returns hipErrorStreamCaptureUnsupported and invalidates the capture. For every stream:
/// @unsafe.
hipError_t hipStreamSynchronize(hipStream_t stream);

/// Makes the later work of a stream wait for the work that `event` has recorded so far. Recording
/// the event again afterwards changes nothing. An event that was never recorded counts as done. The
/// event may belong to another device. Where the work before the event is lost by a fault, on this
/// or on another device, later work of `stream` does not execute, and the stream's device is lost
/// (hipErrorLaunchFailure). `flags` is hipEventWaitDefault, or hipEventWaitExternal for a node of its
/// own in a captured graph.
/// Errors: hipErrorInvalidValue (`flags` is unknown, or is hipEventWaitExternal and `stream` does not
/// capture), hipErrorInvalidHandle (`event` is not a live event, or `stream` is not a live stream),
/// @work.
/// Stream: @queued. Capture: Captured as dependencies of the next node if the event was recorded in
/// a capturing stream; `stream` then joins that capture, which the null stream cannot
/// (hipErrorStreamCaptureImplicit). A capturing stream that waits for an event of another capture
/// gets hipErrorStreamCaptureMerge, which invalidates both captures; one that waits for an event
/// that was recorded outside of captures gets hipErrorStreamCaptureIsolation, which invalidates its
/// capture. With hipEventWaitExternal it becomes an event wait node.
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags __dparm(0));

/// Calls a function on a host thread when the earlier work of the stream is done. The later work of
/// the stream waits until the function returns. The function receives `stream`, a status and
/// `user_data`, and must not call HIP. It must return: throwing an exception or ending its thread
/// ends the process. Where earlier work is lost by a fault, it is called all the same, once, with
/// the error as status, before a wait for the stream ends. `flags` is 0.
/// Errors: hipErrorInvalidValue (`callback` is null, or `flags` is not 0), hipErrorNotSupported
/// (the Level Zero driver runs no host functions), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *user_data,
                                unsigned int flags);

/// Calls a function on a host thread when the earlier work of the stream is done. The later work of
/// the stream waits until the function returns. The function receives `user_data` and must not call
/// HIP. It must return: throwing an exception or ending its thread ends the process. It is not
/// called where earlier work is lost by a fault.
/// Errors: hipErrorInvalidValue (`function` is null), hipErrorNotSupported (the Level Zero driver
/// runs no host functions), @stream.
/// Stream: @queued. Capture: @host-node.
hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *user_data);

// Values in memory

/// Makes the later work of a stream wait until the 32-bit value at `address`, combined with `mask`
/// by a bitwise and, meets the condition in `flags`: hipStreamWaitValueGte, hipStreamWaitValueEq,
/// hipStreamWaitValueAnd or hipStreamWaitValueNor. `address` is a multiple of 4 in memory of HIP,
/// which the host, a kernel or another stream changes.
/// Errors: hipErrorInvalidValue (`address` is null, not aligned or not in memory of HIP, or `flags`
/// is unknown), hipErrorNotSupported (the Level Zero driver runs no host functions), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipStreamWaitValue32(hipStream_t stream, void *address, uint32_t value,
                                unsigned int flags, uint32_t mask __dparm(0xFFFFFFFF));

/// Makes the later work of a stream wait until the 64-bit value at `address`, combined with `mask`
/// by a bitwise and, meets the condition in `flags`: hipStreamWaitValueGte, hipStreamWaitValueEq,
/// hipStreamWaitValueAnd or hipStreamWaitValueNor. `address` is a multiple of 8 in memory of HIP,
/// which the host, a kernel or another stream changes.
/// Errors: hipErrorInvalidValue (`address` is null, not aligned or not in memory of HIP, or `flags`
/// is unknown), hipErrorNotSupported (the Level Zero driver runs no host functions), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipStreamWaitValue64(hipStream_t stream, void *address, uint64_t value,
                                unsigned int flags, uint64_t mask __dparm(0xFFFFFFFFFFFFFFFF));

/// Writes a 32-bit value to `address`, which is a multiple of 4 in memory of HIP. `flags` is 0.
/// Errors: hipErrorInvalidValue (`address` is null, not aligned or not in memory of HIP, or `flags`
/// is not 0), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipStreamWriteValue32(hipStream_t stream, void *address, uint32_t value,
                                 unsigned int flags);

/// Writes a 64-bit value to `address`, which is a multiple of 8 in memory of HIP. `flags` is 0.
/// Errors: hipErrorInvalidValue (`address` is null, not aligned or not in memory of HIP, or `flags`
/// is not 0), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipStreamWriteValue64(hipStream_t stream, void *address, uint64_t value,
                                 unsigned int flags);

/// Adds several operations on values in memory to a stream, in the order of the array. `count` is
/// from 1 to 256; `flags` is 0. If an operation is not valid, those before it have been added.
/// Errors: hipErrorInvalidValue (`operations` is null, `count` or `flags` is out of range, or an
/// operation is not valid for hipStreamWaitValue32 or hipStreamWriteValue32), hipErrorNotSupported
/// (the Level Zero driver runs no host functions, which waiting needs), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count,
                               hipStreamBatchMemOpParams *operations, unsigned int flags);

HIP_API_END
