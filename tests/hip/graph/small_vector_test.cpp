// Vectors of few values (src/runtime/graphs/small_vector.h), on their own.
#include "runtime/graphs/small_vector.h"

#include <catch2/catch_test_macros.hpp>

#include <utility>
#include <vector>

using Numbers = chip::SmallVector<int, 2>;

namespace {

Numbers up_to(int count) {
  Numbers numbers;
  for (int i = 0; i < count; ++i)
    numbers.push_back(i);
  return numbers;
}

std::vector<int> values(const Numbers &numbers) { return {numbers.begin(), numbers.end()}; }

} // namespace

TEST_CASE("small vector: copies and moves have the values, however many there are") {
  for (const int count : {0, 1, 2, 3, 4, 5, 100}) {
    const Numbers numbers = up_to(count);
    REQUIRE(numbers.size() == size_t(count));
    CHECK(numbers.empty() == (count == 0));
    Numbers copy(numbers);
    CHECK(values(copy) == values(numbers));
    copy.push_back(7);
    CHECK(copy.back() == 7);
    CHECK(copy.size() == numbers.size() + 1);
    Numbers moved(std::move(copy));
    CHECK(moved.back() == 7);
    for (const int other : {0, 1, 3}) {
      Numbers assigned = up_to(other);
      assigned = numbers;
      CHECK(values(assigned) == values(numbers));
      assigned = up_to(other);
      CHECK(values(assigned) == values(up_to(other)));
    }
  }
}

TEST_CASE("small vector: values are erased where they are") {
  for (const int count : {1, 2, 3, 5})
    for (int gone = 0; gone < count; ++gone) {
      Numbers numbers = up_to(count);
      std::vector<int> expected = values(numbers);
      numbers.erase(numbers.begin() + gone);
      expected.erase(expected.begin() + gone);
      CHECK(values(numbers) == expected);
    }
  Numbers numbers = up_to(5);
  numbers.erase(numbers.begin() + 1, numbers.end());
  CHECK(values(numbers) == std::vector{0});
}
