// Times operations against each other: in one process, in turns, so that whatever else the machine
// does hits all alike.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Operation {
  std::string key;                   // of the result, in JSON
  std::function<void(int)> run;      // does the operation that many times
  std::function<void()> finish = {}; // not timed: waits for what run left behind
  double nanoseconds = 0;            // the result: median over the batches, per operation
};

/// Runs one batch of each operation in turn, a number of times, after one round that is not
/// counted.
void measure(std::vector<Operation> &operations, int batches, int batch_size);

/// Results by key, in the order in which they were added.
class Results {
public:
  void add(const std::string &key, double value) { values_.emplace_back(key, value); }
  void add(const std::vector<Operation> &operations);
  /// Throws std::out_of_range when there is no such key.
  double at(const std::string &key) const;
  /// Writes one flat JSON object of numbers. Throws std::runtime_error when the file cannot be
  /// written.
  void write_json(const std::string &path) const;

private:
  std::vector<std::pair<std::string, double>> values_;
};

} // namespace bench
