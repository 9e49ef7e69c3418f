#include "texture.h"
#include "../../common/guarded.h"
#include "../../common/handle_table.h"
#include "../memory/box.h"
#include "../memory/memory.h"
#include "../operations/copy.h"

#include <hip/spirv_detail/textures/texture_descriptor.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace chip {
namespace {

using chip_device::TextureDescriptor;
using chip_device::TextureLevel;

[[noreturn]] void reject(const char *reason) { throw Error(hipErrorInvalidValue, reason); }

/// A descriptor with its levels, as it lies in device memory.
struct Image {
  TextureDescriptor descriptor{};
  TextureLevel levels[24]{};
  unsigned level_count = 1;
};
constexpr size_t slot_bytes = (sizeof(TextureDescriptor) + sizeof(Image::levels) + 127) / 128 * 128;
constexpr size_t slots_per_chunk = 64;

struct Texture {
  TextureRecord record;
};
struct Surface {
  TextureRecord record;
};
/// Outlives static destructors, which may use textures.
template <class Object> common::HandleTable<Object> &all() {
  static auto &table = *new common::HandleTable<Object>;
  return table;
}

/// Places for the descriptors of one device. A place that was given up may still be read by kernels: it is used again only when
/// the device was idle in between.
struct Slots {
  std::vector<void *> free, retired;
};
constexpr size_t most_retired = 4096;

auto &slots_by_device() {
  static auto &all = *new common::Guarded<std::unordered_map<const Device *, Slots>>;
  return all;
}

void retire_slot(const Device &device, void *slot) {
  (*slots_by_device().lock())[&device].retired.push_back(slot);
}

/// A place that no kernel reads, without waiting for one; null if there is none.
void *take_free_slot(Device &device) {
  const auto all = slots_by_device().lock();
  auto &[free, retired] = (*all)[&device];
  if (free.empty() && !retired.empty() && retired.size() < most_retired &&
      device.scheduler().is_idle())
    free.swap(retired);
  if (free.empty())
    return nullptr;
  void *slot = free.back();
  free.pop_back();
  return slot;
}

/// The places that were given up, if they are many.
std::vector<void *> take_retired_slots(const Device &device) {
  const auto all = slots_by_device().lock();
  std::vector<void *> &retired = (*all)[&device].retired;
  return retired.size() >= most_retired ? std::exchange(retired, {}) : std::vector<void *>();
}

std::vector<void *> make_slots() {
  std::vector<void *> slots;
  slots.reserve(slots_per_chunk);
  auto *chunk = static_cast<std::byte *>(
      allocate(AllocationKind::device, slots_per_chunk * slot_bytes, 0, 256, false, true));
  for (size_t i = slots_per_chunk; i > 0; --i)
    slots.push_back(chunk + (i - 1) * slot_bytes);
  return slots;
}

void *take_slot(Device &device) {
  if (void *slot = take_free_slot(device))
    return slot;
  std::optional<Error> lost;
  std::vector<void *> slots = take_retired_slots(device);
  if (slots.empty())
    slots = make_slots();
  else
    lost = device.scheduler().synchronize_for_release();
  const auto all = slots_by_device().lock();
  std::vector<void *> &free = (*all)[&device].free;
  free.insert(free.end(), slots.begin(), slots.end());
  if (lost)
    throw *lost;
  void *slot = free.back();
  free.pop_back();
  return slot;
}

unsigned channel_format(const hipChannelFormatDesc &element) {
  const unsigned size = element.x == 32 ? 2 : element.x == 16 ? 1 : 0;
  switch (element.f) {
  case hipChannelFormatKindSigned:
    return chip_device::signed_8 + size;
  case hipChannelFormatKindUnsigned:
    return chip_device::unsigned_8 + size;
  default:
    return size == 1 ? chip_device::float_16 : chip_device::float_32;
  }
}

/// ElementBits of an element that is read in the given way.
uint32_t element_bits(const hipChannelFormatDesc &element, const hipTextureDesc &texture) {
  uint32_t bits = channel_format(element) | channel_count(element) << 4;
  const bool is_small_integer = element.f != hipChannelFormatKindFloat && element.x < 32;
  if (texture.readMode == hipReadModeNormalizedFloat && is_small_integer) {
    bits |= chip_device::element_normalized;
    if (texture.sRGB && element.f == hipChannelFormatKindUnsigned && element.x == 8)
      bits |= chip_device::element_srgb;
  }
  return bits;
}

hipChannelFormatDesc element_of_view(hipResourceViewFormat format) {
  if (format >= hipResViewFormatUnsignedBlockCompressed1 &&
      format <= hipResViewFormatUnsignedBlockCompressed7)
    throw Error(hipErrorNotSupported, "`view->format` is a compressed format");
  if (format <= hipResViewFormatNone || format > hipResViewFormatFloat4)
    reject("`view->format` is not a hipResourceViewFormat that arrays can be shown in");
  static constexpr hipArray_Format formats[] = {
      HIP_AD_FORMAT_UNSIGNED_INT8, HIP_AD_FORMAT_SIGNED_INT8,    HIP_AD_FORMAT_UNSIGNED_INT16,
      HIP_AD_FORMAT_SIGNED_INT16,  HIP_AD_FORMAT_UNSIGNED_INT32, HIP_AD_FORMAT_SIGNED_INT32,
      HIP_AD_FORMAT_HALF,          HIP_AD_FORMAT_FLOAT};
  // Three of each, with 1, 2 and 4 channels.
  const unsigned index = unsigned(format) - hipResViewFormatUnsignedChar1;
  return to_element(formats[index / 3], 1u << index % 3);
}

TextureLevel level_of(const hipArray &array, size_t first_layer) {
  const bool slices_are_layers = array.is_layered() || array.is_cubemap();
  return {.data = reinterpret_cast<uint64_t>(array.data + first_layer * array.slice_pitch),
          .slice_pitch = array.slice_pitch,
          .pitch = uint32_t(array.pitch),
          .width = uint32_t(array.extent.width),
          .height = uint32_t(array.rows()),
          .depth = slices_are_layers ? 1 : uint32_t(array.slices())};
}

/// The layers of an array, or the cubes of an array of cubes, that a view shows.
struct Layers {
  size_t first = 0; // a slice
  uint32_t count = 1;
};
Layers layers_of(const hipArray &array, const hipResourceViewDesc *view) {
  Layers layers;
  if (array.is_layered() || array.is_cubemap())
    layers.count = uint32_t(array.slices());
  if (view && (view->firstLayer || view->lastLayer)) {
    if (view->lastLayer < view->firstLayer || view->lastLayer >= layers.count)
      reject("the layers of `view` are not layers of the array");
    layers = {view->firstLayer, view->lastLayer - view->firstLayer + 1};
  }
  if (array.is_cubemap()) {
    if (layers.count % 6 != 0)
      reject("the layers of `view` are not whole cubes");
    layers.count /= 6;
  }
  return layers;
}

/// The element that memory is read as, which the view may change.
hipChannelFormatDesc viewed_element(const hipArray &array, const hipResourceViewDesc *view) {
  if (!view || view->format == hipResViewFormatNone)
    return array.element;
  hipChannelFormatDesc element = element_of_view(view->format);
  if (element_bytes(element) != array.element_bytes())
    reject("`view->format` and the elements of the array differ in size");
  return element;
}

hipChannelFormatDesc show_array(Image &image, const hipArray &array,
                                const hipResourceViewDesc *view) {
  const Layers layers = layers_of(array, view);
  image.descriptor.base = image.levels[0] = level_of(array, layers.first);
  image.descriptor.layers = layers.count;
  return viewed_element(array, view);
}

hipChannelFormatDesc show_mipmapped(Image &image, const MipmappedArray &array,
                                    const hipResourceViewDesc *view) {
  const Layers layers = layers_of(*array.levels[0], view);
  size_t first = 0, last = array.levels.size() - 1;
  if (view && (view->firstMipmapLevel || view->lastMipmapLevel)) {
    if (view->lastMipmapLevel < view->firstMipmapLevel || view->lastMipmapLevel > last)
      reject("the levels of `view` are not levels of the array");
    first = view->firstMipmapLevel;
    last = view->lastMipmapLevel;
  }
  image.level_count = unsigned(last - first + 1);
  for (unsigned i = 0; i < image.level_count; ++i)
    image.levels[i] = level_of(*array.levels[first + i], layers.first);
  image.descriptor.base = image.levels[0];
  image.descriptor.layers = layers.count;
  return viewed_element(*array.levels[0], view);
}

void check_memory(const void *memory, size_t bytes, const hipChannelFormatDesc &element,
                  const TextureRecord &record) {
  const size_t alignment = record.reference ? element_bytes(element) : texture_alignment;
  if (!memory || reinterpret_cast<uintptr_t>(memory) % alignment != 0)
    reject("the memory of the resource is null, or is not aligned to textureAlignment");
  if (auto allocation = find_allocation(memory))
    check_range(*allocation, memory, bytes);
}

hipChannelFormatDesc show_linear(Image &image, const TextureRecord &record) {
  const auto &[memory, element, bytes] = record.resource.res.linear;
  channel_count(element);
  const size_t width = bytes / element_bytes(element);
  if (width == 0 || width > max_linear_texture)
    reject("the linear memory of the resource holds no element, or more than maxTexture1DLinear");
  check_memory(memory, bytes, element, record);
  image.descriptor.base = {.data = reinterpret_cast<uint64_t>(memory),
                           .slice_pitch = 0,
                           .pitch = 0,
                           .width = uint32_t(width),
                           .height = 1,
                           .depth = 1};
  return element;
}

hipChannelFormatDesc show_pitched(Image &image, const TextureRecord &record) {
  const auto &[memory, element, width, height, pitch] = record.resource.res.pitch2D;
  channel_count(element);
  if (width == 0 || height == 0 || width > max_array_2d || height > max_array_2d)
    reject("the width or the height of the resource is 0, or more than maxTexture2DLinear allows");
  const size_t row = width * element_bytes(element);
  if (pitch < row || pitch > max_pitch || pitch % texture_pitch_alignment != 0)
    reject("the pitch of the resource is less than its width, too large, or not a multiple of "
           "texturePitchAlignment");
  check_memory(memory, pitch * (height - 1) + row, element, record);
  image.descriptor.base = {.data = reinterpret_cast<uint64_t>(memory),
                           .slice_pitch = 0,
                           .pitch = uint32_t(pitch),
                           .width = uint32_t(width),
                           .height = uint32_t(height),
                           .depth = 1};
  return element;
}

hipChannelFormatDesc show(Image &image, const TextureRecord &record) {
  const hipResourceViewDesc *view = record.view ? &*record.view : nullptr;
  image.descriptor.layers = 1;
  switch (record.resource.resType) {
  case hipResourceTypeArray:
    return show_array(
        image, *find_array(record.resource.res.array.array, "array", hipErrorInvalidValue), view);
  case hipResourceTypeMipmappedArray:
    return show_mipmapped(image, *find_mipmapped_array(record.resource.res.mipmap.mipmap), view);
  case hipResourceTypeLinear:
  case hipResourceTypePitch2D:
    if (view)
      reject("`view` is not null, and the resource is not an array");
    return record.resource.resType == hipResourceTypeLinear ? show_linear(image, record)
                                                            : show_pitched(image, record);
  }
  reject("`resource->resType` is not a hipResourceType");
}

void set_modes(Image &image, const hipTextureDesc &texture, const hipChannelFormatDesc &element) {
  TextureDescriptor &d = image.descriptor;
  d.element = element_bits(element, texture);
  if (unsigned(texture.filterMode) > hipFilterModeLinear ||
      unsigned(texture.mipmapFilterMode) > hipFilterModeLinear ||
      unsigned(texture.readMode) > hipReadModeNormalizedFloat)
    reject("a filter mode or the read mode of `description` is unknown");
  const bool reads_floats =
      element.f == hipChannelFormatKindFloat || (d.element & chip_device::element_normalized);
  if (texture.filterMode == hipFilterModeLinear && !reads_floats)
    reject("linear filtering is asked for elements that are not read as floating point");
  for (int i = 0; i < 3; ++i) {
    if (unsigned(texture.addressMode[i]) > hipAddressModeBorder)
      reject("an address mode of `description` is unknown");
    // Repeating needs coordinates that are not elements (CUDA programming guide, cudaTextureDesc::addressMode).
    const bool repeats = texture.addressMode[i] == hipAddressModeWrap ||
                         texture.addressMode[i] == hipAddressModeMirror;
    d.address[i] = uint8_t(repeats && !texture.normalizedCoords ? hipAddressModeClamp
                                                                : texture.addressMode[i]);
  }
  d.normalized = texture.normalizedCoords != 0;
  d.linear = texture.filterMode == hipFilterModeLinear;
  d.linear_levels = texture.mipmapFilterMode == hipFilterModeLinear;
  std::ranges::copy(texture.borderColor, d.border);
  d.level_bias = texture.mipmapLevelBias;
  d.least_level = texture.minMipmapLevelClamp;
  d.greatest_level = texture.maxMipmapLevelClamp;
}

/// Puts a descriptor into device memory and remembers what it stands for.
template <class Object> void *add_object(Image &image, const TextureRecord &record) {
  Device &device = *record.device;
  void *slot = take_slot(device);
  try {
    std::byte bytes[slot_bytes]{};
    constexpr size_t levels_at = sizeof(TextureDescriptor);
    image.descriptor.last_level = image.level_count - 1;
    if (image.level_count > 1)
      image.descriptor.levels = reinterpret_cast<uint64_t>(slot) + levels_at;
    std::memcpy(bytes, &image.descriptor, sizeof image.descriptor);
    std::memcpy(bytes + levels_at, image.levels, sizeof image.levels);
    // No work uses the place, so that the copy need not wait for any.
    InternalQueue queue(device.scheduler());
    queue->submit(operations::Copy{slot, bytes, sizeof bytes});
    queue->finish();
    all<Object>().add(slot, std::make_shared<Object>(Object{record}));
  } catch (...) {
    retire_slot(device, slot);
    throw;
  }
  return slot;
}

/// False if the handle is not live, or not that of an object which is meant.
template <class Object, class IsMeant> bool remove_object(void *handle, const IsMeant &is_meant) {
  const auto object = all<Object>().take_if(handle, is_meant);
  if (object)
    retire_slot(*object->record.device, handle);
  return object != nullptr;
}

} // namespace

hipTextureObject_t create_texture(const TextureRecord &wanted) {
  TextureRecord record = wanted;
  record.device = &Platform::current_device();
  Image image;
  const hipChannelFormatDesc element = show(image, record);
  set_modes(image, record.texture, element);
  return static_cast<hipTextureObject_t>(add_object<Texture>(image, record));
}

hipSurfaceObject_t create_surface(const hipResourceDesc &resource) {
  if (resource.resType != hipResourceTypeArray)
    reject("`resource->resType` is not hipResourceTypeArray");
  TextureRecord record{.device = &Platform::current_device(), .resource = resource};
  Image image;
  const hipChannelFormatDesc element =
      show_array(image, *find_array(resource.res.array.array, "array"), nullptr);
  set_modes(image, {}, element);
  return static_cast<hipSurfaceObject_t>(add_object<Surface>(image, record));
}

void destroy_texture(hipTextureObject_t texture) {
  if (!remove_object<Texture>(texture, [](const Texture &) { return true; }))
    reject("`texture` is not a live hipTextureObject_t");
}
void discard_texture(hipTextureObject_t texture, const textureReference &reference) {
  remove_object<Texture>(texture,
                         [&](const Texture &t) { return t.record.reference == &reference; });
}
void destroy_surface(hipSurfaceObject_t surface) {
  if (!remove_object<Surface>(surface, [](const Surface &) { return true; }))
    reject("`surface` is not a live hipSurfaceObject_t");
}

TextureRecord find_texture(hipTextureObject_t texture) {
  const auto found = all<Texture>().find(texture);
  if (!found)
    reject("`texture` is not a live hipTextureObject_t");
  return found->record;
}

void forget_textures(const Device &device) {
  const auto is_of_device = [&](const auto &object) { return object.record.device == &device; };
  all<Texture>().take_all_if(is_of_device);
  all<Surface>().take_all_if(is_of_device);
  slots_by_device().lock()->erase(&device);
}

} // namespace chip
