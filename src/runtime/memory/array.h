// Arrays: what hipArray_t and hipMipmappedArray_t stand for. The memory is plain: rows of elements, one after the other, so
// that kernels and copies find an element with two pitches.
#pragma once

#include "../platform/platform.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/// Sizes are in elements; what has no second or third dimension has 0 there. Layers and the faces of cubes are slices.
struct hipArray {
  chip::Device *device = nullptr;
  std::byte *data = nullptr;
  hipChannelFormatDesc element{};
  hipExtent extent{};
  unsigned flags = 0;
  size_t pitch = 0;       // bytes from row to row
  size_t slice_pitch = 0; // bytes from slice to slice
  bool is_level = false;  // of a mipmapped array, which owns the memory

  size_t element_bytes() const;
  size_t row_bytes() const { return extent.width * element_bytes(); }
  size_t rows() const { return extent.height ? extent.height : 1; }
  size_t slices() const { return extent.depth ? extent.depth : 1; }
  bool is_layered() const { return flags & hipArrayLayered; }
  bool is_cubemap() const { return flags & hipArrayCubemap; }
};

namespace chip {

/// What arrays may have in each dimension; the device's properties say the same.
constexpr size_t max_array_1d = 131072, max_array_2d = 65536, max_array_3d = 16384,
                 max_array_layers = 2048;
/// Elements of a texture in linear memory.
constexpr size_t max_linear_texture = size_t(1) << 28;
/// What the address and the pitch of memory that becomes a texture are multiples of.
constexpr size_t texture_alignment = 256, texture_pitch_alignment = 32;

struct MipmappedArray : hipMipmappedArray {
  std::vector<std::unique_ptr<hipArray>> levels; // the largest comes first
};

/// Channels of an element: 1, 2 or 4, all with the same bits. Throws hipErrorInvalidValue for what no array can have.
unsigned channel_count(const hipChannelFormatDesc &element);
size_t element_bytes(const hipChannelFormatDesc &element);
hipArray_Format to_format(const hipChannelFormatDesc &element);
hipChannelFormatDesc to_element(hipArray_Format format, unsigned channels);

/// Throws hipErrorInvalidValue for elements, sizes or flags that do not go together, hipErrorOutOfMemory.
hipArray *create_array(const hipChannelFormatDesc &element, hipExtent extent, unsigned flags);
/// Frees as hipFree does. Throws hipErrorInvalidValue for null, hipErrorContextIsDestroyed for what is not a live array that the
/// program made.
void destroy_array(hipArray *array);
/// Throws `error`, with the name of the argument, for what is not a live array. Levels of mipmapped arrays are live as long as
/// these. What was found is not destroyed while it is held, but hipFreeArray frees its memory.
std::shared_ptr<hipArray> find_array(hipArray_const_t array, const char *argument,
                                     hipError_t error = hipErrorInvalidHandle);
/// Whether a handle is that of a live array.
bool is_array(hipArray_const_t array);

MipmappedArray *create_mipmapped_array(const hipChannelFormatDesc &element, hipExtent extent,
                                       unsigned levels, unsigned flags);
/// As destroy_array.
void destroy_mipmapped_array(hipMipmappedArray_const_t array);
/// Throws `error` for what is not a live mipmapped array.
std::shared_ptr<MipmappedArray> find_mipmapped_array(hipMipmappedArray_const_t array,
                                                     hipError_t error = hipErrorInvalidValue);

/// Forgets the arrays of a device, whose memory goes with all other.
void forget_arrays(const Device &device);

} // namespace chip
