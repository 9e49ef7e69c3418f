#include "source_places.h"

#include <format>
#include <mutex>
#include <vector>

namespace ze_cpu {
namespace {

struct Places {
  std::mutex mutex;
  std::vector<std::string> keys{std::string()};
};

// Threads may outlive static objects.
Places &places() {
  static auto *const all = new Places;
  return *all;
}

} // namespace

uint32_t number_new_place(SourcePlace &place) {
  Places &all = places();
  const std::lock_guard lock(all.mutex);
  const std::atomic_ref number(place.number);
  if (const uint32_t known = number.load(std::memory_order_relaxed))
    return known;
  if (all.keys.size() > max_places)
    return unknown_place;
  all.keys.push_back(place.file && place.line != 0 ? std::format("{}:{}", place.file, place.line)
                                                   : std::format("#{}", place.ordinal));
  const auto given = static_cast<uint32_t>(all.keys.size() - 1);
  number.store(given, std::memory_order_relaxed);
  return given;
}

std::string key_of_place(uint32_t number) {
  Places &all = places();
  const std::lock_guard lock(all.mutex);
  return number < all.keys.size() ? all.keys[number] : std::string();
}

std::string at_place(uint32_t number) {
  const std::string key = key_of_place(number);
  return key.empty() || key[0] == '#' ? std::string() : " at " + key;
}

} // namespace ze_cpu
