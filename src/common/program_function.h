// Functions of the program that commands call.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>

namespace common {

/// Calls a function of the program in the place of a command, for `caller`, which messages begin with. It has to return: the
/// commands behind it wait for that, and the thread it runs on is not its own, or is inside of another call. So a function that
/// leaves in another way ends the process, and the message says how it did.
template <class Function> void call_program_function(const char *caller, Function &&function) {
  constexpr auto tell = [](const char *caller, const char *how) {
    std::fprintf(stderr,
                 "%s: the program ends because a host function %s instead of returning: the work "
                 "behind it could never run\n",
                 caller, how);
  };
  try {
    function();
  } catch (abi::__forced_unwind &) {
    tell(caller, "ended its thread (pthread_exit or pthread_cancel)");
    std::abort();
  } catch (...) {
    tell(caller, "threw an exception");
    std::terminate(); // which says what kind of exception
  }
}

} // namespace common
