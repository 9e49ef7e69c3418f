// Finding platforms and devices, on a thread of its own: the ICD loader loads every implementation that is installed, and one of
// them may hang.
#pragma once

#include "api.h"

#include <chrono>
#include <functional>
#include <string>

namespace ze_opencl {

/// Says on stderr, in one line, what of OpenCL is not used and why.
void tell(const std::string &what);

/// How long implementations may take at their start: ZE_OPENCL_START_SECONDS.
std::chrono::seconds start_limit();

/// Runs `work`, which calls OpenCL, and waits for it: false if it does not end within `limit`, or six times that as long as the process
/// computes something. Then nothing of OpenCL may be called
/// again, and `work` still runs: it owns what it uses.
bool run_with_limit(std::chrono::seconds limit, std::move_only_function<void()> work);

/// Names of the files that say which implementations there are, for messages.
std::string installed_implementations();
/// Says of each of these files whose library the ICD loader could not use that it is so: the loader does not. After it was at work.
void tell_missing_implementations();

} // namespace ze_opencl
