#include "memory_kernels.h"
#include "../../common/align.h"

#include <algorithm>

namespace ze_opencl {
namespace {

/// memory_kernels.cl, compiled.
constexpr unsigned char spirv[] = {
#embed ZE_OPENCL_MEMORY_SPIRV
};

/// Sets arguments of a kernel one after the other, until one fails.
class Arguments {
public:
  Arguments(MemoryAccess &memory, cl_kernel kernel) : memory_(memory), kernel_(kernel) {}

  Arguments &pointer(const void *value) {
    if (error == CL_SUCCESS)
      error = memory_.set_pointer(kernel_, index_++, value);
    return *this;
  }
  template <class T> Arguments &value(const T &value) {
    if (error == CL_SUCCESS)
      error = api().SetKernelArg(kernel_, index_++, sizeof value, &value);
    return *this;
  }

  cl_int error = CL_SUCCESS;

private:
  MemoryAccess &memory_;
  const cl_kernel kernel_;
  cl_uint index_ = 0;
};

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

MemoryKernels::MemoryKernels(MemoryAccess &memory, cl_context context,
                             std::span<const cl_device_id> devices)
    : memory_(memory), context_(context) {
  for (const cl_device_id device : devices) {
    size_t most = 0;
    if (api().GetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, nullptr) ==
        CL_SUCCESS)
      group_items_ = std::clamp<size_t>(most, 1, group_items_);
  }
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
  make(fill_, "fill");
  make(copy_, "copy_box");
  api().ReleaseProgram(program); // kernels keep it
  return error;
}

cl_int MemoryKernels::launch(cl_command_queue queue, cl_kernel kernel, std::array<size_t, 2> items,
                             const Order &order) {
  cl_int error = CL_SUCCESS;
  const auto memory_stays = memory_.prepare_launch(kernel, error);
  if (error != CL_SUCCESS)
    return error;
  items[0] = common::round_up(items[0], group_items_);
  const size_t group[] = {group_items_, 1};
  return api().EnqueueNDRangeKernel(queue, kernel, 2, nullptr, items.data(), group,
                                    order.wait_count(), order.wait_list(), order.event);
}

cl_int MemoryKernels::copy_box(cl_command_queue queue, ze_driver::CopyRegionCommand box,
                               const Order &order) {
  // The dimension that is rounded up is to be the longer one.
  if (box.height < box.depth) {
    std::swap(box.height, box.depth);
    std::swap(box.destination_pitch, box.destination_slice_pitch);
    std::swap(box.source_pitch, box.source_slice_pitch);
  }
  const std::lock_guard lock(mutex_);
  if (const cl_int error = build(); error != CL_SUCCESS)
    return error;
  const cl_int error = Arguments(memory_, copy_)
                           .pointer(box.destination)
                           .value<cl_ulong>(box.destination_pitch)
                           .value<cl_ulong>(box.destination_slice_pitch)
                           .pointer(box.source)
                           .value<cl_ulong>(box.source_pitch)
                           .value<cl_ulong>(box.source_slice_pitch)
                           .value<cl_ulong>(box.width)
                           .value<cl_ulong>(box.height)
                           .error;
  return error == CL_SUCCESS ? launch(queue, copy_, {box.height, box.depth}, order) : error;
}

cl_int MemoryKernels::fill(cl_command_queue queue, void *destination, const void *pattern,
                           size_t pattern_bytes, size_t bytes, const Order &order) {
  // Its bytes as they lie from a multiple of their number on. The pattern has a power of two.
  std::array<std::byte, 128> block;
  const size_t skew = reinterpret_cast<uintptr_t>(destination) % block.size();
  for (size_t i = 0; i < block.size(); ++i)
    block[i] = static_cast<const std::byte *>(pattern)[(i - skew) % pattern_bytes];
  const std::lock_guard lock(mutex_);
  if (const cl_int error = build(); error != CL_SUCCESS)
    return error;
  const cl_int error = Arguments(memory_, fill_)
                           .pointer(destination)
                           .value<cl_ulong>(skew)
                           .value<cl_ulong>(bytes)
                           .value(block)
                           .error;
  const size_t blocks = (skew + bytes - 1) / block.size() + 1;
  return error == CL_SUCCESS ? launch(queue, fill_, {blocks, 1}, order) : error;
}

} // namespace ze_opencl
