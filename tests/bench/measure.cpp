#include "measure.h"

#include <algorithm>
#include <chrono>
#include <format>
#include <fstream>
#include <stdexcept>

namespace bench {

void measure(std::vector<Operation> &operations, int batches, int batch_size) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::vector<double>> times(operations.size());
  for (int batch = -1; batch < batches; ++batch)
    for (size_t i = 0; i < operations.size(); ++i) {
      // Each round starts with another operation, so that none always follows the same one.
      const size_t turn = (i + static_cast<size_t>(batch + 1)) % operations.size();
      const auto start = Clock::now();
      operations[turn].run(batch_size);
      const std::chrono::duration<double, std::nano> took = Clock::now() - start;
      if (operations[turn].finish)
        operations[turn].finish();
      if (batch >= 0)
        times[turn].push_back(took.count() / batch_size);
    }
  for (size_t i = 0; i < operations.size(); ++i) {
    auto &t = times[i];
    std::ranges::nth_element(t, t.begin() + static_cast<ptrdiff_t>(t.size() / 2));
    operations[i].nanoseconds = t[t.size() / 2];
  }
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
