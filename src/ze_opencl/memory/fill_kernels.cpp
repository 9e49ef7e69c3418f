#include "fill_kernels.h"

#include <algorithm>
#include <bit>

namespace ze_opencl {
namespace {

/// fill.cl, compiled.
constexpr unsigned char spirv[] = {
#embed ZE_OPENCL_FILL_SPIRV
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

cl_int FillKernels::build() {
  if (kernels_.back())
    return CL_SUCCESS;
  cl_int error = CL_SUCCESS;
  const cl_program program = build_own_program(context_, error);
  if (!program)
    return error;
  for (size_t i = 0; i < kernels_.size() && error == CL_SUCCESS; ++i) {
    const cl_kernel kernel = api().CreateKernel(program, names[i], &error);
    if (error == CL_SUCCESS)
      kernels_[i] = kernel; // for as long as the process lives, as the context
  }
  api().ReleaseProgram(program); // kernels keep it
  return error;
}

cl_int FillKernels::fill(cl_command_queue queue, void *destination, const void *pattern,
                         size_t pattern_bytes, size_t bytes, const Order &order) {
  const std::lock_guard lock(mutex_);
  if (const cl_int error = build(); error != CL_SUCCESS)
    return error;
  // Longer patterns are several fills, each with a part of it. The queue is in order.
  const size_t element = std::min(pattern_bytes, sizeof(cl_ulong));
  const cl_kernel kernel = kernels_[static_cast<size_t>(std::countr_zero(element))];
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
