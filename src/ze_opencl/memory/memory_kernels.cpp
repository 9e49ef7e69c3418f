#include "memory_kernels.h"

#include <algorithm>
#include <bit>

namespace ze_opencl {
namespace {

/// memory_kernels.cl, compiled.
constexpr unsigned char spirv[] = {
#embed ZE_OPENCL_MEMORY_SPIRV
};

constexpr const char *names[] = {"fill_uchar", "fill_ushort", "fill_uint", "fill_ulong"};

} // namespace

cl_program build_own_program(cl_context context, cl_int &error) {
  const cl_program program = api().CreateProgramWithIL(context, spirv, sizeof spirv, &error);
  if (error != CL_SUCCESS)
    return nullptr;
  error = api().BuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr);
  if (error == CL_SUCCESS)
    return program;
  api().ReleaseProgram(program);
  return nullptr;
}

cl_int MemoryKernels::build() {
  if (copy_)
    return CL_SUCCESS;
  cl_int error = CL_SUCCESS;
  const cl_program program = build_own_program(context_, error);
  if (!program)
    return error;
  // For as long as the process lives, as the context.
  const auto make = [&](cl_kernel &kernel, const char *name) {
    const cl_kernel made =
        error == CL_SUCCESS ? api().CreateKernel(program, name, &error) : nullptr;
    if (error == CL_SUCCESS)
      kernel = made;
  };
  for (size_t i = 0; i < fills_.size(); ++i)
    make(fills_[i], names[i]);
  make(copy_, "copy_box");
  api().ReleaseProgram(program); // kernels keep it
  return error;
}

cl_int MemoryKernels::copy_box(cl_command_queue queue, const ze_driver::CopyRegionCommand &box,
                               const Order &order) {
  const std::lock_guard lock(mutex_);
  cl_int error = build();
  cl_uint index = 0;
  const auto set_pointer = [&](const void *pointer) {
    if (error == CL_SUCCESS)
      error = api().SetKernelArgSVMPointer(copy_, index++, pointer);
  };
  const auto set = [&](cl_ulong value) {
    if (error == CL_SUCCESS)
      error = api().SetKernelArg(copy_, index++, sizeof value, &value);
  };
  set_pointer(box.destination);
  set(box.destination_pitch);
  set(box.destination_slice_pitch);
  set_pointer(box.source);
  set(box.source_pitch);
  set(box.source_slice_pitch);
  set(box.width);
  const size_t rows[] = {box.height, box.depth};
  return error != CL_SUCCESS
             ? error
             : api().EnqueueNDRangeKernel(queue, copy_, 2, nullptr, rows, nullptr,
                                          order.wait_count(), order.wait_list(), order.event);
}

cl_int MemoryKernels::fill(cl_command_queue queue, void *destination, const void *pattern,
                           size_t pattern_bytes, size_t bytes, const Order &order) {
  const std::lock_guard lock(mutex_);
  if (const cl_int error = build(); error != CL_SUCCESS)
    return error;
  // Longer patterns are several fills, each with a part of it. The queue is in order.
  const size_t element = std::min(pattern_bytes, sizeof(cl_ulong));
  const cl_kernel kernel = fills_[static_cast<size_t>(std::countr_zero(element))];
  const cl_ulong stride = pattern_bytes / element;
  const size_t count = bytes / pattern_bytes;
  for (cl_ulong first = 0; first < stride; ++first) {
    const auto *part = static_cast<const std::byte *>(pattern) + first * element;
    cl_int error = api().SetKernelArgSVMPointer(kernel, 0, destination);
    const auto set = [&](cl_uint index, size_t size, const void *value) {
      if (error == CL_SUCCESS)
        error = api().SetKernelArg(kernel, index, size, value);
    };
    set(1, element, part);
    set(2, sizeof stride, &stride);
    set(3, sizeof first, &first);
    if (error != CL_SUCCESS)
      return error;
    const bool is_first = first == 0, is_last = first + 1 == stride;
    error = api().EnqueueNDRangeKernel(
        queue, kernel, 1, nullptr, &count, nullptr, is_first ? order.wait_count() : 0,
        is_first ? order.wait_list() : nullptr, is_last ? order.event : nullptr);
    if (error != CL_SUCCESS)
      return error;
  }
  return CL_SUCCESS;
}

} // namespace ze_opencl
