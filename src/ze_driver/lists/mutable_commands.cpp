#include "mutable_commands.h"

#include "../api/entry_points.h"

#include <algorithm>
#include <map>

namespace ze_driver {
namespace {

constexpr ze_mutable_command_exp_flags_t all_but_kernel =
    ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS | ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_COUNT |
    ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_SIZE | ZE_MUTABLE_COMMAND_EXP_FLAG_GLOBAL_OFFSET |
    ZE_MUTABLE_COMMAND_EXP_FLAG_SIGNAL_EVENT | ZE_MUTABLE_COMMAND_EXP_FLAG_WAIT_EVENTS;

/// The list behind a handle, if it is mutable.
std::expected<RegularList *, ze_result_t> mutable_list(ze_command_list_handle_t list) {
  if (!list)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CommandList &self = object<CommandList>(list);
  if (self.is_immediate() || !static_cast<RegularList &>(self).mutable_commands)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return static_cast<RegularList *>(&self);
}

/// The command of an identifier, if it was recorded and `what` of it may be changed; else nullptr.
MutableCommand *command_of(RegularList &list, uint64_t id, ze_mutable_command_exp_flags_t what) {
  auto &commands = list.mutable_commands->commands;
  if (id >= commands.size())
    return nullptr;
  MutableCommand &command = commands[id];
  return command.command && (command.flags & what) == what ? &command : nullptr;
}

ze_result_t name_next(ze_command_list_handle_t list, const ze_mutable_command_id_exp_desc_t *desc,
                      uint32_t kernel_count, ze_kernel_handle_t *kernels, uint64_t *id) {
  return entry(required(list, desc, id), [&]() -> ze_result_t {
    if (desc->flags > 0xff)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    const auto self = mutable_list(list);
    if (!self)
      return self.error();
    if ((*self)->closed || (!kernels && kernel_count != 0))
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    if (desc->flags & ZE_MUTABLE_COMMAND_EXP_FLAG_GRAPH_ARGUMENTS)
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    if (std::any_of(kernels, kernels + kernel_count, [](auto kernel) { return !kernel; }))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    MutableCommands &all = *(*self)->mutable_commands;
    if (!all.next_is_named) { // asking again is about the same command
      all.commands.emplace_back();
      all.next_is_named = true;
    }
    MutableCommand &next = all.commands.back();
    next.flags |= desc->flags ? desc->flags : all_but_kernel;
    next.choices.insert(next.choices.end(), kernels, kernels + kernel_count);
    *id = all.commands.size() - 1;
    return ZE_RESULT_SUCCESS;
  });
}

/// Launches as they are to be: nothing is changed before all is known to be right.
class Changes {
public:
  explicit Changes(RegularList &list) : list_(list) {}

  ze_result_t add(const ze_base_desc_t &desc) {
    switch (desc.stype) {
    case ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC:
      return add(reinterpret_cast<const ze_mutable_kernel_argument_exp_desc_t &>(desc),
                 ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS, [](auto &d, Launch &to) {
                   return to.kernel.set_argument(d.argIndex, d.argSize, d.pArgValue);
                 });
    case ZE_STRUCTURE_TYPE_MUTABLE_GROUP_COUNT_EXP_DESC:
      return add(reinterpret_cast<const ze_mutable_group_count_exp_desc_t &>(desc),
                 ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_COUNT, [](auto &d, Launch &to) {
                   if (!d.pGroupCount)
                     return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
                   to.form.groups = *d.pGroupCount;
                   return ZE_RESULT_SUCCESS;
                 });
    case ZE_STRUCTURE_TYPE_MUTABLE_GROUP_SIZE_EXP_DESC:
      return add(reinterpret_cast<const ze_mutable_group_size_exp_desc_t &>(desc),
                 ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_SIZE, [](auto &d, Launch &to) {
                   return to.kernel.set_group_size(d.groupSizeX, d.groupSizeY, d.groupSizeZ);
                 });
    case ZE_STRUCTURE_TYPE_MUTABLE_GLOBAL_OFFSET_EXP_DESC:
      return add(reinterpret_cast<const ze_mutable_global_offset_exp_desc_t &>(desc),
                 ZE_MUTABLE_COMMAND_EXP_FLAG_GLOBAL_OFFSET, [](auto &d, Launch &to) {
                   to.kernel.global_offset[0] = d.offsetX;
                   to.kernel.global_offset[1] = d.offsetY;
                   to.kernel.global_offset[2] = d.offsetZ;
                   return ZE_RESULT_SUCCESS;
                 });
    default:
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    }
  }

  ze_result_t commit() {
    for (const auto &[command, launch] : launches_)
      if (const ze_result_t error = check_launch(launch.kernel, launch.form);
          error != ZE_RESULT_SUCCESS)
        return error;
    for (auto &[command, launch] : launches_) {
      command->kernel = std::move(launch.kernel);
      command->form = launch.form;
      write_launch(*command->command, command->command->payload<LaunchCommand>(), *command->kernel,
                   command->form);
    }
    return ZE_RESULT_SUCCESS;
  }

private:
  struct Launch {
    Kernel kernel;
    LaunchForm form;
  };

  template <class Desc, class Change>
  ze_result_t add(const Desc &desc, ze_mutable_command_exp_flag_t what, Change change) {
    MutableCommand *command = command_of(list_, desc.commandId, what);
    if (!command || !command->kernel)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    const auto [launch, _] =
        launches_.try_emplace(command, Launch{*command->kernel, command->form});
    return change(desc, launch->second);
  }

  RegularList &list_;
  std::map<MutableCommand *, Launch> launches_;
};

} // namespace

ze_result_t zeCommandListGetNextCommandIdExp(ze_command_list_handle_t list,
                                             const ze_mutable_command_id_exp_desc_t *desc,
                                             uint64_t *id) {
  return name_next(list, desc, 0, nullptr, id);
}

ze_result_t zeCommandListGetNextCommandIdWithKernelsExp(
    ze_command_list_handle_t list, const ze_mutable_command_id_exp_desc_t *desc,
    uint32_t kernel_count, ze_kernel_handle_t *kernels, uint64_t *id) {
  return name_next(list, desc, kernel_count, kernels, id);
}

ze_result_t zeCommandListIsMutableExp(ze_command_list_handle_t list, ze_bool_t *is_mutable) {
  return get_from<CommandList>(list, is_mutable, [](CommandList &self) {
    return ze_bool_t{!self.is_immediate() &&
                     static_cast<RegularList &>(self).mutable_commands != nullptr};
  });
}

ze_result_t zeCommandListUpdateMutableCommandsExp(ze_command_list_handle_t list,
                                                  const ze_mutable_commands_exp_desc_t *desc) {
  return entry(required(list, desc), [&]() -> ze_result_t {
    const auto self = mutable_list(list);
    if (!self)
      return self.error();
    Changes changes(**self);
    for (auto *link = static_cast<const ze_base_desc_t *>(desc->pNext); link;
         link = static_cast<const ze_base_desc_t *>(link->pNext))
      if (const ze_result_t error = changes.add(*link); error != ZE_RESULT_SUCCESS)
        return error;
    return changes.commit();
  });
}

ze_result_t zeCommandListUpdateMutableCommandSignalEventExp(ze_command_list_handle_t list,
                                                            uint64_t id, ze_event_handle_t handle) {
  return entry([&]() -> ze_result_t {
    const auto self = mutable_list(list);
    if (!self)
      return self.error();
    MutableCommand *changed = command_of(**self, id, ZE_MUTABLE_COMMAND_EXP_FLAG_SIGNAL_EVENT);
    Event *event = handle ? &object<Event>(handle) : nullptr;
    if (!changed || (event && event->is_counter_based() && !(*self)->in_order))
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    Recording &recording = *(*self)->recording;
    recording.signals.reserve(recording.signals.size() + 1);
    Command &command = *changed->command;
    std::erase_if(recording.signals,
                  [&](const auto &signal) { return signal.command == changed->number; });
    if (Counter *before = std::exchange(command.signal, nullptr))
      before->release();
    if (Timestamps *before = std::exchange(command.stamps, nullptr))
      before->release();
    attach_signal(command, event);
    if (event && event->is_counter_based())
      recording.signals.push_back({Ref<Event>::share(event), changed->number});
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandListUpdateMutableCommandWaitEventsExp(ze_command_list_handle_t list,
                                                           uint64_t id, uint32_t count,
                                                           ze_event_handle_t *events) {
  return entry([&]() -> ze_result_t {
    const auto self = mutable_list(list);
    if (!self)
      return self.error();
    MutableCommand *changed = command_of(**self, id, ZE_MUTABLE_COMMAND_EXP_FLAG_WAIT_EVENTS);
    if (!changed || (events && count != changed->deferred_slots.size()))
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    Recording &recording = *(*self)->recording;
    for (size_t i = 0; i < changed->deferred_slots.size(); ++i) {
      Event *event = events && events[i] ? &object<Event>(events[i]) : nullptr;
      Wait &wait = changed->command->waits()[i];
      if (wait.counter)
        wait.counter->release();
      Ref<Event> &deferred = recording.deferred_waits[changed->deferred_slots[i]];
      deferred = {};
      wait = {nullptr, no_wait};
      if (event && !event->is_counter_based()) {
        wait = {Ref<Counter>::share(&event->counter()).detach(), 1};
      } else if (event && !recording.signals_before(*event, changed->number - 1)) {
        deferred = Ref<Event>::share(event);
        wait = {nullptr, changed->deferred_slots[i]};
      }
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandListUpdateMutableCommandKernelsExp(ze_command_list_handle_t list,
                                                        uint32_t count, uint64_t *ids,
                                                        ze_kernel_handle_t *kernels) {
  return entry(required(list, ids, kernels), [&]() -> ze_result_t {
    const auto self = mutable_list(list);
    if (!self)
      return self.error();
    const auto target = [&](uint32_t i) {
      MutableCommand *changed =
          command_of(**self, ids[i], ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_INSTRUCTION);
      return changed && changed->kernel && std::ranges::contains(changed->choices, kernels[i])
                 ? changed
                 : nullptr;
    };
    for (uint32_t i = 0; i < count; ++i) {
      const MutableCommand *changed = target(i);
      if (!changed)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
      if (const ze_result_t error = check_launch(object<Kernel>(kernels[i]), changed->form);
          error != ZE_RESULT_SUCCESS)
        return error;
    }
    for (uint32_t i = 0; i < count; ++i) {
      MutableCommand &changed = *target(i);
      changed.kernel = object<Kernel>(kernels[i]);
      write_launch(*changed.command, changed.command->payload<LaunchCommand>(), *changed.kernel,
                   changed.form);
    }
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_driver
