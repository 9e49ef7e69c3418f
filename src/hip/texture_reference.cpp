// HIP API reference: Texture management, references (deprecated).
#include "../runtime/textures/texture_reference.h"
#include "../runtime/code/program.h"
#include "entry.h"

#include <algorithm>

// What HIP calls deprecated is what this file defines.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

/// A reference that may be looked at.
const textureReference &live(const textureReference *reference) {
  check_reference(required(reference));
  return *reference;
}
textureReference &live(textureReference *reference) {
  check_reference(required(reference));
  return *reference;
}

/// The program's variable is only const for whoever reads it.
textureReference &writable(const textureReference *reference) {
  return const_cast<textureReference &>(live(reference));
}

void check_override(unsigned flags) {
  if (flags != HIP_TRSA_OVERRIDE_FORMAT)
    throw Error(hipErrorInvalidValue, "`flags` is not HIP_TRSA_OVERRIDE_FORMAT");
}

/// Changes members of a reference, which takes effect at once if it is bound.
hipError_t change(textureReference *reference, auto &&change,
                  const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, CaptureRule::unsafe, [&] {
    change(live(reference));
    rebind_texture(*reference);
  });
}

} // namespace

hipError_t hipGetTextureReference(const textureReference **reference, const void *symbol) {
  return entry([&] {
    required(reference);
    if (!is_texture_reference(symbol))
      throw Error(hipErrorInvalidSymbol, "`symbol` is not a texture reference");
    *reference = static_cast<const textureReference *>(symbol);
  });
}

hipError_t hipBindTexture(size_t *offset, const textureReference *reference, const void *address,
                          const hipChannelFormatDesc *description, size_t size) {
  return entry(CaptureRule::unsafe, [&] {
    bind_linear(writable(reference), address, required(description), size);
    if (offset)
      *offset = 0;
  });
}

hipError_t hipBindTexture2D(size_t *offset, const textureReference *reference, const void *address,
                            const hipChannelFormatDesc *description, size_t width, size_t height,
                            size_t pitch) {
  return entry(CaptureRule::unsafe, [&] {
    bind_pitched(writable(reference), address, required(description), width, height, pitch);
    if (offset)
      *offset = 0;
  });
}

hipError_t hipBindTextureToArray(const textureReference *reference, hipArray_const_t array,
                                 const hipChannelFormatDesc *description) {
  return entry(CaptureRule::unsafe, [&] {
    textureReference &bound = writable(reference);
    const auto found = find_array(array, "array", hipErrorInvalidValue);
    if (channel_count(required(description)) != channel_count(found->element))
      throw Error(hipErrorInvalidValue,
                  "the elements of `array` and `*description` differ in the number of channels");
    bind_array(bound, array);
  });
}

hipError_t hipBindTextureToMipmappedArray(const textureReference *reference,
                                          hipMipmappedArray_const_t array,
                                          const hipChannelFormatDesc *description) {
  return entry(CaptureRule::unsafe, [&] {
    channel_count(required(description));
    bind_mipmapped(writable(reference), array);
  });
}

hipError_t hipUnbindTexture(const textureReference *reference) {
  return entry(CaptureRule::unsafe, [&] { unbind_texture(writable(reference)); });
}

hipError_t hipGetTextureAlignmentOffset(size_t *offset, const textureReference *reference) {
  return entry([&] {
    required(offset);
    find_bound(live(reference));
    *offset = 0;
  });
}

hipError_t hipModuleGetTexRef(textureReference **reference, hipModule_t module, const char *name) {
  return entry([&] {
    required(reference) = nullptr;
    required(name);
    *reference = find_texture_reference(module, name);
  });
}

hipError_t hipTexRefSetAddress(size_t *offset, textureReference *reference, hipDeviceptr_t address,
                               size_t bytes) {
  return entry(CaptureRule::unsafe, [&] {
    textureReference &bound = live(reference);
    bind_linear(bound, address, element_of(bound), bytes);
    if (offset)
      *offset = 0;
  });
}

hipError_t hipTexRefSetAddress2D(textureReference *reference,
                                 const HIP_ARRAY_DESCRIPTOR *description, hipDeviceptr_t address,
                                 size_t pitch) {
  return entry(CaptureRule::unsafe, [&] {
    live(reference);
    const auto &[width, height, format, channels] = required(description);
    set_element(*reference, to_element(format, channels));
    bind_pitched(*reference, address, reference->channelDesc, width, height, pitch);
  });
}

hipError_t hipTexRefSetArray(textureReference *reference, hipArray_const_t array,
                             unsigned int flags) {
  return entry(CaptureRule::unsafe, [&] {
    live(reference);
    check_override(flags);
    set_element(*reference, find_array(array, "array", hipErrorInvalidValue)->element);
    bind_array(*reference, array);
  });
}

hipError_t hipTexRefSetMipmappedArray(textureReference *reference, hipMipmappedArray *array,
                                      unsigned int flags) {
  return entry(CaptureRule::unsafe, [&] {
    live(reference);
    check_override(flags);
    set_element(*reference, find_mipmapped_array(array)->desc);
    bind_mipmapped(*reference, array);
  });
}

hipError_t hipTexRefSetFormat(textureReference *reference, hipArray_Format format, int channels) {
  return change(reference, [&](textureReference &r) {
    set_element(r, to_element(format, unsigned(channels)));
  });
}

hipError_t hipTexRefSetFlags(textureReference *reference, unsigned int flags) {
  return change(reference, [&](textureReference &r) {
    if (flags &
        ~unsigned(HIP_TRSF_READ_AS_INTEGER | HIP_TRSF_NORMALIZED_COORDINATES | HIP_TRSF_SRGB))
      throw Error(hipErrorInvalidValue, "`flags` is unknown");
    r.readMode =
        flags & HIP_TRSF_READ_AS_INTEGER ? hipReadModeElementType : hipReadModeNormalizedFloat;
    r.normalized = (flags & HIP_TRSF_NORMALIZED_COORDINATES) != 0;
    r.sRGB = (flags & HIP_TRSF_SRGB) != 0;
  });
}

hipError_t hipTexRefSetAddressMode(textureReference *reference, int dimension,
                                   hipTextureAddressMode mode) {
  return change(reference, [&](textureReference &r) {
    if (dimension < 0 || dimension > 2 || unsigned(mode) > hipAddressModeBorder)
      throw Error(hipErrorInvalidValue,
                  "`dimension` is not from 0 to 2, or `mode` is not a hipTextureAddressMode");
    r.addressMode[dimension] = mode;
  });
}

hipError_t hipTexRefSetFilterMode(textureReference *reference, hipTextureFilterMode mode) {
  return change(reference, [&](textureReference &r) { r.filterMode = mode; });
}

hipError_t hipTexRefSetBorderColor(textureReference *reference, float *color) {
  return entry(CaptureRule::unsafe, [&] {
    live(reference);
    BorderColor border;
    std::copy_n(&required(color), 4, border.channel);
    set_border_color(*reference, border);
  });
}

hipError_t hipTexRefSetMaxAnisotropy(textureReference *reference, unsigned int anisotropy) {
  return change(reference, [&](textureReference &r) { r.maxAnisotropy = anisotropy; });
}

hipError_t hipTexRefSetMipmapFilterMode(textureReference *reference, hipTextureFilterMode mode) {
  return change(reference, [&](textureReference &r) { r.mipmapFilterMode = mode; });
}

hipError_t hipTexRefSetMipmapLevelBias(textureReference *reference, float bias) {
  return change(reference, [&](textureReference &r) { r.mipmapLevelBias = bias; });
}

hipError_t hipTexRefSetMipmapLevelClamp(textureReference *reference, float least, float greatest) {
  return change(reference, [&](textureReference &r) {
    r.minMipmapLevelClamp = least;
    r.maxMipmapLevelClamp = greatest;
  });
}

hipError_t hipTexRefGetAddress(hipDeviceptr_t *address, const textureReference *reference) {
  return entry([&] {
    required(address);
    const hipResourceDesc resource = find_bound(live(reference)).resource;
    if (resource.resType == hipResourceTypeLinear)
      *address = resource.res.linear.devPtr;
    else if (resource.resType == hipResourceTypePitch2D)
      *address = resource.res.pitch2D.devPtr;
    else
      throw Error(hipErrorInvalidValue, "`reference` is bound to an array, not to memory");
  });
}

hipError_t hipTexRefGetArray(hipArray_t *array, const textureReference *reference) {
  return entry([&] {
    required(array);
    const hipResourceDesc resource = find_bound(live(reference)).resource;
    if (resource.resType != hipResourceTypeArray)
      throw Error(hipErrorInvalidValue, "`reference` is not bound to an array");
    *array = resource.res.array.array;
  });
}

hipError_t hipTexRefGetMipMappedArray(hipMipmappedArray_t *array,
                                      const textureReference *reference) {
  return entry([&] {
    required(array);
    const hipResourceDesc resource = find_bound(live(reference)).resource;
    if (resource.resType != hipResourceTypeMipmappedArray)
      throw Error(hipErrorInvalidValue, "`reference` is not bound to a mipmapped array");
    *array = resource.res.mipmap.mipmap;
  });
}

hipError_t hipTexRefGetFormat(hipArray_Format *format, int *channels,
                              const textureReference *reference) {
  return entry([&] {
    const hipChannelFormatDesc element = element_of(live(reference));
    required(channels) = int(channel_count(element));
    required(format) = to_format(element);
  });
}

hipError_t hipTexRefGetFlags(unsigned int *flags, const textureReference *reference) {
  return entry([&] {
    const textureReference &r = live(reference);
    required(flags) = (r.readMode == hipReadModeElementType ? HIP_TRSF_READ_AS_INTEGER : 0u) |
                      (r.normalized ? HIP_TRSF_NORMALIZED_COORDINATES : 0u) |
                      (r.sRGB ? HIP_TRSF_SRGB : 0u);
  });
}

hipError_t hipTexRefGetAddressMode(hipTextureAddressMode *mode, const textureReference *reference,
                                   int dimension) {
  return entry([&] {
    if (dimension < 0 || dimension > 2)
      throw Error(hipErrorInvalidValue, "`dimension` is not from 0 to 2");
    required(mode) = live(reference).addressMode[dimension];
  });
}

hipError_t hipTexRefGetFilterMode(hipTextureFilterMode *mode, const textureReference *reference) {
  return entry([&] { required(mode) = live(reference).filterMode; });
}

hipError_t hipTexRefGetBorderColor(float *color, const textureReference *reference) {
  return entry([&] { std::ranges::copy(border_color(live(reference)).channel, &required(color)); });
}

hipError_t hipTexRefGetMaxAnisotropy(int *anisotropy, const textureReference *reference) {
  return entry([&] { required(anisotropy) = int(live(reference).maxAnisotropy); });
}

hipError_t hipTexRefGetMipmapFilterMode(hipTextureFilterMode *mode,
                                        const textureReference *reference) {
  return entry([&] { required(mode) = live(reference).mipmapFilterMode; });
}

hipError_t hipTexRefGetMipmapLevelBias(float *bias, const textureReference *reference) {
  return entry([&] { required(bias) = live(reference).mipmapLevelBias; });
}

hipError_t hipTexRefGetMipmapLevelClamp(float *least, float *greatest,
                                        const textureReference *reference) {
  return entry([&] {
    required(least) = live(reference).minMipmapLevelClamp;
    required(greatest) = reference->maxMipmapLevelClamp;
  });
}
