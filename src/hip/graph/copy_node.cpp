// HIP API reference: Graph management, nodes that copy and fill memory.
#include "../../runtime/memory/box.h"
#include "../../runtime/platform/context.h"
#include "../stream_work.h"
#include "nodes.h"

#include <format>

using namespace chip;
using chip::hip::add_node;
using chip::hip::changed_copy_work;
using chip::hip::copy_work;
using chip::hip::copy_work_from_symbol;
using chip::hip::copy_work_to_symbol;
using chip::hip::fill_work;
using chip::hip::get_from_node;
using chip::hip::required;
using chip::hip::set_node;

namespace {

/// Throws hipErrorInvalidValue for null, which find_context() would call no context.
Device &device_of_node(hipCtx_t ctx) {
  if (!ctx)
    throw Error(hipErrorInvalidValue, "`ctx` is null");
  return find_context(ctx);
}

template <class Copy>
NodeWork box_work(const Copy &copy, Device &device = Platform::current_device()) {
  NodeWork work = collect_work(hipGraphNodeTypeMemcpy, device, [&](const StreamTarget &stream) {
    chip::hip::copy_3d(copy, stream, Completion::async);
  });
  work.set_copy(copy);
  return work;
}

/// `make(stream)` has `bytes` copied from `source` to `destination`, one of which may be inside of a variable.
template <class Make>
NodeWork line_work(void *destination, const void *source, size_t bytes, hipMemcpyKind kind,
                   const Make &make) {
  NodeWork work = collect_work(hipGraphNodeTypeMemcpy, Platform::current_device(), make);
  // The operation knows the place inside of a variable.
  if (!work.operations.empty())
    if (const auto *copy = std::get_if<operations::Copy>(&work.operations.front())) {
      destination = copy->destination;
      source = copy->source;
    }
  work.set_copy(hipMemcpy3DParms{.srcArray = nullptr,
                                 .srcPos = {},
                                 .srcPtr = {const_cast<void *>(source), bytes, bytes, 1},
                                 .dstArray = nullptr,
                                 .dstPos = {},
                                 .dstPtr = {destination, bytes, bytes, 1},
                                 .extent = {bytes, 1, 1},
                                 .kind = kind});
  return work;
}

/// What nodes ask of a copy between a variable and other memory that hipMemcpyToSymbol and hipMemcpyFromSymbol do not: that there is
/// something to copy, and that a copy from device to device is none of memory of the host.
void check_symbol_copy(const void *memory, const char *argument, size_t count, hipMemcpyKind kind) {
  if (!memory)
    throw Error(hipErrorInvalidValue, std::format("`{}` is null", argument));
  if (count == 0)
    throw Error(hipErrorInvalidValue, "`count` is 0");
  if (kind == hipMemcpyDeviceToDevice && is_ordinary_memory(memory, Platform::current_device()))
    throw Error(
        hipErrorInvalidValue,
        std::format("`{}` is memory of the host, but `kind` is hipMemcpyDeviceToDevice", argument));
}

size_t element_bytes_of(hipArray_t array, const char *argument) {
  return find_array(array, argument, hipErrorInvalidValue)->element_bytes();
}

hipMemoryType type_of_memory(const CopyPlace &place) {
  return place.is_array ? hipMemoryTypeArray
         : place.device ? hipMemoryTypeDevice
                        : hipMemoryTypeHost;
}

/// Throws hipErrorInvalidPitchValue for memory whose rows are shorter than those of the copy. Of a single row nobody needs to know
/// the pitch.
void check_pitch(const HIP_MEMCPY3D &copy) {
  const bool has_rows = copy.Height > 1 || copy.Depth > 1;
  const auto is_short = [&](hipMemoryType type, size_t pitch) {
    return type != hipMemoryTypeArray && pitch < copy.WidthInBytes && (has_rows || pitch != 0);
  };
  if (is_short(copy.srcMemoryType, copy.srcPitch) || is_short(copy.dstMemoryType, copy.dstPitch))
    throw Error(hipErrorInvalidPitchValue, "`srcPitch` or `dstPitch` is less than `WidthInBytes`");
}

/// What the runtime functions say of a copy, as the driver functions say it.
HIP_MEMCPY3D to_driver_form(const hipMemcpy3DParms &copy, const CopyRoute &route) {
  HIP_MEMCPY3D result{};
  const size_t source_element = copy.srcArray ? element_bytes_of(copy.srcArray, "srcArray") : 1;
  const size_t element = copy.dstArray ? element_bytes_of(copy.dstArray, "dstArray") : 1;
  result.srcXInBytes = copy.srcPos.x * source_element;
  result.srcY = copy.srcPos.y;
  result.srcZ = copy.srcPos.z;
  result.srcMemoryType = type_of_memory(route.from);
  if (result.srcMemoryType == hipMemoryTypeHost)
    result.srcHost = copy.srcPtr.ptr;
  else
    result.srcDevice = copy.srcPtr.ptr;
  result.srcArray = copy.srcArray;
  result.srcPitch = copy.srcPtr.pitch;
  result.srcHeight = copy.srcPtr.ysize;
  result.dstXInBytes = copy.dstPos.x * element;
  result.dstY = copy.dstPos.y;
  result.dstZ = copy.dstPos.z;
  result.dstMemoryType = type_of_memory(route.to);
  if (result.dstMemoryType == hipMemoryTypeHost)
    result.dstHost = copy.dstPtr.ptr;
  else
    result.dstDevice = copy.dstPtr.ptr;
  result.dstArray = copy.dstArray;
  result.dstPitch = copy.dstPtr.pitch;
  result.dstHeight = copy.dstPtr.ysize;
  result.WidthInBytes = copy.extent.width * (copy.srcArray ? source_element : element);
  result.Height = copy.extent.height;
  result.Depth = copy.extent.depth;
  return result;
}

/// The address of one side of a copy in the form of the driver functions; null for an array.
void *address_of(hipMemoryType type, const void *host, const void *device) {
  if (type == hipMemoryTypeArray)
    return nullptr;
  const bool is_host = type == hipMemoryTypeHost || type == hipMemoryTypeUnregistered;
  return const_cast<void *>(is_host ? host : device);
}

hipMemcpy3DParms to_runtime_form(const HIP_MEMCPY3D &copy) {
  hipMemcpy3DParms result{};
  const bool from_array = copy.srcMemoryType == hipMemoryTypeArray;
  const bool to_array = copy.dstMemoryType == hipMemoryTypeArray;
  const size_t source_element = from_array ? element_bytes_of(copy.srcArray, "srcArray") : 1;
  const size_t element = to_array ? element_bytes_of(copy.dstArray, "dstArray") : 1;
  result.srcArray = from_array ? copy.srcArray : nullptr;
  result.srcPos = {copy.srcXInBytes / source_element, copy.srcY, copy.srcZ};
  if (!from_array)
    result.srcPtr = {address_of(copy.srcMemoryType, copy.srcHost, copy.srcDevice), copy.srcPitch,
                     copy.WidthInBytes, copy.srcHeight};
  result.dstArray = to_array ? copy.dstArray : nullptr;
  result.dstPos = {copy.dstXInBytes / element, copy.dstY, copy.dstZ};
  if (!to_array)
    result.dstPtr = {address_of(copy.dstMemoryType, copy.dstHost, copy.dstDevice), copy.dstPitch,
                     copy.WidthInBytes, copy.dstHeight};
  result.extent = {copy.WidthInBytes / (from_array ? source_element : element), copy.Height,
                   copy.Depth};
  result.kind = hipMemcpyDefault;
  return result;
}

} // namespace

NodeWork chip::hip::copy_work(const hipMemcpy3DParms &copy) { return box_work(copy); }
NodeWork chip::hip::copy_work(const HIP_MEMCPY3D &copy) { return box_work(copy); }
NodeWork chip::hip::copy_work(const HIP_MEMCPY3D &copy, hipCtx_t ctx) {
  return box_work(copy, device_of_node(ctx));
}

NodeWork chip::hip::copy_work(void *dst, const void *src, size_t count, hipMemcpyKind kind) {
  if (!dst || !src)
    throw Error(hipErrorInvalidValue, dst ? "`src` is null" : "`dst` is null");
  return line_work(dst, src, count, kind, [&](const StreamTarget &stream) {
    copy_memory(dst, src, count, kind, stream, Completion::async);
  });
}

NodeWork chip::hip::changed_copy_work(void *dst, const void *src, size_t count,
                                      hipMemcpyKind kind) {
  if (count == 0 || dst == src)
    throw Error(hipErrorInvalidValue, count == 0 ? "`count` is 0" : "`dst` is `src`");
  return copy_work(dst, src, count, kind);
}

NodeWork chip::hip::copy_work_from_symbol(void *dst, const void *symbol, size_t count,
                                          size_t offset, hipMemcpyKind kind) {
  chip::hip::check_from_symbol(kind);
  check_symbol_copy(dst, "dst", count, kind);
  return line_work(dst, symbol, count, kind, [&](const StreamTarget &stream) {
    chip::hip::copy_from_symbol(dst, symbol, count, offset, kind, stream, Completion::async);
  });
}

NodeWork chip::hip::copy_work_to_symbol(const void *symbol, const void *src, size_t count,
                                        size_t offset, hipMemcpyKind kind) {
  chip::hip::check_to_symbol(kind);
  check_symbol_copy(src, "src", count, kind);
  return line_work(const_cast<void *>(symbol), src, count, kind, [&](const StreamTarget &stream) {
    chip::hip::copy_to_symbol(symbol, src, count, offset, kind, stream, Completion::async);
  });
}

NodeWork chip::hip::fill_work(const hipMemsetParams &fill) {
  if (!fill.dst)
    throw Error(hipErrorInvalidValue, "`dst` is null");
  if (fill.elementSize != 1 && fill.elementSize != 2 && fill.elementSize != 4)
    throw Error(hipErrorInvalidValue, "`elementSize` is not 1, 2 or 4");
  if (fill.height == 0)
    throw Error(hipErrorInvalidValue, "`height` is 0");
  size_t row;
  if (__builtin_mul_overflow(fill.width, size_t(fill.elementSize), &row))
    throw Error(hipErrorInvalidValue, "`width` passes the end of the address space");
  const auto allocation = find_allocation(fill.dst);
  NodeWork work = collect_work(hipGraphNodeTypeMemset,
                               allocation ? *allocation->device : Platform::current_device(),
                               [&](const StreamTarget &stream) {
                                 if (fill.height == 1)
                                   return fill_memory(fill.dst, fill.value, fill.elementSize,
                                                      fill.width, stream, Completion::async);
                                 const Box box{row, fill.height};
                                 fill_box(side_of(fill.dst, fill.pitch, 0, {}, box), fill.value,
                                          box, stream, Completion::async, fill.elementSize);
                               });
  work.details = fill;
  return work;
}

NodeWork chip::hip::fill_work(const HIP_MEMSET_NODE_PARAMS &fill, hipCtx_t ctx) {
  device_of_node(ctx);
  return fill_work(hipMemsetParams{.dst = fill.dst,
                                   .elementSize = fill.elementSize,
                                   .height = fill.height,
                                   .pitch = fill.pitch,
                                   .value = fill.value,
                                   .width = fill.width});
}

// ---- Copies

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph,
                                 const hipGraphNode_t *dependencies, size_t dependency_count,
                                 const hipMemcpy3DParms *copy) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return copy_work(required(copy)); });
}

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *node, hipGraph_t graph,
                                   const hipGraphNode_t *dependencies, size_t dependency_count,
                                   void *dst, const void *src, size_t count, hipMemcpyKind kind) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return copy_work(dst, src, count, kind); });
}

hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t *node, hipGraph_t graph,
                                           const hipGraphNode_t *dependencies,
                                           size_t dependency_count, void *dst, const void *symbol,
                                           size_t count, size_t offset, hipMemcpyKind kind) {
  return add_node(node, graph, dependencies, dependency_count, [&](const Graph &) {
    return copy_work_from_symbol(dst, symbol, count, offset, kind);
  });
}

hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t *node, hipGraph_t graph,
                                         const hipGraphNode_t *dependencies,
                                         size_t dependency_count, const void *symbol,
                                         const void *src, size_t count, size_t offset,
                                         hipMemcpyKind kind) {
  return add_node(node, graph, dependencies, dependency_count, [&](const Graph &) {
    return copy_work_to_symbol(symbol, src, count, offset, kind);
  });
}

hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph,
                                    const hipGraphNode_t *dependencies, size_t dependency_count,
                                    const HIP_MEMCPY3D *copy, hipCtx_t ctx) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return copy_work(required(copy), ctx); });
}

hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms *params) {
  return get_from_node(node, hipGraphNodeTypeMemcpy, params, [](const GraphNode &found) {
    if (const auto *copy = found.work->find<HIP_MEMCPY3D>())
      return to_runtime_form(*copy);
    return *found.work->find<hipMemcpy3DParms>();
  });
}

hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms *params) {
  return set_node(node, hipGraphNodeTypeMemcpy,
                  [&](const NodeWork &) { return copy_work(required(params)); });
}

hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *dst, const void *src,
                                         size_t count, hipMemcpyKind kind) {
  return set_node(node, hipGraphNodeTypeMemcpy,
                  [&](const NodeWork &) { return changed_copy_work(dst, src, count, kind); });
}

hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void *dst, const void *symbol,
                                                 size_t count, size_t offset, hipMemcpyKind kind) {
  return set_node(node, hipGraphNodeTypeMemcpy, [&](const NodeWork &) {
    return copy_work_from_symbol(dst, symbol, count, offset, kind);
  });
}

hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void *symbol,
                                               const void *src, size_t count, size_t offset,
                                               hipMemcpyKind kind) {
  return set_node(node, hipGraphNodeTypeMemcpy, [&](const NodeWork &) {
    return copy_work_to_symbol(symbol, src, count, offset, kind);
  });
}

hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t node, HIP_MEMCPY3D *params) {
  return get_from_node(node, hipGraphNodeTypeMemcpy, params, [](const GraphNode &found) {
    if (const auto *copy = found.work->find<hipMemcpy3DParms>())
      return to_driver_form(*copy, found.work->route);
    return *found.work->find<HIP_MEMCPY3D>();
  });
}

hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t node, const HIP_MEMCPY3D *params) {
  return set_node(node, hipGraphNodeTypeMemcpy, [&](const NodeWork &) {
    check_pitch(required(params));
    return copy_work(*params);
  });
}

// ---- Fills

hipError_t hipGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph,
                                 const hipGraphNode_t *dependencies, size_t dependency_count,
                                 const hipMemsetParams *params) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return fill_work(required(params)); });
}

hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph,
                                    const hipGraphNode_t *dependencies, size_t dependency_count,
                                    const HIP_MEMSET_NODE_PARAMS *params, hipCtx_t ctx) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return fill_work(required(params), ctx); });
}

hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *params) {
  return get_from_node(node, hipGraphNodeTypeMemset, params,
                       [](const GraphNode &found) { return *found.work->find<hipMemsetParams>(); });
}

hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams *params) {
  return set_node(node, hipGraphNodeTypeMemset,
                  [&](const NodeWork &) { return fill_work(required(params)); });
}
