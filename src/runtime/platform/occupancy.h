// How many blocks of a kernel run at once.
#pragma once

#include "../code/module.h"

namespace chip {

/// Blocks of `block_size` threads, each with so many bytes of dynamic shared memory, that a multiprocessor runs at once, by its
/// threads and by its shared memory; 0 if not even one fits. As many on all of them may wait for each other in a cooperative
/// launch.
int active_blocks(const Kernel &kernel, int block_size, size_t shared_bytes);

struct BusyLaunch {
  int blocks;
  int block_size;
};
/// The block size, up to a limit (0 or less: none), with which most threads of the device are busy, and the least grid that does it.
BusyLaunch busiest_launch(const Kernel &kernel, size_t shared_bytes, int block_size_limit);

} // namespace chip
