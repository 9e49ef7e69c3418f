// Identity::Variables::chaos=seed: lists are delayed and interleaved at random, so that a dependency that a
// program forgot to state shows. The order within a list, and what events demand, always holds.
#pragma once

#include <cstdint>

namespace ze_driver {

/// One list's source of chance. Does nothing unless the variable is set; the same seed gives the
/// same sequence per list.
class ChaosSource {
public:
  ChaosSource();

  /// Called before each command: may delay it.
  void disturb() {
    if (enabled_)
      delay();
  }
  /// From any thread.
  bool is_enabled() const { return enabled_; }

private:
  void delay();

  const bool enabled_;
  uint64_t state_; // the executing thread's
};

} // namespace ze_driver
