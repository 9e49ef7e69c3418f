#include "kernel.h"

#include "../platform/error.h"

#include <algorithm>
#include <cstring>
#include <format>

namespace ze_opencl {

using ze_driver::Argument;
using ze_driver::ArgumentKind;
using ze_driver::KernelInfo;

namespace {

/// A number of the kernel's on the device; 0 where OpenCL does not tell.
uint32_t number(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info which) {
  cl_ulong bytes = 0;
  return api().GetKernelWorkGroupInfo(kernel, device, which, sizeof bytes, &bytes, nullptr) ==
                 CL_SUCCESS
             ? static_cast<uint32_t>(bytes)
             : 0;
}

uint64_t offset_in(const std::byte *arguments, const Argument &local) {
  uint64_t offset = 0;
  std::memcpy(&offset, arguments + local.offset, sizeof offset);
  return offset;
}

} // namespace

std::expected<std::unique_ptr<Kernel>, std::string>
Kernel::make(cl_kernel kernel, const KernelInfo &info, const Device &device) {
  std::unique_ptr<Kernel> made(new Kernel(kernel, info, device));
  if (const cl_int error = device.platform->memory->allow_indirect_access(kernel);
      error != CL_SUCCESS)
    return std::unexpected(
        std::format("{} does not let the kernel follow pointers that it finds in memory: {}",
                    device.facts.name, error_name(error)));
  made->name = info.name;
  made->local_bytes = number(kernel, device.id, CL_KERNEL_LOCAL_MEM_SIZE);
  made->private_bytes = number(kernel, device.id, CL_KERNEL_PRIVATE_MEM_SIZE);
  made->sub_group_size =
      info.required_sub_group_size ? info.required_sub_group_size : device.facts.sub_group_size;
  return made;
}

Kernel::Kernel(cl_kernel kernel, const KernelInfo &info, const Device &device)
    : kernel_(kernel), info_(info), memory_(*device.platform->memory) {
  for (const Argument &argument : info.arguments)
    has_local_arguments_ |= argument.kind == ArgumentKind::local;
}

Kernel::~Kernel() { api().ReleaseKernel(kernel_); }

cl_int Kernel::enqueue(cl_command_queue queue, const ze_driver::LaunchCommand &launch,
                       const uint32_t (&groups)[3], const std::byte *arguments,
                       const Order &order) {
  const std::lock_guard lock(mutex_);
  if (!range_.is_of(groups, launch.group_size, launch.global_offset))
    range_ = Range(groups, launch.group_size, launch.global_offset);
  if (const cl_int error = set_arguments(arguments, launch.local_bytes); error != CL_SUCCESS)
    return error;
  cl_int error = CL_SUCCESS;
  const auto memory_stays = memory_.prepare_launch(kernel_, error);
  if (error != CL_SUCCESS)
    return error;
  return api().EnqueueNDRangeKernel(
      queue, kernel_, range_.dimensions, range_.has_offset ? range_.offset : nullptr, range_.items,
      range_.group_items, order.wait_count(), order.wait_list(), order.event);
}

Kernel::Range::Range(const uint32_t (&of_groups)[3], const uint32_t (&of_group_size)[3],
                     const uint32_t (&of_offset)[3])
    : groups_(std::to_array(of_groups)), group_size_(std::to_array(of_group_size)),
      given_offset_(std::to_array(of_offset)) {
  for (cl_uint i = 0; i < 3; ++i) {
    group_items[i] = of_group_size[i];
    items[i] = size_t{of_groups[i]} * of_group_size[i];
    offset[i] = of_offset[i];
    has_offset |= offset[i] != 0;
    if (items[i] != 1 || offset[i] != 0)
      dimensions = i + 1;
  }
}

/// Sets those that are others than before.
cl_int Kernel::set_arguments(const std::byte *arguments, uint32_t local_bytes) {
  const bool same_local = !has_local_arguments_ || local_bytes == last_local_bytes_;
  const size_t bytes = info_.argument_bytes;
  if (is_set_ && same_local && std::memcmp(last_.data(), arguments, bytes) == 0)
    return CL_SUCCESS;
  last_.resize(bytes);
  for (size_t i = 0; i < info_.arguments.size(); ++i) {
    const Argument &argument = info_.arguments[i];
    const std::byte *const value = arguments + argument.offset;
    const auto index = static_cast<cl_uint>(i);
    const bool is_local = argument.kind == ArgumentKind::local;
    if (is_set_ && !is_local &&
        std::memcmp(last_.data() + argument.offset, value, argument.size) == 0)
      continue;
    cl_int error;
    if (argument.kind == ArgumentKind::pointer) {
      const void *pointer;
      std::memcpy(&pointer, value, sizeof pointer);
      error = memory_.set_pointer(kernel_, index, pointer);
    } else if (is_local) {
      error =
          api().SetKernelArg(kernel_, index, bytes_of_local(i, arguments, local_bytes), nullptr);
    } else {
      error = api().SetKernelArg(kernel_, index, argument.size, value);
    }
    if (error != CL_SUCCESS) {
      is_set_ = false; // nobody knows what is
      return error;
    }
  }
  std::ranges::copy(std::span(arguments, bytes), last_.begin());
  last_local_bytes_ = local_bytes;
  is_set_ = true;
  return CL_SUCCESS;
}

/// The front gives each argument an offset, one behind the other: it ends where the next one begins. At least 1, since OpenCL
/// takes no empty argument.
uint32_t Kernel::bytes_of_local(size_t index, const std::byte *arguments,
                                uint32_t local_end) const {
  const uint64_t begin = offset_in(arguments, info_.arguments[index]);
  uint64_t end = local_end;
  for (size_t i = index + 1; i < info_.arguments.size(); ++i)
    if (info_.arguments[i].kind == ArgumentKind::local) {
      end = offset_in(arguments, info_.arguments[i]);
      break;
    }
  return end > begin ? static_cast<uint32_t>(end - begin) : 1;
}

} // namespace ze_opencl
