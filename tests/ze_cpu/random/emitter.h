// Random kernels as SPIR-V.
#pragma once

#include "kernel.h"

#include <cstddef>
#include <span>

namespace random_kernels {

/// One module; kernel i is called "k<i>" and takes (const uint *in, ulong *out, uint *cells, uint, uint).
std::vector<std::byte> emit(std::span<const Kernel> kernels);

} // namespace random_kernels
