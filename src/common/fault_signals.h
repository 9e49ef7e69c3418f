// The signals of machine faults (SIGSEGV and the like), between the libraries that can deal with some of them, the program, and
// whoever else has handlers. Each library that uses it has a copy of its own.
#pragma once

#include <initializer_list>
#include <signal.h>

namespace common {

/// Called in the handler, for faults of the calling thread only. True: the fault is dealt with, and the thread goes on as
/// `context` now says. False: as if there were no handler of ours. It may also leave by siglongjmp.
using FaultFilter = bool (*)(int signal, siginfo_t *info, void *context);

/// Puts our handler in front of what is in place, where it is not. The filter is the same at each call.
void claim_faults(std::initializer_list<int> signals, FaultFilter filter);
/// Whether our handler is in front. A system call.
bool claims_fault(int signal);

} // namespace common
