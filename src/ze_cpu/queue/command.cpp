#include "command.h"

#include "../exec/faults.h"
#include "dispatcher.h"
#include "recording.h"

#include <level_zero/ze_api.h>

#include <algorithm>
#include <cstring>
#include <format>

namespace ze_cpu {
namespace {

Fault launch(Command &command, const LaunchCommand &launch, const uint32_t *groups) {
  if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0)
    return {};
  Launch grid{};
  grid.code = launch.code;
  grid.arguments = reinterpret_cast<const std::byte *>(&command) + launch.arguments_offset;
  std::copy_n(groups, 3, grid.groups);
  std::copy_n(launch.group_size, 3, grid.group_size);
  std::copy_n(launch.global_offset, 3, grid.global_offset);
  grid.local_bytes = launch.local_bytes;
  grid.cooperative = launch.cooperative;
  return execute(grid);
}

void copy_region(const CopyRegionCommand &copy) {
  for (size_t z = 0; z < copy.depth; ++z) {
    std::byte *destination = copy.destination + z * copy.destination_slice_pitch;
    const std::byte *source = copy.source + z * copy.source_slice_pitch;
    for (size_t y = 0; y < copy.height; ++y)
      std::memmove(destination + y * copy.destination_pitch, source + y * copy.source_pitch,
                   copy.width);
  }
}

void fill(FillCommand &fill) {
  auto *destination = static_cast<std::byte *>(fill.destination);
  const std::byte *pattern = fill.pattern();
  if (fill.bytes == 0)
    return;
  if (std::all_of(pattern, pattern + fill.pattern_bytes,
                  [&](std::byte b) { return b == pattern[0]; })) {
    std::memset(destination, std::to_integer<int>(pattern[0]), fill.bytes);
    return;
  }
  // What is filled already is the source of the next, longer copy; its length stays a multiple of
  // the pattern's.
  constexpr size_t max_block = 64 * 1024;
  std::memcpy(destination, pattern, fill.pattern_bytes);
  size_t block = fill.pattern_bytes;
  for (size_t done = block; done < fill.bytes;) {
    const size_t bytes = std::min(block, fill.bytes - done);
    std::memcpy(destination + done, destination, bytes);
    done += bytes;
    if (block < max_block)
      block = std::min(done, max_block / fill.pattern_bytes * fill.pattern_bytes);
  }
}

void query_timestamps(QueryTimestampsCommand &query) {
  for (uint32_t i = 0; i < query.count; ++i) {
    const auto &entry = query.entries()[i];
    ze_kernel_timestamp_result_t result{};
    if (entry.stamps) {
      result.global.kernelStart = entry.stamps->start.load(std::memory_order_relaxed);
      result.global.kernelEnd = entry.stamps->end.load(std::memory_order_relaxed);
      result.context = result.global;
    }
    std::memcpy(query.destination + entry.offset, &result, sizeof result);
  }
}

/// Runs `work`, which touches memory that the program named. A wrong address is the command's
/// fault, not the process's end.
template <class Work> Fault guarded(const char *what, Work &&work) {
  prepare_fault_handling();
  FaultGuard guard;
  const int signal = run_guarded(guard, work);
  if (signal == 0)
    return {};
  Fault fault{true, std::format("{}: {}", what, signal_name(signal))};
  if (guard.address_known) {
    fault.description += std::format(" at address {:#x}", guard.address);
    fault.address = guard.address;
  }
  return fault;
}

} // namespace

Fault perform(Command &command) {
  switch (command.opcode) {
  case Opcode::launch: {
    auto &payload = command.payload<LaunchCommand>();
    return launch(command, payload, payload.groups);
  }
  case Opcode::launch_indirect: {
    auto &payload = command.payload<LaunchCommand>();
    uint32_t groups[3];
    const Fault fault = guarded("group counts of a launch",
                                [&] { std::copy_n(payload.indirect_groups, 3, groups); });
    return fault.happened ? fault : launch(command, payload, groups);
  }
  case Opcode::copy: {
    auto &payload = command.payload<CopyCommand>();
    return guarded("memory copy",
                   [&] { std::memmove(payload.destination, payload.source, payload.bytes); });
  }
  case Opcode::copy_region:
    return guarded("memory copy", [&] { copy_region(command.payload<CopyRegionCommand>()); });
  case Opcode::fill:
    return guarded("memory fill", [&] { fill(command.payload<FillCommand>()); });
  case Opcode::write_timestamp:
    return guarded("timestamp",
                   [&] { *command.payload<WriteTimestampCommand>().destination = now_ns(); });
  case Opcode::query_timestamps:
    return guarded("timestamps",
                   [&] { query_timestamps(command.payload<QueryTimestampsCommand>()); });
  case Opcode::reset_event:
    command.payload<ResetEventCommand>().event->assign(0);
    return {};
  case Opcode::host_function: {
    auto &payload = command.payload<HostFunctionCommand>();
    // It may block for as long as it likes: that must not keep other lists from running.
    Dispatcher::BlockingSection blocking;
    payload.function(payload.data);
    return {};
  }
  case Opcode::jump:
  case Opcode::barrier:
  case Opcode::run_recording:
    break;
  }
  return {};
}

void release_references(Command &command) noexcept {
  for (uint32_t i = 0; i < command.wait_count; ++i)
    if (Counter *counter = command.waits()[i].counter)
      counter->release();
  if (command.signal)
    command.signal->release();
  if (command.stamps)
    command.stamps->release();

  if (command.opcode == Opcode::reset_event) {
    command.payload<ResetEventCommand>().event->release();
  } else if (command.opcode == Opcode::query_timestamps) {
    auto &query = command.payload<QueryTimestampsCommand>();
    for (uint32_t i = 0; i < query.count; ++i)
      if (query.entries()[i].stamps)
        query.entries()[i].stamps->release();
  } else if (command.opcode == Opcode::run_recording) {
    auto &run = command.payload<RunRecordingCommand>();
    for (uint32_t i = 0; i < run.late_wait_count; ++i)
      if (run.late_waits()[i].counter)
        run.late_waits()[i].counter->release();
    run.recording->release();
  }
}

} // namespace ze_cpu
