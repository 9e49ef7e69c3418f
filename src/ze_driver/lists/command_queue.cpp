// Command queues, which execute regular lists in the order of submission, and fences.
#include "../api/entry_points.h"
#include "append.h"

namespace ze_driver {
namespace {

template <class Value>
ze_result_t get(ze_command_queue_handle_t queue, Value *value,
                Value ze_command_queue_desc_t::*member) {
  return get_from<CommandQueue>(queue, value,
                                [&](CommandQueue &self) { return self.description.*member; });
}

/// What a fence stands for: nothing was submitted with it and it is not signalled, or a point.
struct FenceState {
  bool pending_forever;
  Point point;
};
FenceState state_of(Fence &fence) {
  std::lock_guard lock(fence.mutex);
  return {!fence.signalled && !fence.point.counter, fence.point};
}

ze_result_t wait_for(Fence &fence, const Deadline &deadline) {
  const auto [pending_forever, point] = state_of(fence);
  if (pending_forever)
    return ZE_RESULT_NOT_READY; // nothing that was submitted leads to its signal
  if (point.counter && !fence.queue->queue->synchronize(point.value, deadline))
    return ZE_RESULT_NOT_READY;
  return point.is_lost() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

} // namespace

ze_result_t check_description(const ze_command_queue_desc_t &description) {
  constexpr ze_command_queue_flags_t known_flags = 0x7;
  if ((description.flags & ~known_flags) ||
      static_cast<uint32_t>(description.mode) > ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS ||
      static_cast<uint32_t>(description.priority) > ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH)
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  return description.ordinal < queue_group_count && description.index < queues_per_group
             ? ZE_RESULT_SUCCESS
             : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t zeCommandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
                                 const ze_command_queue_desc_t *desc,
                                 ze_command_queue_handle_t *queue) {
  using Made = std::expected<ze_command_queue_handle_t, ze_result_t>;
  return create(context, device, desc, queue, [&](const ze_command_queue_desc_t &d) -> Made {
    if (const ze_result_t error = check_description(d); error != ZE_RESULT_SUCCESS)
      return std::unexpected(error);
    auto created = std::make_unique<CommandQueue>(object<Device>(device));
    created->context = &object<Context>(context);
    created->description = d;
    return handle_of(*created.release());
  });
}

ze_result_t zeCommandQueueDestroy(ze_command_queue_handle_t queue) {
  return entry(required(queue), [&]() -> ze_result_t {
    delete &object<CommandQueue>(queue); // work under way keeps the queue
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t queue, uint32_t count,
                                              ze_command_list_handle_t *lists,
                                              ze_fence_handle_t fence) {
  return entry(required(queue, lists), [&]() -> ze_result_t {
    if (count == 0)
      return ZE_RESULT_ERROR_INVALID_SIZE;
    CommandQueue &self = object<CommandQueue>(queue);
    for (uint32_t i = 0; i < count; ++i) {
      if (!lists[i])
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
      CommandList &list = object<CommandList>(lists[i]);
      if (list.is_immediate() || list.ordinal != self.description.ordinal)
        return ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE;
      if (&list.device != &self.device || !static_cast<RegularList &>(list).closed)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    if (fence && object<Fence>(fence).queue != &self)
      return ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT;
    if (self.queue->is_lost())
      return ZE_RESULT_ERROR_DEVICE_LOST;

    uint64_t target = 0;
    {
      std::lock_guard lock(self.submission);
      for (uint32_t i = 0; i < count; ++i) {
        WaitPoints none(0);
        target = submit_recording(
            *self.queue, *static_cast<RegularList &>(object<CommandList>(lists[i])).recording, none,
            nullptr);
      }
    }
    if (fence) {
      Fence &signalled = object<Fence>(fence);
      std::lock_guard lock(signalled.mutex);
      signalled.point = {Ref<Counter>::share(&self.queue->done()), target};
    }
    return finish_submission(*self.queue, target,
                             self.description.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  });
}

ze_result_t zeCommandQueueSynchronize(ze_command_queue_handle_t queue, uint64_t timeout) {
  return entry(required(queue), [&]() -> ze_result_t {
    QueueBackend &commands = *object<CommandQueue>(queue).queue;
    if (!commands.synchronize(commands.submitted(), Deadline(timeout)))
      return ZE_RESULT_NOT_READY;
    return commands.is_lost() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandQueueGetOrdinal(ze_command_queue_handle_t queue, uint32_t *ordinal) {
  return get(queue, ordinal, &ze_command_queue_desc_t::ordinal);
}

ze_result_t zeCommandQueueGetIndex(ze_command_queue_handle_t queue, uint32_t *index) {
  return get(queue, index, &ze_command_queue_desc_t::index);
}

ze_result_t zeCommandQueueGetFlags(ze_command_queue_handle_t queue,
                                   ze_command_queue_flags_t *flags) {
  return get(queue, flags, &ze_command_queue_desc_t::flags);
}

ze_result_t zeCommandQueueGetMode(ze_command_queue_handle_t queue, ze_command_queue_mode_t *mode) {
  return get(queue, mode, &ze_command_queue_desc_t::mode);
}

ze_result_t zeCommandQueueGetPriority(ze_command_queue_handle_t queue,
                                      ze_command_queue_priority_t *priority) {
  return get(queue, priority, &ze_command_queue_desc_t::priority);
}

ze_result_t zeFenceCreate(ze_command_queue_handle_t queue, const ze_fence_desc_t *desc,
                          ze_fence_handle_t *fence) {
  return entry(required(queue, desc, fence), [&]() -> ze_result_t {
    if (desc->flags & ~uint32_t{ZE_FENCE_FLAG_SIGNALED})
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    auto created = std::make_unique<Fence>();
    created->queue = &object<CommandQueue>(queue);
    created->signalled = (desc->flags & ZE_FENCE_FLAG_SIGNALED) != 0;
    *fence = handle_of(*created.release());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeFenceDestroy(ze_fence_handle_t fence) {
  return entry(required(fence), [&]() -> ze_result_t {
    delete &object<Fence>(fence);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeFenceHostSynchronize(ze_fence_handle_t fence, uint64_t timeout) {
  return entry(required(fence), [&] { return wait_for(object<Fence>(fence), Deadline(timeout)); });
}

ze_result_t zeFenceQueryStatus(ze_fence_handle_t fence) {
  return entry(required(fence), [&] { return wait_for(object<Fence>(fence), Deadline(0)); });
}

ze_result_t zeFenceReset(ze_fence_handle_t fence) {
  return entry(required(fence), [&]() -> ze_result_t {
    Fence &self = object<Fence>(fence);
    std::lock_guard lock(self.mutex);
    self.point = {};
    self.signalled = false;
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_driver
