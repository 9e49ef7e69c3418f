// The suite (suite/suite.h): many kernels of applications, each next to its OpenMP loop and, where it can be said in OpenCL C,
// to PoCL.
#pragma once

#include "../measure.h"
#include "../raw_level_zero.h"

#include <string>

namespace bench {

struct SuiteOptions {
  std::string only;      // a case's key, or empty: all
  bool is_small = false; // little data: to see that results are right
  int rounds = 15;       // at most
};

/// Of each case KEY_over_openmp and, where there is PoCL, KEY_over_pocl, which are ratios of times, and KEY_cpu_over_openmp, the
/// ratio of the processor time of all threads. Throws std::runtime_error when a result is wrong.
void measure_suite(const RawContext &device, const SuiteOptions &options, Results &results);

} // namespace bench
