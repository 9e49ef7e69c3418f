#include "box.h"
#include "route.h"

#include <algorithm>
#include <cstring>

namespace chip {
namespace {

/// The bytes from the first to the last one of a box.
size_t span(const BoxSide &side, const Box &box) {
  size_t slices, rows, bytes;
  if (__builtin_mul_overflow(box.depth - 1, side.slice_pitch, &slices) ||
      __builtin_mul_overflow(box.height - 1, side.pitch, &rows) ||
      __builtin_add_overflow(slices, rows, &bytes) ||
      __builtin_add_overflow(bytes, box.width, &bytes))
    throw Error(
        hipErrorInvalidValue,
        "the sizes and pitches of the copy multiply to more bytes than the address space has");
  return bytes;
}

bool inside(size_t begin, size_t size, size_t end) { return begin <= end && size <= end - begin; }

/// Takes dimensions away that leave no gap, so that as much as can be is one run of bytes.
Box flatten(const BoxSide &a, const BoxSide &b, Box box) {
  auto close = [&](size_t BoxSide::*pitch, size_t BoxSide::*row_pitch, size_t rows) {
    return a.*pitch == rows * a.*row_pitch && b.*pitch == rows * b.*row_pitch;
  };
  if (box.depth > 1 && close(&BoxSide::slice_pitch, &BoxSide::pitch, box.height)) {
    box.height *= box.depth;
    box.depth = 1;
  }
  if (box.depth == 1 && a.pitch == box.width && b.pitch == box.width) {
    box.width *= box.height;
    box.height = 1;
  }
  return box;
}

/// `is_host(first, bytes)` for all that a box covers, but for gaps that hold a page of something else.
template <class IsHost> bool is_host_box(const BoxSide &side, const Box &box, IsHost &&is_host) {
  constexpr size_t page = 4096;
  bool all = true;
  const bool rows_touch = box.height == 1 || side.pitch - box.width < page;
  for (size_t z = 0; z < box.depth; ++z) {
    std::byte *slice = side.first + z * side.slice_pitch;
    if (rows_touch)
      all &= is_host(slice, (box.height - 1) * side.pitch + box.width);
    else
      for (size_t y = 0; y < box.height; ++y)
        all &= is_host(slice + y * side.pitch, box.width);
  }
  return all;
}

} // namespace

BoxSide side_of(const hipArray &array, BoxOrigin origin, const Box &box) {
  if (!inside(origin.x, box.width, array.row_bytes()) ||
      !inside(origin.y, box.height, array.rows()) || !inside(origin.z, box.depth, array.slices()))
    throw Error(hipErrorInvalidValue, "the copy passes the edge of the array");
  return {array.data + origin.z * array.slice_pitch + origin.y * array.pitch + origin.x,
          array.pitch, array.slice_pitch};
}

BoxSide side_of(const void *memory, size_t pitch, size_t rows, BoxOrigin origin, const Box &box) {
  if (!memory)
    throw Error(hipErrorInvalidValue, "`dst` or `src` is null");
  if (pitch > max_pitch)
    throw Error(hipErrorInvalidValue,
                "the pitch of the source or the destination is above the device's memPitch");
  if (pitch == 0 && box.height == 1 && box.depth == 1)
    pitch = origin.x + box.width; // of a single row nobody needs to know
  if (!inside(origin.x, box.width, pitch))
    throw Error(hipErrorInvalidValue,
                "the position and the width together are more than the pitch");
  if (rows && !inside(origin.y, box.height, rows))
    throw Error(hipErrorInvalidValue,
                "the position and the height together are more than the rows of a slice");
  if (!rows)
    rows = box.height;
  BoxSide side{nullptr, pitch, 0};
  size_t offset = 0, slices = 0, rows_before = 0, end_of_row = 0;
  if (__builtin_mul_overflow(pitch, rows, &side.slice_pitch) ||
      __builtin_mul_overflow(origin.z, side.slice_pitch, &slices) ||
      __builtin_mul_overflow(origin.y, pitch, &rows_before) ||
      __builtin_add_overflow(slices, rows_before, &offset) ||
      __builtin_add_overflow(offset, origin.x, &offset) ||
      __builtin_add_overflow(offset, box.width, &end_of_row))
    throw Error(
        hipErrorInvalidValue,
        "the sizes and pitches of the copy multiply to more bytes than the address space has");
  side.first = static_cast<std::byte *>(const_cast<void *>(memory)) + offset;
  if (auto allocation =
          find_allocation(memory)) // the first row may be in nobody's memory otherwise
    check_range(*allocation, memory, end_of_row);
  return side;
}

void copy_box(const BoxSide &destination, const BoxSide &source, const Box &whole,
              hipMemcpyKind kind, const StreamTarget &stream, Completion completion) {
  if (kind < hipMemcpyHostToHost ||
      (kind > hipMemcpyDefault && kind != hipMemcpyDeviceToDeviceNoCU))
    throw Error(hipErrorInvalidMemcpyDirection, "`kind` is not a hipMemcpyKind");
  if (whole.is_empty())
    return;
  const Box box = flatten(destination, source, whole);
  if (box.height == 1 && box.depth == 1) {
    copy_memory(destination.first, source.first, box.width, kind, stream, completion);
    return;
  }
  auto to = find_allocation(destination.first), from = find_allocation(source.first);
  const size_t written = span(destination, box), read = span(source, box);
  if (to)
    check_target(*to, destination.first, written);
  if (from)
    check_range(*from, source.first, read);
  Device &device = *stream.device;
  const bool from_host =
      !from && is_host_box(source, box, [&](const std::byte *first, size_t bytes) {
        return is_host_source(first, bytes, device);
      });
  const bool to_host = !to && is_host_box(destination, box, [&](std::byte *first, size_t bytes) {
    return is_host_destination(first, bytes, device);
  });
  if (from_host && to_host && !stream.capture) {
    // Both are ordinary memory: the host copies in the stream's place.
    synchronize(stream);
    for_each_row(destination, source, box, [&](std::byte *row, const std::byte *original) {
      std::memcpy(row, original, box.width);
    });
    return;
  }
  Device *const copying = copying_device(device, to, from);
  if (!copying) {
    copy_through_host(stream, *to->device, destination, *from->device, source, box);
    return;
  }
  if (from_host && completion == Completion::async &&
      box.bytes() <= operations::most_staged_bytes && copying == &device) {
    enqueue(stream, operations::StagedCopyBox{destination, source, box, kind});
    return;
  }
  const auto copy = [&] {
    enqueue_on(*copying, stream, operations::CopyBox{destination, source, box, kind});
  };
  // Ordinary memory may change or be unmapped as soon as the call returns.
  if (completion == Completion::wait || !to || !from)
    enqueue_and_finish(stream, copy);
  else
    copy();
}

void fill_box(const BoxSide &destination, uint32_t value, const Box &whole,
              const StreamTarget &stream, Completion completion, size_t element_bytes) {
  if (whole.is_empty())
    return;
  if (reinterpret_cast<uintptr_t>(destination.first) % element_bytes ||
      (whole.height > 1 && destination.pitch % element_bytes) ||
      (whole.depth > 1 && destination.slice_pitch % element_bytes))
    throw Error(hipErrorInvalidValue, "`dst` or its pitch is not a multiple of an element");
  const Box box = flatten(destination, destination, whole);
  auto allocation = find_allocation(destination.first);
  if (!allocation)
    throw Error(hipErrorInvalidValue, "`dst` is not in memory that HIP allocated or registered");
  check_target(*allocation, destination.first, span(destination, box));
  const auto fill = [&] {
    enqueue_on(*allocation->device, stream,
               operations::FillBox{destination, value, box, element_bytes});
  };
  if (completion == Completion::wait)
    enqueue_and_finish(stream, fill);
  else
    fill();
}

} // namespace chip
