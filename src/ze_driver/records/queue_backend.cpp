#include "queue_backend.h"

namespace ze_driver {

bool QueueBackend::enter(Command &command) {
  if (command.opcode != Opcode::run_recording ||
      command.payload<RunRecordingCommand>().recording->count == 0)
    return false;
  auto &recording = *command.payload<RunRecordingCommand>().recording;
  nested_ = recording.commands.front();
  nested_left_ = recording.count;
  nested_signals_ = !recording.signals.empty();
  return true;
}

bool QueueBackend::leave(Command &command) {
  ++completed_;
  if (nested_) {
    nested_->advance();
    if (--nested_left_ != 0)
      return false;
    nested_.reset();
    return true;
  }
  commands_.pop_front();
  release_references(command);
  return false;
}

void QueueBackend::finish(Command &command) {
  if (command.signal)
    command.signal->assign(1, is_lost());
  if (nested_) {
    nested_->advance();
    done_->advance(++completed_);
    if (--nested_left_ != 0)
      return;
    nested_.reset();
    // The submission itself is finished with its last command.
    finish(commands_.front_command());
    return;
  }
  commands_.pop_front();
  release_references(command);
  done_->advance(++completed_);
}

} // namespace ze_driver
