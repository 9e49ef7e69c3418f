/// Reads and writes of surfaces. x counts bytes, all else elements, layers and faces.
///
/// An access that is not all inside does what the boundary mode says: it reads 0 and writes
/// nothing, or goes to the nearest element inside. A kernel cannot be stopped on every device, so
/// that hipBoundaryModeTrap is hipBoundaryModeZero.
#pragma once

#include <hip/spirv_detail/textures/texture_sample.h>
#include <hip/surface_types.h>

namespace chip_device {

/// The address of an access to a surface; 0 if there is none.
template <typename T>
CHIP_DEVICE uint64_t surface_address(hipSurfaceObject_t object, int x, int y, int slice, int slices,
                                     int mode) {
  const __Texture surface = (__Texture) reinterpret_cast<uintptr_t>(object);
  const unsigned int element = surface->element;
  const int last_byte = static_cast<int>(surface->base.width * element_bytes(element) - sizeof(T));
  const int last_row = static_cast<int>(surface->base.height) - 1, last_slice = slices - 1;
  if (x < 0 || x > last_byte || y < 0 || y > last_row || slice < 0 || slice > last_slice) {
    if (mode != hipBoundaryModeClamp || last_byte < 0)
      return 0;
    x = x < 0 ? 0 : x > last_byte ? last_byte : x;
    y = y < 0 ? 0 : y > last_row ? last_row : y;
    slice = slice < 0 ? 0 : slice > last_slice ? last_slice : slice;
  }
  return surface->base.data + static_cast<unsigned int>(slice) * surface->base.slice_pitch +
         static_cast<uint64_t>(static_cast<unsigned int>(y)) * surface->base.pitch +
         static_cast<unsigned int>(x);
}

CHIP_DEVICE int surface_depth(hipSurfaceObject_t object) {
  return static_cast<int>(texture_of((hipTextureObject_t)object)->base.depth);
}
CHIP_DEVICE int surface_layers(hipSurfaceObject_t object) {
  return static_cast<int>(texture_of((hipTextureObject_t)object)->layers);
}
/// The slice of a face, outside if one of the two is.
CHIP_DEVICE int face_slice(int face, int layer) {
  return static_cast<unsigned int>(face) < 6 ? layer * 6 + face : face < 0 ? -1 : 0x7fffffff;
}

} // namespace chip_device

#define CHIP_LIST(...) __VA_ARGS__
#define CHIP_SURFACE(name, parameters, arguments, place)                                           \
  template <typename T>                                                                            \
  CHIP_DEVICE T name##read(hipSurfaceObject_t surface, parameters,                                 \
                           int boundaryMode = hipBoundaryModeZero) {                               \
    const uint64_t address = chip_device::surface_address<T>(surface, place, boundaryMode);        \
    if (!address)                                                                                  \
      return __builtin_bit_cast(T, typename chip_device::__Bits<sizeof(T)>::__Type{});             \
    return chip_device::load<T>(address);                                                          \
  }                                                                                                \
  template <typename T>                                                                            \
  CHIP_DEVICE void name##read(T *data, hipSurfaceObject_t surface, parameters,                     \
                              int boundaryMode = hipBoundaryModeZero) {                            \
    *data = name##read<T>(surface, arguments, boundaryMode);                                       \
  }                                                                                                \
  template <typename T>                                                                            \
  CHIP_DEVICE void name##write(T data, hipSurfaceObject_t surface, parameters,                     \
                               int boundaryMode = hipBoundaryModeZero) {                           \
    if (const uint64_t address = chip_device::surface_address<T>(surface, place, boundaryMode))    \
      chip_device::store(address, data);                                                           \
  }

CHIP_SURFACE(surf1D, CHIP_LIST(int x), CHIP_LIST(x), CHIP_LIST(x, 0, 0, 1))
CHIP_SURFACE(surf2D, CHIP_LIST(int x, int y), CHIP_LIST(x, y), CHIP_LIST(x, y, 0, 1))
CHIP_SURFACE(surf3D, CHIP_LIST(int x, int y, int z), CHIP_LIST(x, y, z),
             CHIP_LIST(x, y, z, chip_device::surface_depth(surface)))
CHIP_SURFACE(surf1DLayered, CHIP_LIST(int x, int layer), CHIP_LIST(x, layer),
             CHIP_LIST(x, 0, layer, chip_device::surface_layers(surface)))
CHIP_SURFACE(surf2DLayered, CHIP_LIST(int x, int y, int layer), CHIP_LIST(x, y, layer),
             CHIP_LIST(x, y, layer, chip_device::surface_layers(surface)))
CHIP_SURFACE(surfCubemap, CHIP_LIST(int x, int y, int face), CHIP_LIST(x, y, face),
             CHIP_LIST(x, y, face, 6))
CHIP_SURFACE(surfCubemapLayered, CHIP_LIST(int x, int y, int face, int layer),
             CHIP_LIST(x, y, face, layer),
             CHIP_LIST(x, y, chip_device::face_slice(face, layer),
                       6 * chip_device::surface_layers(surface)))

#undef CHIP_SURFACE
#undef CHIP_LIST
