/// Functions that use hipStreamPerThread where the others use the null stream.
#pragma once

#include <hip/api/copy.h>
#include <hip/api/event.h>
#include <hip/api/fill.h>
#include <hip/api/graph.h>
#include <hip/api/graph_capture.h>
#include <hip/api/launch.h>
#include <hip/api/stream.h>
#include <hip/api/types/macros.h>

// Defined before the first HIP header, this gives every file its own choice.
#ifdef HIP_API_PER_THREAD_DEFAULT_STREAM
#define hipMemcpy hipMemcpy_spt
#define hipMemcpyToSymbol hipMemcpyToSymbol_spt
#define hipMemcpyFromSymbol hipMemcpyFromSymbol_spt
#define hipMemcpy2D hipMemcpy2D_spt
#define hipMemcpy2DFromArray hipMemcpy2DFromArray_spt
#define hipMemcpy3D hipMemcpy3D_spt
#define hipMemset hipMemset_spt
#define hipMemsetAsync hipMemsetAsync_spt
#define hipMemset2D hipMemset2D_spt
#define hipMemset2DAsync hipMemset2DAsync_spt
#define hipMemset3DAsync hipMemset3DAsync_spt
#define hipMemset3D hipMemset3D_spt
#define hipMemcpyAsync hipMemcpyAsync_spt
#define hipMemcpy3DAsync hipMemcpy3DAsync_spt
#define hipMemcpy2DAsync hipMemcpy2DAsync_spt
#define hipMemcpyFromSymbolAsync hipMemcpyFromSymbolAsync_spt
#define hipMemcpyToSymbolAsync hipMemcpyToSymbolAsync_spt
#define hipMemcpyFromArray hipMemcpyFromArray_spt
#define hipMemcpy2DToArray hipMemcpy2DToArray_spt
#define hipMemcpy2DFromArrayAsync hipMemcpy2DFromArrayAsync_spt
#define hipMemcpy2DToArrayAsync hipMemcpy2DToArrayAsync_spt
#define hipStreamQuery hipStreamQuery_spt
#define hipStreamSynchronize hipStreamSynchronize_spt
#define hipStreamGetPriority hipStreamGetPriority_spt
#define hipStreamWaitEvent hipStreamWaitEvent_spt
#define hipStreamGetFlags hipStreamGetFlags_spt
#define hipStreamAddCallback hipStreamAddCallback_spt
#define hipEventRecord hipEventRecord_spt
#define hipLaunchCooperativeKernel hipLaunchCooperativeKernel_spt
#define hipLaunchKernel hipLaunchKernel_spt
#define hipGraphLaunch hipGraphLaunch_spt
#define hipStreamBeginCapture hipStreamBeginCapture_spt
#define hipStreamEndCapture hipStreamEndCapture_spt
#define hipStreamIsCapturing hipStreamIsCapturing_spt
#define hipStreamGetCaptureInfo hipStreamGetCaptureInfo_spt
#define hipStreamGetCaptureInfo_v2 hipStreamGetCaptureInfo_v2_spt
#define hipLaunchHostFunc hipLaunchHostFunc_spt
#endif

HIP_API_BEGIN

// Copies

/// Uses hipStreamPerThread. @like hipMemcpy
/// Stream: @own. Capture: @implicit.
hipError_t hipMemcpy_spt(void *dst, const void *src, size_t bytes, hipMemcpyKind kind);

/// Uses hipStreamPerThread. @like hipMemcpyToSymbol
/// Stream: @own. Capture: @implicit.
hipError_t hipMemcpyToSymbol_spt(const void *symbol, const void *src, size_t bytes,
                                 size_t offset __dparm(0),
                                 hipMemcpyKind kind __dparm(hipMemcpyHostToDevice));

/// Uses hipStreamPerThread. @like hipMemcpyFromSymbol
/// Stream: @own. Capture: @implicit.
hipError_t hipMemcpyFromSymbol_spt(void *dst, const void *symbol, size_t bytes,
                                   size_t offset __dparm(0),
                                   hipMemcpyKind kind __dparm(hipMemcpyDeviceToHost));

/// Uses hipStreamPerThread. @like hipMemcpy2D
/// Stream: @own. Capture: @implicit.
hipError_t hipMemcpy2D_spt(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                           size_t width, size_t height, hipMemcpyKind kind);

/// Uses hipStreamPerThread. @like hipMemcpy2DFromArray
/// Stream: @own. Capture: @implicit.
hipError_t hipMemcpy2DFromArray_spt(void *dst, size_t dst_pitch, hipArray_const_t src,
                                    size_t x_offset, size_t y_offset, size_t width, size_t height,
                                    hipMemcpyKind kind);

/// Uses hipStreamPerThread. @like hipMemcpy3D
/// Stream: @own. Capture: @implicit.
hipError_t hipMemcpy3D_spt(const struct hipMemcpy3DParms *copy);

/// Uses hipStreamPerThread where `stream` is null. @like hipMemcpyAsync
hipError_t hipMemcpyAsync_spt(void *dst, const void *src, size_t bytes, hipMemcpyKind kind,
                              hipStream_t stream __dparm(hipStreamPerThread));

/// Uses hipStreamPerThread where `stream` is null. @like hipMemcpy3DAsync
hipError_t hipMemcpy3DAsync_spt(const hipMemcpy3DParms *copy,
                                hipStream_t stream __dparm(hipStreamPerThread));

/// Uses hipStreamPerThread where `stream` is null. @like hipMemcpy2DAsync
hipError_t hipMemcpy2DAsync_spt(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                size_t width, size_t height, hipMemcpyKind kind,
                                hipStream_t stream __dparm(hipStreamPerThread));

/// Uses hipStreamPerThread where `stream` is null. @like hipMemcpyFromSymbolAsync
hipError_t hipMemcpyFromSymbolAsync_spt(void *dst, const void *symbol, size_t bytes, size_t offset,
                                        hipMemcpyKind kind,
                                        hipStream_t stream __dparm(hipStreamPerThread));

/// Uses hipStreamPerThread where `stream` is null. @like hipMemcpyToSymbolAsync
hipError_t hipMemcpyToSymbolAsync_spt(const void *symbol, const void *src, size_t bytes,
                                      size_t offset, hipMemcpyKind kind,
                                      hipStream_t stream __dparm(hipStreamPerThread));

/// Uses hipStreamPerThread. @like hipMemcpyFromArray
/// Stream: @own. Capture: @implicit.
hipError_t hipMemcpyFromArray_spt(void *dst, hipArray_const_t src, size_t x_offset, size_t y_offset,
                                  size_t count, hipMemcpyKind kind);

/// Uses hipStreamPerThread. @like hipMemcpy2DToArray
/// Stream: @own. Capture: @implicit.
hipError_t hipMemcpy2DToArray_spt(hipArray_t dst, size_t x_offset, size_t y_offset, const void *src,
                                  size_t src_pitch, size_t width, size_t height,
                                  hipMemcpyKind kind);

/// Uses hipStreamPerThread where `stream` is null. @like hipMemcpy2DFromArrayAsync
hipError_t hipMemcpy2DFromArrayAsync_spt(void *dst, size_t dst_pitch, hipArray_const_t src,
                                         size_t x_offset, size_t y_offset, size_t width,
                                         size_t height, hipMemcpyKind kind,
                                         hipStream_t stream __dparm(hipStreamPerThread));

/// Uses hipStreamPerThread where `stream` is null. @like hipMemcpy2DToArrayAsync
hipError_t hipMemcpy2DToArrayAsync_spt(hipArray_t dst, size_t x_offset, size_t y_offset,
                                       const void *src, size_t src_pitch, size_t width,
                                       size_t height, hipMemcpyKind kind,
                                       hipStream_t stream __dparm(hipStreamPerThread));

// Fills

/// Uses hipStreamPerThread. @like hipMemset
/// Stream: @own. Capture: @implicit.
hipError_t hipMemset_spt(void *dst, int value, size_t bytes);

/// Uses hipStreamPerThread where `stream` is null. @like hipMemsetAsync
hipError_t hipMemsetAsync_spt(void *dst, int value, size_t bytes,
                              hipStream_t stream __dparm(hipStreamPerThread));

/// Uses hipStreamPerThread. @like hipMemset2D
/// Stream: @own. Capture: @implicit.
hipError_t hipMemset2D_spt(void *dst, size_t pitch, int value, size_t width, size_t height);

/// Uses hipStreamPerThread where `stream` is null. @like hipMemset2DAsync
hipError_t hipMemset2DAsync_spt(void *dst, size_t pitch, int value, size_t width, size_t height,
                                hipStream_t stream __dparm(hipStreamPerThread));

/// Uses hipStreamPerThread where `stream` is null. @like hipMemset3DAsync
hipError_t hipMemset3DAsync_spt(hipPitchedPtr memory, int value, hipExtent extent,
                                hipStream_t stream __dparm(hipStreamPerThread));

/// Uses hipStreamPerThread. @like hipMemset3D
/// Stream: @own. Capture: @implicit.
hipError_t hipMemset3D_spt(hipPitchedPtr memory, int value, hipExtent extent);

// Graphs

/// Uses hipStreamPerThread where `stream` is null. @like hipGraphLaunch
hipError_t hipGraphLaunch_spt(hipGraphExec_t exec, hipStream_t stream);

/// Uses hipStreamPerThread where `stream` is null. Begins a capture: from now on, calls on the
/// stream become nodes of a new graph and nothing runs. `mode` says which other calls are forbidden
/// meanwhile, and to whom.
/// Errors: hipErrorStreamCaptureUnsupported (`stream` is hipStreamLegacy), hipErrorInvalidValue
/// (`mode` is unknown), hipErrorIllegalState (the stream captures already),
/// hipErrorContextIsDestroyed (`stream` is not a live stream).
/// Stream: Earlier work of `stream` is not part of the capture. The host does not wait. Capture:
/// Begins it; not allowed on a stream that captures already.
hipError_t hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode);

/// Uses hipStreamPerThread where `stream` is null. @like hipStreamEndCapture
hipError_t hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t *graph);

/// Uses hipStreamPerThread where `stream` is null. @like hipStreamIsCapturing
/// Errors: hipErrorInvalidValue (`status` is null), hipErrorStreamCaptureImplicit (`stream` is
/// hipStreamLegacy while a stream that is ordered with it captures), hipErrorContextIsDestroyed
/// (`stream` is not a live stream).
hipError_t hipStreamIsCapturing_spt(hipStream_t stream, hipStreamCaptureStatus *status);

/// Uses hipStreamPerThread where `stream` is null. @like hipStreamGetCaptureInfo
/// Errors: hipErrorInvalidValue (`status` is null), hipErrorStreamCaptureImplicit (`stream` is
/// hipStreamLegacy while a stream that is ordered with it captures), hipErrorContextIsDestroyed
/// (`stream` is not a live stream).
hipError_t hipStreamGetCaptureInfo_spt(hipStream_t stream, hipStreamCaptureStatus *status,
                                       unsigned long long *id);

/// Uses hipStreamPerThread where `stream` is null. @like hipStreamGetCaptureInfo_v2
/// Errors: hipErrorInvalidValue (`status` is null), hipErrorStreamCaptureImplicit (`stream` is
/// hipStreamLegacy while a stream that is ordered with it captures), hipErrorContextIsDestroyed
/// (`stream` is not a live stream).
hipError_t hipStreamGetCaptureInfo_v2_spt(hipStream_t stream, hipStreamCaptureStatus *status,
                                          unsigned long long *id, hipGraph_t *graph,
                                          const hipGraphNode_t **dependencies,
                                          size_t *dependency_count);

// Streams and events

/// Uses hipStreamPerThread where `stream` is null. @like hipStreamQuery
/// Stream: The host does not wait. Capture: Not allowed on a capturing stream: the call returns
/// hipErrorStreamCaptureUnsupported and invalidates the capture.
hipError_t hipStreamQuery_spt(hipStream_t stream);

/// Uses hipStreamPerThread where `stream` is null. Waits until all work of the stream is done.
/// Errors: @stream.
/// Stream: The host waits for the work of `stream`. Capture: Not allowed on a capturing stream: the
/// call returns hipErrorStreamCaptureUnsupported and invalidates the capture. For every stream:
/// @unsafe.
hipError_t hipStreamSynchronize_spt(hipStream_t stream);

/// Uses hipStreamPerThread where `stream` is null. Stores the priority of a stream.
/// Errors: hipErrorInvalidValue (`priority` is null), @stream.
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamGetPriority_spt(hipStream_t stream, int *priority);

/// Uses hipStreamPerThread where `stream` is null. @like hipStreamWaitEvent
hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event,
                                  unsigned int flags __dparm(0));

/// Uses hipStreamPerThread where `stream` is null. @like hipStreamGetFlags
/// Errors: hipErrorInvalidValue (`flags` is null), @stream.
hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int *flags);

/// Uses hipStreamPerThread where `stream` is null. @like hipStreamAddCallback
hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback,
                                    void *user_data, unsigned int flags);

/// Uses hipStreamPerThread where `stream` is null. @like hipEventRecord
hipError_t hipEventRecord_spt(hipEvent_t event, hipStream_t stream __dparm(hipStreamPerThread));

// Launches

/// Uses hipStreamPerThread where `stream` is null. @like hipLaunchCooperativeKernel
hipError_t hipLaunchCooperativeKernel_spt(const void *function, dim3 grid_dim, dim3 block_dim,
                                          void **params, uint32_t shared_bytes,
                                          hipStream_t stream __dparm(hipStreamPerThread));

/// Uses hipStreamPerThread where `stream` is null. @like hipLaunchKernel
hipError_t hipLaunchKernel_spt(const void *function, dim3 grid_dim, dim3 block_dim, void **args,
                               size_t shared_bytes, hipStream_t stream __dparm(hipStreamPerThread));

/// Uses hipStreamPerThread where `stream` is null. @like hipLaunchHostFunc
hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t function, void *user_data);

HIP_API_END
