#include "command.h"

#include "recording.h"

namespace ze_driver {
namespace {

/// Calls `visit` with each of them.
template <class Visit> void visit_references(Command &command, Visit visit) {
  const auto visit_all = [&](auto *...objects) { ((objects ? visit(*objects) : void()), ...); };
  for (uint32_t i = 0; i < command.wait_count; ++i)
    visit_all(command.waits()[i].counter);
  visit_all(command.signal, command.stamps);
  if (command.opcode == Opcode::reset_event) {
    visit_all(command.payload<ResetEventCommand>().event);
  } else if (command.opcode == Opcode::query_timestamps) {
    auto &query = command.payload<QueryTimestampsCommand>();
    for (uint32_t i = 0; i < query.count; ++i)
      visit_all(query.entries()[i].stamps);
  } else if (command.opcode == Opcode::run_recording) {
    auto &run = command.payload<RunRecordingCommand>();
    for (uint32_t i = 0; i < run.deferred_wait_count; ++i)
      visit_all(run.deferred_waits()[i].counter);
    visit_all(run.recording);
  }
}

} // namespace

void retain_references(Command &command) noexcept {
  visit_references(command, [](RefCounted &object) { object.retain(); });
}

void release_references(Command &command) noexcept {
  visit_references(command, [](RefCounted &object) { object.release(); });
}

} // namespace ze_driver
