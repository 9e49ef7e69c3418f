// HIP API reference: Occupancy.
#include "../runtime/platform/occupancy.h"
#include "../runtime/code/program.h"
#include "entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

void check_flags(unsigned flags) {
  if (flags != hipOccupancyDefault && flags != hipOccupancyDisableCachingOverride)
    throw Error(hipErrorInvalidValue, "`flags` is unknown");
}

Kernel &kernel_of(const void *function) {
  return find_kernel(function, Platform::current_device());
}
Kernel &kernel_of(hipFunction_t function) { return find_function(&required(function)); }

template <class Function>
hipError_t count_blocks(int *count, Function function, int block_size, size_t shared_bytes,
                        unsigned flags = 0, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    required(count);
    check_flags(flags);
    if (block_size <= 0)
      throw Error(hipErrorInvalidValue, "`block_size` is not positive");
    *count = active_blocks(kernel_of(function), block_size, shared_bytes);
  });
}

template <class Function>
hipError_t find_launch(int *grid_size, int *block_size, Function function, size_t shared_bytes,
                       int block_size_limit, unsigned flags = 0,
                       const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    required(grid_size);
    required(block_size);
    check_flags(flags);
    const BusyLaunch launch = busiest_launch(kernel_of(function), shared_bytes, block_size_limit);
    *grid_size = launch.blocks;
    *block_size = launch.block_size;
  });
}

} // namespace

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *block_count, const void *function,
                                                        int block_size, size_t shared_bytes) {
  return count_blocks(block_count, function, block_size, shared_bytes);
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *block_count,
                                                                 const void *function,
                                                                 int block_size,
                                                                 size_t shared_bytes,
                                                                 unsigned int flags) {
  return count_blocks(block_count, function, block_size, shared_bytes, flags);
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *block_count,
                                                              hipFunction_t function,
                                                              int block_size, size_t shared_bytes) {
  return count_blocks(block_count, function, block_size, shared_bytes);
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *block_count,
                                                                       hipFunction_t function,
                                                                       int block_size,
                                                                       size_t shared_bytes,
                                                                       unsigned int flags) {
  return count_blocks(block_count, function, block_size, shared_bytes, flags);
}

hipError_t hipOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, const void *function,
                                             size_t shared_bytes, int block_size_limit) {
  return find_launch(grid_size, block_size, function, shared_bytes, block_size_limit);
}
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size,
                                                   hipFunction_t function, size_t shared_bytes,
                                                   int block_size_limit) {
  return find_launch(grid_size, block_size, function, shared_bytes, block_size_limit);
}
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size,
                                                            hipFunction_t function,
                                                            size_t shared_bytes,
                                                            int block_size_limit,
                                                            unsigned int flags) {
  return find_launch(grid_size, block_size, function, shared_bytes, block_size_limit, flags);
}
