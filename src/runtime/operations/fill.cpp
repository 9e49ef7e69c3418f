#include "fill.h"
#include "copy.h"

#include <algorithm>

namespace chip::operations {

// Level Zero fills runs only: what is filled is the source of the next copy, twice as large each time.
void FillBox::append(Encoder &encoder, ze::Waits waits) const {
  Fill{destination.first, value, element_bytes, box.width}.append(encoder, waits);
  const auto repeat = [&](size_t count, size_t pitch, size_t Box::*dimension, Box done) {
    for (size_t filled = 1; filled < count; filled += done.*dimension) {
      done.*dimension = std::min(filled, count - filled);
      const BoxSide next{destination.first + filled * pitch, destination.pitch,
                         destination.slice_pitch};
      CopyBox{next, destination, done}.append(encoder, {});
    }
  };
  repeat(box.height, destination.pitch, &Box::height, {box.width, 1, 1});
  repeat(box.depth, destination.slice_pitch, &Box::depth, {box.width, box.height, 1});
}

} // namespace chip::operations
