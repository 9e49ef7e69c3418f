// The file in which a profiled process leaves what was seen of it, and from which chip-prof makes its reports. The process maps
// its parts as it needs them, so that all that was seen is there however the process ends. It is read on the machine that wrote
// it, by the chip-prof of the same build.
#pragma once

#include <cstdint>

namespace chip::prof {

/// Names the variable that tells the tool library what to do: "BYTES:DIRECTORY", the most bytes of events that a process may
/// write, and where. chip-prof sets it.
constexpr const char *variable = "CHIP_PROF";

/// A file is a row of blocks of this size. The first has a Header.
constexpr uint64_t block_bytes = 64 * 1024;

enum class BlockKind : uint32_t {
  Unused, // the process ended before it was taken
  Header,
  Counters,   // FunctionCounters for each function, of the threads that used it one after the other
  Events,     // Event
  WorkRows,   // WorkRow
  WorkEvents, // WorkEvent
  Names,      // Name and its characters, one after the other
};

struct BlockHeader {
  BlockKind kind;
  uint32_t thread; // of Events
  uint64_t used;   // entries; bytes of Names
};

struct Header {
  BlockHeader block;
  uint64_t magic;
  uint64_t process;
  uint64_t start_ns;    // CLOCK_MONOTONIC
  uint64_t start_ticks; // at the same time; 0 where ticks are nanoseconds of CLOCK_MONOTONIC
  uint64_t events_left_out;
  char program[256];
};
constexpr uint64_t magic = 0x31304652504f4350;

/// Times of calls are ticks of the processor, which cost less to read than the clock. recording.h has nanoseconds of them.
struct Counters {
  uint64_t calls, errors, total_ns, min_ns, max_ns;

  void add(uint64_t nanoseconds, bool failed) {
    min_ns = calls == 0 || nanoseconds < min_ns ? nanoseconds : min_ns;
    max_ns = nanoseconds > max_ns ? nanoseconds : max_ns;
    total_ns += nanoseconds;
    errors += failed;
    ++calls;
  }
  void add(const Counters &other) {
    if (other.calls == 0)
      return;
    min_ns = calls == 0 || other.min_ns < min_ns ? other.min_ns : min_ns;
    max_ns = other.max_ns > max_ns ? other.max_ns : max_ns;
    total_ns += other.total_ns;
    errors += other.errors;
    calls += other.calls;
  }
};

/// A call, or, with a function that is marker_function and a chip_tool_marker_kind, what the program says of itself.
struct Event {
  uint64_t start_ns, end_ns;
  uint32_t function;
  uint32_t result; // of a marker: its message's name
  uint64_t correlation;
};
constexpr uint32_t marker_function = 0x80000000;

/// Work of one kind and name on a device.
struct WorkRow {
  uint32_t kind, device; // chip_tool_work_kind
  uint32_t name;
  uint32_t reserved;
  uint64_t bytes;
  Counters counters;
};

struct WorkEvent {
  uint64_t submit_ns, start_ns, end_ns;
  uint64_t correlation, stream, bytes;
  uint32_t kind, device, name, reserved;
};

/// Followed by its characters, and by as many as the next one needs to be aligned. Name 0 is no name.
struct Name {
  uint32_t id, length;
};

enum class Backend : uint8_t { Hip, LevelZero };
/// Which results of a function are errors.
enum class Result : uint8_t { None, HipError, LevelZeroResult };

struct Function {
  const char *name;
  Backend backend;
  Result result;
};

/// The functions whose calls are seen: generated from what libCHIP and the Level Zero loader export.
extern "C" const Function chip_prof_functions[];
extern "C" const uint32_t chip_prof_function_count;

} // namespace chip::prof
