#include "launch.h"
#include "../../common/per_thread.h"
#include "../../common/uncancelled.h"
#include "../../ze/environment.h"
#include "../operations/enqueue.h"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <format>
#include <vector>

namespace chip {
namespace {

/// Of the arguments in a buffer; keeps its memory from launch to launch.
struct Addresses {
  std::vector<void *> all;
};

[[noreturn]] void too_large(const char *what, uint64_t asked, uint64_t limit,
                            hipError_t code = hipErrorInvalidConfiguration) {
  throw Error(code, std::format("a launch asks for {} {}, the limit is {}", asked, what, limit));
}

// What HIP documents for a launch without a thread differs from what it documents for one with too many; AMD's cooperative
// launches have one code for both.
[[noreturn]] void refuse_size(const LaunchConfiguration &c) {
  const auto is_empty = [](const dim3 &size) { return size.x == 0 || size.y == 0 || size.z == 0; };
  if (is_empty(c.grid) || is_empty(c.block))
    throw Error(c.cooperative ? hipErrorInvalidConfiguration : hipErrorInvalidValue,
                "a dimension of the grid or of the block is zero");
  throw Error(
      hipErrorInvalidConfiguration,
      std::format("a dimension of the grid ({}, {}, {}) or of the block ({}, {}, {}) is "
                  "above the limits that hipDeviceProp_t has in maxGridSize and maxThreadsDim",
                  c.grid.x, c.grid.y, c.grid.z, c.block.x, c.block.y, c.block.z));
}

/// Each launch waits for its kernel.
bool launches_block = false;

/// Whether each size is from 1 to `limit`; false for some others that are.
bool is_within(const dim3 &size, uint32_t limit) {
  return ((size.x - 1) | (size.y - 1) | (size.z - 1)) < limit;
}

/// Whether the launch is certain to be within all limits; most are, and are not looked at more closely.
bool is_usual(const Kernel &kernel, const LaunchConfiguration &c) {
  return is_within(c.grid, kernel.usual_grid) && is_within(c.block, kernel.usual_block) &&
         uint64_t(c.block.x) * c.block.y * c.block.z <= kernel.target.properties.max_group_size &&
         c.shared_bytes <= kernel.usual_shared_bytes && !c.cooperative;
}

/// Throws unless the launch is within the limits.
[[gnu::noinline]] void check_configuration(const Kernel &kernel, const LaunchConfiguration &c) {
  const auto &limits = kernel.device->info().compute;
  const KernelTarget &target = kernel.target;
  // Zero wraps around, so that one comparison finds it too.
  const auto outside = [](uint32_t size, uint32_t limit) { return size - 1 >= limit; };
  if (outside(c.block.x, limits.maxGroupSizeX) || outside(c.block.y, limits.maxGroupSizeY) ||
      outside(c.block.z, limits.maxGroupSizeZ) || outside(c.grid.x, limits.maxGroupCountX) ||
      outside(c.grid.y, limits.maxGroupCountY) || outside(c.grid.z, limits.maxGroupCountZ))
      [[unlikely]]
    refuse_size(c);
  uint64_t threads = uint64_t(c.block.x) * c.block.y * c.block.z;
  if (threads > target.properties.max_group_size) {
    // AMD's runtime has another code for a block that the device could run.
    if (threads <= kernel.device_group_size)
      throw Error(hipErrorLaunchFailure,
                  std::format("a block has {} threads, the kernel's __launch_bounds__ allow {}",
                              threads, target.properties.max_group_size));
    too_large("threads a block", threads, target.properties.max_group_size);
  }
  uint64_t shared = c.shared_bytes + target.properties.local_bytes;
  if (c.shared_bytes > UINT32_MAX || shared > limits.maxSharedLocalMemory)
    too_large("bytes of shared memory", shared, limits.maxSharedLocalMemory,
              c.cooperative ? hipErrorCooperativeLaunchTooLarge : hipErrorInvalidValue);
  if (c.cooperative && !kernel.device->info().cooperative)
    throw Error(hipErrorNotSupported, "this device has no cooperative launches");
}

/// Few programs look at what a launch returns, and the code says little: the first refusal says its reason.
void tell_refusal(const Kernel &kernel, const Error &error) {
  const common::Uncancelled uncancelled;
  static std::atomic<bool> told{false};
  if (!told.exchange(true))
    std::fprintf(stderr, "libCHIP: kernel %s is not launched: %s\n", kernel.target.name.c_str(),
                 error.what());
}

} // namespace

void configure_launches() { launches_block = ze::settings.is_on("HIP_LAUNCH_BLOCKING"); }

void launch(Kernel &kernel, const LaunchConfiguration &c, const StreamTarget &stream,
            void *const *arguments) {
  try {
    if (!is_usual(kernel, c)) [[unlikely]]
      check_configuration(kernel, c);
    if (kernel.device != stream.device) [[unlikely]]
      throw Error(hipErrorInvalidResourceHandle,
                  "the kernel and the stream are of different devices");
    if (!arguments && kernel.target.argument_count() != 0) [[unlikely]]
      throw Error(hipErrorInvalidValue, "a launch without its arguments");
    static_assert(offsetof(LaunchConfiguration, grid) == offsetof(LaunchShape, groups) &&
                  offsetof(LaunchConfiguration, block) == offsetof(LaunchShape, group_size) &&
                  sizeof(dim3) == sizeof(ze_group_count_t) &&
                  sizeof(dim3) == sizeof(ze_group_size_t));
    operations::Launch operation{&kernel, {}, arguments};
    // As a whole: field by field costs a launch a dozen instructions more.
    std::memcpy(static_cast<void *>(&operation.shape), &c,
                offsetof(LaunchConfiguration, block) + sizeof(dim3));
    operation.shape.dynamic_local_bytes = uint32_t(c.shared_bytes);
    operation.shape.cooperative = c.cooperative;
    enqueue(stream, operation);
  } catch (const Error &error) {
    if (stream.device->scheduler().error() == hipSuccess) // a loss is told where it happens
      tell_refusal(kernel, error);
    throw;
  }
  if (launches_block) [[unlikely]]
    stream.queue->finish();
}

void launch_from_buffer(Kernel &kernel, const LaunchConfiguration &c, const StreamTarget &stream,
                        const void *buffer, size_t bytes) {
  auto *begin = static_cast<std::byte *>(const_cast<void *>(buffer));
  auto &arguments = common::of_this_thread<Addresses>().all;
  arguments.clear();
  size_t offset = 0;
  for (size_t i = 0; i < kernel.target.argument_count(); ++i) {
    const Parameter &parameter = kernel.target.parameters[i];
    size_t alignment = parameter.alignment ? parameter.alignment : 1;
    offset = (offset + alignment - 1) / alignment * alignment;
    if (offset + parameter.bytes > bytes)
      throw Error(hipErrorInvalidValue,
                  std::format("the buffer of arguments has {} bytes, argument {} ends at {}", bytes,
                              i, offset + parameter.bytes));
    arguments.push_back(begin + offset);
    offset += parameter.bytes;
  }
  launch(kernel, c, stream, arguments.data());
}

} // namespace chip
