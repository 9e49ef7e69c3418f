// The access of reserved addresses, against an array of pages.
#include "../../support/random.h"
#include "runtime/memory/access_map.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>

using chip::AccessMap;

TEST_CASE("access map: pieces are as long as the access is the same") {
  constexpr size_t pages = 40, base = 1000;
  const std::array<AccessMap::Access, 4> accesses = {std::nullopt, chip::ze::PageAccess::none,
                                                     chip::ze::PageAccess::read,
                                                     chip::ze::PageAccess::read_write};
  for (unsigned seed = 0; seed < 20; ++seed) {
    test::Random<size_t> random(seed);
    AccessMap map(base, base + pages);
    std::array<AccessMap::Access, pages> expected{};
    for (int round = 0; round < 200; ++round) {
      const size_t begin = random.below(pages), end = begin + 1 + random.below(pages - begin);
      const auto access = accesses[random.below(accesses.size())];
      map.assign(base + begin, base + end, access);
      std::fill(expected.begin() + begin, expected.begin() + end, access);
      for (size_t page = 0; page < pages; ++page) {
        const AccessMap::Piece piece = map.at(base + page);
        size_t first = page, behind = page + 1;
        while (first > 0 && expected[first - 1] == expected[page])
          --first;
        while (behind < pages && expected[behind] == expected[page])
          ++behind;
        REQUIRE(piece.access == expected[page]);
        REQUIRE(piece.begin == base + first);
        REQUIRE(piece.end == base + behind);
      }
    }
  }
}
