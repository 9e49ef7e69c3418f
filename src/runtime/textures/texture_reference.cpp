#include "texture_reference.h"
#include "../code/module.h"
#include "../code/program.h"
#include "../memory/memory.h"

#include <algorithm>
#include <format>
#include <map>
#include <mutex>
#include <unordered_map>

namespace chip {
namespace {

/// A module has no variable on the host, so that it gets one.
struct ModuleReference {
  textureReference reference{};
  void *on_device;
};

struct References {
  std::mutex mutex;
  std::map<std::pair<hipModule_t, std::string>, std::unique_ptr<ModuleReference>> of_modules;
  std::unordered_map<const textureReference *, BorderColor> borders;

  static References &all() {
    static References *const references =
        new References; // used before and after everything else in the process
    return *references;
  }
};

/// The reference's copy in device code; null if no kernel uses it.
void *device_copy(const textureReference &reference) {
  {
    References &all = References::all();
    std::lock_guard lock(all.mutex);
    for (auto &[key, module] : all.of_modules)
      if (&module->reference == &reference)
        return module->on_device;
  }
  if (!is_texture_reference(&reference))
    throw Error(hipErrorInvalidValue, "no texture reference");
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
  ze::Variable variable = find_module(module)->variable(name);
  if (!variable.address || variable.bytes < sizeof(textureReference))
    throw Error(hipErrorNotFound, std::format("the module has no texture reference '{}'", name));
  References &all = References::all();
  std::lock_guard lock(all.mutex);
  auto &found = all.of_modules[{module, name}];
  if (!found) {
    found = std::make_unique<ModuleReference>();
    found->on_device = variable.address;
  }
  return &found->reference;
}

void forget_texture_references(hipModule_t module) {
  References &all = References::all();
  std::lock_guard lock(all.mutex);
  std::erase_if(all.of_modules, [&](auto &entry) {
    if (entry.first.first != module)
      return false;
    const textureReference &reference = entry.second->reference;
    if (reference.textureObject)
      destroy_texture(reference.textureObject);
    all.borders.erase(&reference);
    return true;
  });
}

void bind_texture(textureReference &reference, const hipResourceDesc &resource) {
  void *copy = device_copy(reference);
  hipTextureObject_t object = create_texture({.resource = resource,
                                              .texture = description_of(reference),
                                              .view = {},
                                              .of_reference = true});
  std::swap(object, reference.textureObject);
  publish(reference, copy);
  if (object)
    destroy_texture(object);
}

void unbind_texture(textureReference &reference) {
  void *copy = device_copy(reference);
  hipTextureObject_t object = nullptr;
  std::swap(object, reference.textureObject);
  publish(reference, copy);
  if (object)
    destroy_texture(object);
}

void rebind_texture(textureReference &reference) {
  if (reference.textureObject)
    bind_texture(reference, find_texture(reference.textureObject).resource);
}

TextureRecord find_bound(const textureReference &reference) {
  return find_texture(reference.textureObject);
}

BorderColor border_color(const textureReference &reference) {
  References &all = References::all();
  std::lock_guard lock(all.mutex);
  auto found = all.borders.find(&reference);
  return found == all.borders.end() ? BorderColor() : found->second;
}

void set_border_color(textureReference &reference, const BorderColor &color) {
  {
    References &all = References::all();
    std::lock_guard lock(all.mutex);
    all.borders[&reference] = color;
  }
  rebind_texture(reference);
}

} // namespace chip
