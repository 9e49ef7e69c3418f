/// Events: points in the work of a stream.
#pragma once

#include <hip/api/macros.h>
#include <hip/api/memory_types.h>
#include <hip/api/stream_types.h>

HIP_API_BEGIN

/// A new event that takes time.
hipError_t hipEventCreate(hipEvent_t *event);

/// A new event with hipEvent* flags. hipEventInterprocess needs hipEventDisableTiming.
hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned int flags);

/// Ends an event; what waits for it goes on waiting.
hipError_t hipEventDestroy(hipEvent_t event);

/// The event stands for all work that the stream has so far.
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream __dparm(NULL));

/// hipEventRecord with hipEventRecord* flags.
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream __dparm(0),
                                   unsigned int flags __dparm(0));

/// Waits until what the event recorded is done.
hipError_t hipEventSynchronize(hipEvent_t event);

/// hipSuccess if what the event recorded is done, hipErrorNotReady if not.
hipError_t hipEventQuery(hipEvent_t event);

/// Milliseconds from one event to the other. hipErrorNotReady if one is not done,
/// hipErrorInvalidHandle if one took no time or never recorded.
hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop);

// Between processes

/// Bytes that another process can open the event by; it needs hipEventInterprocess.
hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t *handle, hipEvent_t event);

/// An event of another process.
hipError_t hipIpcOpenEventHandle(hipEvent_t *event, hipIpcEventHandle_t handle);

HIP_API_END
