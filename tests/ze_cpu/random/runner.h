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

/// Builds one module of the kernels, once for each set of build flags that is compared, runs them and
/// tells the first that is not as interpret() has it. `optimised` is false for a build without
/// optimisation.
std::optional<Mismatch> check(std::span<const Kernel> kernels, bool optimised);

/// Loads what check() needs, without running anything: no thread begins.
void load_compiler();

/// Whether the module of this seed is built with optimisation.
bool is_optimised(uint64_t first_seed);

} // namespace random_kernels
