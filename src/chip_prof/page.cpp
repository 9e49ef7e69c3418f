#include "reports.h"

#include "page_template.h"

#include <algorithm>
#include <format>
#include <unordered_map>

namespace chip::prof {
namespace {

// A browser shows no more at ease.
constexpr size_t most_events = 50'000;

std::string as_json(const std::vector<ProcessRecord> &records, const std::vector<Table> &tables,
                    std::string_view command) {
  std::string text = std::format(R"({{"command":{},"tables":[)", json_string(command));
  const auto comma = [&] {
    if (!text.ends_with('['))
      text += ',';
  };
  for (const Table &table : tables) {
    comma();
    text += std::format(R"({{"title":{},"rows":[)", json_string(table.title));
    for (const Row &row : table.rows) {
      comma();
      const Counters &c = row.counters;
      text += std::format("[{},{},{},{},{},{}]", json_string(row.name), c.total_ns, c.calls,
                          c.min_ns, c.max_ns, c.errors);
    }
    text += "]}";
  }
  const uint64_t origin = records.empty() ? 0 : records.front().start_ns;
  const auto since = [&](uint64_t time) { return static_cast<int64_t>(time - origin); };
  std::string calls = "[", work = "[";
  uint64_t left_out = 0;
  size_t calls_shown = 0, work_shown = 0;
  for (const ProcessRecord &record : records) {
    left_out += record.events_left_out;
    std::unordered_map<uint64_t, uint64_t> launched;
    for (const auto &[event, thread] : record.calls) {
      if (event.function & marker_function ||
          chip_prof_functions[event.function].backend != Backend::Hip)
        continue;
      launched[event.correlation] = event.start_ns;
      if (++calls_shown > most_events)
        continue;
      calls += std::format("{}[{},{},{},\"{}\"]", calls.size() > 1 ? "," : "",
                           json_string(std::format("{} thread {}", record.process, thread)),
                           since(event.start_ns), event.end_ns - event.start_ns,
                           chip_prof_functions[event.function].name);
    }
    for (const WorkEvent &event : record.work) {
      if (++work_shown > most_events)
        continue;
      const auto launch = launched.find(event.correlation);
      // From the call's begin where it is known.
      const uint64_t from = launch == launched.end() ? event.submit_ns : launch->second;
      work +=
          std::format("{}[{},{},{},{},{}]", work.size() > 1 ? "," : "",
                      json_string(std::format("{} device {} stream {}", record.process,
                                              event.device, event.stream)),
                      since(event.start_ns), event.end_ns - std::min(event.start_ns, event.end_ns),
                      json_string(record.work_name(event.kind, event.name)),
                      event.start_ns - std::min(from, event.start_ns));
    }
  }
  left_out += calls_shown - std::min(calls_shown, most_events) + work_shown -
              std::min(work_shown, most_events);
  return text + std::format(R"(],"calls":{}],"work":{}],"left_out":{}}})", calls, work, left_out);
}

} // namespace

void write_page(std::ostream &out, const std::vector<ProcessRecord> &records,
                const std::vector<Table> &tables, std::string_view command) {
  constexpr std::string_view place = "@DATA@";
  const std::string_view page = page_template;
  const size_t at = page.find(place);
  out << page.substr(0, at) << as_json(records, tables, command) << page.substr(at + place.size());
}

} // namespace chip::prof
