// What chip-prof writes of a recording.
#pragma once

#include "recording.h"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace chip::prof {

/// A row of a table, of a function or of a kernel.
struct Row {
  std::string name;
  Counters counters;
  uint64_t bytes = 0;
};
struct Table {
  std::string title;
  std::vector<Row> rows; // the longest time first
  Counters total() const;
};

/// The tables that have rows: of calls of HIP, of Level Zero, and of the devices' work.
std::vector<Table> tables_of(const std::vector<ProcessRecord> &records);

/// As text, with iprof's columns.
void write_tables(std::ostream &out, const std::vector<Table> &tables);

/// "1.50us": a time as the tables show it.
std::string readable_time(double nanoseconds);

/// A JSON string, which may also stand in HTML.
std::string json_string(std::string_view text);

/// A trace in Chrome's JSON format, which Perfetto opens: host threads, streams, an arrow from each launch to its execution.
void write_timeline(std::ostream &out, const std::vector<ProcessRecord> &records);

/// A page that needs nothing else: tables, timeline, latencies, busiest kernels, gaps of streams.
void write_page(std::ostream &out, const std::vector<ProcessRecord> &records,
                const std::vector<Table> &tables, std::string_view command);

} // namespace chip::prof
