#include "queue_backend.h"

#include "../backend.h"
#include "../memory/allocations.h"

#include <cstdio>

namespace ze_driver {

void report_fault(const std::string &description, std::optional<uintptr_t> address) {
  std::string line = std::string(backend().identity().name) + ": " + description;
  if (address)
    line += ", " + Allocations::instance().describe(*address);
  line += '\n';
  std::fputs(line.c_str(), stderr); // one call: lines of several queues do not mix
}

void QueueBackend::enter(Command &command) {
  auto &recording = *command.payload<RunRecordingCommand>().recording;
  nested_ = recording.commands.front();
  nested_left_ = recording.count;
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
