// Time, as the driver's timestamps and time-outs mean it, and how long a thread may spin.
#pragma once

#include "../../common/processor/relax.h"

#include <chrono>
#include <cstdint>

namespace ze_driver {

/// The machine's monotonic clock, in nanoseconds: the host's timestamps.
inline uint64_t now_ns() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

/// What the device's timer shows at `ns` of now_ns(). It counts nanoseconds as well; for tests of
/// programs it may be narrower, and close to its end (Identity::Variables).
uint64_t device_time(uint64_t ns);
/// How many bits of it count before it starts again at 0.
unsigned device_time_bits();

/// When a wait gives up. Made of a Level Zero time-out: nanoseconds, 0 asks without waiting,
/// UINT64_MAX never gives up.
class Deadline {
public:
  explicit Deadline(uint64_t timeout_ns) : timeout_(timeout_ns) {
    // Anything beyond what the clock can add (292 years) is as good as no limit.
    if (timeout_ > max_timeout)
      timeout_ = UINT64_MAX;
    else if (timeout_ != 0)
      at_ = std::chrono::steady_clock::now() + std::chrono::nanoseconds(timeout_);
  }

  bool is_immediate() const { return timeout_ == 0; }
  bool is_infinite() const { return timeout_ == UINT64_MAX; }
  bool has_passed() const {
    return is_immediate() || (!is_infinite() && std::chrono::steady_clock::now() >= at_);
  }
  std::chrono::steady_clock::time_point at() const { return at_; }

private:
  static constexpr uint64_t max_timeout = uint64_t{1} << 60;

  uint64_t timeout_;
  std::chrono::steady_clock::time_point at_;
};

/// Processors that this process may run on, at least 1.
unsigned processor_count();

/// How long a thread spins for something that is about to happen: no time on one processor, where
/// spinning only delays it.
std::chrono::nanoseconds spin_time();

/// Spins until `condition` holds, for spin_time() at most. The last value of `condition`.
template <class Condition> bool spin_until(Condition condition) {
  if (condition())
    return true;
  const auto limit = spin_time();
  if (limit.count() == 0)
    return false;
  const auto end = std::chrono::steady_clock::now() + limit;
  do {
    for (int i = 0; i < 16; ++i) {
      common::relax_processor();
      if (condition())
        return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

} // namespace ze_driver
