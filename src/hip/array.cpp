// HIP API reference: Memory management, arrays.
#include "../runtime/memory/array.h"
#include "entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::make_into;
using chip::hip::required;

namespace {

hipError_t create(hipArray_t *array, const hipChannelFormatDesc *element, hipExtent extent,
                  unsigned flags, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, CaptureRule::unsafe, [&] {
    make_into(array, [&] { return create_array(required(element), extent, flags); });
  });
}

} // namespace

hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *description, size_t width,
                          size_t height, unsigned int flags) {
  return create(array, description, {width, height, 0}, flags);
}

hipError_t hipMalloc3DArray(hipArray_t *array, const hipChannelFormatDesc *description,
                            hipExtent extent, unsigned int flags) {
  return create(array, description, extent, flags);
}

hipError_t hipArrayCreate(hipArray_t *array, const HIP_ARRAY_DESCRIPTOR *description) {
  return entry(CaptureRule::unsafe, [&] {
    required(array);
    auto &[width, height, format, channels] = required(description);
    *array = create_array(to_element(format, channels), {width, height, 0}, hipArrayDefault);
  });
}

hipError_t hipArray3DCreate(hipArray_t *array, const HIP_ARRAY3D_DESCRIPTOR *description) {
  return entry(CaptureRule::unsafe, [&] {
    required(array);
    auto &[width, height, depth, format, channels, flags] = required(description);
    *array = create_array(to_element(format, channels), {width, height, depth}, flags);
  });
}

hipError_t hipFreeArray(hipArray_t array) {
  return entry(CaptureRule::unsafe, [&] { destroy_array(array); });
}
hipError_t hipArrayDestroy(hipArray_t array) {
  return entry(CaptureRule::unsafe, [&] { destroy_array(array); });
}

hipError_t hipArrayGetInfo(hipChannelFormatDesc *description, hipExtent *extent,
                           unsigned int *flags, hipArray_t array) {
  return entry(CaptureRule::unsafe, [&] {
    const auto found = find_array(array, "array");
    if (description)
      *description = found->element;
    if (extent)
      *extent = found->extent;
    if (flags)
      *flags = found->flags;
  });
}

hipError_t hipGetChannelDesc(hipChannelFormatDesc *description, hipArray_const_t array) {
  return entry([&] {
    required(description);
    *description = find_array(array, "array")->element;
  });
}

hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR *description, hipArray_t array) {
  return entry(CaptureRule::unsafe, [&] {
    required(description);
    const auto found = find_array(array, "array");
    *description = {found->extent.width, found->extent.height, to_format(found->element),
                    channel_count(found->element)};
  });
}

hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR *description, hipArray_t array) {
  return entry(CaptureRule::unsafe, [&] {
    required(description);
    const auto found = find_array(array, "array");
    *description = {found->extent.width,       found->extent.height,          found->extent.depth,
                    to_format(found->element), channel_count(found->element), found->flags};
  });
}

hipError_t hipMallocMipmappedArray(hipMipmappedArray_t *array,
                                   const hipChannelFormatDesc *description, hipExtent extent,
                                   unsigned int levels, unsigned int flags) {
  return entry(CaptureRule::unsafe, [&] {
    Platform::get();
    make_into(array,
              [&] { return create_mipmapped_array(required(description), extent, levels, flags); });
  });
}

hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t *array, HIP_ARRAY3D_DESCRIPTOR *description,
                                   unsigned int levels) {
  return entry(CaptureRule::unsafe, [&] {
    required(array);
    auto &[width, height, depth, format, channels, flags] = required(description);
    *array =
        create_mipmapped_array(to_element(format, channels), {width, height, depth}, levels, flags);
  });
}

hipError_t hipFreeMipmappedArray(hipMipmappedArray_t array) {
  return entry(CaptureRule::unsafe, [&] { destroy_mipmapped_array(array); });
}
hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t array) {
  return entry(CaptureRule::unsafe, [&] { destroy_mipmapped_array(array); });
}

hipError_t hipGetMipmappedArrayLevel(hipArray_t *level_array, hipMipmappedArray_const_t array,
                                     unsigned int level) {
  return entry(CaptureRule::unsafe, [&] {
    required(level_array);
    const auto found = find_mipmapped_array(array, hipErrorInvalidHandle);
    if (level >= found->levels.size())
      throw Error(hipErrorInvalidValue, "`level` is not less than the number of levels of `array`");
    *level_array = found->levels[level].get();
  });
}
hipError_t hipMipmappedArrayGetLevel(hipArray_t *level_array, hipMipmappedArray_t array,
                                     unsigned int level) {
  return hipGetMipmappedArrayLevel(level_array, array, level);
}

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f) {
  return {x, y, z, w, f};
}
