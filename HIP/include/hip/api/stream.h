/// Streams: queues of work, each in order.
#pragma once

#include <hip/api/macros.h>
#include <hip/api/stream_types.h>

HIP_API_BEGIN

// Life

/// A new stream on the current device, ordered with the null stream.
hipError_t hipStreamCreate(hipStream_t *stream);

/// A new stream with hipStream* flags.
hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags);

/// A new stream; a priority outside the device's range is moved into it.
hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags, int priority);

/// Ends a stream; work that it still has goes on to its end. The null stream gives
/// hipErrorInvalidResourceHandle.
hipError_t hipStreamDestroy(hipStream_t stream);

/// A new stream that uses only the compute units whose bits are set in `mask`, of `size` words of
/// 32 bits.
hipError_t hipExtStreamCreateWithCUMask(hipStream_t *stream, uint32_t size, const uint32_t *mask);

/// The compute units a stream may use, in `size` words of 32 bits.
hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t size, uint32_t *mask);

// Questions

/// hipSuccess if all work of the stream is done, hipErrorNotReady if not.
hipError_t hipStreamQuery(hipStream_t stream);

/// The flags the stream was created with.
hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags);

/// The priority of a stream.
hipError_t hipStreamGetPriority(hipStream_t stream, int *priority);

/// A number that no other stream of the process has or had.
hipError_t hipStreamGetId(hipStream_t stream, unsigned long long *id);

/// The device of a stream.
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device);

/// The number of a stream's device; -1 for what is no stream.
int hipGetStreamDeviceId(hipStream_t stream);

// Waiting and order

/// Waits until all work of the stream is done.
hipError_t hipStreamSynchronize(hipStream_t stream);

/// Later work of the stream waits for what `event` has recorded so far. An event that never
/// recorded is done. Where that work is lost by a fault, on this or on another device, later work of
/// this stream does not execute, and the stream's device is lost (hipErrorLaunchFailure).
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags __dparm(0));

/// Calls a function on the host when earlier work is done; later work waits for it. `flags` is 0.
/// Where earlier work is lost by a fault, the function is called with the error: once, as always.
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *user_data,
                                unsigned int flags);

/// Calls a function on the host when earlier work is done; later work waits for it. It may not call
/// HIP. It is not called where earlier work is lost by a fault.
hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *user_data);

// Memory in stream order

/// Later work waits until the value at `address`, under `mask`, meets the condition in `flags`.
hipError_t hipStreamWaitValue32(hipStream_t stream, void *address, uint32_t value,
                                unsigned int flags, uint32_t mask __dparm(0xFFFFFFFF));

/// hipStreamWaitValue32 with 64 bits.
hipError_t hipStreamWaitValue64(hipStream_t stream, void *address, uint64_t value,
                                unsigned int flags, uint64_t mask __dparm(0xFFFFFFFFFFFFFFFF));

/// Writes a value when earlier work is done. `flags` is 0.
hipError_t hipStreamWriteValue32(hipStream_t stream, void *address, uint32_t value,
                                 unsigned int flags);

/// hipStreamWriteValue32 with 64 bits.
hipError_t hipStreamWriteValue64(hipStream_t stream, void *address, uint64_t value,
                                 unsigned int flags);

/// Many of these operations at once, in order. `flags` is 0.
hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count,
                               hipStreamBatchMemOpParams *operations, unsigned int flags);

HIP_API_END
