#include "reports.h"

#include <algorithm>
#include <array>
#include <format>
#include <map>
#include <set>

namespace chip::prof {
namespace {

constexpr size_t longest_name = 80;

std::string counted(size_t count, std::string_view what) {
  return std::format("{} {}{}", count, what, count == 1 ? "" : what.ends_with("s") ? "es" : "s");
}

std::array<std::string, 8> cells(const std::string &name, const Counters &counters,
                                 uint64_t total_ns) {
  const double time = static_cast<double>(counters.total_ns);
  const double calls = static_cast<double>(std::max<uint64_t>(counters.calls, 1));
  return {name.size() > longest_name ? name.substr(0, longest_name - 3) + "..." : name,
          readable_time(time),
          std::format("{:.2f}%", total_ns ? 100 * time / static_cast<double>(total_ns) : 0.0),
          std::to_string(counters.calls),
          readable_time(time / calls),
          readable_time(static_cast<double>(counters.min_ns)),
          readable_time(static_cast<double>(counters.max_ns)),
          std::to_string(counters.errors)};
}

} // namespace

Counters Table::total() const {
  Counters sum{};
  for (const Row &row : rows)
    sum.add(row.counters);
  return sum;
}

std::string readable_time(double nanoseconds) {
  if (nanoseconds < 1e3)
    return std::format("{:.2f}ns", nanoseconds);
  if (nanoseconds < 1e6)
    return std::format("{:.2f}us", nanoseconds / 1e3);
  if (nanoseconds < 1e9)
    return std::format("{:.2f}ms", nanoseconds / 1e6);
  return std::format("{:.2f}s", nanoseconds / 1e9);
}

std::vector<Table> tables_of(const std::vector<ProcessRecord> &records) {
  std::vector<Table> tables;
  const auto add = [&](std::string title, std::vector<Row> rows) {
    std::ranges::sort(rows, std::greater(), [](const Row &row) { return row.counters.total_ns; });
    if (!rows.empty())
      tables.push_back({std::move(title), std::move(rows)});
  };
  for (const Backend backend : {Backend::Hip, Backend::LevelZero}) {
    std::vector<Row> rows;
    for (uint32_t i = 0; i < chip_prof_function_count; ++i) {
      Counters sum{};
      for (const ProcessRecord &record : records)
        sum.add(record.counters[i]);
      if (chip_prof_functions[i].backend == backend && sum.calls > 0)
        rows.push_back({chip_prof_functions[i].name, sum});
    }
    size_t processes = 0, threads = 0;
    for (const ProcessRecord &record : records) {
      processes += record.threads[static_cast<int>(backend)] > 0;
      threads += record.threads[static_cast<int>(backend)];
    }
    add(std::format("{} | {} | {} |", backend == Backend::Hip ? "BACKEND_HIP" : "BACKEND_ZE",
                    counted(processes, "Process"), counted(threads, "Thread")),
        std::move(rows));
  }
  std::map<std::string, Row> work;
  std::set<std::pair<uint64_t, uint32_t>> devices;
  for (const ProcessRecord &record : records)
    for (const WorkRow &row : record.work_rows) {
      const std::string name = record.work_name(row.kind, row.name);
      Row &sum = work[name];
      sum.name = name;
      sum.counters.add(row.counters);
      sum.bytes += row.bytes;
      devices.emplace(0, row.device);
    }
  std::vector<Row> rows;
  for (auto &[name, row] : work)
    rows.push_back(std::move(row));
  add(std::format("Device profiling | {} |", counted(devices.size(), "Device")), std::move(rows));
  return tables;
}

void write_tables(std::ostream &out, const std::vector<Table> &tables) {
  for (const Table &table : tables) {
    const Counters total = table.total();
    std::vector<std::array<std::string, 8>> lines;
    lines.push_back({"Name", "Time", "Time(%)", "Calls", "Average", "Min", "Max", "Error"});
    for (const Row &row : table.rows)
      lines.push_back(cells(row.name, row.counters, total.total_ns));
    lines.push_back(cells("Total", total, total.total_ns));
    for (size_t column : {4, 5, 6})
      lines.back()[column].clear();
    std::array<size_t, 8> widths{};
    for (const auto &line : lines)
      for (size_t i = 0; i < line.size(); ++i)
        widths[i] = std::max(widths[i], line[i].size());
    out << table.title << "\n\n";
    for (const auto &line : lines) {
      for (size_t i = 0; i < line.size(); ++i)
        out << std::format("{:>{}} | ", line[i], widths[i]);
      out << '\n';
    }
    out << '\n';
  }
}

} // namespace chip::prof
