// What programs call that are compiled with the headers of HIP 7, where a function has changed since 6.4
// (hip/api/later/changed_in_7.h): each does what is new, and leaves the rest to the function of 6.4.
#include "../../runtime/memory/managed.h"
#include "../../runtime/memory/memory.h"
#include "../../runtime/streams/event.h"
#include "../entry.h"
#include "../stream_work.h"

#include <algorithm>
#include <span>

using namespace chip;
using chip::hip::entry;
using chip::hip::launch_function;
using chip::hip::launch_threads;
using chip::hip::required;

namespace {

/// Of the headers of HIP 7.
constexpr int version_of_7 = 7'02'53211;

/// Runs `check`, and then, unless that throws, `call`, which is an entry point.
template <class Check, class Call>
hipError_t checked(const Check &check, const Call &call,
                   const char *entry_point = __builtin_FUNCTION()) {
  const hipError_t error = entry(entry_point, check);
  return error == hipSuccess ? call() : error;
}

/// The same with the rule of a function that captures forbid.
template <class Call>
hipError_t unless_captured(CaptureRule rule, const Call &call,
                           const char *entry_point = __builtin_FUNCTION()) {
  const hipError_t error = entry(entry_point, rule, [] {});
  return error == hipSuccess ? call() : error;
}

HIP_MEMSET_NODE_PARAMS params_of_6(const hipMemsetParams &params) {
  return {.dst = params.dst,
          .pitch = params.pitch,
          .value = params.value,
          .elementSize = params.elementSize,
          .width = params.width,
          .height = params.height};
}

} // namespace

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

HIP_API_BEGIN

// ---- Devices

hipError_t hipDriverGetVersionR0700(int *version) {
  return entry([&] { required(version) = version_of_7; });
}
hipError_t hipRuntimeGetVersionR0700(int *version) { return hipDriverGetVersionR0700(version); }

hipError_t hipDeviceGetTexture1DLinearMaxWidthR0700(size_t *max_width,
                                                    const hipChannelFormatDesc *description,
                                                    int device) {
  return entry([&] {
    required(max_width) = 0;
    const hipChannelFormatDesc &d = required(description);
    const Device &found = Platform::get().device(device);
    if (d.x <= 0 || d.y < 0 || d.z < 0 || d.w < 0)
      throw Error(hipErrorInvalidValue, "`description` has no bits, or negative ones");
    *max_width = size_t(found.attribute(hipDeviceAttributeMaxTexture1DLinear));
  });
}

hipError_t hipDeviceSetCacheConfigR0700(hipFuncCache_t config) {
  return unless_captured(CaptureRule::unsafe, [&] { return hipDeviceSetCacheConfig(config); });
}
hipError_t hipDeviceSetSharedMemConfigR0700(hipSharedMemConfig config) {
  return unless_captured(CaptureRule::unsafe, [&] { return hipDeviceSetSharedMemConfig(config); });
}

// ---- Streams and events

hipError_t hipStreamAddCallbackR0700(hipStream_t stream, hipStreamCallback_t callback,
                                     void *user_data, unsigned int flags) {
  return unless_captured(CaptureRule::wide,
                         [&] { return hipStreamAddCallback(stream, callback, user_data, flags); });
}

hipError_t hipEventQueryR0700(hipEvent_t event) {
  return checked(
      [&] {
        // Its own error comes before that of the rule.
        if (Event *object = try_find_event(event))
          check_not_captured(*object);
        check_capture(CaptureRule::unsafe);
      },
      [&] { return hipEventQuery(event); });
}

// ---- Memory

hipError_t hipPointerGetAttributesR0700(hipPointerAttribute_t *attributes, const void *address) {
  if (attributes && address)
    return hipPointerGetAttributes(attributes, address);
  return entry([&] {
    if (attributes) {
      *attributes = {};
      attributes->type = hipMemoryTypeUnregistered;
      attributes->device = hipInvalidDeviceId;
    }
  });
}

hipError_t hipFreeR0700(void *address) {
  return checked([] { check_capture(CaptureRule::unsafe); },
                 [&] {
                   const auto allocation = find_allocation(address);
                   if (!allocation || !allocation->chunk)
                     return hipFree(address);
                   return entry([&] { free_now(null_stream(*allocation->device), address); });
                 });
}

hipError_t hipFreeAsyncR0700(void *address, hipStream_t stream) {
  return address ? hipFreeAsync(address, stream) : entry([&] { (void)resolve(stream); });
}

hipError_t hipMemcpyWithStreamR0700(void *dst, const void *src, size_t bytes, hipMemcpyKind kind,
                                    hipStream_t stream) {
  return checked([&] { check_not_captured(resolve(stream)); },
                 [&] { return hipMemcpyWithStream(dst, src, bytes, kind, stream); });
}

hipError_t hipMemAdviseR0700(const void *address, size_t count, hipMemoryAdvise advice,
                             int device) {
  return unless_captured(CaptureRule::unsafe,
                         [&] { return hipMemAdvise(address, count, advice, device); });
}

hipError_t hipDeviceSetMemPoolR0700(int device, hipMemPool_t pool) {
  return unless_captured(CaptureRule::unsafe, [&] { return hipDeviceSetMemPool(device, pool); });
}
hipError_t hipMemPoolCreateR0700(hipMemPool_t *pool, const hipMemPoolProps *properties) {
  return unless_captured(CaptureRule::unsafe, [&] { return hipMemPoolCreate(pool, properties); });
}
hipError_t hipMemPoolDestroyR0700(hipMemPool_t pool) {
  return unless_captured(CaptureRule::unsafe, [&] { return hipMemPoolDestroy(pool); });
}

// ---- Launches

hipError_t hipLaunchCooperativeKernelR0700(const void *function, dim3 grid_dim, dim3 block_dim,
                                           void **params, unsigned int shared_bytes,
                                           hipStream_t stream) {
  return checked([&] { (void)resolve_or(hipErrorInvalidHandle, stream, false); },
                 [&] {
                   return hipLaunchCooperativeKernel(function, grid_dim, block_dim, params,
                                                     shared_bytes, stream);
                 });
}

hipError_t hipLaunchCooperativeKernelMultiDeviceR0700(hipLaunchParams *launches, int device_count,
                                                      unsigned int flags) {
  return checked(
      [&] {
        if (!launches || device_count < 0 || device_count > Platform::get().device_count())
          return; // has an error of its own
        for (const hipLaunchParams &launch : std::span(launches, size_t(device_count)))
          if (!launch.stream || launch.stream == hipStreamLegacy)
            throw Error(hipErrorInvalidResourceHandle, "the stream of a launch is the null stream");
      },
      [&] { return hipLaunchCooperativeKernelMultiDevice(launches, device_count, flags); });
}

hipError_t hipModuleLaunchKernelR0700(hipFunction_t function, unsigned int grid_dim_x,
                                      unsigned int grid_dim_y, unsigned int grid_dim_z,
                                      unsigned int block_dim_x, unsigned int block_dim_y,
                                      unsigned int block_dim_z, unsigned int shared_bytes,
                                      hipStream_t stream, void **params, void **extra) {
  return entry([&] {
    launch_function(function,
                    {{grid_dim_x, grid_dim_y, grid_dim_z},
                     {block_dim_x, block_dim_y, block_dim_z},
                     shared_bytes},
                    stream, {params, extra});
  });
}

hipError_t hipModuleLaunchCooperativeKernelR0700(hipFunction_t function, unsigned int grid_dim_x,
                                                 unsigned int grid_dim_y, unsigned int grid_dim_z,
                                                 unsigned int block_dim_x, unsigned int block_dim_y,
                                                 unsigned int block_dim_z,
                                                 unsigned int shared_bytes, hipStream_t stream,
                                                 void **params) {
  return entry([&] {
    if (std::min({grid_dim_x, grid_dim_y, grid_dim_z, block_dim_x, block_dim_y, block_dim_z}) == 0)
      throw Error(hipErrorInvalidValue, "a dimension of the grid or of a block is 0");
    launch_function(function,
                    {{grid_dim_x, grid_dim_y, grid_dim_z},
                     {block_dim_x, block_dim_y, block_dim_z},
                     shared_bytes,
                     true},
                    stream, {params});
  });
}

hipError_t hipExtModuleLaunchKernelR0700(hipFunction_t function, uint32_t global_x,
                                         uint32_t global_y, uint32_t global_z, uint32_t local_x,
                                         uint32_t local_y, uint32_t local_z, size_t shared_bytes,
                                         hipStream_t stream, void **params, void **extra,
                                         hipEvent_t start_event, hipEvent_t stop_event,
                                         uint32_t flags) {
  return entry([&] {
    launch_threads(function,
                   {{global_x, global_y, global_z}, {local_x, local_y, local_z}, shared_bytes},
                   stream, {params, extra}, {start_event, stop_event}, flags);
  });
}

hipError_t hipHccModuleLaunchKernelR0700(hipFunction_t function, uint32_t global_x,
                                         uint32_t global_y, uint32_t global_z, uint32_t local_x,
                                         uint32_t local_y, uint32_t local_z, size_t shared_bytes,
                                         hipStream_t stream, void **params, void **extra,
                                         hipEvent_t start_event, hipEvent_t stop_event) {
  return hipExtModuleLaunchKernelR0700(function, global_x, global_y, global_z, local_x, local_y,
                                       local_z, shared_bytes, stream, params, extra, start_event,
                                       stop_event, 0);
}

// ---- Graphs

hipError_t hipDrvGraphAddMemsetNodeR0700(hipGraphNode_t *node, hipGraph_t graph,
                                         const hipGraphNode_t *dependencies,
                                         size_t dependency_count, const hipMemsetParams *params,
                                         hipCtx_t ctx) {
  const HIP_MEMSET_NODE_PARAMS of_6 = params ? params_of_6(*params) : HIP_MEMSET_NODE_PARAMS{};
  return hipDrvGraphAddMemsetNode(node, graph, dependencies, dependency_count,
                                  params ? &of_6 : nullptr, ctx);
}

hipError_t hipDrvGraphExecMemsetNodeSetParamsR0700(hipGraphExec_t exec, hipGraphNode_t node,
                                                   const hipMemsetParams *params, hipCtx_t ctx) {
  const HIP_MEMSET_NODE_PARAMS of_6 = params ? params_of_6(*params) : HIP_MEMSET_NODE_PARAMS{};
  return hipDrvGraphExecMemsetNodeSetParams(exec, node, params ? &of_6 : nullptr, ctx);
}

// ---- Texture references

hipError_t hipBindTexture2DR0700(size_t *offset, const textureReference *reference,
                                 const void *address, const hipChannelFormatDesc *description,
                                 size_t width, size_t height, size_t pitch) {
  return checked(
      [&] {
        if (!reference || !address)
          throw Error(hipErrorNotFound, "`reference` or `address` is null");
      },
      [&] {
        return hipBindTexture2D(offset, reference, address, description, width, height, pitch);
      });
}

hipError_t hipBindTextureToArrayR0700(const textureReference *reference, hipArray_const_t array,
                                      const hipChannelFormatDesc *description) {
  return checked(
      [&] {
        if (!reference || !array || !description)
          throw Error(hipErrorInvalidChannelDescriptor,
                      "`reference`, `array` or `description` is null");
      },
      [&] { return hipBindTextureToArray(reference, array, description); });
}

hipError_t hipGetTextureAlignmentOffsetR0700(size_t *offset, const textureReference *reference) {
  return checked(
      [&] {
        if (!reference)
          throw Error(hipErrorInvalidTexture, "`reference` is null");
      },
      [&] { return hipGetTextureAlignmentOffset(offset, reference); });
}

HIP_API_END

#pragma GCC diagnostic pop
