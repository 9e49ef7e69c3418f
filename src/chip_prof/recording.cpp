#include "recording.h"

#include "../common/tool.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>

#include <cxxabi.h>
#include <time.h>
#include <x86intrin.h>

namespace chip::prof {
namespace {

std::string demangled(const std::string &name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> result(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && result ? result.get() : name;
}

/// One block in memory, of which no more is read than it has.
struct Block {
  const char *data;

  BlockHeader header() const {
    BlockHeader header;
    std::memcpy(&header, data, sizeof header);
    return header;
  }
  template <class T> std::vector<T> entries() const {
    const uint64_t most = (block_bytes - sizeof(BlockHeader)) / sizeof(T);
    std::vector<T> result(std::min(header().used, most));
    std::memcpy(result.data(), data + sizeof(BlockHeader), result.size() * sizeof(T));
    return result;
  }
};

/// Turns ticks of one process into nanoseconds of CLOCK_MONOTONIC: both are read when it starts, and now.
class Clock {
public:
  explicit Clock(const Header &header)
      : start_ns_(header.start_ns), start_ticks_(header.start_ticks) {
    if (start_ticks_ == 0)
      return;
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    const uint64_t now =
        static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
    rate_ = static_cast<double>(now - start_ns_) / static_cast<double>(__rdtsc() - start_ticks_);
  }
  uint64_t length(uint64_t ticks) const {
    return start_ticks_ ? static_cast<uint64_t>(static_cast<double>(ticks) * rate_) : ticks;
  }
  uint64_t time(uint64_t ticks) const {
    if (start_ticks_ == 0)
      return ticks;
    return ticks < start_ticks_ ? start_ns_ : start_ns_ + length(ticks - start_ticks_);
  }

private:
  uint64_t start_ns_, start_ticks_;
  double rate_ = 1;
};

void read_names(const Block &block, std::map<uint32_t, std::string> &names) {
  const uint64_t used = std::min(block.header().used, block_bytes - sizeof(BlockHeader));
  const char *start = block.data + sizeof(BlockHeader);
  for (uint64_t offset = 0; offset + sizeof(Name) <= used;) {
    Name name;
    std::memcpy(&name, start + offset, sizeof name);
    offset += sizeof name;
    const uint64_t length = std::min<uint64_t>(name.length, used - offset);
    names[name.id] = demangled(std::string(start + offset, length));
    offset = (offset + length + 7) / 8 * 8;
  }
}

ProcessRecord read_recording(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> data(block_bytes);
  const auto next = [&] { return static_cast<bool>(file.read(data.data(), block_bytes)); };
  Header header{};
  if (next())
    std::memcpy(&header, data.data(), sizeof header);
  if (header.magic != magic)
    throw std::runtime_error(path.string() + " is not a file of chip-prof");
  const Clock clock(header);
  ProcessRecord record;
  record.process = header.process;
  record.start_ns = header.start_ns;
  record.events_left_out = header.events_left_out;
  header.program[sizeof header.program - 1] = 0;
  record.program = header.program;
  record.counters.resize(chip_prof_function_count);
  while (next()) {
    const Block block{data.data()};
    switch (block.header().kind) {
    case BlockKind::Counters: {
      std::vector<Counters> counters = block.entries<Counters>();
      bool used[2] = {};
      for (size_t i = 0; i < std::min(counters.size(), record.counters.size()); ++i) {
        for (uint64_t *ticks : {&counters[i].total_ns, &counters[i].min_ns, &counters[i].max_ns})
          *ticks = clock.length(*ticks);
        record.counters[i].add(counters[i]);
        used[static_cast<int>(chip_prof_functions[i].backend)] |= counters[i].calls > 0;
      }
      record.threads[0] += used[0];
      record.threads[1] += used[1];
      break;
    }
    case BlockKind::Events:
      for (Event event : block.entries<Event>()) {
        event.start_ns = clock.time(event.start_ns);
        event.end_ns = clock.time(event.end_ns);
        if (event.function & marker_function || event.function < chip_prof_function_count)
          record.calls.push_back({event, block.header().thread});
      }
      break;
    case BlockKind::WorkRows:
      for (const WorkRow &row : block.entries<WorkRow>())
        record.work_rows.push_back(row);
      break;
    case BlockKind::WorkEvents:
      for (const WorkEvent &event : block.entries<WorkEvent>())
        record.work.push_back(event);
      break;
    case BlockKind::Names:
      read_names(block, record.names);
      break;
    case BlockKind::Unused:
    case BlockKind::Header:
      break;
    }
  }
  std::ranges::sort(record.calls, {}, [](const auto &call) { return call.event.start_ns; });
  std::ranges::sort(record.work, {}, &WorkEvent::start_ns);
  return record;
}

} // namespace

std::string ProcessRecord::work_name(uint32_t kind, uint32_t name) const {
  const auto found = names.find(name);
  const std::string text = found == names.end() ? "" : found->second;
  switch (kind) {
  case CHIP_TOOL_WORK_KERNEL:
    return text.empty() ? "(kernel)" : text;
  case CHIP_TOOL_WORK_COPY:
    return "(copy)";
  case CHIP_TOOL_WORK_FILL:
    return "(fill)";
  case CHIP_TOOL_WORK_HOST_FUNCTION:
    return "(host function)";
  case CHIP_TOOL_WORK_GRAPH:
    return "(graph)";
  default:
    return "(other)";
  }
}

std::vector<ProcessRecord> read_recordings(const std::filesystem::path &directory) {
  std::vector<ProcessRecord> records;
  for (const auto &entry : std::filesystem::directory_iterator(directory))
    if (!entry.is_symlink()) // one to the library is not a recording
      records.push_back(read_recording(entry.path()));
  std::ranges::sort(records, {}, &ProcessRecord::start_ns);
  return records;
}

} // namespace chip::prof
