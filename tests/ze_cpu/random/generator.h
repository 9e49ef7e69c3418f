// Random kernels.
#pragma once

#include "kernel.h"

namespace random_kernels {

/// The kernel of `seed`: always the same.
Kernel generate(uint64_t seed);

} // namespace random_kernels
