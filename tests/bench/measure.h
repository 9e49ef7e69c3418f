// Times operations against each other: in one process, in turns, so that whatever else the machine
// does hits all alike.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::duration<double, std::nano>;

struct Effort {
  int batches = 25;
  int batch_size = 1000; // fewer of what would take long (measure)
};

struct Operation {
  std::string key;                   // of the result, in JSON
  std::function<double(int)> run;    // does it that many times and returns the nanoseconds it took
  std::function<void()> finish = {}; // not timed: waits for what run left behind
  double nanoseconds = 0;            // the result: median over the batches, per operation
};

/// Repeats `body`; the batch is timed as a whole.
template <typename Body> auto repeated(Body body) {
  return [body](int count) {
    const auto start = Clock::now();
    for (int i = 0; i < count; ++i)
      body();
    return Nanoseconds(Clock::now() - start).count();
  };
}

/// What reading the clock before and after something adds to its time.
double clock_cost();

/// Repeats `before` and `body`; only `body` is timed.
template <typename Before, typename Body> auto repeated_after(Before before, Body body) {
  return [before, body, cost = clock_cost()](int count) {
    Nanoseconds total{0};
    for (int i = 0; i < count; ++i) {
      before();
      const auto start = Clock::now();
      body();
      total += Clock::now() - start;
    }
    return total.count() - cost * count;
  };
}

/// Runs one batch of each operation in turn, a number of times, after a round that is not counted.
/// Batches of an operation that takes long are smaller: about 50 ms.
void measure(std::vector<Operation> &operations, Effort effort);

/// Of the ways to launch without libCHIP: the one that libCHIP takes, which comes last (arguments with the launch, where the
/// driver takes them so), and the quickest.
double same_way(const std::vector<Operation> &operations);
double cheapest(const std::vector<Operation> &operations);

double median(std::vector<double> values);

/// Results by key, in the order in which they were added.
class Results {
public:
  void add(const std::string &key, double value) { values_.emplace_back(key, value); }
  void add(const std::vector<Operation> &operations);
  /// Throws std::out_of_range when there is no such key.
  double at(const std::string &key) const;
  /// One line for each.
  void print() const;
  /// Writes one flat JSON object of numbers. Throws std::runtime_error when the file cannot be written.
  void write_json(const std::string &path) const;

private:
  std::vector<std::pair<std::string, double>> values_;
};

} // namespace bench
