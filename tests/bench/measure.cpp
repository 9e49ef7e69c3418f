#include "measure.h"

#include <algorithm>
#include <cstdio>
#include <format>
#include <fstream>
#include <stdexcept>
#include <sys/resource.h>

namespace bench {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double clock_cost() {
  static const double cost = [] {
    std::vector<double> samples;
    for (int i = 0; i < 2001; ++i) {
      const auto start = Clock::now();
      samples.push_back(Nanoseconds(Clock::now() - start).count());
    }
    return median(std::move(samples));
  }();
  return cost;
}

namespace {

constexpr double batch_limit_ns = 50e6;

double run_batch(const Operation &operation, int size) {
  const double took = operation.run(size);
  if (operation.finish)
    operation.finish();
  return took / size;
}

/// How many repetitions stay within the limit. The whole time counts, timed or not.
int fitting_batch_size(const Operation &operation, int wanted) {
  const int tried = std::max(1, wanted / 50);
  const auto start = Clock::now();
  run_batch(operation, tried);
  const double each = Nanoseconds(Clock::now() - start).count() / tried;
  return std::clamp(static_cast<int>(batch_limit_ns / each), 1, wanted);
}

/// How often the system took the processor away from this thread.
long preemptions() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

/// A batch that was interrupted tells what else the machine does: another is tried, and the last one counts in any case.
/// One that takes much longer than it should is interrupted always.
double run_undisturbed(const Operation &operation, int size) {
  constexpr int tries = 4;
  double each = 0;
  for (int i = 0; i < tries; ++i) {
    const long before = preemptions();
    each = run_batch(operation, size);
    if (preemptions() == before || each * size > 2 * batch_limit_ns)
      break;
  }
  return each;
}

} // namespace

void measure(std::vector<Operation> &operations, Effort effort) {
  std::vector<int> sizes;
  for (const auto &operation : operations) {
    run_batch(operation, 1);
    sizes.push_back(fitting_batch_size(operation, effort.batch_size));
  }
  // A single batch is for seeing that all of it works: it is not warmed up, and may be disturbed.
  const bool is_trial = effort.batches == 1;
  std::vector<std::vector<double>> times(operations.size());
  for (int batch = is_trial ? 0 : -1; batch < effort.batches; ++batch)
    for (size_t i = 0; i < operations.size(); ++i) {
      // Each round starts with another operation, so that none always follows the same one.
      const size_t turn = (i + static_cast<size_t>(batch + 1)) % operations.size();
      const double each = is_trial ? run_batch(operations[turn], sizes[turn])
                                   : run_undisturbed(operations[turn], sizes[turn]);
      if (batch >= 0)
        times[turn].push_back(each);
    }
  for (size_t i = 0; i < operations.size(); ++i)
    operations[i].nanoseconds = median(std::move(times[i]));
}

double same_way(const std::vector<Operation> &operations) { return operations.back().nanoseconds; }

double cheapest(const std::vector<Operation> &operations) {
  return std::ranges::min_element(operations, {}, &Operation::nanoseconds)->nanoseconds;
}

void Results::add(const std::vector<Operation> &operations) {
  for (const auto &operation : operations)
    add(operation.key, operation.nanoseconds);
}

double Results::at(const std::string &key) const {
  const auto found = std::ranges::find(values_, key, [](const auto &value) { return value.first; });
  if (found == values_.end())
    throw std::out_of_range(key);
  return found->second;
}

void Results::print() const {
  for (const auto &[key, value] : values_)
    std::printf("%-36s %.6g\n", key.c_str(), value);
}

void Results::write_json(const std::string &path) const {
  std::ofstream file(path);
  const char *separator = "{\n";
  for (const auto &[key, value] : values_) {
    file << separator << std::format("  \"{}\": {:.6g}", key, value);
    separator = ",\n";
  }
  file << "\n}\n";
  if (!file.flush())
    throw std::runtime_error(path + ": cannot be written");
}

} // namespace bench
