// Random kernels as SPIR-V.
#pragma once

#include "kernel.h"

#include <cstddef>
#include <span>

namespace random_kernels {

/// One module; kernel i is called "k<i>" and takes (const uint *in, ulong *out, uint *cells,
/// uint *group_memory, uint, uint), of which the last pointer is to group_words of zeros for each work-group.
std::vector<std::byte> emit(std::span<const Kernel> kernels);

} // namespace random_kernels
