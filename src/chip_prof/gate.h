// What the assembly of gate.cpp and the C++ of tool.cpp agree on.
#pragma once

#include <cstdint>

namespace chip::prof {

/// A call that is being made. gate.cpp knows where its members are.
struct Frame {
  uint64_t arguments[6];
  uint64_t vector_arguments;
  uint64_t result, second_result;
  uint64_t function; // its number
  uint64_t start_ns;
  uint64_t correlation;
};

} // namespace chip::prof

/// Notes that a call begins. Returns the function to call.
extern "C" void *chip_prof_enter(chip::prof::Frame *frame) noexcept;
/// Notes that it has returned.
extern "C" void chip_prof_leave(chip::prof::Frame *frame) noexcept;
