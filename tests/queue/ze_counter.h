// A library that stands between libCHIP and the Level Zero loader (LD_PRELOAD): counts every call of every ze function, and
// makes chosen ones fail.
#pragma once

#include <cstdint>

extern "C" {
/// The number of functions it counts, and their names.
uint32_t ze_counter_functions();
const char *ze_counter_name(uint32_t function);
/// How often a function has been called since the process began.
uint64_t ze_counter_calls(uint32_t function);
/// From now on the function does nothing and returns `result`; 0 lets it work again. False for an unknown name.
bool ze_counter_fail(const char *name, uint32_t result);
}
