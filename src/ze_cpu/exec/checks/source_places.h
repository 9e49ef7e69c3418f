// Places in kernels' sources, by numbers that fit beside other things into a word.
#pragma once

#include "../../contract/memory_access.h"

#include <atomic>
#include <string>

namespace ze_cpu {

/// Of places that are too many, or not known.
inline constexpr uint32_t unknown_place = 0;
inline constexpr uint32_t max_places = (1u << 17) - 1;

/// Gives the place a number, and keeps its text beyond the life of the code.
uint32_t number_new_place(SourcePlace &place);

inline uint32_t number_of(SourcePlace *place) {
  if (!place)
    return unknown_place;
  const uint32_t number = std::atomic_ref(place->number).load(std::memory_order_relaxed);
  return number ? number : number_new_place(*place);
}

/// " at file:line", or nothing where that is not known.
std::string at_place(uint32_t number);
/// What tells the place from others of its kernel, in other processes as well.
std::string key_of_place(uint32_t number);

} // namespace ze_cpu
