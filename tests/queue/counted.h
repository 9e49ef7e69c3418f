// Counting driver calls, heap allocations and failures in tests of libCHIP.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

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

/// While it lives, what threads do inside of calls of the driver is told apart from what they do themselves.
class Telling {
public:
  Telling();
  ~Telling();
};

/// Heap allocations that `body` makes on this thread, but not those that the driver makes in it.
uint64_t thread_allocations();
template <class Body> uint64_t allocations_of(Body &&body) {
  Telling telling;
  uint64_t before = thread_allocations();
  body();
  return thread_allocations() - before;
}

/// Mutexes that libCHIP's own code locks in `body` on this thread, one entry for each time.
void forget_locks();
std::vector<const void *> thread_locks();
template <class Body> std::vector<const void *> locks_of(Body &&body) {
  forget_locks();
  body();
  return thread_locks();
}
/// False in builds whose sanitizer has the C library's functions under its own control.
extern const bool can_count_memory_and_locks;

} // namespace counted
