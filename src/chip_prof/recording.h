// What the processes of a program left in their files, put together.
#pragma once

#include "format.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace chip::prof {

struct ProcessRecord {
  uint64_t process = 0;
  std::string program;
  uint64_t start_ns = 0;
  uint64_t events_left_out = 0;
  uint32_t threads[2] = {};       // that have called, for each Backend
  std::vector<Counters> counters; // for each function
  std::vector<WorkRow> work_rows;
  std::map<uint32_t, std::string> names; // as C++ has them
  struct Call {
    Event event;
    uint32_t thread;
  };
  std::vector<Call> calls;
  std::vector<WorkEvent> work;

  /// "kernel saxpy(int, float*)", "copy", "fill": what a row or an event of this kind and name is called.
  std::string work_name(uint32_t kind, uint32_t name) const;
};

/// Reads all files of a directory, in the order in which the processes started. Throws std::runtime_error for a file that is not
/// one of format.h.
std::vector<ProcessRecord> read_recordings(const std::filesystem::path &directory);

} // namespace chip::prof
