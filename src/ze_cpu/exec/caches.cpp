#include "caches.h"

#include "../contract/environment.h"

#include <filesystem>
#include <format>
#include <fstream>
#include <sched.h>
#include <set>
#include <string>

namespace ze_cpu {
namespace {

// Where the system does not tell.
constexpr uint64_t usual_bytes = 32 << 20;

/// The largest cache of a processor, and who shares it.
struct Cache {
  uint64_t bytes = 0;
  std::string processors;
};

Cache largest_cache(int processor) {
  Cache largest;
  for (int index = 0;; ++index) {
    const std::string directory =
        std::format("/sys/devices/system/cpu/cpu{}/cache/index{}/", processor, index);
    uint64_t kilobytes = 0; // written as "32768K"
    Cache cache;
    if (!(std::ifstream(directory + "size") >> kilobytes) ||
        !(std::ifstream(directory + "shared_cpu_list") >> cache.processors))
      return largest;
    cache.bytes = kilobytes << 10;
    if (cache.bytes > largest.bytes)
      largest = cache;
  }
}

uint64_t cache_bytes() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return usual_bytes; // more processors than a cpu_set_t holds
  std::set<std::string> counted;
  uint64_t bytes = 0;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &set))
      if (const Cache cache = largest_cache(processor); counted.insert(cache.processors).second)
        bytes += cache.bytes;
  return bytes != 0 ? bytes : usual_bytes;
}

} // namespace

uint64_t nontemporal_threshold() {
  static const uint64_t bytes = [] {
    constexpr uint64_t max_kilobytes = 1u << 30;
    const auto kilobytes = settings.number("ZE_CPU_NONTEMPORAL_KB", 1, max_kilobytes);
    return kilobytes ? *kilobytes << 10 : cache_bytes();
  }();
  return bytes;
}

} // namespace ze_cpu
