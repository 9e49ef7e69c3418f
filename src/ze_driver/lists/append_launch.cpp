// Kernel launches.
#include "../../common/align.h"
#include "../api/entry_points.h"
#include "append.h"
#include "mutable_commands.h"

#include <algorithm>

namespace ze_driver {
namespace {

constexpr size_t argument_alignment = 64;

/// Whether all groups can exist at once.
bool is_feasible_cooperatively(const Kernel &kernel, const ze_group_count_t &groups) {
  const uint64_t limit = kernel.max_cooperative_groups();
  const uint64_t row = uint64_t{groups.groupCountX} * groups.groupCountY;
  return row <= limit && row * groups.groupCountZ <= limit;
}

/// Room for the arguments of the kernel, and of all that the program may put in its place.
size_t argument_room(const CommandList &list, const Kernel &kernel) {
  size_t bytes = kernel.arguments.size();
  if (!list.is_immediate())
    if (const auto &commands = static_cast<const RegularList &>(list).mutable_commands;
        commands && commands->next_is_named)
      for (ze_kernel_handle_t choice : commands->commands.back().choices)
        bytes = std::max(bytes, object<Kernel>(choice).arguments.size());
  return bytes;
}

/// All of a launch but its arguments.
void describe_launch(LaunchCommand &launch, const Kernel &kernel, const LaunchForm &form) {
  launch.kernel = kernel.code;
  launch.indirect_groups = form.indirect ? &form.indirect->groupCountX : nullptr;
  launch.launch_count = form.count;
  launch.launch_index = form.index;
  launch.groups[0] = form.groups.groupCountX;
  launch.groups[1] = form.groups.groupCountY;
  launch.groups[2] = form.groups.groupCountZ;
  launch.cooperative = form.cooperative;
  std::copy_n(kernel.group_size, 3, launch.group_size);
  std::copy_n(kernel.global_offset, 3, launch.global_offset);
  launch.local_bytes = kernel.local_bytes;
}

/// Puts a launch with the kernel's present state into the list.
ze_result_t append_kernel(CommandList &list, const Kernel &kernel, const LaunchForm &form,
                          const Synchronization &events) {
  if (list.ordinal == copy_group)
    return ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE;
  if (const ze_result_t error = check_launch(kernel, form); error != ZE_RESULT_SUCCESS)
    return error;
  if (!list.recorder && !events.signal && events.wait_count == 0 && !form.indirect)
    if (auto &immediate = static_cast<ImmediateList &>(list);
        immediate.queue->appender_passes_on()) {
      LaunchCommand launch;
      describe_launch(launch, kernel, form);
      if (immediate.queue->launch_now(launch, kernel.arguments.data()))
        return finish_submission(*immediate.queue, immediate.queue->submitted(),
                                 immediate.synchronous);
    }
  MutableCommand *changeable = nullptr;
  if (!list.is_immediate())
    if (const auto &commands = static_cast<RegularList &>(list).mutable_commands;
        commands && commands->next_is_named)
      changeable = &commands->commands.back();
  const ze_result_t result =
      append<LaunchCommand>(list, form.indirect ? Opcode::launch_indirect : Opcode::launch, events,
                            argument_room(list, kernel) + argument_alignment,
                            [&](Command &command, LaunchCommand &launch) {
                              write_launch(command, launch, kernel, form);
                            });
  if (changeable && result == ZE_RESULT_SUCCESS) {
    changeable->kernel = kernel;
    changeable->form = form;
  }
  return result;
}

/// The extensions of a launch. Those we do not know change what it does, and so must not be
/// ignored.
ze_result_t read_extensions(const void *next, LaunchForm &form) {
  for (auto *link = static_cast<const ze_base_desc_t *>(next); link;
       link = static_cast<const ze_base_desc_t *>(link->pNext)) {
    if (link->stype != ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC)
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    const auto *cooperative =
        reinterpret_cast<const ze_command_list_append_launch_kernel_param_cooperative_desc_t *>(
            link);
    form.cooperative = cooperative->isCooperative;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t append_kernel_entry(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                const ze_group_count_t *groups, const void *next,
                                const Synchronization &events) {
  return entry(required(list, kernel, groups), [&]() -> ze_result_t {
    CommandList &self = object<CommandList>(list);
    if (const ze_result_t error = check_append(self, events); error != ZE_RESULT_SUCCESS)
      return error;
    LaunchForm form{.groups = *groups};
    if (const ze_result_t error = read_extensions(next, form); error != ZE_RESULT_SUCCESS)
      return error;
    return append_kernel(self, object<Kernel>(kernel), form, events);
  });
}

} // namespace

ze_result_t check_launch(const Kernel &kernel, const LaunchForm &form) {
  if (kernel.local_bytes > kernel.max_local_bytes)
    return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  if (form.cooperative && !is_feasible_cooperatively(kernel, form.groups))
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  return ZE_RESULT_SUCCESS;
}

void write_launch(Command &command, LaunchCommand &launch, const Kernel &kernel,
                  const LaunchForm &form) {
  describe_launch(launch, kernel, form);
  // Records are aligned, so that an aligned offset is an aligned address.
  const size_t end = command.payload_offset + sizeof launch;
  launch.arguments_offset = static_cast<uint32_t>(common::round_up(end, argument_alignment));
  std::ranges::copy(kernel.arguments,
                    reinterpret_cast<std::byte *>(&command) + launch.arguments_offset);
}

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
  return entry(required(list, kernel), [&]() -> ze_result_t {
    CommandList &self = object<CommandList>(list);
    Kernel &launched = object<Kernel>(kernel);
    if (!arguments && !launched.info->arguments.empty())
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (const ze_result_t error = check_append(self, events); error != ZE_RESULT_SUCCESS)
      return error;
    LaunchForm form{.groups = groups};
    if (const ze_result_t error = read_extensions(next, form); error != ZE_RESULT_SUCCESS)
      return error;
    if (const ze_result_t error =
            launched.set_group_size(sizes.groupSizeX, sizes.groupSizeY, sizes.groupSizeZ);
        error != ZE_RESULT_SUCCESS)
      return error;
    if (const ze_result_t error = launched.set_arguments(arguments); error != ZE_RESULT_SUCCESS)
      return error;
    return append_kernel(self, launched, form, events);
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
  return entry(required(list, kernel, groups), [&]() -> ze_result_t {
    CommandList &self = object<CommandList>(list);
    if (const ze_result_t error = check_append(self, events); error != ZE_RESULT_SUCCESS)
      return error;
    return append_kernel(self, object<Kernel>(kernel), {.indirect = groups}, events);
  });
}

ze_result_t zeCommandListAppendLaunchMultipleKernelsIndirect(
    ze_command_list_handle_t list, uint32_t kernel_count, ze_kernel_handle_t *kernels,
    const uint32_t *count, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  return entry(required(list, kernels, count, groups), [&]() -> ze_result_t {
    for (uint32_t i = 0; i < kernel_count; ++i) {
      if (!kernels[i])
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
      if (const ze_result_t error = check_launch(object<Kernel>(kernels[i]), {});
          error != ZE_RESULT_SUCCESS)
        return error;
    }
    if (kernel_count == 0)
      return ze_driver::zeCommandListAppendBarrier(list, signal, wait_count, waits);
    CommandList &self = object<CommandList>(list);
    if (const ze_result_t error = check_append(self, {signal, wait_count, waits});
        error != ZE_RESULT_SUCCESS)
      return error;
    // One after the other: they are launches of an in-order list.
    for (uint32_t i = 0; i < kernel_count; ++i) {
      const Synchronization events{i + 1 == kernel_count ? signal : nullptr,
                                   i == 0 ? wait_count : 0, waits};
      const LaunchForm form{.indirect = groups + i, .count = count, .index = i};
      if (const ze_result_t error = append_kernel(self, object<Kernel>(kernels[i]), form, events);
          error != ZE_RESULT_SUCCESS)
        return error;
    }
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_driver
