// HIP 7: batches of copies, copies between devices of three dimensions, fills of elements in two.
#include "../../runtime/memory/box.h"
#include "../entry.h"
#include "../stream_work.h"
#include "batch.h"

#include <algorithm>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;
using chip::hip::SharedDescriptions;

namespace {

/// When a copy may return, by when its source may be read. To read it before the call returns is to wait for it.
Completion completion_for(hipMemcpySrcAccessOrder order) {
  switch (order) {
  case hipMemcpySrcAccessOrderStream:
  case hipMemcpySrcAccessOrderAny:
    return Completion::async;
  case hipMemcpySrcAccessOrderDuringApiCall:
    return Completion::wait;
  default:
    throw Error(hipErrorInvalidValue, "an order of access is not a hipMemcpySrcAccessOrder");
  }
}

/// Calls `copy(i)` for each copy. `failed`, if given, tells at which one this ended.
template <class Copy> void copy_each(size_t count, size_t *failed, const Copy &copy) {
  for (size_t i = 0; i < count; ++i) {
    if (failed)
      *failed = i;
    copy(i);
  }
  if (failed)
    *failed = SIZE_MAX;
}

void check_attributes(const hipMemcpyAttributes &attributes) {
  completion_for(attributes.srcAccessOrder);
  if (attributes.flags & ~unsigned(hipMemcpyFlagPreferOverlapWithCompute))
    throw Error(hipErrorInvalidValue, "`flags` of an attribute is not made of hipMemcpyFlags");
}

// ---- Boxes

size_t element_bytes(const hipMemcpy3DOperand &operand, const char *argument) {
  if (operand.type == hipMemcpyOperandTypeArray)
    return find_array(operand.op.array.array, argument, hipErrorInvalidValue)->element_bytes();
  if (operand.type != hipMemcpyOperandTypePointer)
    throw Error(hipErrorInvalidValue, "the type of an operand is not a hipMemcpy3DOperandType");
  return 0;
}

size_t in_bytes(size_t elements, size_t element) {
  size_t bytes;
  if (__builtin_mul_overflow(elements, element, &bytes))
    throw Error(hipErrorInvalidValue, "a size of an operation is above the address space");
  return bytes;
}

BoxSide side_of(const hipMemcpy3DOperand &operand, const char *argument, const hipExtent &extent,
                size_t element, const Box &box) {
  if (operand.type == hipMemcpyOperandTypeArray) {
    const auto &[array, offset] = operand.op.array;
    return side_of(*find_array(array, argument, hipErrorInvalidValue),
                   {in_bytes(offset.x, element), offset.y, offset.z}, box);
  }
  const auto &memory = operand.op.ptr;
  return side_of(memory.ptr,
                 in_bytes(memory.rowLength != 0 ? memory.rowLength : extent.width, element),
                 memory.layerHeight != 0 ? memory.layerHeight : extent.height, {}, box);
}

void copy_operation(const hipMemcpy3DBatchOp &operation, const StreamTarget &stream) {
  const Completion completion = completion_for(operation.srcAccessOrder);
  if (operation.flags & ~unsigned(hipMemcpyFlagPreferOverlapWithCompute))
    throw Error(hipErrorInvalidValue, "`flags` of an operation is not made of hipMemcpyFlags");
  const size_t from = element_bytes(operation.src, "src"), to = element_bytes(operation.dst, "dst");
  if (from && to && from != to)
    throw Error(hipErrorInvalidValue, "the elements of two arrays differ in size");
  const size_t element = from ? from : to ? to : 1;
  const hipExtent &extent = operation.extent;
  const Box box{in_bytes(extent.width, element), extent.height, extent.depth};
  if (box.is_empty())
    return;
  copy_box(side_of(operation.dst, "dst", extent, element, box),
           side_of(operation.src, "src", extent, element, box), box, hipMemcpyDefault, stream,
           completion);
}

hipError_t copy_between_devices(const hipMemcpy3DPeerParms *parameters, hipStream_t stream,
                                Completion completion,
                                const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    const StreamTarget target = resolve(stream);
    const hipMemcpy3DPeerParms &copy = required(parameters);
    for (const int device : {copy.srcDevice, copy.dstDevice})
      Platform::get().device(device);
    // The addresses say which devices they are.
    chip::hip::copy_3d(hipMemcpy3DParms{.srcArray = copy.srcArray,
                                        .srcPos = copy.srcPos,
                                        .srcPtr = copy.srcPtr,
                                        .dstArray = copy.dstArray,
                                        .dstPos = copy.dstPos,
                                        .dstPtr = copy.dstPtr,
                                        .extent = copy.extent,
                                        .kind = hipMemcpyDefault},
                       target, completion);
  });
}

hipError_t fill(hipDeviceptr_t dst, size_t pitch, uint32_t value, size_t element, size_t width,
                size_t height, hipStream_t stream, Completion completion,
                const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    const StreamTarget target = resolve(stream);
    const Box box{in_bytes(width, element), height};
    if (!box.is_empty())
      fill_box(side_of(dst, pitch, 0, {}, box), value, box, target, completion, element);
  });
}

} // namespace

hipError_t hipMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                               hipMemcpyAttributes *attributes, size_t *attribute_indices,
                               size_t attribute_count, size_t *failed, hipStream_t stream) {
  return entry([&] {
    if (failed)
      *failed = SIZE_MAX;
    const StreamTarget target = resolve(stream);
    if (!dsts || !srcs || !sizes || count == 0)
      throw Error(hipErrorInvalidValue, "`dsts`, `srcs` or `sizes` is null, or `count` is 0");
    const SharedDescriptions all(attributes, attribute_indices, attribute_count, count,
                                 "attributes");
    std::ranges::for_each(all.all(), check_attributes);
    copy_each(count, failed, [&](size_t i) {
      if (!dsts[i] || !srcs[i] || sizes[i] == 0)
        throw Error(hipErrorInvalidValue,
                    "an element of `dsts` or `srcs` is null, or one of `sizes` is 0");
      const hipMemcpyAttributes *own = all.of(i);
      copy_memory(dsts[i], srcs[i], sizes[i], hipMemcpyDefault, target,
                  own ? completion_for(own->srcAccessOrder) : Completion::async);
    });
  });
}

hipError_t hipMemcpy3DBatchAsync(size_t count, hipMemcpy3DBatchOp *operations, size_t *failed,
                                 unsigned long long flags, hipStream_t stream) {
  return entry([&] {
    if (failed)
      *failed = SIZE_MAX;
    const StreamTarget target = resolve(stream);
    if (!operations || count == 0 || flags != 0)
      throw Error(hipErrorInvalidValue, "`operations` is null, `count` is 0, or `flags` is not 0");
    copy_each(count, failed, [&](size_t i) { copy_operation(operations[i], target); });
  });
}

hipError_t hipMemcpy3DPeer(hipMemcpy3DPeerParms *copy) {
  return copy_between_devices(copy, nullptr, Completion::wait);
}
hipError_t hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms *copy, hipStream_t stream) {
  return copy_between_devices(copy, stream, Completion::async);
}

hipError_t hipMemsetD2D8(hipDeviceptr_t dst, size_t pitch, unsigned char value, size_t width,
                         size_t height) {
  return fill(dst, pitch, value, 1, width, height, nullptr, Completion::wait);
}
hipError_t hipMemsetD2D8Async(hipDeviceptr_t dst, size_t pitch, unsigned char value, size_t width,
                              size_t height, hipStream_t stream) {
  return fill(dst, pitch, value, 1, width, height, stream, Completion::async);
}
hipError_t hipMemsetD2D16(hipDeviceptr_t dst, size_t pitch, unsigned short value, size_t width,
                          size_t height) {
  return fill(dst, pitch, value, 2, width, height, nullptr, Completion::wait);
}
hipError_t hipMemsetD2D16Async(hipDeviceptr_t dst, size_t pitch, unsigned short value, size_t width,
                               size_t height, hipStream_t stream) {
  return fill(dst, pitch, value, 2, width, height, stream, Completion::async);
}
hipError_t hipMemsetD2D32(hipDeviceptr_t dst, size_t pitch, unsigned int value, size_t width,
                          size_t height) {
  return fill(dst, pitch, value, 4, width, height, nullptr, Completion::wait);
}
hipError_t hipMemsetD2D32Async(hipDeviceptr_t dst, size_t pitch, unsigned int value, size_t width,
                               size_t height, hipStream_t stream) {
  return fill(dst, pitch, value, 4, width, height, stream, Completion::async);
}
