// Between the fuzzer and the process that compiles for it: memory that both have, in a file that a
// variable names. First the counters of what code was reached, then how many reports of a sanitizer
// there were.
#pragma once

#include <cstddef>

namespace fuzz {

inline constexpr size_t coverage_bytes = 256 * 1024;
inline constexpr size_t reports_bytes = 4096;
inline constexpr const char *coverage_variable = "ZE_CPU_FUZZ_COVERAGE";

} // namespace fuzz
