// Settings of the shim, and a process for each: what it says on stderr and how it ends is judged by the test program.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace settings {

/// Variables of the shim (shim.h) and their values.
using Variables = std::map<std::string, std::string>;

struct Case {
  std::string name; // for messages
  Variables variables;
};

struct Outcome {
  int status;         // that of exit(); negative: a signal, or not done in time
  std::string output; // stdout and stderr

  /// Lines that begin with `prefix`.
  std::vector<std::string> lines(const std::string &prefix) const;
};

/// The values that a feature of a device has beside its usual one: what it takes to set each.
using Feature = std::vector<Case>;

/// `below` with the variables of `value` as well.
Case on_top(Case below, const Case &value);
/// Few cases in which every value comes alone, and every two values of different features, the usual one included, come together.
std::vector<Case> covering(const std::vector<Feature> &features);

/// Forks for each case, sets its variables, and ends the process with what `work` returns. `judge` is called in this process, and
/// returns what is wrong. The number of cases that are wrong, each of which is told. The variable SETTING names the only case to run.
int run(std::vector<Case> cases, const std::function<int(const Case &)> &work,
        const std::function<std::string(const Case &, const Outcome &)> &judge);

} // namespace settings
