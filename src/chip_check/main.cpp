// chip-check: runs a program on the CPU driver with the driver's checks, and sums up what these find.
#include "../common/command/run_program.h"
#include "../common/environment.h"

#include <fnmatch.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <format>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>

namespace {

constexpr std::string_view usage = R"(usage: chip-check [OPTION...] [--] PROGRAM [ARGUMENT...]
Runs a program on the CPU and tells what its kernels do wrong. Compile it with -g, so that lines of the source are told.

  --check CLASS,...     what to look for (default all):
                          memory           accesses to what is freed, foreign, out of range or misaligned
                          races            work-items of which one writes what another accesses, with nothing to order them
                          uninitialised    reads of memory that nobody has written
                          synchronisation  barriers that not all work-items of a group reach
                          leaks            memory of the device that is never freed
                          traps            kernels that give up: abort(), __builtin_trap(), assertions that fail
  --suppress PATTERN    tells nothing of kernels whose name matches PATTERN, in which * and ? stand for anything; again for
                        others. CLASS:PATTERN is for one class
  --suppressions FILE   the same for each line of FILE; lines that begin with # and empty ones mean nothing
  --error-exitcode N    the exit code if anything is found and the program succeeds (default 97)
  --output FILE         what is found goes to FILE instead of the standard error output

The exit code is the program's own, and 97 if that is 0 and anything was found; 2 for wrong options, 127 if there is no such
program, 1 if FILE cannot be written.
)";

constexpr const char *classes[] = {"memory",          "races", "uninitialised",
                                   "synchronisation", "leaks", "traps"};

struct Suppression {
  std::string check; // empty: all
  std::string kernel;
};

struct Options {
  std::string checks, output;
  std::vector<Suppression> suppressions;
  int error_exit_code = 97;
  std::vector<std::string> command;
};

[[noreturn]] void fail(int code, std::string_view text) { common::fail("chip-check", code, text); }

bool is_class(std::string_view name) {
  return std::ranges::find(classes, name) != std::end(classes);
}

std::string all_classes() {
  std::string all;
  for (const char *name : classes)
    all += std::string(all.empty() ? "" : ",") + name;
  return all;
}

std::string read_checks(std::string_view list) {
  std::string checks;
  for (const std::string_view name : common::list_entries(list)) {
    if (!is_class(name))
      fail(2, std::format("--check: there is no class '{}', but {}", name, all_classes()));
    checks.append(checks.empty() ? "" : ",").append(name);
  }
  return checks;
}

Suppression read_suppression(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon != text.npos && is_class(text.substr(0, colon)))
    return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
  return {{}, std::string(text)};
}

void read_suppressions(const std::string &name, std::vector<Suppression> &suppressions) {
  std::ifstream file(name);
  if (!file)
    fail(2, std::format("--suppressions: cannot read {}: {}", name, std::strerror(errno)));
  for (std::string line; std::getline(file, line);)
    if (const std::string_view text = common::trimmed(line); !text.empty() && text[0] != '#')
      suppressions.push_back(read_suppression(text));
}

Options read_options(int count, char **arguments) {
  Options options;
  options.checks = all_classes();
  const common::CommandOption known[] = {
      {"--check", [&](const std::string &value) { options.checks = read_checks(value); }},
      {"--suppress",
       [&](const std::string &value) { options.suppressions.push_back(read_suppression(value)); }},
      {"--suppressions",
       [&](const std::string &value) { read_suppressions(value, options.suppressions); }},
      {"--error-exitcode",
       [&](const std::string &value) {
         const auto code = common::parse_number(value);
         if (!code || *code > 255)
           fail(2,
                std::format("--error-exitcode is '{}': a number from 0 to 255 is needed", value));
         options.error_exit_code = static_cast<int>(*code);
       }},
      {"--output", [&](const std::string &value) { options.output = value; }}};
  options.command = common::read_options("chip-check", usage, known, count, arguments);
  return options;
}

/// What the processes of the program have found, each finding once.
class Findings {
public:
  Findings(const std::string &file, const std::vector<Suppression> &suppressions) {
    std::ifstream records(file);
    for (std::string line; std::getline(records, line);)
      add(line, suppressions);
  }

  size_t count() const { return texts_.size(); }

  /// Forgets the leaks if a kernel was ended, behind which a program that fails seldom frees anything.
  void explain_leaks() {
    const bool has_access = by_class_.contains("memory");
    if ((!has_access && !by_class_.contains("traps")) || by_class_.erase("leaks") == 0)
      return;
    std::erase_if(texts_, [](const std::string &text) { return text.starts_with("leaks: "); });
    left_out_ = has_access
                    ? "; leaks are left out, as the program failed behind a wrong access"
                    : "; leaks are left out, as the program failed behind a kernel that gave up";
  }

  void write(std::ostream &out) const {
    for (const std::string &text : texts_)
      out << "chip-check: " << text << '\n';
    if (lacks_lines())
      out << "chip-check: compile the program with -g to be told lines of its kernels\n";
    out << "chip-check: " << texts_.size() << (texts_.size() == 1 ? " finding" : " findings");
    const char *before = " (";
    for (const auto &[check, count] : by_class_) {
      out << before << check << ": " << count;
      before = ", ";
    }
    out << (by_class_.empty() ? "" : ")");
    if (suppressed_ != 0)
      out << ", " << suppressed_ << " suppressed";
    out << left_out_ << '\n';
  }

private:
  /// Whether places in kernels are told of, and of none of them its line is known.
  bool lacks_lines() const {
    const auto is_of_place = [](const std::string &text) {
      return !text.starts_with("leaks: ") && !text.starts_with("traps: ");
    };
    static const std::regex line(R"( at [^ ]+:\d+)");
    return std::ranges::any_of(texts_, is_of_place) &&
           std::ranges::none_of(texts_, [&](const std::string &text) {
             return is_of_place(text) && std::regex_search(text, line);
           });
  }

  void add(std::string_view line, const std::vector<Suppression> &suppressions) {
    const size_t first = line.find('\t'), second = line.find('\t', first + 1),
                 third = line.find('\t', second + 1);
    if (first == line.npos || second == line.npos || third == line.npos ||
        !is_class(line.substr(0, first)) || !seen_.emplace(line.substr(0, third)).second)
      return;
    const std::string check(line.substr(0, first)),
        kernel(line.substr(first + 1, second - first - 1));
    if (std::ranges::any_of(suppressions, [&](const Suppression &suppression) {
          return (suppression.check.empty() || suppression.check == check) &&
                 fnmatch(suppression.kernel.c_str(), kernel.c_str(), FNM_NOESCAPE) == 0;
        })) {
      ++suppressed_;
      return;
    }
    ++by_class_[check];
    texts_.push_back(check + ": " + std::string(line.substr(third + 1)));
  }

  std::set<std::string, std::less<>> seen_;
  std::vector<std::string> texts_;
  std::map<std::string, size_t> by_class_;
  size_t suppressed_ = 0;
  const char *left_out_ = "";
};

} // namespace

int main(int count, char **arguments) try {
  const Options options = read_options(count, arguments);
  std::ofstream output;
  if (!options.output.empty()) {
    output.open(options.output);
    if (!output)
      fail(1, std::format("cannot write {}: {}", options.output, std::strerror(errno)));
  }
  const common::TemporaryDirectory directory("chip-check");
  const std::string reports = directory.path() + "/reports";
  setenv("CHIP_DEVICE", "cpu", 1);
  setenv("CHIP_BLAS", "kernels", 1); // what the host's BLAS does with memory, nobody sees
  setenv("ZE_CPU_CHECK", options.checks.c_str(), 1);
  setenv("ZE_CPU_CHECK_REPORTS", reports.c_str(), 1);
  const int status = common::run_program(options.command);
  if (status < 0) {
    const int error = errno;
    std::cerr << std::format("chip-check: cannot run {}: {}\n", options.command[0],
                             std::strerror(error));
    return common::end_like(common::status_of_missing_program(error));
  }
  Findings findings(reports, options.suppressions);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    findings.explain_leaks();
  findings.write(options.output.empty() ? std::cerr : output);
  if (output.is_open() && !output.flush())
    fail(1, std::format("cannot write {}: {}", options.output, std::strerror(errno)));
  if (findings.count() != 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return options.error_exit_code;
  return common::end_like(status);
} catch (const std::exception &error) {
  std::cerr << "chip-check: " << error.what() << '\n';
  return 1;
}
