#include "array.h"
#include "../../common/align.h"
#include "../../common/handle_table.h"
#include "memory.h"

#include <algorithm>
#include <bit>
#include <format>

size_t hipArray::element_bytes() const { return chip::element_bytes(element); }

namespace chip {
namespace {

// Both outlive static destructors, which may use arrays.
common::HandleTable<hipArray> &
arrays() { // with the levels of mipmapped arrays, which share their owners
  static auto &all = *new common::HandleTable<hipArray>;
  return all;
}
common::HandleTable<MipmappedArray> &mipmapped_arrays() {
  static auto &all = *new common::HandleTable<MipmappedArray>;
  return all;
}

[[noreturn]] void reject(const char *reason) { throw Error(hipErrorInvalidValue, reason); }

void check_extent(hipExtent extent, unsigned flags) {
  constexpr unsigned known =
      hipArrayLayered | hipArraySurfaceLoadStore | hipArrayCubemap | hipArrayTextureGather;
  if (flags & ~known)
    reject("`flags` has bits that are not hipArray flags");
  const bool layered = flags & hipArrayLayered, cubemap = flags & hipArrayCubemap;
  if (extent.width == 0)
    reject("the width of the array is 0");
  if (extent.height == 0 && extent.depth != 0 && !layered)
    reject("the height of the array is 0, its depth is not");
  if (layered && extent.depth == 0)
    reject("the depth of a layered array, its number of layers, is 0");
  if (cubemap && (extent.width != extent.height || extent.depth % 6 != 0 || extent.depth == 0 ||
                  (!layered && extent.depth != 6)))
    reject("a cubemap array is not as high as wide, or its depth is not 6 for each cube");
  if ((flags & hipArrayTextureGather) && (extent.height == 0 || (extent.depth != 0 && !layered)))
    reject("an array with hipArrayTextureGather does not have two dimensions");
  const bool slices_are_layers = layered || cubemap;
  const size_t most = extent.height == 0                       ? max_array_1d
                      : extent.depth == 0 || slices_are_layers ? max_array_2d
                                                               : max_array_3d;
  if (extent.width > most || extent.height > most ||
      extent.depth > (slices_are_layers ? max_array_layers : max_array_3d))
    reject("a size of the array is more than the device's properties allow");
}

/// The layout for an extent; returns the bytes that it takes.
size_t lay_out(hipArray &array) {
  // Rows begin where a cache line does, so that neighbouring rows never share one.
  constexpr size_t line = 64;
  const size_t row = array.row_bytes();
  array.pitch = array.extent.height > 1 ? common::round_up(row, line) : row;
  array.slice_pitch = array.pitch * array.rows();
  return array.slice_pitch * array.slices();
}

unsigned format_bits(hipArray_Format format) {
  switch (format) {
  case HIP_AD_FORMAT_UNSIGNED_INT8:
  case HIP_AD_FORMAT_SIGNED_INT8:
    return 8;
  case HIP_AD_FORMAT_UNSIGNED_INT16:
  case HIP_AD_FORMAT_SIGNED_INT16:
  case HIP_AD_FORMAT_HALF:
    return 16;
  case HIP_AD_FORMAT_UNSIGNED_INT32:
  case HIP_AD_FORMAT_SIGNED_INT32:
  case HIP_AD_FORMAT_FLOAT:
    return 32;
  }
  reject("the format is not a hipArray_Format");
}

} // namespace

unsigned channel_count(const hipChannelFormatDesc &element) {
  const int bits[] = {element.x, element.y, element.z, element.w};
  unsigned channels = 0;
  while (channels < 4 && bits[channels] != 0)
    ++channels;
  if (channels == 0 || channels == 3 ||
      !std::all_of(bits, bits + channels, [&](int b) { return b == bits[0]; }) ||
      !std::all_of(bits + channels, bits + 4, [](int b) { return b == 0; }))
    reject("the element does not have 1, 2 or 4 channels with the same number of bits");
  const bool is_float = element.f == hipChannelFormatKindFloat;
  if (!is_float && element.f != hipChannelFormatKindSigned &&
      element.f != hipChannelFormatKindUnsigned)
    reject("the channels of the element are not signed, unsigned or floating point");
  if (bits[0] != 32 && bits[0] != 16 && (bits[0] != 8 || is_float))
    reject(
        "a channel of the element does not have 8, 16 or 32 bits, or 16 or 32 for floating point");
  return channels;
}

size_t element_bytes(const hipChannelFormatDesc &element) {
  return size_t(element.x + element.y + element.z + element.w) / 8;
}

hipArray_Format to_format(const hipChannelFormatDesc &element) {
  const unsigned wider = element.x == 32 ? 2 : element.x == 16 ? 1 : 0;
  switch (element.f) {
  case hipChannelFormatKindSigned:
    return hipArray_Format(HIP_AD_FORMAT_SIGNED_INT8 + wider);
  case hipChannelFormatKindUnsigned:
    return hipArray_Format(HIP_AD_FORMAT_UNSIGNED_INT8 + wider);
  default:
    return element.x == 16 ? HIP_AD_FORMAT_HALF : HIP_AD_FORMAT_FLOAT;
  }
}

hipChannelFormatDesc to_element(hipArray_Format format, unsigned channels) {
  const int bits = int(format_bits(format));
  hipChannelFormatKind kind = hipChannelFormatKindUnsigned;
  if (format == HIP_AD_FORMAT_HALF || format == HIP_AD_FORMAT_FLOAT)
    kind = hipChannelFormatKindFloat;
  else if (format >= HIP_AD_FORMAT_SIGNED_INT8)
    kind = hipChannelFormatKindSigned;
  if (channels != 1 && channels != 2 && channels != 4)
    reject("the number of channels is not 1, 2 or 4");
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind};
}

hipArray *create_array(const hipChannelFormatDesc &element, hipExtent extent, unsigned flags) {
  channel_count(element);
  check_extent(extent, flags);
  auto array = std::make_shared<hipArray>();
  array->device = &Platform::current_device();
  array->element = element;
  array->extent = extent;
  array->flags = flags;
  array->data = static_cast<std::byte *>(allocate(AllocationKind::device, lay_out(*array), 0));
  try {
    return arrays().add(array);
  } catch (...) {
    free_allocation(array->data);
    throw;
  }
}

void destroy_array(hipArray *handle) {
  if (!handle)
    reject("`array` is null");
  const auto array = arrays().take_if(handle, [](const hipArray &a) { return !a.is_level; });
  if (!array)
    throw Error(hipErrorContextIsDestroyed,
                "`array` is not a live hipArray_t, or is a level of a mipmapped array");
  free_allocation(array->data);
}

std::shared_ptr<hipArray> find_array(hipArray_const_t handle, const char *argument,
                                     hipError_t error) {
  auto array = arrays().find(handle);
  if (!array)
    throw Error(error, std::format("`{}` is not a live hipArray_t", argument));
  return array;
}

bool is_array(hipArray_const_t handle) { return arrays().find(handle) != nullptr; }

MipmappedArray *create_mipmapped_array(const hipChannelFormatDesc &element, hipExtent extent,
                                       unsigned levels, unsigned flags) {
  const unsigned channels = channel_count(element);
  check_extent(extent, flags);
  const bool slices_are_layers = flags & (hipArrayLayered | hipArrayCubemap);
  const size_t longest =
      std::max({extent.width, extent.height, slices_are_layers ? 0 : extent.depth});
  levels = std::clamp(levels, 1u, unsigned(std::bit_width(longest)));

  auto array = std::make_shared<MipmappedArray>();
  std::vector<size_t> offsets;
  size_t bytes = 0;
  for (unsigned i = 0; i < levels; ++i) {
    auto level = std::make_unique<hipArray>();
    level->device = &Platform::current_device();
    level->element = element;
    auto smaller = [&](size_t size) { return size ? std::max<size_t>(size >> i, 1) : 0; };
    level->extent = {smaller(extent.width), smaller(extent.height),
                     slices_are_layers ? extent.depth : smaller(extent.depth)};
    level->flags = flags;
    level->is_level = true;
    offsets.push_back(bytes);
    bytes += (lay_out(*level) + 255) / 256 * 256;
    array->levels.push_back(std::move(level));
  }
  array->desc = element;
  array->width = unsigned(extent.width);
  array->height = unsigned(extent.height);
  array->depth = unsigned(extent.depth);
  array->min_mipmap_level = 0;
  array->max_mipmap_level = levels - 1;
  array->flags = flags;
  array->format = to_format(element);
  array->num_channels = channels;
  array->data = allocate(AllocationKind::device, bytes, 0);
  for (unsigned i = 0; i < levels; ++i)
    array->levels[i]->data = static_cast<std::byte *>(array->data) + offsets[i];
  try {
    for (auto &level : array->levels)
      arrays().add(std::shared_ptr<hipArray>(array, level.get()));
    return mipmapped_arrays().add(array);
  } catch (...) {
    for (auto &level : array->levels)
      arrays().take(level.get());
    free_allocation(array->data);
    throw;
  }
}

void destroy_mipmapped_array(hipMipmappedArray_const_t handle) {
  if (!handle)
    reject("`array` is null");
  const auto array = mipmapped_arrays().take(handle);
  if (!array)
    throw Error(hipErrorContextIsDestroyed, "`array` is not a live hipMipmappedArray_t");
  for (auto &level : array->levels)
    arrays().take(level.get());
  free_allocation(array->data);
}

std::shared_ptr<MipmappedArray> find_mipmapped_array(hipMipmappedArray_const_t handle,
                                                     hipError_t error) {
  auto array = mipmapped_arrays().find(handle);
  if (!array)
    throw Error(error, "`array` is not a live hipMipmappedArray_t");
  return array;
}

void forget_arrays(const Device &device) {
  arrays().take_all_if([&](const hipArray &array) { return array.device == &device; });
  mipmapped_arrays().take_all_if(
      [&](const MipmappedArray &array) { return array.levels[0]->device == &device; });
}

} // namespace chip
