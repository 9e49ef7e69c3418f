// What is remembered of the use of managed memory, part by part.
#include "runtime/memory/managed_use.h"

#include <catch2/catch_test_macros.hpp>

#include <random>
#include <vector>

using namespace chip;

namespace {

std::vector<int> locations(const ManagedUses &uses, size_t begin, size_t end) {
  std::vector<int> found;
  uses.look(begin, end, [&](const ManagedUse &use) { found.push_back(use.preferred_location); });
  return found;
}

auto prefer(int device) {
  return [device](ManagedUse &use) { use.preferred_location = device; };
}

} // namespace

TEST_CASE("managed use: nothing is said of memory at first") {
  const ManagedUses uses;
  REQUIRE(locations(uses, 0, 100) == std::vector{hipInvalidDeviceId});
  REQUIRE(uses.part_count() == 1);
}

TEST_CASE("managed use: a change holds from its beginning to its end") {
  ManagedUses uses;
  uses.change(10, 20, prefer(1));
  REQUIRE(locations(uses, 0, 10) == std::vector{hipInvalidDeviceId});
  REQUIRE(locations(uses, 9, 11) == std::vector{hipInvalidDeviceId, 1});
  REQUIRE(locations(uses, 10, 20) == std::vector{1});
  REQUIRE(locations(uses, 19, 21) == std::vector{1, hipInvalidDeviceId});
  REQUIRE(locations(uses, 20, 30) == std::vector{hipInvalidDeviceId});
}

TEST_CASE("managed use: neighbours that are used alike become one part") {
  ManagedUses uses;
  uses.change(10, 20, prefer(1));
  uses.change(30, 40, prefer(1));
  REQUIRE(uses.part_count() == 5);
  uses.change(20, 30, prefer(1));
  REQUIRE(uses.part_count() == 3);
  REQUIRE(locations(uses, 10, 40) == std::vector{1});
  uses.change(0, 50, prefer(hipInvalidDeviceId));
  REQUIRE(uses.part_count() == 1);
}

TEST_CASE("managed use: any sequence of changes leaves what an array of bytes would have, in as "
          "few parts") {
  std::minstd_rand random(1);
  constexpr size_t bytes = 64;
  ManagedUses uses;
  std::vector<int> expected(bytes, hipInvalidDeviceId);
  for (int step = 0; step < 2000; ++step) {
    const size_t begin = random() % bytes, end = begin + 1 + random() % (bytes - begin);
    const int device = int(random() % 3);
    uses.change(begin, end, prefer(device));
    std::fill(expected.begin() + long(begin), expected.begin() + long(end), device);
    size_t parts = 1;
    for (size_t i = 0; i < bytes; ++i) {
      REQUIRE(locations(uses, i, i + 1) == std::vector{expected[i]});
      parts += i != 0 && expected[i] != expected[i - 1];
    }
    // What lies behind the end is a part of its own if it differs from the last byte.
    REQUIRE(uses.part_count() <= parts + 1);
  }
}
