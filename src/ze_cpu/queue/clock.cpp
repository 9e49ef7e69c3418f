#include "clock.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace ze_cpu {

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
