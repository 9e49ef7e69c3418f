/// Functions that behave in another way since HIP 7.0, or take something else: with the headers of 7,
/// a program calls the library's functions of these names and "R0700". Their names in the program
/// stay what they are.
///
/// - hipBindTexture2D, hipBindTextureToArray, hipGetTextureAlignmentOffset: other codes for null.
/// - hipDeviceGetTexture1DLinearMaxWidth: has a result.
/// - hipDeviceSetCacheConfig, hipDeviceSetSharedMemConfig, hipDeviceSetMemPool, hipMemPoolCreate,
///   hipMemPoolDestroy, hipMemAdvise: hipErrorStreamCaptureUnsupported while a stream captures in a
///   mode that covers the calling thread.
/// - hipDriverGetVersion, hipRuntimeGetVersion: 7.2.
/// - hipDrvGraphAddMemsetNode, hipDrvGraphExecMemsetNodeSetParams: hipMemsetParams.
/// - hipEventQuery: captures forbid it for every event, as hipEventSynchronize.
/// - hipFree: does not wait for memory of a pool, which goes back in the null stream's order.
/// - hipFreeAsync: takes null.
/// - hipLaunchCooperativeKernel: hipErrorInvalidHandle for a stream that is not live.
/// - hipLaunchCooperativeKernelMultiDevice: hipErrorInvalidResourceHandle for the null stream.
/// - hipMemcpyWithStream: not on a stream that is captured.
/// - hipModuleLaunchKernel, hipModuleLaunchCooperativeKernel, hipExtModuleLaunchKernel,
///   hipHccModuleLaunchKernel: hipErrorInvalidConfiguration and hipErrorCooperativeLaunchTooLarge for
///   sizes that do not fit, hipErrorContextIsDestroyed for a stream that is not live.
/// - hipPointerGetAttributes: takes null for either parameter; null is no memory that HIP knows.
/// - hipStreamAddCallback: not while any stream captures.
#pragma once

#include <hip/api/types/api_version.h>

#if HIP_API_IS_7

#include <hip/api/context.h>
#include <hip/api/copy.h>
#include <hip/api/device.h>
#include <hip/api/event.h>
#include <hip/api/graph_copy_node.h>
#include <hip/api/launch.h>
#include <hip/api/memory.h>
#include <hip/api/memory_pool.h>
#include <hip/api/stream.h>
#include <hip/api/texture_reference.h>

HIP_API_EXTERN_C_BEGIN

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define HIP_API_SYMBOL(name) __typeof__(name) name __asm__(#name "R0700")
HIP_API_SYMBOL(hipBindTexture2D);
HIP_API_SYMBOL(hipBindTextureToArray);
HIP_API_SYMBOL(hipDeviceSetCacheConfig);
HIP_API_SYMBOL(hipDeviceSetMemPool);
HIP_API_SYMBOL(hipDeviceSetSharedMemConfig);
HIP_API_SYMBOL(hipDriverGetVersion);
HIP_API_SYMBOL(hipDrvGraphAddMemsetNode);
HIP_API_SYMBOL(hipDrvGraphExecMemsetNodeSetParams);
HIP_API_SYMBOL(hipEventQuery);
HIP_API_SYMBOL(hipFree);
HIP_API_SYMBOL(hipFreeAsync);
HIP_API_SYMBOL(hipGetTextureAlignmentOffset);
HIP_API_SYMBOL(hipLaunchCooperativeKernel);
HIP_API_SYMBOL(hipLaunchCooperativeKernelMultiDevice);
HIP_API_SYMBOL(hipMemAdvise);
HIP_API_SYMBOL(hipMemcpyWithStream);
HIP_API_SYMBOL(hipMemPoolCreate);
HIP_API_SYMBOL(hipMemPoolDestroy);
HIP_API_SYMBOL(hipModuleLaunchCooperativeKernel);
HIP_API_SYMBOL(hipModuleLaunchKernel);
HIP_API_SYMBOL(hipPointerGetAttributes);
HIP_API_SYMBOL(hipRuntimeGetVersion);
HIP_API_SYMBOL(hipStreamAddCallback);
#undef HIP_API_SYMBOL
#pragma GCC diagnostic pop

/// Stores how many elements of a format, at most, a one-dimensional texture of linear memory has.
hipError_t
hipDeviceGetTexture1DLinearMaxWidth(size_t *max_width, const hipChannelFormatDesc *description,
                                    int device) __asm__("hipDeviceGetTexture1DLinearMaxWidthR0700");

HIP_API_EXTERN_C_END

#endif
