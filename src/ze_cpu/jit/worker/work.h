// What the process that compiles does for programs (program/requests.h).
#pragma once

#include <string>
#include <string_view>

namespace ze_cpu {

/// Carries out a request, and returns the answer. Throws std::runtime_error if it is not meant for this compiler.
std::string do_work(std::string_view request);

} // namespace ze_cpu
