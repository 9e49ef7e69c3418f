// Kernel launches.
#include "append.h"
#include "entry_points.h"

#include <algorithm>
#include <cstring>

namespace ze_cpu {
namespace {

constexpr size_t argument_alignment = 64;

/// Puts a launch with the kernel's present state into the list. `indirect`: where the group counts
/// are read when it starts, instead of `groups`.
ze_result_t append_kernel(CommandList &list, const Kernel &kernel, const ze_group_count_t &groups,
                          const ze_group_count_t *indirect, const Synchronization &events) {
  if (kernel.local_bytes > max_local_bytes)
    return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  const size_t argument_bytes = kernel.arguments.size();
  return append<LaunchCommand>(
      list, indirect ? Opcode::launch_indirect : Opcode::launch, events,
      argument_bytes + argument_alignment, [&](Command &command, LaunchCommand &launch) {
        launch.code = kernel.code;
        launch.indirect_groups = indirect ? &indirect->groupCountX : nullptr;
        launch.groups[0] = groups.groupCountX;
        launch.groups[1] = groups.groupCountY;
        launch.groups[2] = groups.groupCountZ;
        std::copy_n(kernel.group_size, 3, launch.group_size);
        std::copy_n(kernel.global_offset, 3, launch.global_offset);
        launch.local_bytes = kernel.local_bytes;
        // Records are aligned, so that an aligned offset is an aligned address.
        const size_t end = command.payload_offset + sizeof launch;
        launch.arguments_offset = static_cast<uint32_t>((end + argument_alignment - 1) /
                                                        argument_alignment * argument_alignment);
        std::memcpy(reinterpret_cast<std::byte *>(&command) + launch.arguments_offset,
                    kernel.arguments.data(), argument_bytes);
      });
}

/// Groups of a cooperative launch wait for each other, and ours run one after another.
bool is_feasible_cooperatively(const ze_group_count_t &groups) {
  return uint64_t{groups.groupCountX} * groups.groupCountY <= 1 && groups.groupCountZ <= 1;
}

/// The extensions of a launch. Those we do not know change what it does, and so must not be
/// ignored.
ze_result_t check_extensions(const void *next, const ze_group_count_t &groups) {
  for (auto *link = static_cast<const ze_base_desc_t *>(next); link;
       link = static_cast<const ze_base_desc_t *>(link->pNext)) {
    if (link->stype != ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC)
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    const auto *cooperative =
        reinterpret_cast<const ze_command_list_append_launch_kernel_param_cooperative_desc_t *>(
            link);
    if (cooperative->isCooperative && !is_feasible_cooperatively(groups))
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t append_kernel_entry(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                const ze_group_count_t *groups, const void *next,
                                const Synchronization &events) {
  return entry([&]() -> ze_result_t {
    if (any_null(list, kernel))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!groups)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    CommandList &self = object<CommandList>(list);
    if (const ze_result_t error = check_append(self, events); error != ZE_RESULT_SUCCESS)
      return error;
    if (next)
      if (const ze_result_t error = check_extensions(next, *groups); error != ZE_RESULT_SUCCESS)
        return error;
    return append_kernel(self, object<Kernel>(kernel), *groups, nullptr, events);
  });
}

} // namespace

ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
                                            ze_kernel_handle_t kernel,
                                            const ze_group_count_t *groups,
                                            ze_event_handle_t signal, uint32_t wait_count,
                                            ze_event_handle_t *waits) {
  return append_kernel_entry(list, kernel, groups, nullptr, {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendLaunchKernelWithParameters(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t *groups,
    const void *next, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  return append_kernel_entry(list, kernel, groups, next, {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendLaunchKernelWithArguments(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t groups,
    const ze_group_size_t sizes, void **arguments, const void *next, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  const Synchronization events{signal, wait_count, waits};
  return entry([&]() -> ze_result_t {
    if (any_null(list, kernel))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    CommandList &self = object<CommandList>(list);
    Kernel &launched = object<Kernel>(kernel);
    if (!arguments && !launched.info->arguments.empty())
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (const ze_result_t error = check_append(self, events); error != ZE_RESULT_SUCCESS)
      return error;
    if (next)
      if (const ze_result_t error = check_extensions(next, groups); error != ZE_RESULT_SUCCESS)
        return error;
    if (const ze_result_t error =
            launched.set_group_size(sizes.groupSizeX, sizes.groupSizeY, sizes.groupSizeZ);
        error != ZE_RESULT_SUCCESS)
      return error;
    if (const ze_result_t error = launched.set_arguments(arguments); error != ZE_RESULT_SUCCESS)
      return error;
    return append_kernel(self, launched, groups, nullptr, events);
  });
}

ze_result_t
zeCommandListAppendLaunchCooperativeKernel(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                           const ze_group_count_t *groups, ze_event_handle_t signal,
                                           uint32_t wait_count, ze_event_handle_t *waits) {
  ze_command_list_append_launch_kernel_param_cooperative_desc_t cooperative{
      ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC, nullptr, true};
  return append_kernel_entry(list, kernel, groups, &cooperative, {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendLaunchKernelIndirect(ze_command_list_handle_t list,
                                                    ze_kernel_handle_t kernel,
                                                    const ze_group_count_t *groups,
                                                    ze_event_handle_t signal, uint32_t wait_count,
                                                    ze_event_handle_t *waits) {
  const Synchronization events{signal, wait_count, waits};
  return entry([&]() -> ze_result_t {
    if (any_null(list, kernel))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!groups)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    CommandList &self = object<CommandList>(list);
    if (const ze_result_t error = check_append(self, events); error != ZE_RESULT_SUCCESS)
      return error;
    return append_kernel(self, object<Kernel>(kernel), {}, groups, events);
  });
}

} // namespace ze_cpu
