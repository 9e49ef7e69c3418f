#include "route.h"

#include <algorithm>
#include <memory>

namespace chip {
namespace {

bool can_copy(const Device &device, const std::optional<Allocation> &memory) {
  return !memory || have_one_driver(*memory->device, device) || memory->host_can_reach() ||
         memory->device->driver().capabilities().device_memory_is_host_memory;
}

/// Calls `visit(part, part_of)` for parts of the box that have at most so many bytes; `part_of(side)` is where one begins.
template <class Visit> void for_each_part(const Box &box, size_t most_bytes, Visit &&visit) {
  const size_t width = std::min(box.width, most_bytes);
  const size_t rows =
      width == box.width ? std::clamp<size_t>(most_bytes / width, 1, box.height) : 1;
  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; y += rows)
      for (size_t x = 0; x < box.width; x += width)
        visit(Box{std::min(width, box.width - x), std::min(rows, box.height - y)},
              [=](const BoxSide &side) {
                return BoxSide{side.first + z * side.slice_pitch + y * side.pitch + x, side.pitch,
                               side.slice_pitch};
              });
}

} // namespace

Device *copying_device(Device &stream_device, const std::optional<Allocation> &to,
                       const std::optional<Allocation> &from) {
  for (Device *device :
       {&stream_device, to ? to->device : &stream_device, from ? from->device : &stream_device})
    if (can_copy(*device, to) && can_copy(*device, from))
      return device;
  return nullptr;
}

void copy_through_host(const StreamTarget &stream, Device &to_device, const BoxSide &to,
                       Device &from_device, const BoxSide &from, const Box &box) {
  constexpr size_t most_bytes = 4 << 20;
  synchronize(stream);
  const auto memory =
      std::make_unique_for_overwrite<std::byte[]>(std::min(most_bytes, box.width * box.height));
  InternalQueue reader(from_device.scheduler()), writer(to_device.scheduler());
  try {
    for_each_part(box, most_bytes, [&](const Box &part, auto &&part_of) {
      const BoxSide staged{memory.get(), part.width, part.width * part.height};
      reader->submit(operations::CopyBox{staged, part_of(from), part});
      reader->finish();
      writer->submit(operations::CopyBox{part_of(to), staged, part});
      writer->finish();
    });
  } catch (...) {
    reader->settle();
    writer->settle();
    throw;
  }
}

} // namespace chip
