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
                   Completion completion, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
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
                     bool per_thread, Completion completion,
                     const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    const auto array = find_array(src, "src");
    StreamTarget target = resolve(stream, per_thread);
    check_pitch(pitch, width);
    const Box box{width, height};
    copy_box(side_of(dst, pitch, 0, {}, box), side_of(*array, {x, y}, box), box, kind, target,
             completion);
  });
}

using ArrayOwner = std::shared_ptr<hipArray>;

/// A run of bytes in memory or in an array, where it goes on at the beginning of the next row.
class Run {
public:
  explicit Run(const void *memory) : memory_(static_cast<const char *>(memory)) {
    if (!memory)
      throw Error(hipErrorInvalidValue, "`dst` or `src` is null");
  }
  Run(ArrayOwner array, size_t begin, size_t bytes) : array_(std::move(array)), begin_(begin) {
    const size_t all = array_->row_bytes() * array_->rows();
    if (begin > all || bytes > all - begin)
      throw Error(hipErrorInvalidValue, "the copy passes the end of the array");
  }
  size_t left_in_row(size_t offset) const {
    return array_ ? array_->row_bytes() - (begin_ + offset) % array_->row_bytes() : SIZE_MAX;
  }
  bool may_have_rows_of(size_t width) const { return !array_ || array_->row_bytes() == width; }
  BoxSide side(size_t offset, const Box &box) const {
    if (!array_)
      return side_of(memory_ + offset, box.width, 0, {}, box);
    const size_t place = begin_ + offset, row = array_->row_bytes();
    return side_of(*array_, {place % row, place / row}, box);
  }

private:
  const ArrayOwner array_{};
  const char *const memory_ = nullptr;
  const size_t begin_ = 0;
};

Run run_at(hipArray_const_t handle, const char *argument, size_t x, size_t y, size_t count) {
  const auto array = find_array(handle, argument);
  if (x >= array->row_bytes() || y >= array->rows())
    throw Error(hipErrorInvalidValue, "the copy begins behind the end of the array");
  return {array, y * array->row_bytes() + x, count};
}

/// In the first row of an array, as the driver interface has it.
Run run_in(hipArray_const_t handle, const char *argument, size_t offset, size_t bytes) {
  const auto array = find_array(handle, argument, hipErrorInvalidValue);
  const size_t row = array->row_bytes();
  if (offset > row || bytes > row - offset)
    throw Error(hipErrorInvalidValue,
                std::format("the copy passes the end of the first row of `{}`", argument));
  return {array, offset, bytes};
}

/// `destination()` and `source()` are the runs.
hipError_t copy_run(auto &&destination, auto &&source, size_t bytes, hipMemcpyKind kind,
                    hipStream_t stream = nullptr, Completion completion = Completion::wait,
                    bool per_thread = false, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    const Run to = destination(), from = source();
    const StreamTarget target = resolve(stream, per_thread);
    for (size_t offset = 0; offset < bytes;) {
      const size_t left = bytes - offset;
      const size_t width = std::min({left, to.left_in_row(offset), from.left_in_row(offset)});
      const bool is_rows = to.may_have_rows_of(width) && from.may_have_rows_of(width);
      const Box box{width, is_rows ? left / width : 1};
      copy_box(to.side(offset, box), from.side(offset, box), box, kind, target, completion);
      offset += box.width * box.height;
    }
  });
}

hipError_t copy_run_from(void *dst, hipArray_const_t src, size_t x, size_t y, size_t count,
                         hipMemcpyKind kind, bool per_thread) {
  return copy_run([&] { return Run(dst); }, [&] { return run_at(src, "src", x, y, count); }, count,
                  kind, nullptr, Completion::wait, per_thread);
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
  return copy_run([&] { return run_at(dst, "dst", x_offset, y_offset, count); },
                  [&] { return Run(src); }, count, kind);
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
  return copy_run([&] { return Run(dst); },
                  [&] { return run_in(src_array, "src_array", src_offset, count); }, count,
                  hipMemcpyDeviceToHost);
}
hipError_t hipMemcpyAtoHAsync(void *dst_host, hipArray_t src_array, size_t src_offset, size_t bytes,
                              hipStream_t stream) {
  return copy_run([&] { return Run(dst_host); },
                  [&] { return run_in(src_array, "src_array", src_offset, bytes); }, bytes,
                  hipMemcpyDeviceToHost, stream, Completion::async);
}
hipError_t hipMemcpyHtoA(hipArray_t dst_array, size_t dst_offset, const void *src_host,
                         size_t count) {
  return copy_run([&] { return run_in(dst_array, "dst_array", dst_offset, count); },
                  [&] { return Run(src_host); }, count, hipMemcpyHostToDevice);
}
hipError_t hipMemcpyHtoAAsync(hipArray_t dst_array, size_t dst_offset, const void *src_host,
                              size_t bytes, hipStream_t stream) {
  return copy_run([&] { return run_in(dst_array, "dst_array", dst_offset, bytes); },
                  [&] { return Run(src_host); }, bytes, hipMemcpyHostToDevice, stream,
                  Completion::async);
}
hipError_t hipMemcpyAtoD(hipDeviceptr_t dst_device, hipArray_t src_array, size_t src_offset,
                         size_t bytes) {
  return copy_run([&] { return Run(dst_device); },
                  [&] { return run_in(src_array, "src_array", src_offset, bytes); }, bytes,
                  hipMemcpyDeviceToDevice);
}
hipError_t hipMemcpyDtoA(hipArray_t dst_array, size_t dst_offset, hipDeviceptr_t src_device,
                         size_t bytes) {
  return copy_run([&] { return run_in(dst_array, "dst_array", dst_offset, bytes); },
                  [&] { return Run(src_device); }, bytes, hipMemcpyDeviceToDevice);
}
hipError_t hipMemcpyAtoA(hipArray_t dst_array, size_t dst_offset, hipArray_t src_array,
                         size_t src_offset, size_t bytes) {
  return copy_run([&] { return run_in(dst_array, "dst_array", dst_offset, bytes); },
                  [&] { return run_in(src_array, "src_array", src_offset, bytes); }, bytes,
                  hipMemcpyDeviceToDevice);
}
