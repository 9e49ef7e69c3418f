// Pages of the process with the same address in each process, wherever it is free. Addresses of variables are part of the code
// that a device is given, and implementations keep what they have compiled by that.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ze_opencl {

/// Pages of zeros for `bytes`, at an address that depends on `key` and on how often it was asked for. Null if there is no memory.
void *map_steady_pages(uint64_t key, size_t bytes) noexcept;
void unmap_pages(void *pages, size_t bytes) noexcept;

} // namespace ze_opencl
