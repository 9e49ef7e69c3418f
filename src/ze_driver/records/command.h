// What command lists consist of: records of varying size, one behind the other in memory.
//
//   Command | wait_count x Wait | payload of the opcode, arguments of a launch behind it
//
// Whoever holds a record owns the references in it: the queue until it has executed the record, a
// recording as long as it lives.
#pragma once

#include "../events/counter.h"
#include "../events/timestamps.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ze_driver {

class Recording;
struct CompiledKernel;

enum class Opcode : uint8_t {
  jump, // the next record is the first of the next segment
  barrier,
  launch,
  launch_indirect,
  copy,
  copy_region,
  fill,
  reset_event,
  write_timestamp,
  write_host_timestamp, // only the host reads it, and only when it knows that the command is complete
  query_timestamps,
  host_function,
  run_recording,
};

/// A condition for a command to start. Without a counter, `value` is an index into the waits that
/// are resolved when the recording is submitted (RunRecordingCommand), or no_wait.
struct Wait {
  Counter *counter;
  uint64_t value;
};

/// A place that holds no condition now.
inline constexpr uint64_t no_wait = UINT64_MAX;

struct alignas(64) Command {
  uint32_t bytes; // of the whole record, a multiple of its alignment
  Opcode opcode;
  bool is_named; // an event stands for its end: somebody may ask for it alone
  uint32_t wait_count;
  Counter *signal;    // set to 1 afterwards, or nullptr
  Timestamps *stamps; // written around the execution, or nullptr
  uint32_t payload_offset;

  /// The waits follow at once; alignas only aligns the records.
  static constexpr size_t header_bytes = 40;

  Wait *waits() {
    return reinterpret_cast<Wait *>(reinterpret_cast<std::byte *>(this) + header_bytes);
  }
  template <class Payload> Payload &payload() {
    return *reinterpret_cast<Payload *>(reinterpret_cast<std::byte *>(this) + payload_offset);
  }
};

struct LaunchCommand {
  const CompiledKernel *kernel;
  const uint32_t *indirect_groups; // launch_indirect: the group counts are read from here when the
                                   // command starts
  const uint32_t *launch_count; // launch_indirect: unless it is nullptr, the number of launches is
  uint32_t launch_index;        // read from here, and this one's number must be below it
  uint32_t groups[3];
  uint32_t group_size[3];
  uint32_t global_offset[3];
  uint32_t local_bytes;
  bool cooperative;
  uint32_t arguments_offset; // from the start of the record; 64-byte aligned, as the widest vector
                             // load wants it
};

struct CopyCommand {
  void *destination;
  const void *source;
  size_t bytes;
};

/// A box of rows; pitches in bytes.
struct CopyRegionCommand {
  std::byte *destination;
  const std::byte *source;
  size_t destination_pitch, destination_slice_pitch;
  size_t source_pitch, source_slice_pitch;
  size_t width, height, depth;
};

/// The pattern follows the payload.
struct FillCommand {
  void *destination;
  size_t bytes;
  size_t pattern_bytes;

  std::byte *pattern() { return reinterpret_cast<std::byte *>(this + 1); }
};

struct ResetEventCommand {
  Counter *event;
};

struct WriteTimestampCommand {
  uint64_t *destination;
};

/// `count` entries follow the payload. Entries of events without timestamps write zeros.
struct QueryTimestampsCommand {
  struct Entry {
    Timestamps *stamps;
    size_t offset;
  };
  std::byte *destination;
  uint32_t count;

  Entry *entries() { return reinterpret_cast<Entry *>(this + 1); }
};

struct HostFunctionCommand {
  void (*function)(void *);
  void *data;
};

/// `deferred_wait_count` waits follow the payload: what the recording's waits without a counter
/// refer to.
struct RunRecordingCommand {
  Recording *recording;
  uint32_t deferred_wait_count;

  Wait *deferred_waits() { return reinterpret_cast<Wait *>(this + 1); }
};

/// Adds a reference to all that a copied record refers to.
void retain_references(Command &command) noexcept;
/// Drops the references that the record owns.
void release_references(Command &command) noexcept;

} // namespace ze_driver
