// Copies from and to images: boxes of rows, as between pieces of memory.
#include "../api/entry_points.h"
#include "../memory/image.h"
#include "append.h"

#include <algorithm>

namespace ze_driver {
namespace {

/// A part of an image, in texels; what the image does not have is 0 and 1.
struct Box {
  uint32_t origin[3];
  uint32_t extent[3];

  size_t row_bytes(const Image &image) const { return extent[0] * image.texel_bytes; }
  std::byte *start(const Image &image) const {
    std::byte *texel = image.layout.texels;
    for (unsigned i = 0; i < 3; ++i)
      texel += origin[i] * image.layout.stride[i];
    return texel;
  }
};

/// The region, or all of the image if it is null; nothing if it is not within the image.
std::optional<Box> box_of(const Image &image, const ze_image_region_t *region) {
  Box box{};
  std::ranges::copy(image.layout.size, box.extent);
  if (!region)
    return box;
  const uint32_t origin[] = {region->originX, region->originY, region->originZ};
  const uint32_t extent[] = {region->width, region->height, region->depth};
  const unsigned count = image.layout.dimensions + image.layout.has_layers;
  for (unsigned i = 0; i < 3; ++i) {
    if (i >= count && extent[i] > 1)
      return {};
    box.origin[i] = i < count ? origin[i] : 0; // where there is no such dimension it means nothing
    box.extent[i] = i < count ? extent[i] : 1;
    if (box.origin[i] > image.layout.size[i] ||
        box.extent[i] > image.layout.size[i] - box.origin[i])
      return {};
  }
  return box;
}

bool overlap(const Image &a, const Box &at, const Image &b, const Box &bt) {
  if (a.layout.texels != b.layout.texels)
    return false;
  for (unsigned i = 0; i < 3; ++i)
    if (at.origin[i] >= bt.origin[i] + bt.extent[i] || bt.origin[i] >= at.origin[i] + at.extent[i])
      return false;
  return true;
}

ze_result_t append_box(CommandList &list, const CopyRegionCommand &box,
                       const Synchronization &events) {
  return append<CopyRegionCommand>(list, Opcode::copy_region, events, 0,
                                   [&](Command &, CopyRegionCommand &copy) { copy = box; });
}

ze_result_t copy_images(ze_command_list_handle_t list, ze_image_handle_t destination,
                        ze_image_handle_t source, const ze_image_region_t *destination_region,
                        const ze_image_region_t *source_region, const Synchronization &events) {
  CopyRegionCommand copy{};
  const auto check = [&]() -> ze_result_t {
    if (any_null(destination, source))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    const Image &to = object<Image>(destination), &from = object<Image>(source);
    const auto to_box = box_of(to, destination_region), from_box = box_of(from, source_region);
    if (!to_box || !from_box || to.texel_bytes != from.texel_bytes ||
        !std::ranges::equal(to_box->extent, from_box->extent))
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    if (overlap(to, *to_box, from, *from_box))
      return ZE_RESULT_ERROR_OVERLAPPING_REGIONS;
    copy = {to_box->start(to),     from_box->start(from), to.layout.stride[1],
            to.layout.stride[2],   from.layout.stride[1], from.layout.stride[2],
            to_box->row_bytes(to), to_box->extent[1],     to_box->extent[2]};
    return ZE_RESULT_SUCCESS;
  };
  return append_entry(list, events, check,
                      [&](CommandList &self) { return append_box(self, copy, events); });
}

struct Pitches {
  size_t row, slice;
};

/// Of a box in memory; those that are 0 follow from its size. Nothing if they are too small.
std::optional<Pitches> pitches(const Image &image, const Box &box, size_t row, size_t slice) {
  const bool rows_are_layers = image.layout.dimensions == 1;
  if (rows_are_layers && slice != 0)
    row = slice;
  if (row == 0)
    row = box.row_bytes(image);
  if (slice == 0 || rows_are_layers)
    slice = row * box.extent[1];
  const bool has_rows = box.extent[1] > 1, has_slices = box.extent[2] > 1;
  if ((has_rows && row < box.row_bytes(image)) || (has_slices && slice < row * box.extent[1]))
    return {};
  return Pitches{row, slice};
}

enum class Direction { to_memory, from_memory };

ze_result_t copy_memory(ze_command_list_handle_t list, ze_image_handle_t image, void *memory,
                        Direction direction, const ze_image_region_t *region, size_t row_pitch,
                        size_t slice_pitch, const Synchronization &events) {
  CopyRegionCommand copy{};
  const auto check = [&]() -> ze_result_t {
    if (!image)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!memory)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    const Image &self = object<Image>(image);
    const auto box = box_of(self, region);
    if (!box)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    const auto pitch = pitches(self, *box, row_pitch, slice_pitch);
    if (!pitch)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    auto *outside = static_cast<std::byte *>(memory), *inside = box->start(self);
    const size_t row = self.layout.stride[1], slice = self.layout.stride[2];
    if (direction == Direction::to_memory)
      copy = {outside, inside, pitch->row, pitch->slice, row, slice, 0, 0, 0};
    else
      copy = {inside, outside, row, slice, pitch->row, pitch->slice, 0, 0, 0};
    copy.width = box->row_bytes(self);
    copy.height = box->extent[1];
    copy.depth = box->extent[2];
    return ZE_RESULT_SUCCESS;
  };
  return append_entry(list, events, check,
                      [&](CommandList &self) { return append_box(self, copy, events); });
}

} // namespace

ze_result_t zeCommandListAppendImageCopy(ze_command_list_handle_t list,
                                         ze_image_handle_t destination, ze_image_handle_t source,
                                         ze_event_handle_t signal, uint32_t wait_count,
                                         ze_event_handle_t *waits) {
  return copy_images(list, destination, source, nullptr, nullptr, {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendImageCopyRegion(
    ze_command_list_handle_t list, ze_image_handle_t destination, ze_image_handle_t source,
    const ze_image_region_t *destination_region, const ze_image_region_t *source_region,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  return copy_images(list, destination, source, destination_region, source_region,
                     {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendImageCopyToMemory(ze_command_list_handle_t list, void *destination,
                                                 ze_image_handle_t source,
                                                 const ze_image_region_t *region,
                                                 ze_event_handle_t signal, uint32_t wait_count,
                                                 ze_event_handle_t *waits) {
  return copy_memory(list, source, destination, Direction::to_memory, region, 0, 0,
                     {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendImageCopyFromMemory(ze_command_list_handle_t list,
                                                   ze_image_handle_t destination,
                                                   const void *source,
                                                   const ze_image_region_t *region,
                                                   ze_event_handle_t signal, uint32_t wait_count,
                                                   ze_event_handle_t *waits) {
  return copy_memory(list, destination, const_cast<void *>(source), Direction::from_memory, region,
                     0, 0, {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendImageCopyToMemoryExt(ze_command_list_handle_t list,
                                                    void *destination, ze_image_handle_t source,
                                                    const ze_image_region_t *region,
                                                    uint32_t row_pitch, uint32_t slice_pitch,
                                                    ze_event_handle_t signal, uint32_t wait_count,
                                                    ze_event_handle_t *waits) {
  return copy_memory(list, source, destination, Direction::to_memory, region, row_pitch,
                     slice_pitch, {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendImageCopyFromMemoryExt(
    ze_command_list_handle_t list, ze_image_handle_t destination, const void *source,
    const ze_image_region_t *region, uint32_t row_pitch, uint32_t slice_pitch,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  return copy_memory(list, destination, const_cast<void *>(source), Direction::from_memory, region,
                     row_pitch, slice_pitch, {signal, wait_count, waits});
}

} // namespace ze_driver
