#include "texture_reference.h"
#include "../../common/guarded.h"
#include "../../common/handle_pool.h"
#include "../code/module.h"
#include "../code/program.h"
#include "../memory/memory.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <format>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace chip {
namespace {

/// A module has no variable on the host, so that it gets one. The program has its address, which is the object's, and may keep it
/// for longer than the module.
struct ModuleReference {
  textureReference reference{};
  static constexpr uint32_t alive_mark = 0x54657852;
  std::atomic<uint32_t> mark{0};
  void *on_device = nullptr;
};
static_assert(offsetof(ModuleReference, reference) == 0);

struct References {
  std::map<std::pair<const void *, std::string>, ModuleReference *> of_modules;
  std::unordered_map<const textureReference *, BorderColor> borders;
};

// Both are used before and after everything else in the process.
constinit LastingHandlePool<ModuleReference> module_references;
common::Guarded<References> &references() {
  static auto &all = *new common::Guarded<References>;
  return all;
}

/// The reference's copy in device code; null if no kernel uses it.
void *device_copy(const textureReference &reference) {
  if (const ModuleReference *module = module_references->find(&reference))
    return module->on_device;
  if (!is_texture_reference(&reference))
    throw Error(hipErrorInvalidValue, "`reference` is not a texture reference");
  try {
    return find_variable(&reference, Platform::current_device()).address;
  } catch (const Error &error) {
    if (error.code() != hipErrorInvalidSymbol)
      throw;
    return nullptr;
  }
}

void publish(const textureReference &reference, void *copy) {
  if (copy)
    copy_memory(copy, &reference, sizeof reference, hipMemcpyHostToDevice, resolve(nullptr),
                Completion::wait);
}

hipTextureDesc description_of(const textureReference &reference) {
  hipTextureDesc d{};
  std::ranges::copy(reference.addressMode, d.addressMode);
  d.filterMode = reference.filterMode;
  d.readMode = reference.readMode;
  d.sRGB = reference.sRGB;
  std::ranges::copy(border_color(reference).channel, d.borderColor);
  d.normalizedCoords = reference.normalized;
  d.maxAnisotropy = reference.maxAnisotropy;
  d.mipmapFilterMode = reference.mipmapFilterMode;
  d.mipmapLevelBias = reference.mipmapLevelBias;
  d.minMipmapLevelClamp = reference.minMipmapLevelClamp;
  d.maxMipmapLevelClamp = reference.maxMipmapLevelClamp;
  return d;
}

} // namespace

textureReference *find_texture_reference(hipModule_t module, const char *name) {
  const auto loaded = find_module(module); // with the last of those that hold it, its references go
  const ze::Variable variable = loaded->variable(name);
  if (!variable.address || variable.bytes < sizeof(textureReference))
    throw Error(hipErrorNotFound, std::format("`module` has no texture reference '{}'", name));
  const auto all = references().lock();
  ModuleReference *&found = all->of_modules[{module, name}];
  if (!found) {
    found = &module_references->take();
    found->reference = {};
    found->on_device = variable.address;
    found->mark.store(ModuleReference::alive_mark, std::memory_order_release);
  }
  return &found->reference;
}

void forget_texture_references(const void *module) {
  const auto all = references().lock();
  std::erase_if(all->of_modules, [&](auto &entry) {
    if (entry.first.first != module)
      return false;
    ModuleReference *reference = entry.second;
    if (!reference)
      return true; // there was no memory for it
    reference->mark.store(0, std::memory_order_release);
    discard_texture(reference->reference.textureObject, reference->reference);
    all->borders.erase(&reference->reference);
    module_references->give_back(*reference);
    return true;
  });
}

void check_reference(const textureReference &reference) {
  if (module_references->owns(&reference) && !module_references->find(&reference))
    throw Error(hipErrorInvalidValue, "`reference` is of a module that is not loaded any more");
}

void bind_texture(textureReference &reference, const hipResourceDesc &resource) {
  void *copy = device_copy(reference);
  hipTextureObject_t object = create_texture({.resource = resource,
                                              .texture = description_of(reference),
                                              .view = {},
                                              .reference = &reference});
  std::swap(object, reference.textureObject);
  publish(reference, copy);
  // The handle of a texture that went with all others when its device was reset may be the new one's.
  if (object != reference.textureObject)
    discard_texture(object, reference);
}

void unbind_texture(textureReference &reference) {
  void *copy = device_copy(reference);
  const hipTextureObject_t object = std::exchange(reference.textureObject, nullptr);
  publish(reference, copy);
  discard_texture(object, reference);
}

hipChannelFormatDesc element_of(const textureReference &reference) {
  return reference.numChannels ? to_element(reference.format, unsigned(reference.numChannels))
                               : reference.channelDesc;
}

void set_element(textureReference &reference, const hipChannelFormatDesc &element) {
  reference.channelDesc = element;
  reference.format = to_format(element);
  reference.numChannels = int(channel_count(element));
}

void bind_linear(textureReference &reference, const void *address,
                 const hipChannelFormatDesc &element, size_t bytes) {
  channel_count(element);
  if (!address)
    throw Error(hipErrorInvalidValue, "`address` is null");
  // "As much as there is" is a usual size.
  if (auto allocation = find_allocation(address))
    bytes = std::min(bytes, allocation->bytes - size_t(static_cast<const char *>(address) -
                                                       static_cast<char *>(allocation->base)));
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear = {const_cast<void *>(address), element,
                         std::min(bytes, max_linear_texture * element_bytes(element))};
  bind_texture(reference, resource);
}

void bind_pitched(textureReference &reference, const void *address,
                  const hipChannelFormatDesc &element, size_t width, size_t height, size_t pitch) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypePitch2D;
  resource.res.pitch2D = {const_cast<void *>(address), element, width, height, pitch};
  bind_texture(reference, resource);
}

void bind_array(textureReference &reference, hipArray_const_t array) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = const_cast<hipArray_t>(array);
  bind_texture(reference, resource);
}

void bind_mipmapped(textureReference &reference, hipMipmappedArray_const_t array) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = const_cast<hipMipmappedArray_t>(array);
  bind_texture(reference, resource);
}

void rebind_texture(textureReference &reference) {
  if (reference.textureObject)
    bind_texture(reference, find_bound(reference).resource);
}

TextureRecord find_bound(const textureReference &reference) {
  const TextureRecord record = find_texture(reference.textureObject);
  if (record.reference != &reference)
    throw Error(hipErrorInvalidValue, "`reference` is not bound: its device was reset");
  return record;
}

BorderColor border_color(const textureReference &reference) {
  const auto all = references().lock();
  const auto found = all->borders.find(&reference);
  return found == all->borders.end() ? BorderColor() : found->second;
}

void set_border_color(textureReference &reference, const BorderColor &color) {
  references().lock()->borders[&reference] = color;
  rebind_texture(reference);
}

} // namespace chip
