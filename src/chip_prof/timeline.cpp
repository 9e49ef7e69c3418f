#include "reports.h"

#include "../common/tool.h"

#include <format>
#include <map>
#include <set>
#include <unordered_map>

namespace chip::prof {
namespace {

// Length of the UTF-8 sequence that a text begins with; 0 if it begins with none.
size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t length = lead >= 0xc2 && lead < 0xe0   ? 2
                        : lead >= 0xe0 && lead < 0xf0 ? 3
                        : lead >= 0xf0 && lead < 0xf5 ? 4
                                                      : 0;
  if (length == 0 || text.size() < length)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80)
      return 0;
  return length;
}

double microseconds(uint64_t time_ns, uint64_t origin_ns) {
  return (static_cast<double>(time_ns) - static_cast<double>(origin_ns)) / 1e3;
}

/// Writes the events of a trace, with commas between them.
class Trace {
public:
  Trace(std::ostream &out, uint64_t origin) : out_(out), origin_(origin) {}

  /// `fields` are further members, each with a comma before it.
  void add(char phase, uint64_t process, uint64_t thread, uint64_t time_ns,
           const std::string &fields) {
    out_ << (first_ ? "\n" : ",\n")
         << std::format(R"({{"ph":"{}","pid":{},"tid":{},"ts":{:.3f}{}}})", phase, process, thread,
                        microseconds(time_ns, origin_), fields);
    first_ = false;
  }
  void name(const char *what, uint64_t process, uint64_t thread, const std::string &name) {
    add('M', process, thread, origin_,
        std::format(R"(,"name":"{}","args":{{"name":{}}})", what, json_string(name)));
  }

private:
  std::ostream &out_;
  uint64_t origin_;
  bool first_ = true;
};

void write_marker(Trace &trace, const ProcessRecord &record, const ProcessRecord::Call &call) {
  const auto found = record.names.find(call.event.result);
  const std::string name = json_string(found == record.names.end() ? "" : found->second);
  const Event &event = call.event;
  const auto add = [&](char phase, const std::string &fields) {
    trace.add(phase, record.process, call.thread, event.start_ns, ",\"cat\":\"marker\"" + fields);
  };
  switch (event.function & ~marker_function) {
  case CHIP_TOOL_MARKER_POINT:
    return add('i', std::format(R"(,"s":"t","name":{})", name));
  case CHIP_TOOL_MARKER_PUSH:
    return add('B', std::format(R"(,"name":{})", name));
  case CHIP_TOOL_MARKER_POP:
    return add('E', "");
  case CHIP_TOOL_MARKER_START:
    return add('b', std::format(R"(,"id":{},"name":{})", event.correlation, name));
  case CHIP_TOOL_MARKER_STOP:
    return add('e', std::format(R"(,"id":{},"name":"range")", event.correlation));
  }
}

} // namespace

std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const char character = text[0];
    size_t length = 1;
    if (character == '"' || character == '\\')
      result += std::format("\\{}", character);
    else if (static_cast<unsigned char>(character) < 0x20 || character == '<' || character == 0x7f)
      result += std::format("\\u{:04x}", static_cast<unsigned>(character));
    else if (static_cast<unsigned char>(character) < 0x80)
      result += character;
    else if ((length = sequence_length(text)) > 0)
      result += text.substr(0, length);
    else
      result += '?', length = 1;
    text.remove_prefix(length);
  }
  return result + '"';
}

void write_timeline(std::ostream &out, const std::vector<ProcessRecord> &records) {
  out << R"({"displayTimeUnit":"ns","traceEvents":[)";
  Trace trace(out, records.empty() ? 0 : records.front().start_ns);
  uint64_t left_out = 0;
  for (const ProcessRecord &record : records) {
    left_out += record.events_left_out;
    // A device's work stands in a process of its own: numbers above those that the system gives.
    const auto device_process = [&](uint32_t device) {
      return record.process + (uint64_t(device) + 1) * 10'000'000;
    };
    trace.name("process_name", record.process, 0,
               std::format("{} ({}), host", record.program, record.process));
    std::set<uint32_t> threads;
    std::set<std::pair<uint32_t, uint64_t>> streams;
    // Where the arrow of a launch starts.
    std::unordered_map<uint64_t, const ProcessRecord::Call *> launches;
    for (const ProcessRecord::Call &call : record.calls) {
      if (threads.insert(call.thread).second)
        trace.name("thread_name", record.process, call.thread,
                   std::format("thread {}", call.thread));
      const Event &event = call.event;
      if (event.function & marker_function) {
        write_marker(trace, record, call);
        continue;
      }
      const Function &function = chip_prof_functions[event.function];
      if (function.backend == Backend::Hip)
        launches[event.correlation] = &call;
      trace.add(
          'X', record.process, call.thread, event.start_ns,
          std::format(
              R"(,"dur":{:.3f},"cat":"{}","name":"{}","args":{{"result":{},"correlation":{}}})",
              microseconds(event.end_ns, event.start_ns),
              function.backend == Backend::Hip ? "hip" : "ze", function.name, event.result,
              event.correlation));
    }
    uint64_t flow = record.process << 32;
    for (const WorkEvent &work : record.work) {
      const uint64_t process = device_process(work.device);
      if (streams.emplace(work.device, work.stream).second) {
        trace.name("process_name", process, 0,
                   std::format("{} ({}), device {}", record.program, record.process, work.device));
        trace.name("thread_name", process, work.stream, std::format("stream {}", work.stream));
      }
      trace.add(
          'X', process, work.stream, work.start_ns,
          std::format(
              R"(,"dur":{:.3f},"cat":"device","name":{},"args":{{"bytes":{},"correlation":{}}})",
              microseconds(work.end_ns, work.start_ns),
              json_string(record.work_name(work.kind, work.name)), work.bytes, work.correlation));
      const auto launch = launches.find(work.correlation);
      if (launch == launches.end())
        continue;
      const std::string fields = std::format(R"(,"cat":"launch","name":"launch","id":{})", ++flow);
      trace.add('s', record.process, launch->second->thread, launch->second->event.start_ns,
                fields);
      trace.add('f', process, work.stream, work.start_ns, fields + R"(,"bp":"e")");
    }
  }
  out << std::format("\n],\"otherData\":{{\"events_left_out\":{}}}}}\n", left_out);
}

} // namespace chip::prof
