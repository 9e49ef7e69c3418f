// Creating, closing, synchronizing and asking command lists; submitting regular lists to immediate
// ones.
#include "../api/entry_points.h"
#include "append.h"
#include "graph.h"
#include "mutable_commands.h"

namespace ze_driver {
namespace {

constexpr ze_command_list_flags_t list_flags = 0x3f;

/// The immediate list behind a handle, nullptr if it is a regular one.
ImmediateList *immediate(ze_command_list_handle_t list) {
  CommandList &self = object<CommandList>(list);
  return self.is_immediate() ? static_cast<ImmediateList *>(&self) : nullptr;
}

/// Functions that return one value of the description of an immediate list.
template <class Value>
ze_result_t get_from_immediate(ze_command_list_handle_t list, Value *value,
                               Value ze_command_queue_desc_t::*member) {
  return get_from<CommandList>(list, value, [&](CommandList &self) -> std::optional<Value> {
    if (!self.is_immediate())
      return std::nullopt;
    return static_cast<ImmediateList &>(self).description.*member;
  });
}

} // namespace

ImmediateList::~ImmediateList() {
  if (graph)
    abandon_capture(*this);
}

ze_result_t zeCommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
                                const ze_command_list_desc_t *desc,
                                ze_command_list_handle_t *list) {
  using Made = std::expected<ze_command_list_handle_t, ze_result_t>;
  return create(context, device, desc, list, [&](const ze_command_list_desc_t &d) -> Made {
    if (d.flags & ~list_flags)
      return std::unexpected(ZE_RESULT_ERROR_INVALID_ENUMERATION);
    if (d.commandQueueGroupOrdinal >= queue_group_count)
      return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    auto created = std::make_unique<RegularList>(object<Device>(device));
    created->context = &object<Context>(context);
    created->ordinal = d.commandQueueGroupOrdinal;
    created->flags = d.flags;
    created->in_order = (d.flags & ZE_COMMAND_LIST_FLAG_IN_ORDER) != 0;
    if (find_extension<ze_mutable_command_list_exp_desc_t>(
            d.pNext, ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC))
      created->mutable_commands = std::make_shared<MutableCommands>();
    return handle_of<CommandList>(*created.release());
  });
}

ze_result_t zeCommandListCreateImmediate(ze_context_handle_t context, ze_device_handle_t device,
                                         const ze_command_queue_desc_t *desc,
                                         ze_command_list_handle_t *list) {
  using Made = std::expected<ze_command_list_handle_t, ze_result_t>;
  return create(context, device, desc, list, [&](const ze_command_queue_desc_t &d) -> Made {
    if (const ze_result_t error = check_description(d); error != ZE_RESULT_SUCCESS)
      return std::unexpected(error);
    auto created = std::make_unique<ImmediateList>(object<Device>(device));
    created->context = &object<Context>(context);
    created->ordinal = d.ordinal;
    created->description = d;
    created->in_order = (d.flags & ZE_COMMAND_QUEUE_FLAG_IN_ORDER) != 0;
    created->synchronous = d.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    return handle_of<CommandList>(*created.release());
  });
}

ze_result_t zeCommandListDestroy(ze_command_list_handle_t list) {
  // Work that is still under way goes on: it keeps the queue, not the list.
  return entry(required(list), [&]() -> ze_result_t {
    delete &object<CommandList>(list);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandListCreateCloneExp(ze_command_list_handle_t list,
                                        ze_command_list_handle_t *clone) {
  return entry(required(list, clone), [&]() -> ze_result_t {
    if (immediate(list))
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    const auto &self = static_cast<RegularList &>(object<CommandList>(list));
    if (!(self.flags & ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE) || !self.closed)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    auto created = std::make_unique<RegularList>(self.device);
    created->context = self.context;
    created->ordinal = self.ordinal;
    created->flags = self.flags;
    created->in_order = self.in_order;
    created->closed = true;
    created->recording->append(*self.recording);
    *clone = handle_of<CommandList>(*created.release());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandListClose(ze_command_list_handle_t list) {
  return entry(required(list), [&]() -> ze_result_t {
    if (!immediate(list)) // they are always open
      static_cast<RegularList &>(object<CommandList>(list)).closed = true;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandListReset(ze_command_list_handle_t list) {
  return entry(required(list), [&]() -> ze_result_t {
    if (immediate(list))
      return ZE_RESULT_SUCCESS; // they hold nothing
    auto &self = static_cast<RegularList &>(object<CommandList>(list));
    self.recording = Ref<Recording>::make(); // one that is still executed keeps the old content
    self.recorder = self.recording.get();
    if (self.mutable_commands)
      self.mutable_commands = std::make_shared<MutableCommands>();
    self.closed = false;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t list, uint64_t timeout) {
  return entry(required(list), [&]() -> ze_result_t {
    ImmediateList *self = immediate(list);
    if (!self)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    if (self->graph)
      return ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED;
    QueueBackend &queue = *self->queue;
    const uint64_t target = queue.submitted();
    if (!queue.done().has_reached(target) && !queue.synchronize(target, Deadline(timeout)))
      return ZE_RESULT_NOT_READY;
    return queue.is_lost() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandListImmediateAppendCommandListsExp(
    ze_command_list_handle_t list, uint32_t count, ze_command_list_handle_t *lists,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  return entry(required(list, lists), [&]() -> ze_result_t {
    ImmediateList *self = immediate(list);
    if (!self || count == 0)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < count; ++i) {
      if (!lists[i])
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
      const CommandList &appended = object<CommandList>(lists[i]);
      if (&appended.device != &self->device)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
      if (appended.is_immediate() || !static_cast<const RegularList &>(appended).closed)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    const Synchronization events{signal, wait_count, waits};
    if (const ze_result_t error = check_append(*self, events); error != ZE_RESULT_SUCCESS)
      return error;

    if (self->graph) {
      std::vector<Recording *> recordings;
      for (uint32_t i = 0; i < count; ++i)
        recordings.push_back(
            static_cast<RegularList &>(object<CommandList>(lists[i])).recording.get());
      return capture_recordings(*self, recordings, events);
    }
    WaitPoints points(wait_count);
    for (uint32_t i = 0; i < wait_count; ++i)
      add_wait(points, *self->queue, object<Event>(waits[i]));
    uint64_t target = 0;
    for (uint32_t i = 0; i < count; ++i) {
      WaitPoints none(0);
      Event *last_signal = signal && i + 1 == count ? &object<Event>(signal) : nullptr;
      target = submit_recording(
          *self->queue, *static_cast<RegularList &>(object<CommandList>(lists[i])).recording,
          i == 0 ? points : none, last_signal);
    }
    return finish_submission(*self->queue, target, self->synchronous);
  });
}

ze_result_t zeCommandListImmediateAppendCommandListsWithParameters(
    ze_command_list_handle_t list, uint32_t count, ze_command_list_handle_t *lists,
    const void *next, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  if (next)
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  return ze_driver::zeCommandListImmediateAppendCommandListsExp(list, count, lists, signal,
                                                                wait_count, waits);
}

ze_result_t zeCommandListGetDeviceHandle(ze_command_list_handle_t list,
                                         ze_device_handle_t *device) {
  return get_from<CommandList>(list, device,
                               [](CommandList &self) { return handle_of(self.device); });
}

ze_result_t zeCommandListGetContextHandle(ze_command_list_handle_t list,
                                          ze_context_handle_t *context) {
  return get_from<CommandList>(list, context,
                               [](CommandList &self) { return handle_of(*self.context); });
}

ze_result_t zeCommandListGetOrdinal(ze_command_list_handle_t list, uint32_t *ordinal) {
  return get_from<CommandList>(list, ordinal, [](CommandList &self) { return self.ordinal; });
}

ze_result_t zeCommandListIsImmediate(ze_command_list_handle_t list, ze_bool_t *is_immediate) {
  return get_from<CommandList>(list, is_immediate,
                               [](CommandList &self) { return ze_bool_t{self.is_immediate()}; });
}

ze_result_t zeCommandListGetFlags(ze_command_list_handle_t list, ze_command_list_flags_t *flags) {
  return get_from<CommandList>(list, flags, [](CommandList &self) {
    if (!self.is_immediate())
      return static_cast<RegularList &>(self).flags;
    return self.in_order ? ze_command_list_flags_t{ZE_COMMAND_LIST_FLAG_IN_ORDER} : 0;
  });
}

ze_result_t zeCommandListImmediateGetIndex(ze_command_list_handle_t list, uint32_t *index) {
  return get_from_immediate(list, index, &ze_command_queue_desc_t::index);
}

ze_result_t zeCommandListImmediateGetFlags(ze_command_list_handle_t list,
                                           ze_command_queue_flags_t *flags) {
  return get_from_immediate(list, flags, &ze_command_queue_desc_t::flags);
}

ze_result_t zeCommandListImmediateGetMode(ze_command_list_handle_t list,
                                          ze_command_queue_mode_t *mode) {
  return get_from_immediate(list, mode, &ze_command_queue_desc_t::mode);
}

ze_result_t zeCommandListImmediateGetPriority(ze_command_list_handle_t list,
                                              ze_command_queue_priority_t *priority) {
  return get_from_immediate(list, priority, &ze_command_queue_desc_t::priority);
}

} // namespace ze_driver
