#include "append.h"
#include "graph.h"
#include "mutable_commands.h"

#include <algorithm>

namespace ze_driver {

ze_result_t check_append(CommandList &list, const Synchronization &events) {
  if (!events.waits && events.wait_count != 0)
    return ZE_RESULT_ERROR_INVALID_SIZE;
  for (uint32_t i = 0; i < events.wait_count; ++i)
    if (!events.waits[i])
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  // A place in an order needs an order; and another process's is not ours to give.
  if (events.signal && object<Event>(events.signal).is_counter_based() &&
      (!list.in_order || object<Event>(events.signal).options().wait_only))
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  const bool meets_capture =
      std::any_of(events.waits, events.waits + events.wait_count,
                  [](ze_event_handle_t wait) { return object<Event>(wait).is_captured(); });
  if (!list.is_immediate()) {
    if (meets_capture)
      return ZE_RESULT_ERROR_GRAPH_INTERNAL_EVENT;
    return static_cast<RegularList &>(list).closed ? ZE_RESULT_ERROR_INVALID_ARGUMENT
                                                   : ZE_RESULT_SUCCESS;
  }
  auto &immediate = static_cast<ImmediateList &>(list);
  if (immediate.queue->is_lost())
    return ZE_RESULT_ERROR_DEVICE_LOST;
  return meets_capture ? check_capture(immediate, events) : ZE_RESULT_SUCCESS;
}

void add_wait(WaitPoints &points, QueueBackend &queue, Event &event) {
  if (!event.is_counter_based()) {
    // Whatever its state now: a reset that is already on its way may come before the wait.
    points.add(event.point());
    return;
  }
  Point point = event.point();
  if (point.counter.get() != &queue.done() && (!point.is_reached() || point.is_lost()))
    points.add(std::move(point));
}

ze_result_t finish_submission(QueueBackend &queue, uint64_t target, bool synchronous) {
  if (!synchronous)
    return ZE_RESULT_SUCCESS;
  queue.synchronize(target, Deadline(UINT64_MAX));
  return queue.done().is_lost(target) ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

ze_result_t submit(ImmediateList &list, Event *signal, uint64_t ticks) {
  QueueBackend &queue = *list.queue;
  const uint64_t target = queue.submit(ticks);
  if (signal && signal->is_counter_based())
    signal->bind(queue.done(), target);
  return list.synchronous ? finish_submission(queue, target, true) : ZE_RESULT_SUCCESS;
}

Command &record(CommandList &list, Opcode opcode, const Synchronization &events,
                size_t payload_bytes) {
  if (list.is_immediate())
    return capture(static_cast<ImmediateList &>(list), opcode, events, payload_bytes);
  auto &regular = static_cast<RegularList &>(list);
  MutableCommands *mutable_commands = regular.mutable_commands.get();
  return record(*regular.recording, opcode, events, payload_bytes,
                mutable_commands ? mutable_commands->take_next() : nullptr);
}

Command &record(Recording &recording, Opcode opcode, const Synchronization &events,
                size_t payload_bytes, MutableCommand *changeable) {
  Event *signal = events.signal ? &object<Event>(events.signal) : nullptr;

  std::vector<Wait> waits; // without references yet
  const auto defer_wait = [&](Event *event) {
    recording.deferred_waits.push_back(Ref<Event>::share(event));
    return recording.deferred_waits.size() - 1;
  };
  for (uint32_t i = 0; i < events.wait_count; ++i) {
    Event &event = object<Event>(events.waits[i]);
    // The order of the list sees to what was signalled before.
    const bool is_deferred =
        event.is_counter_based() && !recording.signals_before(event, recording.count);
    if (changeable)
      changeable->deferred_slots.push_back(defer_wait(is_deferred ? &event : nullptr));
    if (!event.is_counter_based())
      waits.push_back({&event.counter(), 1});
    else if (is_deferred)
      waits.push_back(
          {nullptr, changeable ? changeable->deferred_slots.back() : defer_wait(&event)});
    else if (changeable)
      waits.push_back({nullptr, no_wait});
  }
  recording.signals.reserve(recording.signals.size() + 1); // nothing fails once the record is there
  Command &command =
      recording.commands.add(opcode, static_cast<uint32_t>(waits.size()), payload_bytes);
  for (size_t i = 0; i < waits.size(); ++i) {
    if (waits[i].counter)
      waits[i].counter->retain();
    command.waits()[i] = waits[i];
  }
  attach_signal(command, signal);
  ++recording.count;
  if (signal && signal->is_counter_based())
    recording.signals.push_back({Ref<Event>::share(signal), recording.count});
  if (changeable) {
    changeable->command = &command;
    changeable->number = recording.count;
  }
  return command;
}

uint64_t submit_recording(QueueBackend &queue, Recording &recording, WaitPoints &waits,
                          Event *signal) {
  const auto deferred_count = static_cast<uint32_t>(recording.deferred_waits.size());
  Command &command = queue.add(Opcode::run_recording, waits.count(),
                               sizeof(RunRecordingCommand) + deferred_count * sizeof(Wait));
  waits.move_to(command.waits());
  auto &run = command.payload<RunRecordingCommand>();
  run.recording = Ref<Recording>::share(&recording).detach();
  run.deferred_wait_count = deferred_count;
  for (uint32_t i = 0; i < deferred_count; ++i) {
    Point point = recording.deferred_waits[i] ? recording.deferred_waits[i]->point() : Point{};
    // What this queue has been given before it is done before it.
    if (point.counter.get() == &queue.done())
      point = {};
    run.deferred_waits()[i].value = point.value;
    run.deferred_waits()[i].counter = point.counter.detach();
  }
  attach_signal(command, signal);

  const uint64_t base = queue.submitted();
  for (const Recording::Signal &signalled : recording.signals)
    if (!signalled.is_internal)
      signalled.event->bind(queue.done(), base + signalled.command);
  const uint64_t target = queue.submit(recording.count + 1);
  if (signal && signal->is_counter_based())
    signal->bind(queue.done(), target);
  return target;
}

} // namespace ze_driver
