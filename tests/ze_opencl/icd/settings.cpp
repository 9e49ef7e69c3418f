#include "settings.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace settings {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int at_once = 2;
constexpr std::chrono::seconds longest{120}; // on a loaded machine; a process that needs it is lost

struct Process {
  const Case *of;
  pid_t id;
  std::FILE *output;
  Clock::time_point end;
};

constexpr int usual = -1, undecided = -2;

/// The index of a value for each feature.
using Row = std::vector<int>;

/// Two features and a value of each.
struct Pair {
  std::array<size_t, 2> features;
  std::array<int, 2> values;

  auto operator<=>(const Pair &) const = default;
};

std::set<Pair> pairs(const std::vector<Feature> &features) {
  std::set<Pair> all;
  const auto values = [&](size_t feature) {
    std::vector<int> indices = {usual};
    for (size_t i = 0; i < features[feature].size(); ++i)
      indices.push_back(int(i));
    return indices;
  };
  for (size_t a = 0; a < features.size(); ++a)
    for (size_t b = a + 1; b < features.size(); ++b)
      for (const int x : values(a))
        for (const int y : values(b))
          all.insert(Pair{.features = {a, b}, .values = {x, y}});
  return all;
}

bool has(const Row &row, const Pair &pair) {
  for (size_t i = 0; i < 2; ++i)
    if (row[pair.features[i]] != pair.values[i])
      return false;
  return true;
}

/// Begins with the first pair that is open, and gives each other feature in turn the value with which most are met.
Row next_row(const std::vector<Feature> &features, const std::set<Pair> &open) {
  Row row(features.size(), undecided);
  for (size_t i = 0; i < 2; ++i)
    row[open.begin()->features[i]] = open.begin()->values[i];
  for (size_t feature = 0; feature < row.size(); ++feature) {
    if (row[feature] != undecided)
      continue;
    size_t most = 0;
    int best = usual;
    for (int value = usual; value < int(features[feature].size()); ++value) {
      row[feature] = value;
      const size_t met = size_t(std::ranges::count_if(open, [&](const Pair &pair) {
        return std::ranges::contains(pair.features, feature) && has(row, pair);
      }));
      if (met > most) {
        most = met;
        best = value;
      }
    }
    row[feature] = best;
  }
  return row;
}

Process start(const Case &of, const std::function<int(const Case &)> &work) {
  std::FILE *const output = std::tmpfile();
  if (!output)
    std::abort();
  std::fflush(nullptr);
  const pid_t id = fork();
  if (id == 0) {
    dup2(fileno(output), STDOUT_FILENO);
    dup2(fileno(output), STDERR_FILENO);
    for (const auto &[name, value] : of.variables)
      setenv(name.c_str(), value.c_str(), 1);
    const int status = work(of);
    std::fflush(nullptr);
    std::exit(status); // as programs end, with what drivers do then
  }
  return {&of, id, output, Clock::now() + longest};
}

Outcome outcome_of(const Process &process, int status) {
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), {}};
  std::rewind(process.output);
  char part[4096];
  while (const size_t bytes = std::fread(part, 1, sizeof part, process.output))
    outcome.output.append(part, bytes);
  std::fclose(process.output);
  return outcome;
}

} // namespace

std::vector<std::string> Outcome::lines(const std::string &prefix) const {
  std::vector<std::string> found;
  std::istringstream text(output);
  for (std::string line; std::getline(text, line);)
    if (line.starts_with(prefix))
      found.push_back(line);
  return found;
}

Case on_top(Case below, const Case &value) {
  below.name += (below.name.empty() ? "" : ", ") + value.name;
  for (const auto &[variable, entry] : value.variables) {
    std::string &list = below.variables[variable];
    list += (list.empty() ? "" : ",") + entry;
  }
  return below;
}

std::vector<Case> covering(const std::vector<Feature> &features) {
  std::vector<Case> cases;
  for (const Feature &feature : features)
    for (const Case &value : feature)
      cases.push_back(on_top({}, value));
  std::set<Pair> open = pairs(features);
  while (!open.empty()) {
    const Row row = next_row(features, open);
    std::erase_if(open, [&](const Pair &pair) { return has(row, pair); });
    Case made;
    for (size_t i = 0; i < row.size(); ++i)
      if (row[i] != usual)
        made = on_top(made, features[i][size_t(row[i])]);
    cases.push_back(made);
  }
  return cases;
}

int run(std::vector<Case> cases, const std::function<int(const Case &)> &work,
        const std::function<std::string(const Case &, const Outcome &)> &judge) {
  if (const char *const wanted = std::getenv("SETTING"))
    std::erase_if(cases, [&](const Case &one) { return one.name != wanted; });
  int wrong = 0;
  std::vector<Process> running;
  size_t next = 0;
  while (next < cases.size() || !running.empty()) {
    while (next < cases.size() && running.size() < at_once)
      running.push_back(start(cases[next++], work));
    for (size_t i = 0; i < running.size(); ++i) {
      const Process process = running[i];
      int status = 0;
      if (waitpid(process.id, &status, WNOHANG) == 0) {
        if (Clock::now() < process.end)
          continue;
        kill(process.id, SIGKILL);
        waitpid(process.id, &status, 0);
      }
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i--));
      const Outcome outcome = outcome_of(process, status);
      std::string finding = outcome.status < 0
                                ? "it is ended by signal " + std::to_string(-outcome.status)
                                : judge(*process.of, outcome);
      if (finding.empty())
        continue;
      ++wrong;
      std::printf("FAILED: %s: %s\n%s\n", process.of->name.c_str(), finding.c_str(),
                  outcome.output.c_str());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::printf("%zu settings, %d wrong\n", cases.size(), wrong);
  return wrong;
}

} // namespace settings
