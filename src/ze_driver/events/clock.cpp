#include "clock.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <thread>

namespace ze_cpu {
namespace {

std::optional<uint64_t> number_from_environment(const char *name) {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return std::nullopt;
  char *end = nullptr;
  const uint64_t value = std::strtoull(text, &end, 0);
  return *end == 0 ? std::optional(value) : std::nullopt;
}

struct Timer {
  unsigned bits = 64;
  uint64_t offset = 0; // to now_ns()

  Timer() {
    const uint64_t asked = number_from_environment("ZE_CPU_TIMESTAMP_BITS").value_or(64);
    if (asked >= 8 && asked <= 64)
      bits = static_cast<unsigned>(asked);
    if (const auto start = number_from_environment("ZE_CPU_TIMESTAMP_START"))
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

} // namespace ze_cpu
