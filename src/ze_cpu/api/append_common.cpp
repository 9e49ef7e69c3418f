#include "append.h"

#include <algorithm>

namespace ze_cpu {

ze_result_t check_append(CommandList &list, const Synchronization &events) {
  if (!events.waits && events.wait_count != 0)
    return ZE_RESULT_ERROR_INVALID_SIZE;
  for (uint32_t i = 0; i < events.wait_count; ++i)
    if (!events.waits[i])
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  // A place in an order needs an order.
  if (events.signal && !list.in_order && object<Event>(events.signal).is_counter_based())
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (!list.is_immediate())
    return static_cast<RegularList &>(list).closed ? ZE_RESULT_ERROR_INVALID_ARGUMENT
                                                   : ZE_RESULT_SUCCESS;
  return static_cast<ImmediateList &>(list).stream->is_lost() ? ZE_RESULT_ERROR_DEVICE_LOST
                                                              : ZE_RESULT_SUCCESS;
}

void add_wait(WaitPoints &points, Stream &stream, Event &event) {
  if (!event.is_counter_based()) {
    // Whatever its state now: a reset that is already on its way may come before the wait.
    points.add(event.point());
    return;
  }
  Point point = event.point();
  if (!point.is_reached() && point.counter.get() != &stream.done())
    points.add(std::move(point));
}

ze_result_t submit(ImmediateList &list, Event *signal, uint64_t ticks) {
  Stream &stream = *list.stream;
  const uint64_t target = stream.submit(ticks);
  if (signal && signal->is_counter_based())
    signal->bind(stream.done(), target);
  if (!list.synchronous)
    return ZE_RESULT_SUCCESS;
  stream.synchronize(target, Deadline(UINT64_MAX));
  return stream.done().is_lost(target) ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

Command &record(RegularList &list, Opcode opcode, const Synchronization &events,
                size_t payload_bytes) {
  Recording &recording = *list.recording;
  Event *signal = events.signal ? &object<Event>(events.signal) : nullptr;

  std::vector<Wait> waits; // without references yet
  const auto signalled_before = [&](Event &event) {
    return std::ranges::any_of(recording.signals,
                               [&](const auto &s) { return s.event.get() == &event; });
  };
  for (uint32_t i = 0; i < events.wait_count; ++i) {
    Event &event = object<Event>(events.waits[i]);
    if (!event.is_counter_based()) {
      waits.push_back({&event.counter(), 1});
    } else if (!signalled_before(event)) { // else the order of the list sees to it
      recording.late_waits.push_back(Ref<Event>::share(&event));
      waits.push_back({nullptr, recording.late_waits.size() - 1});
    }
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
  return command;
}

uint64_t submit_recording(Stream &stream, RegularList &list, WaitPoints &waits, Event *signal) {
  Recording &recording = *list.recording;
  const auto late_count = static_cast<uint32_t>(recording.late_waits.size());
  Command &command = stream.add(Opcode::run_recording, waits.count(),
                                sizeof(RunRecordingCommand) + late_count * sizeof(Wait));
  waits.move_to(command.waits());
  auto &run = command.payload<RunRecordingCommand>();
  run.recording = Ref<Recording>::share(&recording).detach();
  run.late_wait_count = late_count;
  for (uint32_t i = 0; i < late_count; ++i) {
    Point point = recording.late_waits[i]->point();
    // What this stream has been given before it is done before it.
    if (point.counter.get() == &stream.done())
      point = {};
    run.late_waits()[i].value = point.value;
    run.late_waits()[i].counter = point.counter.detach();
  }
  attach_signal(command, signal);

  const uint64_t base = stream.submitted();
  for (const Recording::Signal &signalled : recording.signals)
    signalled.event->bind(stream.done(), base + signalled.command);
  const uint64_t target = stream.submit(recording.count + 1);
  if (signal && signal->is_counter_based())
    signal->bind(stream.done(), target);
  return target;
}

} // namespace ze_cpu
