// What each entry point answers to null arguments is what the headers of Level Zero say of it.
#include "../../src/ze_driver/api/entry_points.h"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

/// What a call returns. The mask has a bit for the place of each argument that is not null; all others are null, or 0.
using Answer = std::function<ze_result_t(uint32_t given_places)>;

/// What arguments that are not null point to: no object.
alignas(64) char zeros[4096];

template <class... Arguments> Answer answers(ze_result_t (*function)(Arguments...)) {
  return [=](uint32_t given_places) {
    std::tuple<Arguments...> arguments{};
    const auto fill = [&]<size_t... Places>(std::index_sequence<Places...>) {
      const auto one = [&]<class Argument>(size_t place, Argument &argument) {
        if constexpr (std::is_pointer_v<Argument>)
          if (given_places >> place & 1)
            argument = reinterpret_cast<Argument>(zeros);
      };
      (one(Places, std::get<Places>(arguments)), ...);
    };
    fill(std::index_sequence_for<Arguments...>());
    return std::apply(function, arguments);
  };
}

struct Function {
  const char *name;
  Answer answer;
  std::vector<unsigned> handles, pointers; // that must not be null, by their places
};

uint32_t places_of(const std::vector<unsigned> &places) {
  uint32_t mask = 0;
  for (const unsigned place : places)
    mask |= 1u << place;
  return mask;
}

const Function functions[] = {
#include "null_arguments.inc"
};

} // namespace

TEST_CASE("ze_driver: entry points refuse null handles, and then null pointers") {
  for (const auto &[name, answer, handles, pointers] : functions) {
    INFO(name);
    const uint32_t all_handles = places_of(handles), all_pointers = places_of(pointers);
    for (const unsigned place : pointers) {
      INFO("parameter " << place);
      CHECK(answer((all_handles | all_pointers) & ~(1u << place)) ==
            ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    for (const unsigned place : handles) {
      INFO("parameter " << place);
      CHECK(answer((all_handles | all_pointers) & ~(1u << place)) ==
            ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
      CHECK(answer(all_handles & ~(1u << place)) == ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    }
  }
}
