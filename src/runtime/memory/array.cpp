#include "array.h"
#include "memory.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <unordered_map>

size_t hipArray::element_bytes() const { return chip::element_bytes(element); }

namespace chip {
namespace {

/// All arrays by handle, so that a stale or foreign handle is told without being followed.
struct Arrays {
  std::mutex mutex;
  std::unordered_map<hipArray_const_t, std::unique_ptr<hipArray>>
      arrays; // null: a level, owned by its mipmapped array
  std::unordered_map<hipMipmappedArray_const_t, std::unique_ptr<MipmappedArray>> mipmapped;

  static Arrays &all() {
    static Arrays *const arrays = new Arrays; // calls may come after static destructors
    return *arrays;
  }
};

[[noreturn]] void reject(const char *reason) { throw Error(hipErrorInvalidValue, reason); }

void check_extent(hipExtent extent, unsigned flags) {
  constexpr unsigned known =
      hipArrayLayered | hipArraySurfaceLoadStore | hipArrayCubemap | hipArrayTextureGather;
  if (flags & ~known)
    reject("unknown array flags");
  const bool layered = flags & hipArrayLayered, cubemap = flags & hipArrayCubemap;
  if (extent.width == 0)
    reject("an array without width");
  if (extent.height == 0 && extent.depth != 0 && !layered)
    reject("an array with depth has a height");
  if (layered && extent.depth == 0)
    reject("a layered array has layers");
  if (cubemap && (extent.width != extent.height || extent.depth % 6 != 0 || extent.depth == 0 ||
                  (!layered && extent.depth != 6)))
    reject("a cube has six square faces");
  if ((flags & hipArrayTextureGather) && (extent.height == 0 || (extent.depth != 0 && !layered)))
    reject("what texture gather reads has two dimensions");
  const bool slices_are_layers = layered || cubemap;
  const size_t most = extent.height == 0                       ? max_array_1d
                      : extent.depth == 0 || slices_are_layers ? max_array_2d
                                                               : max_array_3d;
  if (extent.width > most || extent.height > most ||
      extent.depth > (slices_are_layers ? max_array_layers : max_array_3d))
    reject("an array larger than the device's properties allow");
}

/// The layout for an extent; returns the bytes that it takes.
size_t lay_out(hipArray &array) {
  // Rows begin where a cache line does, so that neighbouring rows never share one.
  constexpr size_t line = 64;
  const size_t row = array.row_bytes();
  array.pitch = array.extent.height > 1 ? (row + line - 1) / line * line : row;
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
  reject("no such array format");
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
    reject("an element has 1, 2 or 4 channels with as many bits");
  const bool is_float = element.f == hipChannelFormatKindFloat;
  if (!is_float && element.f != hipChannelFormatKindSigned &&
      element.f != hipChannelFormatKindUnsigned)
    reject("an element is signed, unsigned or floating point");
  if (bits[0] != 32 && bits[0] != 16 && (bits[0] != 8 || is_float))
    reject("a channel has 8, 16 or 32 bits");
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
    reject("an element has 1, 2 or 4 channels");
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind};
}

hipArray *create_array(const hipChannelFormatDesc &element, hipExtent extent, unsigned flags) {
  channel_count(element);
  check_extent(extent, flags);
  auto array = std::make_unique<hipArray>();
  array->device = &Platform::current_device();
  array->element = element;
  array->extent = extent;
  array->flags = flags;
  array->data = static_cast<std::byte *>(allocate(AllocationKind::device, lay_out(*array), 0));
  hipArray *handle = array.get();
  try {
    std::lock_guard lock(Arrays::all().mutex);
    Arrays::all().arrays.emplace(handle, std::move(array));
  } catch (...) {
    free_allocation(handle->data);
    throw;
  }
  return handle;
}

void destroy_array(hipArray *handle) {
  if (!handle)
    reject("no array to free");
  std::unique_ptr<hipArray> array;
  {
    std::lock_guard lock(Arrays::all().mutex);
    auto found = Arrays::all().arrays.find(handle);
    if (found == Arrays::all().arrays.end() || !found->second)
      throw Error(hipErrorContextIsDestroyed, "no array, or an array no longer, or a level of one");
    array = std::move(found->second);
    Arrays::all().arrays.erase(found);
  }
  free_allocation(array->data);
}

hipArray &find_array(hipArray_const_t array, hipError_t error) {
  std::lock_guard lock(Arrays::all().mutex);
  if (!array || !Arrays::all().arrays.contains(array))
    throw Error(error, "no array, or an array no longer");
  return const_cast<hipArray &>(*array);
}

MipmappedArray *create_mipmapped_array(const hipChannelFormatDesc &element, hipExtent extent,
                                       unsigned levels, unsigned flags) {
  const unsigned channels = channel_count(element);
  check_extent(extent, flags);
  const bool slices_are_layers = flags & (hipArrayLayered | hipArrayCubemap);
  const size_t longest =
      std::max({extent.width, extent.height, slices_are_layers ? 0 : extent.depth});
  levels = std::clamp(levels, 1u, unsigned(std::bit_width(longest)));

  auto array = std::make_unique<MipmappedArray>();
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
  MipmappedArray *handle = array.get();
  std::lock_guard lock(Arrays::all().mutex);
  for (auto &level : array->levels)
    Arrays::all().arrays.emplace(level.get(), nullptr);
  Arrays::all().mipmapped.emplace(handle, std::move(array));
  return handle;
}

void destroy_mipmapped_array(hipMipmappedArray_const_t handle) {
  if (!handle)
    reject("no array to free");
  std::unique_ptr<MipmappedArray> array;
  {
    Arrays &all = Arrays::all();
    std::lock_guard lock(all.mutex);
    auto found = all.mipmapped.find(handle);
    if (found == all.mipmapped.end())
      throw Error(hipErrorContextIsDestroyed, "no mipmapped array, or one no longer");
    array = std::move(found->second);
    all.mipmapped.erase(found);
    for (auto &level : array->levels)
      all.arrays.erase(level.get());
  }
  free_allocation(array->data);
}

MipmappedArray &find_mipmapped_array(hipMipmappedArray_const_t array, hipError_t error) {
  std::lock_guard lock(Arrays::all().mutex);
  auto found = Arrays::all().mipmapped.find(array);
  if (found == Arrays::all().mipmapped.end())
    throw Error(error, "no mipmapped array, or one no longer");
  return *found->second;
}

void forget_arrays(const Device &device) {
  Arrays &all = Arrays::all();
  std::lock_guard lock(all.mutex);
  std::erase_if(all.arrays, [&](const auto &entry) { return entry.first->device == &device; });
  std::erase_if(all.mipmapped,
                [&](const auto &entry) { return entry.second->levels[0]->device == &device; });
}

} // namespace chip
