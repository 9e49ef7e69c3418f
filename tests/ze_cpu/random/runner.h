// Runs random kernels on the driver and compares with what they mean.
#pragma once

#include "kernel.h"

#include <optional>
#include <span>
#include <string>

namespace random_kernels {

struct Mismatch {
  size_t kernel; // index in what was given
  std::string what;
};

/// How a module is built.
struct Build {
  bool optimised;
  /// The reference; programs run as fibers only what waits for the grid, or in calls.
  bool also_as_fibers;
};

/// That of the module which begins with the kernel of this seed.
Build build_of(uint64_t first_seed);

/// Builds one module of the kernels, once for each set of build flags that is compared, runs them and
/// tells the first that is not as interpret() has it.
std::optional<Mismatch> check(std::span<const Kernel> kernels, const Build &build);

/// Loads what check() needs, without running anything: no thread begins.
void load_compiler();

} // namespace random_kernels
