#include "copy.h"

namespace chip::operations {

void CopyBox::append(Encoder &encoder, ze::Waits waits) const {
  const auto fits = [&](const BoxSide &side) {
    return side.pitch <= UINT32_MAX && (box.depth == 1 || side.slice_pitch <= UINT32_MAX);
  };
  // Level Zero's regions have 32 bits for everything.
  if (fits(destination) && fits(source) && box.width <= UINT32_MAX && box.height <= UINT32_MAX &&
      box.depth <= UINT32_MAX) {
    encoder.list.copy_box(destination.first, {destination.pitch, destination.slice_pitch},
                          source.first, {source.pitch, source.slice_pitch},
                          {uint32_t(box.width), uint32_t(box.height), uint32_t(box.depth)}, waits);
    return;
  }
  for_each_row(destination, source, box, [&](std::byte *to, const std::byte *from) {
    encoder.list.copy(to, from, box.width, waits);
    waits = {}; // the list is in order
  });
}

void StagedCopyBox::append(Encoder &encoder, ze::Waits waits) const {
  const SpillArena::Block block = encoder.arena.allocate(box.bytes());
  const BoxSide staged{static_cast<std::byte *>(block.data()), box.width, box.height * box.width};
  for_each_row(staged, source, box,
               [&](std::byte *to, const std::byte *from) { std::memcpy(to, from, box.width); });
  CopyBox{destination, staged, box, kind}.append(encoder, waits);
}

} // namespace chip::operations
