// HIP API reference: Memory management, copies from and to arrays whose arguments are offsets in bytes and rows.
#include "../runtime/memory/box.h"
#include "entry.h"

#include <algorithm>
#include <format>

using namespace chip;
using chip::hip::entry;

namespace {

void check_pitch(size_t pitch, size_t width) {
  if (pitch < width)
    throw Error(hipErrorInvalidPitchValue, "the pitch of the memory is less than `width`");
}

hipError_t copy_to(hipArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                   size_t height, hipMemcpyKind kind, hipStream_t stream, bool per_thread,
                   Completion completion) {
  return entry(capture_rule(completion), [&] {
    const auto array = find_array(dst, "dst");
    StreamTarget target = resolve(stream, per_thread);
    check_pitch(pitch, width);
    const Box box{width, height};
    copy_box(side_of(*array, {x, y}, box), side_of(src, pitch, 0, {}, box), box, kind, target,
             completion);
  });
}

hipError_t copy_from(void *dst, size_t pitch, hipArray_const_t src, size_t x, size_t y,
                     size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream,
                     bool per_thread, Completion completion) {
  return entry(capture_rule(completion), [&] {
    const auto array = find_array(src, "src");
    StreamTarget target = resolve(stream, per_thread);
    check_pitch(pitch, width);
    const Box box{width, height};
    copy_box(side_of(dst, pitch, 0, {}, box), side_of(*array, {x, y}, box), box, kind, target,
             completion);
  });
}

/// Calls `copy(x, y, box, offset)` for each box of a run of bytes that goes on at the beginning of the next row, and that
/// begins `offset` bytes into the run.
void for_each_box(const hipArray &array, size_t x, size_t y, size_t count, auto &&copy) {
  const size_t row = array.row_bytes();
  if (x >= row || y >= array.rows() || count > row * (array.rows() - y) - x)
    throw Error(hipErrorInvalidValue, "the copy passes the end of the array");
  size_t offset = 0;
  while (offset < count) {
    const size_t left = count - offset;
    const bool whole_rows = x == 0 && left >= row;
    const Box box{whole_rows ? row : std::min(left, row - x), whole_rows ? left / row : 1};
    copy(BoxOrigin{x, y}, box, offset);
    offset += box.width * box.height;
    y += box.height;
    x = 0;
  }
}

const char *bytes_at(const void *memory, size_t offset) {
  if (!memory)
    throw Error(hipErrorInvalidValue, "`dst` or `src` is null");
  return static_cast<const char *>(memory) + offset;
}

hipError_t copy_run_from(void *dst, hipArray_const_t src, size_t x, size_t y, size_t count,
                         hipMemcpyKind kind, bool per_thread) {
  return entry(CaptureRule::implicit, [&] {
    const auto array = find_array(src, "src");
    for_each_box(*array, x, y, count, [&](BoxOrigin origin, const Box &box, size_t offset) {
      copy_box(side_of(bytes_at(dst, offset), box.width, 0, {}, box), side_of(*array, origin, box),
               box, kind, resolve(nullptr, per_thread), Completion::wait);
    });
  });
}

/// A run of bytes in an array, which must have one dimension.
BoxSide run_in(hipArray_const_t handle, const char *argument, size_t offset, size_t bytes) {
  const auto array = find_array(handle, argument, hipErrorInvalidValue);
  if (array->extent.height != 0)
    throw Error(hipErrorInvalidValue, std::format("`{}` has more than one dimension", argument));
  return side_of(*array, {offset}, {bytes});
}
BoxSide run_at(const void *memory, size_t bytes) { return side_of(memory, bytes, 0, {}, {bytes}); }

hipError_t copy_run(auto &&destination, auto &&source, size_t bytes, hipMemcpyKind kind,
                    hipStream_t stream = nullptr, Completion completion = Completion::wait) {
  return entry(capture_rule(completion), [&] {
    copy_box(destination(), source(), {bytes}, kind, resolve(stream), completion);
  });
}

} // namespace

hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t x_offset, size_t y_offset, const void *src,
                              size_t src_pitch, size_t width, size_t height, hipMemcpyKind kind) {
  return copy_to(dst, x_offset, y_offset, src, src_pitch, width, height, kind, nullptr, false,
                 Completion::wait);
}
hipError_t hipMemcpy2DToArray_spt(hipArray_t dst, size_t x_offset, size_t y_offset, const void *src,
                                  size_t src_pitch, size_t width, size_t height,
                                  hipMemcpyKind kind) {
  return copy_to(dst, x_offset, y_offset, src, src_pitch, width, height, kind, nullptr, true,
                 Completion::wait);
}
hipError_t hipMemcpy2DToArrayAsync(hipArray_t dst, size_t x_offset, size_t y_offset,
                                   const void *src, size_t src_pitch, size_t width, size_t height,
                                   hipMemcpyKind kind, hipStream_t stream) {
  return copy_to(dst, x_offset, y_offset, src, src_pitch, width, height, kind, stream, false,
                 Completion::async);
}
hipError_t hipMemcpy2DToArrayAsync_spt(hipArray_t dst, size_t x_offset, size_t y_offset,
                                       const void *src, size_t src_pitch, size_t width,
                                       size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return copy_to(dst, x_offset, y_offset, src, src_pitch, width, height, kind, stream, true,
                 Completion::async);
}

hipError_t hipMemcpy2DFromArray(void *dst, size_t dst_pitch, hipArray_const_t src, size_t x_offset,
                                size_t y_offset, size_t width, size_t height, hipMemcpyKind kind) {
  return copy_from(dst, dst_pitch, src, x_offset, y_offset, width, height, kind, nullptr, false,
                   Completion::wait);
}
hipError_t hipMemcpy2DFromArray_spt(void *dst, size_t dst_pitch, hipArray_const_t src,
                                    size_t x_offset, size_t y_offset, size_t width, size_t height,
                                    hipMemcpyKind kind) {
  return copy_from(dst, dst_pitch, src, x_offset, y_offset, width, height, kind, nullptr, true,
                   Completion::wait);
}
hipError_t hipMemcpy2DFromArrayAsync(void *dst, size_t dst_pitch, hipArray_const_t src,
                                     size_t x_offset, size_t y_offset, size_t width, size_t height,
                                     hipMemcpyKind kind, hipStream_t stream) {
  return copy_from(dst, dst_pitch, src, x_offset, y_offset, width, height, kind, stream, false,
                   Completion::async);
}
hipError_t hipMemcpy2DFromArrayAsync_spt(void *dst, size_t dst_pitch, hipArray_const_t src,
                                         size_t x_offset, size_t y_offset, size_t width,
                                         size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return copy_from(dst, dst_pitch, src, x_offset, y_offset, width, height, kind, stream, true,
                   Completion::async);
}

hipError_t hipMemcpy2DArrayToArray(hipArray_t dst, size_t dst_x_offset, size_t dst_y_offset,
                                   hipArray_const_t src, size_t src_x_offset, size_t src_y_offset,
                                   size_t width, size_t height, hipMemcpyKind kind) {
  return entry(CaptureRule::implicit, [&] {
    const auto to = find_array(dst, "dst"), from = find_array(src, "src");
    const Box box{width, height};
    copy_box(side_of(*to, {dst_x_offset, dst_y_offset}, box),
             side_of(*from, {src_x_offset, src_y_offset}, box), box, kind, resolve(nullptr),
             Completion::wait);
  });
}

hipError_t hipMemcpyToArray(hipArray_t dst, size_t x_offset, size_t y_offset, const void *src,
                            size_t count, hipMemcpyKind kind) {
  return entry(CaptureRule::implicit, [&] {
    const auto array = find_array(dst, "dst");
    for_each_box(*array, x_offset, y_offset, count,
                 [&](BoxOrigin origin, const Box &box, size_t offset) {
                   copy_box(side_of(*array, origin, box),
                            side_of(bytes_at(src, offset), box.width, 0, {}, box), box, kind,
                            resolve(nullptr), Completion::wait);
                 });
  });
}

hipError_t hipMemcpyFromArray(void *dst, hipArray_const_t src, size_t x_offset, size_t y_offset,
                              size_t count, hipMemcpyKind kind) {
  return copy_run_from(dst, src, x_offset, y_offset, count, kind, false);
}
hipError_t hipMemcpyFromArray_spt(void *dst, hipArray_const_t src, size_t x_offset, size_t y_offset,
                                  size_t count, hipMemcpyKind kind) {
  return copy_run_from(dst, src, x_offset, y_offset, count, kind, true);
}

hipError_t hipMemcpyAtoH(void *dst, hipArray_t src_array, size_t src_offset, size_t count) {
  return copy_run([&] { return run_at(dst, count); },
                  [&] { return run_in(src_array, "src_array", src_offset, count); }, count,
                  hipMemcpyDeviceToHost);
}
hipError_t hipMemcpyAtoHAsync(void *dst_host, hipArray_t src_array, size_t src_offset, size_t bytes,
                              hipStream_t stream) {
  return copy_run([&] { return run_at(dst_host, bytes); },
                  [&] { return run_in(src_array, "src_array", src_offset, bytes); }, bytes,
                  hipMemcpyDeviceToHost, stream, Completion::async);
}
hipError_t hipMemcpyHtoA(hipArray_t dst_array, size_t dst_offset, const void *src_host,
                         size_t count) {
  return copy_run([&] { return run_in(dst_array, "dst_array", dst_offset, count); },
                  [&] { return run_at(src_host, count); }, count, hipMemcpyHostToDevice);
}
hipError_t hipMemcpyHtoAAsync(hipArray_t dst_array, size_t dst_offset, const void *src_host,
                              size_t bytes, hipStream_t stream) {
  return copy_run([&] { return run_in(dst_array, "dst_array", dst_offset, bytes); },
                  [&] { return run_at(src_host, bytes); }, bytes, hipMemcpyHostToDevice, stream,
                  Completion::async);
}
hipError_t hipMemcpyAtoD(hipDeviceptr_t dst_device, hipArray_t src_array, size_t src_offset,
                         size_t bytes) {
  return copy_run([&] { return run_at(dst_device, bytes); },
                  [&] { return run_in(src_array, "src_array", src_offset, bytes); }, bytes,
                  hipMemcpyDeviceToDevice);
}
hipError_t hipMemcpyDtoA(hipArray_t dst_array, size_t dst_offset, hipDeviceptr_t src_device,
                         size_t bytes) {
  return copy_run([&] { return run_in(dst_array, "dst_array", dst_offset, bytes); },
                  [&] { return run_at(src_device, bytes); }, bytes, hipMemcpyDeviceToDevice);
}
hipError_t hipMemcpyAtoA(hipArray_t dst_array, size_t dst_offset, hipArray_t src_array,
                         size_t src_offset, size_t bytes) {
  return copy_run([&] { return run_in(dst_array, "dst_array", dst_offset, bytes); },
                  [&] { return run_in(src_array, "src_array", src_offset, bytes); }, bytes,
                  hipMemcpyDeviceToDevice);
}
