// Counting driver calls, heap allocations and failures in tests of libCHIP.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace counted {

/// Calls by function name; functions that were not called are not in it.
using Calls = std::map<std::string, uint64_t>;

/// The driver calls that `body` makes. Needs ze_counter preloaded; fails the test otherwise.
template <class Body> Calls calls_of(Body &&body);

Calls all_calls();

template <class Body> Calls calls_of(Body &&body) {
  Calls before = all_calls();
  body();
  Calls after = all_calls(), difference;
  for (auto &[name, count] : after)
    if (uint64_t made = count - before[name])
      difference[name] = made;
  return difference;
}

/// While it lives, calls of the driver function `name` do nothing and return `result`.
class Failing {
public:
  Failing(const char *name, uint32_t result);
  ~Failing();

private:
  const char *name_;
};

/// Heap allocations that `body` makes on this thread.
uint64_t thread_allocations();
template <class Body> uint64_t allocations_of(Body &&body) {
  uint64_t before = thread_allocations();
  body();
  return thread_allocations() - before;
}

} // namespace counted
