#include "occupancy.h"
#include "../code/shared_memory.h"

#include <algorithm>
#include <climits>

namespace chip {
namespace {

int multiprocessors(const Kernel &kernel) {
  return std::max(1, kernel.device->attribute(hipDeviceAttributeMultiprocessorCount));
}

/// Blocks with so much shared memory, of both kinds, that find room on a multiprocessor.
int blocks_by_shared_memory(const Kernel &kernel, size_t bytes) {
  const int available =
      kernel.device->attribute(hipDeviceAttributeMaxSharedMemoryPerMultiprocessor);
  return bytes == 0 ? INT_MAX : int(size_t(available) / bytes);
}

} // namespace

int active_blocks(const Kernel &kernel, int block_size, size_t shared_bytes) {
  const KernelTarget &target = kernel.target;
  const auto &limits = kernel.device->info().compute;
  if (uint32_t(block_size) > std::min(target.properties.max_group_size, limits.maxGroupSizeX) ||
      taken_shared_bytes(kernel, shared_bytes) > limits.maxSharedLocalMemory)
    return 0;
  const int by_shared_memory =
      blocks_by_shared_memory(kernel, shared_bytes + static_shared_bytes(target));
  // Where no groups wait for each other, the driver does not know how many run at once.
  if (!kernel.device->info().cooperative) {
    const int threads = kernel.device->attribute(hipDeviceAttributeMaxThreadsPerMultiProcessor);
    return std::min(std::max(threads / std::max(block_size, 1), 1), by_shared_memory);
  }
  // The driver knows what else a group takes of a device, and not every driver counts shared memory. A handle of its own: those of queues are in use.
  const int by_driver = kernel.device->scheduler().noticing_loss([&] {
    ze::Kernel handle = ze::create_kernel(target.module, target.name);
    ze::set_group_size(handle.get(), {uint32_t(block_size), 1, 1});
    for (uint32_t i = 0; i < target.parameters.size(); ++i)
      if (target.parameters[i].kind == ParameterKind::local)
        ze::set_argument(handle.get(), i,
                         std::max<size_t>(shared_bytes + target.parameters[i].bytes, 1), nullptr);
    return int(ze::max_cooperative_groups(handle.get()) / uint32_t(multiprocessors(kernel)));
  });
  return std::min(by_driver, by_shared_memory);
}

BusyLaunch busiest_launch(const Kernel &kernel, size_t shared_bytes, int block_size_limit) {
  const int warp_size = int(kernel.device->info().warp_size);
  int largest = int(kernel.target.properties.max_group_size);
  if (block_size_limit > 0)
    largest = std::min(largest, block_size_limit);
  // Among sizes that keep as many threads busy, the largest: its grid is the smallest.
  BusyLaunch best{0, 0};
  for (int size = largest; size > 0;
       size = size > warp_size ? (size - 1) / warp_size * warp_size : 0) {
    const int blocks = active_blocks(kernel, size, shared_bytes);
    if (int64_t(blocks) * size > int64_t(best.blocks) * best.block_size)
      best = {blocks, size};
  }
  best.blocks *= multiprocessors(kernel);
  return best;
}

} // namespace chip
