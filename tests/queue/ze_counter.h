// A library that stands between libCHIP and the Level Zero loader (LD_PRELOAD): counts every call of every ze function, makes
// chosen ones fail, and knows which of the driver's objects are alive.
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

/// Numbers the calls of all functions from now on, from 1; call number `number` does nothing and returns `result`. No call
/// has number 0.
void ze_counter_number_calls(uint64_t number, uint32_t result);
/// Ends that: the highest number given. `*failed` is the name of the function that was made to fail, or null.
uint64_t ze_counter_end_numbering(const char **failed);

/// From now on, or no longer: each thread knows whether it is inside of a call of the driver (ze_counter_depth() is not 0).
void ze_counter_track_depth(bool on);
int ze_counter_depth();

/// The kinds of the driver's objects, by number; null behind the last.
const char *ze_counter_kind(uint32_t number);
/// How many of the driver's objects of a kind there are. -1 for an unknown kind.
int64_t ze_counter_alive(const char *kind);

/// When the process has ended as far as that this library goes away, it writes to the file descriptor how often calls were
/// numbered, and one line per kind of object of which more were created than destroyed. A destroying call that was made to
/// fail counts as one that succeeded, since its caller cannot do more; for memory only if `memory_too`, else it is expected
/// to be freed by a later call.
void ze_counter_report_at_exit(int descriptor, bool memory_too);
}
