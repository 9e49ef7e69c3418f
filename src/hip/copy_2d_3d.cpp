// HIP API reference: Memory management, memory with pitches, copies and fills of two and three dimensions.
#include "../common/align.h"
#include "../runtime/memory/box.h"
#include "entry.h"
#include "stream_work.h"

#include <format>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

/// Rows start where both textures and the device's memory like it.
constexpr size_t pitch_alignment = texture_alignment;

size_t pitch_for(size_t width) {
  if (width > max_pitch - (pitch_alignment - 1))
    throw Error(hipErrorInvalidValue, "the width is above the device's memPitch");
  return common::round_up(width, pitch_alignment);
}

void *allocate_rows(size_t pitch, size_t rows) {
  size_t bytes;
  if (__builtin_mul_overflow(pitch, rows, &bytes))
    throw Error(hipErrorOutOfMemory, "the sizes multiply to more bytes than the address space has");
  return allocate(AllocationKind::device, bytes, 0);
}

template <class Check>
hipError_t allocate_pitched(void **address, size_t *pitch, size_t width, size_t height,
                            const Check &check, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, CaptureRule::unsafe, [&] {
    check();
    required(address) = nullptr;
    required(pitch) = 0;
    if (width == 0 || height == 0) {
      Platform::get(); // nothing is asked for, and a null pointer is what HIP answers
      return;
    }
    const size_t rounded = pitch_for(width);
    *address = allocate_rows(rounded, height);
    *pitch = rounded;
  });
}

void check_row_pitch(size_t pitch, size_t width) {
  if (pitch < width)
    throw Error(hipErrorInvalidPitchValue,
                "the pitch of the source or the destination is less than the width");
}

hipError_t copy_2d(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                   size_t height, hipMemcpyKind kind, hipStream_t stream, bool per_thread,
                   Completion completion, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    StreamTarget target = resolve(stream, per_thread);
    const Box box{width, height};
    if (box.is_empty())
      return;
    if (!dst || !src)
      throw Error(hipErrorInvalidValue, "`dst` or `src` is null");
    check_row_pitch(dst_pitch, width);
    check_row_pitch(src_pitch, width);
    copy_box(side_of(dst, dst_pitch, 0, {}, box), side_of(src, src_pitch, 0, {}, box), box, kind,
             target, completion);
  });
}

/// One side of hipMemcpy3D: an array or memory.
BoxSide side_of_copy(hipArray_t array, const char *argument, hipPos position,
                     const hipPitchedPtr &memory, const Box &box) {
  if (array) {
    const auto found = find_array(array, argument, hipErrorInvalidValue);
    size_t x;
    if (__builtin_mul_overflow(position.x, found->element_bytes(), &x))
      throw Error(hipErrorInvalidValue,
                  std::format("the x position is past the edge of `{}`", argument));
    return side_of(*found, {x, position.y, position.z}, box);
  }
  if (memory.ptr)
    check_row_pitch(memory.pitch, box.width);
  return side_of(memory.ptr, memory.pitch, memory.ysize, {position.x, position.y, position.z}, box);
}

hipError_t copy_3d(const hipMemcpy3DParms *parameters, hipStream_t stream, bool per_thread,
                   Completion completion, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    const hipMemcpy3DParms &copy = required(parameters);
    chip::hip::copy_3d(copy, resolve(stream, per_thread), completion);
  });
}

/// One side of the driver functions' copies: the memory type says which of the addresses counts.
BoxSide side_of_copy(hipMemoryType type, const void *host, const void *device, hipArray_t array,
                     const char *array_member, size_t pitch, size_t rows, BoxOrigin origin,
                     const Box &box) {
  if (pitch == 0)
    pitch = origin.x + box.width; // rows without gaps
  switch (type) {
  case hipMemoryTypeArray:
    return side_of(*find_array(array, array_member, hipErrorInvalidValue), origin, box);
  case hipMemoryTypeUnregistered:
  case hipMemoryTypeHost:
    return side_of(host, pitch, rows, origin, box);
  case hipMemoryTypeDevice:
  case hipMemoryTypeManaged:
  case hipMemoryTypeUnified:
    return side_of(device, pitch, rows, origin, box);
  }
  throw Error(hipErrorInvalidValue, "`srcMemoryType` or `dstMemoryType` is not a hipMemoryType");
}

/// The kind that the memory types of the driver functions stand for.
hipMemcpyKind kind_of(hipMemoryType source, hipMemoryType destination) {
  const auto is_host = [](hipMemoryType type) {
    return type == hipMemoryTypeHost || type == hipMemoryTypeUnregistered;
  };
  const auto is_known = [&](hipMemoryType type) {
    return is_host(type) || type == hipMemoryTypeDevice || type == hipMemoryTypeArray;
  };
  if (!is_known(source) || !is_known(destination))
    return hipMemcpyDefault;
  if (is_host(source))
    return is_host(destination) ? hipMemcpyHostToHost : hipMemcpyHostToDevice;
  return is_host(destination) ? hipMemcpyDeviceToHost : hipMemcpyDeviceToDevice;
}

hipError_t copy_parameters(const hip_Memcpy2D *parameters, hipStream_t stream,
                           Completion completion, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    const hip_Memcpy2D &copy = required(parameters);
    StreamTarget target = resolve(stream);
    const Box box{copy.WidthInBytes, copy.Height};
    if (box.is_empty())
      return;
    copy_box(side_of_copy(copy.dstMemoryType, copy.dstHost, copy.dstDevice, copy.dstArray,
                          "dstArray", copy.dstPitch, 0, {copy.dstXInBytes, copy.dstY}, box),
             side_of_copy(copy.srcMemoryType, copy.srcHost, copy.srcDevice, copy.srcArray,
                          "srcArray", copy.srcPitch, 0, {copy.srcXInBytes, copy.srcY}, box),
             box, kind_of(copy.srcMemoryType, copy.dstMemoryType), target, completion);
  });
}

hipError_t copy_parameters(const HIP_MEMCPY3D *parameters, hipStream_t stream,
                           Completion completion, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    const HIP_MEMCPY3D &copy = required(parameters);
    chip::hip::copy_3d(copy, resolve(stream), completion);
  });
}

hipError_t fill_2d(void *dst, size_t pitch, int value, size_t width, size_t height,
                   hipStream_t stream, bool per_thread, Completion completion,
                   const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    StreamTarget target = resolve(stream, per_thread);
    const Box box{width, height};
    if (!box.is_empty())
      fill_box(side_of(dst, pitch, 0, {}, box), uint8_t(value), box, target, completion);
  });
}

hipError_t fill_3d(const hipPitchedPtr &memory, int value, hipExtent extent, hipStream_t stream,
                   bool per_thread, Completion completion,
                   const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    StreamTarget target = resolve(stream, per_thread);
    const Box box{extent.width, extent.height, extent.depth};
    if (!box.is_empty())
      fill_box(side_of(memory.ptr, memory.pitch, memory.ysize, {}, box), uint8_t(value), box,
               target, completion);
  });
}

} // namespace

void chip::hip::copy_3d(const hipMemcpy3DParms &copy, const StreamTarget &target,
                        Completion completion) {
  if ((copy.srcArray && copy.srcPtr.ptr) || (copy.dstArray && copy.dstPtr.ptr))
    throw Error(hipErrorInvalidValue,
                "`srcArray` and `srcPtr`, or `dstArray` and `dstPtr`, are both given");
  // The width counts elements as soon as an array takes part.
  Box box{copy.extent.width, copy.extent.height, copy.extent.depth};
  if (copy.srcArray || copy.dstArray) {
    const size_t element =
        (copy.srcArray ? find_array(copy.srcArray, "srcArray", hipErrorInvalidValue)
                       : find_array(copy.dstArray, "dstArray", hipErrorInvalidValue))
            ->element_bytes();
    if (copy.srcArray && copy.dstArray &&
        find_array(copy.dstArray, "dstArray", hipErrorInvalidValue)->element_bytes() != element)
      throw Error(hipErrorInvalidValue, "the elements of `srcArray` and `dstArray` differ in size");
    if (__builtin_mul_overflow(box.width, element, &box.width))
      throw Error(hipErrorInvalidValue, "`extent` is larger than the address space");
  }
  if (box.is_empty())
    return;
  copy_box(side_of_copy(copy.dstArray, "dstArray", copy.dstPos, copy.dstPtr, box),
           side_of_copy(copy.srcArray, "srcArray", copy.srcPos, copy.srcPtr, box), box, copy.kind,
           target, completion);
}

void chip::hip::copy_3d(const HIP_MEMCPY3D &copy, const StreamTarget &target,
                        Completion completion) {
  if (copy.srcLOD != 0 || copy.dstLOD != 0)
    throw Error(hipErrorInvalidValue, "`srcLOD` or `dstLOD` is not 0");
  const Box box{copy.WidthInBytes, copy.Height, copy.Depth};
  if (box.is_empty())
    return;
  copy_box(
      side_of_copy(copy.dstMemoryType, copy.dstHost, copy.dstDevice, copy.dstArray, "dstArray",
                   copy.dstPitch, copy.dstHeight, {copy.dstXInBytes, copy.dstY, copy.dstZ}, box),
      side_of_copy(copy.srcMemoryType, copy.srcHost, copy.srcDevice, copy.srcArray, "srcArray",
                   copy.srcPitch, copy.srcHeight, {copy.srcXInBytes, copy.srcY, copy.srcZ}, box),
      box, kind_of(copy.srcMemoryType, copy.dstMemoryType), target, completion);
}

hipError_t hipMallocPitch(void **address, size_t *pitch, size_t width, size_t height) {
  return allocate_pitched(address, pitch, width, height, [] {});
}

hipError_t hipMemAllocPitch(hipDeviceptr_t *address, size_t *pitch, size_t width_in_bytes,
                            size_t height, unsigned int element_bytes) {
  return allocate_pitched(address, pitch, width_in_bytes, height, [&] {
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
      throw Error(hipErrorInvalidValue, "`element_bytes` is not 4, 8 or 16");
    if (width_in_bytes == 0 || height == 0)
      throw Error(hipErrorInvalidValue, "`width_in_bytes` or `height` is 0");
  });
}

hipError_t hipMalloc3D(hipPitchedPtr *memory, hipExtent extent) {
  return entry(CaptureRule::unsafe, [&] {
    required(memory) = {};
    if (extent.width == 0 || extent.height == 0 || extent.depth == 0) {
      Platform::get();
      return;
    }
    const size_t pitch = pitch_for(extent.width);
    size_t rows;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
      throw Error(hipErrorOutOfMemory,
                  "the sizes multiply to more bytes than the address space has");
    *memory = {allocate_rows(pitch, rows), pitch, extent.width, extent.height};
  });
}

hipError_t hipMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                       size_t height, hipMemcpyKind kind) {
  return copy_2d(dst, dst_pitch, src, src_pitch, width, height, kind, nullptr, false,
                 Completion::wait);
}
hipError_t hipMemcpy2D_spt(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                           size_t width, size_t height, hipMemcpyKind kind) {
  return copy_2d(dst, dst_pitch, src, src_pitch, width, height, kind, nullptr, true,
                 Completion::wait);
}
hipError_t hipMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                            size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return copy_2d(dst, dst_pitch, src, src_pitch, width, height, kind, stream, false,
                 Completion::async);
}
hipError_t hipMemcpy2DAsync_spt(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                size_t width, size_t height, hipMemcpyKind kind,
                                hipStream_t stream) {
  return copy_2d(dst, dst_pitch, src, src_pitch, width, height, kind, stream, true,
                 Completion::async);
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D *copy) {
  return copy_parameters(copy, nullptr, Completion::wait);
}
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *copy, hipStream_t stream) {
  return copy_parameters(copy, stream, Completion::async);
}
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *copy) {
  return copy_parameters(copy, nullptr, Completion::wait);
}

hipError_t hipMemcpy3D(const hipMemcpy3DParms *copy) {
  return copy_3d(copy, nullptr, false, Completion::wait);
}
hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms *copy) {
  return copy_3d(copy, nullptr, true, Completion::wait);
}
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *copy, hipStream_t stream) {
  return copy_3d(copy, stream, false, Completion::async);
}
hipError_t hipMemcpy3DAsync_spt(const hipMemcpy3DParms *copy, hipStream_t stream) {
  return copy_3d(copy, stream, true, Completion::async);
}

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *copy) {
  return copy_parameters(copy, nullptr, Completion::wait);
}
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *copy, hipStream_t stream) {
  return copy_parameters(copy, stream, Completion::async);
}

hipError_t hipMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height) {
  return fill_2d(dst, pitch, value, width, height, nullptr, false, Completion::wait);
}
hipError_t hipMemset2D_spt(void *dst, size_t pitch, int value, size_t width, size_t height) {
  return fill_2d(dst, pitch, value, width, height, nullptr, true, Completion::wait);
}
hipError_t hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream) {
  return fill_2d(dst, pitch, value, width, height, stream, false, Completion::async);
}
hipError_t hipMemset2DAsync_spt(void *dst, size_t pitch, int value, size_t width, size_t height,
                                hipStream_t stream) {
  return fill_2d(dst, pitch, value, width, height, stream, true, Completion::async);
}

hipError_t hipMemset3D(hipPitchedPtr memory, int value, hipExtent extent) {
  return fill_3d(memory, value, extent, nullptr, false, Completion::wait);
}
hipError_t hipMemset3D_spt(hipPitchedPtr memory, int value, hipExtent extent) {
  return fill_3d(memory, value, extent, nullptr, true, Completion::wait);
}
hipError_t hipMemset3DAsync(hipPitchedPtr memory, int value, hipExtent extent, hipStream_t stream) {
  return fill_3d(memory, value, extent, stream, false, Completion::async);
}
hipError_t hipMemset3DAsync_spt(hipPitchedPtr memory, int value, hipExtent extent,
                                hipStream_t stream) {
  return fill_3d(memory, value, extent, stream, true, Completion::async);
}
