// chip-prof: runs a program with the tool library in it, and writes what that saw.
#include "reports.h"

#include "../common/command/run_program.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <format>
#include <fstream>
#include <iostream>

using namespace chip::prof;
using namespace common;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view usage = R"(usage: chip-prof [OPTION...] [--] PROGRAM [ARGUMENT...]
Runs a program and shows what its calls of HIP and of Level Zero, its kernels and its copies cost.

  --output FILE     writes the tables to FILE instead of the standard error output
  --timeline FILE   writes a trace in JSON that https://ui.perfetto.dev opens
  --page FILE       writes a page for a browser: tables, timeline, latencies, gaps
  --events-mb N     how many MiB of single events each process may write for timeline and page; what exceeds them is counted as
                    left out, and is in the tables all the same (default 256)
)";

struct Options {
  std::string output, timeline, page;
  uint64_t events_mb = 256;
  std::vector<std::string> command;
};

[[noreturn]] void fail(int code, std::string_view text) { common::fail("chip-prof", code, text); }

Options read_options(int count, char **arguments) {
  Options options;
  const auto into = [](std::string &text) {
    return [&text](const std::string &value) { text = value; };
  };
  const CommandOption known[] = {
      {"--output", into(options.output)},
      {"--timeline", into(options.timeline)},
      {"--page", into(options.page)},
      {"--events-mb", [&](const std::string &value) {
         const char *const end = value.data() + value.size();
         const auto [rest, error] = std::from_chars(value.data(), end, options.events_mb);
         if (error != std::errc() || rest != end || options.events_mb == 0 ||
             options.events_mb > 1024 * 1024)
           fail(2, std::format("--events-mb is '{}': a number of MiB from 1 to 1048576 is needed",
                               value));
       }}};
  options.command = common::read_options("chip-prof", usage, known, count, arguments);
  return options;
}

/// A file that is written when the program has ended. What it had before stays if the program cannot be run.
class Report {
public:
  /// Opens it, so that a name that cannot be written costs nobody a run.
  explicit Report(const std::string &name) : name_(name) {
    if (name.empty())
      return;
    std::error_code ignored;
    is_new_ = !fs::exists(name, ignored);
    if (!std::ofstream(name, std::ios::app))
      fail(1, std::format("cannot write {}: {}", name, std::strerror(errno)));
  }
  ~Report() {
    std::error_code ignored;
    if (is_new_)
      fs::remove(name_, ignored);
  }
  Report(const Report &) = delete;
  Report &operator=(const Report &) = delete;

  explicit operator bool() const { return !name_.empty(); }

  template <class Writer> void write(const Writer &writer) {
    is_new_ = false;
    std::ofstream file(name_);
    if (file)
      writer(file);
    if (!file.flush())
      std::cerr << std::format("chip-prof: cannot write {}: {}\n", name_, std::strerror(errno));
  }

private:
  std::string name_;
  bool is_new_ = false; // and nothing is written yet
};

fs::path tool_library() {
  const fs::path library =
      fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib" / "libchip_prof.so";
  if (!fs::exists(library))
    fail(1, std::format("{} is missing: install libCHIP again", library.string()));
  return library;
}

/// A name of the library that LD_PRELOAD can hold, which spaces and colons divide: where it has some, that of a link.
std::string loadable_name(const std::string &library, const std::string &directory) {
  constexpr std::string_view dividers = " :";
  if (library.find_first_of(dividers) == library.npos)
    return library;
  const fs::path link = fs::path(directory) / "libchip_prof.so";
  if (link.string().find_first_of(dividers) != library.npos)
    fail(1, std::format("the loader cannot load {}, nor a link to it in {}: set TMPDIR to a "
                        "directory without spaces and colons",
                        library, directory));
  fs::create_symlink(library, link);
  return link;
}

void report(const Options &options, const std::string &directory, Report &output, Report &timeline,
            Report &page) {
  const std::vector<ProcessRecord> records = read_recordings(directory);
  const std::vector<Table> tables = tables_of(records);
  if (tables.empty())
    std::cerr
        << "chip-prof: the program has made no call of HIP or Level Zero that could be seen\n";
  if (output)
    output.write([&](std::ostream &file) { write_tables(file, tables); });
  else
    write_tables(std::cerr, tables);
  uint64_t left_out = 0;
  for (const ProcessRecord &record : records)
    left_out += record.events_left_out;
  if (left_out)
    std::cerr << std::format(
        "chip-prof: {} events are left out of timeline and page, which {} MiB do not hold: "
        "--events-mb takes more\n",
        left_out, options.events_mb);
  if (timeline)
    timeline.write([&](std::ostream &file) { write_timeline(file, records); });
  std::string command;
  for (const std::string &word : options.command)
    command += (command.empty() ? "" : " ") + word;
  if (page)
    page.write([&](std::ostream &file) { write_page(file, records, tables, command); });
}

} // namespace

int main(int count, char **arguments) try {
  const Options options = read_options(count, arguments);
  const std::string library = tool_library();
  Report output(options.output), timeline(options.timeline), page(options.page);
  int status = 0;
  {
    const TemporaryDirectory directory("chip-prof");
    const uint64_t bytes = timeline || page ? options.events_mb << 20 : 0;
    setenv(variable, std::format("{}:{}", bytes, directory.path()).c_str(), 1);
    const char *preloaded = std::getenv("LD_PRELOAD");
    const std::string first = loadable_name(library, directory.path());
    setenv("LD_PRELOAD",
           preloaded && *preloaded ? std::format("{}:{}", first, preloaded).c_str() : first.c_str(),
           1);
    setenv("CHIP_TOOL", library.c_str(), 1);
    status = run_program(options.command);
    const int error = errno;
    if (status < 0)
      std::cerr << std::format("chip-prof: cannot run {}: {}\n", options.command[0],
                               std::strerror(error));
    else
      report(options, directory.path(), output, timeline, page);
    if (status < 0)
      status = status_of_missing_program(error);
  }
  return end_like(status);
} catch (const std::exception &error) {
  std::cerr << "chip-prof: " << error.what() << '\n';
  return 1;
}
