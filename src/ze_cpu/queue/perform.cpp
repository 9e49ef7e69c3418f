#include "perform.h"

#include "../../common/processor/float_environment.h"
#include "../../common/program_function.h"
#include "../../ze_driver/backend.h"
#include "../../ze_driver/events/event.h"
#include "../../ze_driver/memory/allocations.h"
#include "../contract/program.h"
#include "../exec/checking.h"
#include "../exec/checks/findings.h"
#include "../exec/checks/shadow.h"
#include "../exec/checks/traced_launch.h"
#include "../exec/faults.h"
#include "dispatcher.h"
#include "execution_gate.h"

#include <level_zero/ze_api.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <format>
#include <optional>

namespace ze_cpu {

using namespace ze_driver;

namespace {

Launch grid_of(const Command &command, const LaunchCommand &launch, const uint32_t *groups,
               unsigned device) {
  Launch grid;
  grid.code = &code_of(*launch.kernel);
  grid.arguments = reinterpret_cast<const std::byte *>(&command) + launch.arguments_offset;
  std::copy_n(groups, 3, grid.groups);
  std::copy_n(launch.group_size, 3, grid.group_size);
  std::copy_n(launch.global_offset, 3, grid.global_offset);
  grid.local_bytes = launch.local_bytes;
  grid.cooperative = launch.cooperative;
  grid.device = device;
  return grid;
}

Fault launch(const Command &command, const LaunchCommand &launch, const uint32_t *groups,
             unsigned device) {
  if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0)
    return {};
  Launch grid = grid_of(command, launch, groups, device);
  if (!is_checking())
    return execute(grid);
  std::optional<TracedLaunch> traced;
  if (checks().traces())
    grid.traced = &traced.emplace(*grid.code, grid.groups, grid.group_size);
  Fault fault = execute(grid);
  if (fault.happened && findings_go_to_file() && (!fault.gave_up || checks().traps))
    tell_finding(fault.gave_up ? "traps" : "memory", common::readable_name(grid.code->name),
                 fault.description,
                 fault.address ? fault.description + where_it_lies(*fault.address)
                               : fault.description);
  return fault;
}

/// An access that leaves the allocation it begins in.
struct Overrun {
  uintptr_t address;
};

/// ZE_CPU_CHECK: throws Overrun. What lies in no allocation may be the program's own memory, and
/// what was freed cannot be touched anyway.
void check_range(const void *pointer, size_t bytes) {
  if (!is_checking())
    return;
  if (const auto end = Allocations::instance().overrun(pointer, bytes))
    throw Overrun{*end};
}

void note_written(void *pointer, size_t bytes) {
  if (checks().uninitialised)
    Shadow::instance().set_unwritten(reinterpret_cast<uintptr_t>(pointer), bytes, false);
}

template <class Word> bool copy_word(void *destination, const void *source) {
  if ((reinterpret_cast<uintptr_t>(destination) | reinterpret_cast<uintptr_t>(source)) %
      sizeof(Word))
    return false;
  const Word word = std::atomic_ref(*static_cast<Word *>(const_cast<void *>(source)))
                        .load(std::memory_order_acquire);
  std::atomic_ref(*static_cast<Word *>(destination)).store(word, std::memory_order_release);
  return true;
}

/// As memmove. Single words are never seen half written, as on GPUs: programs poll for them while
/// they are copied or filled.
void move_bytes(void *destination, const void *source, size_t bytes) {
  if (bytes == 4 && copy_word<uint32_t>(destination, source))
    return;
  if (bytes == 8 && copy_word<uint64_t>(destination, source))
    return;
  std::memmove(destination, source, bytes);
}

void copy(void *destination, const void *source, size_t bytes) {
  check_range(destination, bytes);
  check_range(source, bytes);
  move_bytes(destination, source, bytes);
  if (checks().uninitialised)
    Shadow::instance().copy_unwritten(reinterpret_cast<uintptr_t>(destination),
                                      reinterpret_cast<uintptr_t>(source), bytes);
}

void copy_region(const CopyRegionCommand &region) {
  for (size_t z = 0; z < region.depth; ++z) {
    std::byte *destination = region.destination + z * region.destination_slice_pitch;
    const std::byte *source = region.source + z * region.source_slice_pitch;
    for (size_t y = 0; y < region.height; ++y)
      copy(destination + y * region.destination_pitch, source + y * region.source_pitch,
           region.width);
  }
}

void fill(FillCommand &fill) {
  auto *destination = static_cast<std::byte *>(fill.destination);
  const std::byte *pattern = fill.pattern();
  if (fill.bytes == 0)
    return;
  check_range(destination, fill.bytes);
  note_written(destination, fill.bytes);
  if (fill.bytes == fill.pattern_bytes) {
    move_bytes(destination, pattern, fill.bytes);
    return;
  }
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
      result.global.kernelStart = device_time(entry.stamps->start.load(std::memory_order_relaxed));
      result.global.kernelEnd = device_time(entry.stamps->end.load(std::memory_order_relaxed));
      result.context = result.global;
    }
    std::memcpy(query.destination + entry.offset, &result, sizeof result);
    note_written(query.destination + entry.offset, sizeof result);
  }
}

/// Runs `work`, which touches memory that the program named. A wrong address is the command's
/// fault, not the process's end.
template <class Work> Fault guarded(const char *what, Work &&work) {
  prepare_fault_handling();
  FaultGuard guard;
  std::optional<Overrun> overrun;
  const int signal = run_guarded(guard, [&] {
    try {
      work();
    } catch (const Overrun &caught) {
      overrun = caught;
    }
  });
  if (overrun)
    return {true, std::format("{}: address {:#x} is out of range", what, overrun->address),
            overrun->address};
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

Fault perform_launches(Command &first, unsigned device, const std::function<Command *()> &next) {
  Launch grid;
  const auto set = [&](Command &command) {
    const auto &launch = command.payload<LaunchCommand>();
    grid = grid_of(command, launch, launch.groups, device);
    return is_simple(grid);
  };
  if (!set(first))
    return {};
  return execute_simple(grid, [&] {
    Command *command = next();
    return command && set(*command);
  });
}

Fault perform(Command &command, unsigned device) {
  switch (command.opcode) {
  case Opcode::launch: {
    auto &payload = command.payload<LaunchCommand>();
    return launch(command, payload, payload.groups, device);
  }
  case Opcode::launch_indirect: {
    auto &payload = command.payload<LaunchCommand>();
    uint32_t groups[3] = {};
    const Fault fault = guarded("group counts of a launch", [&] {
      if (!payload.launch_count || payload.launch_index < *payload.launch_count)
        std::copy_n(payload.indirect_groups, 3, groups);
    });
    return fault.happened ? fault : launch(command, payload, groups, device);
  }
  case Opcode::copy: {
    auto &payload = command.payload<CopyCommand>();
    return guarded("memory copy",
                   [&] { copy(payload.destination, payload.source, payload.bytes); });
  }
  case Opcode::copy_region:
    return guarded("memory copy", [&] { copy_region(command.payload<CopyRegionCommand>()); });
  case Opcode::fill:
    return guarded("memory fill", [&] { fill(command.payload<FillCommand>()); });
  case Opcode::write_timestamp:
  case Opcode::write_host_timestamp:
    return guarded("timestamp", [&] {
      auto &payload = command.payload<WriteTimestampCommand>();
      *payload.destination = device_time(now_ns());
      note_written(payload.destination, sizeof *payload.destination);
    });
  case Opcode::query_timestamps:
    return guarded("timestamps",
                   [&] { query_timestamps(command.payload<QueryTimestampsCommand>()); });
  case Opcode::host_function: {
    auto &payload = command.payload<HostFunctionCommand>();
    // It may block for as long as it likes: that must not keep other lists from running.
    Dispatcher::BlockingSection blocking;
    ExecutionGate::Outside outside;
    // What it sets is not for the commands behind it.
    const common::DefaultFloatEnvironment environment;
    common::call_program_function(backend().identity().name,
                                  [&] { payload.function(payload.data); });
    return {};
  }
  case Opcode::jump:
  case Opcode::barrier:
  case Opcode::reset_event:
  case Opcode::run_recording:
    break;
  }
  return {};
}

} // namespace ze_cpu
