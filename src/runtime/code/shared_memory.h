// How much shared memory a kernel's launches may ask for.
#pragma once

#include "module.h"

#include <cstddef>
#include <cstdint>

namespace chip {

/// What a launch with so much dynamic shared memory takes of the device's limit, all that drivers add included. What is above
/// the limit is to be refused before a driver sees it: Intel's ends the process when it is asked how many of such blocks run.
uint64_t taken_shared_bytes(const Kernel &kernel, size_t dynamic_bytes);

/// The most dynamic shared memory that a launch of the kernel may ask for.
uint64_t most_dynamic_shared_bytes(const Kernel &kernel);

/// Shared memory that the kernel declares, and what it takes to align its dynamic part.
uint32_t static_shared_bytes(const KernelTarget &target);

} // namespace chip
