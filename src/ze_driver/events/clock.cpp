#include "clock.h"

#include "../api/identity.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace ze_driver {
namespace {

struct Timer {
  unsigned bits = 64;
  uint64_t offset = 0; // to now_ns()

  Timer() {
    const auto &names = identity().variables;
    bits = static_cast<unsigned>(settings().number(names.timestamp_bits, 8, 64).value_or(bits));
    if (const auto start = settings().number(names.timestamp_start, 0, UINT64_MAX))
      offset = *start - now_ns();
  }

  /// Begins to count when it is first asked for.
  static const Timer &instance() {
    static const Timer timer;
    return timer;
  }
};

} // namespace

uint64_t device_time(uint64_t ns) {
  const Timer &timer = Timer::instance();
  return (ns + timer.offset) & (UINT64_MAX >> (64 - timer.bits));
}

unsigned device_time_bits() { return Timer::instance().bits; }

unsigned processor_count() {
  static const unsigned count = [] {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
      return static_cast<unsigned>(std::max(CPU_COUNT(&set), 1));
    return std::max(std::thread::hardware_concurrency(),
                    1u); // more processors than a cpu_set_t holds
  }();
  return count;
}

std::chrono::nanoseconds spin_time() {
  using namespace std::chrono_literals;
  static const std::chrono::nanoseconds time = processor_count() == 1   ? 0us
                                               : processor_count() <= 4 ? 10us
                                                                        : 20us;
  return time;
}

} // namespace ze_driver
