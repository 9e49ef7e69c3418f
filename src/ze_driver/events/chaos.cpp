#include "chaos.h"

#include "../api/identity.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

namespace ze_driver {
namespace {

std::optional<uint64_t> seed() {
  static const std::optional<uint64_t> value =
      settings().number(identity().variables.chaos, 0, UINT64_MAX);
  return value;
}

/// splitmix64: any start gives a good sequence.
uint64_t next(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

} // namespace

ChaosSource::ChaosSource() : enabled_(seed().has_value()), state_(seed().value_or(0)) {
  static std::atomic<uint64_t> lists{0};
  if (!enabled_)
    return;
  uint64_t number = lists.fetch_add(1, std::memory_order_relaxed);
  state_ ^= next(number);
}

void ChaosSource::delay() {
  const uint64_t chance = next(state_);
  // Rare enough that a list of thousands of commands still ends, often enough that every run has
  // its own interleaving.
  switch (chance % 64) {
  case 0: // long enough for everything else that is ready to overtake
    std::this_thread::sleep_for(std::chrono::microseconds((chance >> 8) % 2000));
    break;
  case 1:
  case 2:
  case 3:
    std::this_thread::sleep_for(std::chrono::microseconds((chance >> 8) % 50));
    break;
  case 4:
  case 5:
  case 6:
  case 7:
    std::this_thread::yield();
    break;
  default:
    break;
  }
}

} // namespace ze_driver
