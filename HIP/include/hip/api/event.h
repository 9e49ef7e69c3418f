/// Events: points in the work of a stream.
#pragma once

#include <hip/api/types/macros.h>
#include <hip/api/types/memory_types.h>
#include <hip/api/types/stream_types.h>

HIP_API_BEGIN

/// Creates an event that records time stamps, on the current device.
/// Errors: hipErrorInvalidValue (`event` is null), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipEventCreate(hipEvent_t *event);

/// Creates an event on the current device. hipEventDisableTiming makes an event without time
/// stamps, which is cheaper to record. hipEventInterprocess makes one that other processes can open
/// (hipIpcGetEventHandle), and needs hipEventDisableTiming. Only one of hipEventReleaseToDevice and
/// hipEventReleaseToSystem may be given; these and hipEventBlockingSync and
/// hipEventDisableSystemFence are hints.
/// Errors: hipErrorInvalidValue (`event` is null, or `flags` has unknown bits or bits that exclude
/// each other), hipErrorNotSupported (`flags` has hipEventInterprocess, and the driver cannot write
/// memory of the program), hipErrorOutOfMemory (there is not enough memory), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned int flags);

/// Destroys an event. Work that already waits for it is not affected.
/// Errors: hipErrorInvalidHandle (`event` is null), hipErrorContextIsDestroyed (`event` is not a
/// live event).
/// Stream: @none. Capture: @allowed.
hipError_t hipEventDestroy(hipEvent_t event);

/// Records an event: from now on it stands for all work that the stream has at this point. An
/// earlier record of the event is replaced.
/// Errors: hipErrorInvalidHandle (`event` is not a live event, or it is of another device than
/// `stream`), @stream.
/// Stream: @queued. Capture: Captured as a dependency for streams that wait for the event; no node
/// is made.
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream __dparm(NULL));

/// Records an event: from now on it stands for all work that the stream has at this point. `flags`
/// is hipEventRecordDefault, or hipEventRecordExternal for a node of its own in a captured graph.
/// Errors: hipErrorInvalidValue (`flags` is unknown, or is hipEventRecordExternal and `stream` does
/// not capture), hipErrorInvalidHandle (`event` is not a live event, or it is of another device than
/// `stream`), @stream.
/// Stream: @queued. Capture: Captured as a dependency, or as an event record node with
/// hipEventRecordExternal.
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream __dparm(0),
                                   unsigned int flags __dparm(0));

/// Waits until the work that the event recorded is done. An event that was never recorded counts as
/// done.
/// Errors: hipErrorInvalidHandle (`event` is not a live event), hipErrorContextIsDestroyed (another
/// process recorded the event, and has ended before the work was done), @lost.
/// Stream: The host waits for the recorded work, and for no other. Capture: Not allowed for an
/// event that a capturing stream recorded: the call returns hipErrorCapturedEvent and invalidates
/// the capture. For every event: @unsafe.
hipError_t hipEventSynchronize(hipEvent_t event);

/// Returns hipSuccess if the work that the event recorded is done, and hipErrorNotReady if it is
/// not. An event that was never recorded counts as done. hipErrorNotReady does not become the last
/// error.
/// Errors: hipErrorNotReady (the recorded work is still running or waiting), hipErrorInvalidHandle
/// (`event` is not a live event), hipErrorContextIsDestroyed (another process recorded the event,
/// and has ended before the work was done), @lost.
/// Stream: @none. Capture: Not allowed for an event that a capturing stream recorded: the call
/// returns hipErrorCapturedEvent and invalidates the capture.
hipError_t hipEventQuery(hipEvent_t event);

/// Stores the time from `start` to `stop` in milliseconds. It is negative if `stop` was recorded
/// before `start`.
/// Errors: hipErrorInvalidValue (`ms` is null), hipErrorInvalidHandle (an event is not live, was
/// never recorded, was created with hipEventDisableTiming, or both are of different devices),
/// hipErrorNotReady (the work of an event is not done), @lost.
/// Stream: @none. Capture: Not allowed for an event that a capturing stream recorded: the call
/// returns hipErrorCapturedEvent.
hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop);

// Between processes

/// Stores bytes by which another process can open the event with hipIpcOpenEventHandle, which need
/// not be related to this one. The event was created with hipEventInterprocess and
/// hipEventDisableTiming. The handle is good for as long as this process has the event.
/// Errors: hipErrorInvalidValue (`handle` or `event` is null), hipErrorInvalidHandle (`event` is
/// not a live event, or not an interprocess event), hipErrorInvalidConfiguration (no handle can be
/// made for the event), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t *handle, hipEvent_t event);

/// Creates an event on the current device that stands for an event of another process. A record of
/// either is seen by both: who waits, waits for the last one. A stream that waits for work of a
/// process that ends before that is done goes on. The event is destroyed with hipEventDestroy. A
/// wait for a record of another process, of the host or a stream, looks for it every 50 to 200 us.
/// Errors: hipErrorInvalidValue (`event` is null, or `handle` does not name an event that still
/// lives), hipErrorInvalidContext (the event is of this process), hipErrorOutOfMemory (there is not
/// enough memory), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipIpcOpenEventHandle(hipEvent_t *event, hipIpcEventHandle_t handle);

HIP_API_END
