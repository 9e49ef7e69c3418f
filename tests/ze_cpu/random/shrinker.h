// Makes a kernel that fails small.
#pragma once

#include "kernel.h"

#include <functional>

namespace random_kernels {

/// Takes away whatever `fails` does not need to be true of the kernel.
Kernel shrink(Kernel kernel, const std::function<bool(const Kernel &)> &fails);

} // namespace random_kernels
