// How a command gets into a list: an immediate list executes it from now on, a regular list records
// it.
#pragma once

#include "../modules/module.h"
#include "command_list.h"

#include <array>
#include <memory>

namespace ze_driver {

/// The events that nearly every append takes.
struct Synchronization {
  ze_event_handle_t signal = nullptr;
  uint32_t wait_count = 0;
  ze_event_handle_t *waits = nullptr;
};

/// What all appends check, besides the handle of the list: events, and whether the list takes
/// commands.
ze_result_t check_append(CommandList &list, const Synchronization &events);

/// Room for the points that an append waits for, on the stack unless they are many.
class WaitPoints {
public:
  explicit WaitPoints(uint32_t capacity) {
    if (capacity > few_.size())
      many_ = std::make_unique<Point[]>(capacity);
  }
  void add(Point point) { begin()[count_++] = std::move(point); }
  Point *begin() { return many_ ? many_.get() : few_.data(); }
  uint32_t count() const { return count_; }
  /// Gives the points' references to the waits of a record.
  void move_to(Wait *waits) {
    for (uint32_t i = 0; i < count_; ++i) {
      waits[i].value = begin()[i].value;
      waits[i].counter = begin()[i].counter.detach();
    }
  }

private:
  std::array<Point, 4> few_;
  std::unique_ptr<Point[]> many_;
  uint32_t count_ = 0;
};

/// Adds what `list` would have to wait for because of `event`, unless its order or the present
/// already see to it.
void add_wait(WaitPoints &points, QueueBackend &queue, Event &event);

/// Makes `command` signal `event`, which may be nullptr.
inline void attach_signal(Command &command, Event *event) {
  if (!event)
    return;
  command.is_named = true;
  if (!event->is_counter_based())
    command.signal = Ref<Counter>::share(&event->counter()).detach();
  if (event->timestamps())
    command.stamps = Ref<Timestamps>::share(event->timestamps()).detach();
}

/// The end of each call that submits: waits for what it submitted, up to `target`, if it is to be
/// `synchronous`.
ze_result_t finish_submission(QueueBackend &queue, uint64_t target, bool synchronous);
/// The end of each append to an immediate list: publishes the record, and waits for it if the list
/// is synchronous.
ze_result_t submit(ImmediateList &list, Event *signal, uint64_t ticks = 1);

struct MutableCommand;
/// A new command of a recording that waits for `events`. `changeable` (or nullptr) is told where
/// it is, and where its waits are.
Command &record(Recording &recording, Opcode opcode, const Synchronization &events,
                size_t payload_bytes, MutableCommand *changeable = nullptr);
/// A new command of the recording that `list` records into.
Command &record(CommandList &list, Opcode opcode, const Synchronization &events,
                size_t payload_bytes);

/// How a launch is asked for, besides its kernel.
struct LaunchForm {
  ze_group_count_t groups{};
  const ze_group_count_t *indirect = nullptr; // where they are read when it starts, instead
  const uint32_t *count = nullptr; // where it is read how many of several launches there are
  uint32_t index = 0;              // of them
  bool cooperative = false;
};
/// Whether `kernel` can be launched in this form.
ze_result_t check_launch(const Kernel &kernel, const LaunchForm &form);
/// Writes a launch with the kernel's present state.
void write_launch(Command &command, LaunchCommand &launch, const Kernel &kernel,
                  const LaunchForm &form);

/// Appends a command whose payload is `Payload` with `extra_bytes` behind it. `fill(command,
/// payload)` writes it and cannot fail. The list has been checked.
template <class Payload, class Fill>
ze_result_t append(CommandList &list, Opcode opcode, const Synchronization &events,
                   size_t extra_bytes, Fill fill) {
  Event *signal = events.signal ? &object<Event>(events.signal) : nullptr;
  const size_t bytes = sizeof(Payload) + extra_bytes;
  if (list.recorder) {
    Command &command = record(list, opcode, events, bytes);
    fill(command, command.payload<Payload>());
    return ZE_RESULT_SUCCESS;
  }
  auto &immediate = static_cast<ImmediateList &>(list);
  if (events.wait_count == 0) {
    Command &command = immediate.queue->add(opcode, 0, bytes);
    fill(command, command.payload<Payload>());
    attach_signal(command, signal);
    return submit(immediate, signal);
  }
  WaitPoints points(events.wait_count);
  for (uint32_t i = 0; i < events.wait_count; ++i)
    add_wait(points, *immediate.queue, object<Event>(events.waits[i]));
  Command &command = immediate.queue->add(opcode, points.count(), bytes);
  points.move_to(command.waits());
  fill(command, command.payload<Payload>());
  attach_signal(command, signal);
  return submit(immediate, signal);
}

/// The shape of every append: the handle, the function's own checks, the common checks, the
/// command.
template <class Check, class Append>
ze_result_t append_entry(ze_command_list_handle_t list, const Synchronization &events, Check check,
                         Append append) {
  return entry(required(list), [&]() -> ze_result_t {
    if (const ze_result_t error = check(); error != ZE_RESULT_SUCCESS)
      return error;
    CommandList &self = object<CommandList>(list);
    if (const ze_result_t error = check_append(self, events); error != ZE_RESULT_SUCCESS)
      return error;
    return append(self);
  });
}

/// Submits a recording to a queue: it starts after `waits`, and `signal` (or nullptr) follows
/// its last command. Returns what the queue's counter reaches with it.
uint64_t submit_recording(QueueBackend &queue, Recording &recording, WaitPoints &waits,
                          Event *signal);

} // namespace ze_driver
