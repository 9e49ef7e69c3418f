#include "launch.h"
#include "../../common/align.h"
#include "../../common/per_thread.h"
#include "../../common/readable_name.h"
#include "../../common/uncancelled.h"
#include "../../ze/environment.h"
#include "../operations/enqueue.h"
#include "../streams/bridge.h"
#include "shared_memory.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <format>
#include <iterator>
#include <vector>

namespace chip {
namespace {

/// The addresses of the arguments that lie in one buffer. Each thread keeps the memory from launch to launch.
struct Addresses {
  std::vector<void *> all;
};

[[noreturn]] void too_large(const Kernel &kernel, const char *what, uint64_t asked, uint64_t limit,
                            hipError_t code = hipErrorInvalidConfiguration) {
  throw Error(code, std::format("a launch of {} asks for {} {}, the limit is {}",
                                common::readable_name(kernel.target.name), asked, what, limit));
}

// What HIP documents for a launch without a thread differs from what it documents for one with too many; AMD's cooperative
// launches have one code for both.
[[noreturn]] void refuse_size(const LaunchShape &shape,
                              const ze_device_compute_properties_t &limits) {
  const auto &[groups, block, shared_bytes, cooperative] = shape;
  if (groups.groupCountX == 0 || groups.groupCountY == 0 || groups.groupCountZ == 0 ||
      block.groupSizeX == 0 || block.groupSizeY == 0 || block.groupSizeZ == 0)
    throw Error(cooperative ? hipErrorInvalidConfiguration : hipErrorInvalidValue,
                "a dimension of the grid or of the block is zero");
  const struct {
    const char *name;
    uint32_t size, limit;
    const char *property;
  } dimensions[] = {{"blockDim.x", block.groupSizeX, limits.maxGroupSizeX, "maxThreadsDim[0]"},
                    {"blockDim.y", block.groupSizeY, limits.maxGroupSizeY, "maxThreadsDim[1]"},
                    {"blockDim.z", block.groupSizeZ, limits.maxGroupSizeZ, "maxThreadsDim[2]"},
                    {"gridDim.x", groups.groupCountX, limits.maxGroupCountX, "maxGridSize[0]"},
                    {"gridDim.y", groups.groupCountY, limits.maxGroupCountY, "maxGridSize[1]"},
                    {"gridDim.z", groups.groupCountZ, limits.maxGroupCountZ, "maxGridSize[2]"}};
  const auto &wrong =
      *std::ranges::find_if(dimensions, [](const auto &each) { return each.size > each.limit; });
  throw Error(hipErrorInvalidConfiguration,
              std::format("{} is {}, the limit is {}: hipDeviceProp_t has it in {}", wrong.name,
                          wrong.size, wrong.limit, wrong.property));
}

/// Whether each launch waits for its kernel.
bool launches_block = false;

uint64_t threads(const ze_group_size_t &block) {
  return uint64_t(block.groupSizeX) * block.groupSizeY * block.groupSizeZ;
}

/// Whether each size is from 1 to `limit`; false for some others that are.
bool is_within(uint32_t x, uint32_t y, uint32_t z, uint32_t limit) {
  return ((x - 1) | (y - 1) | (z - 1)) < limit;
}

/// Whether the launch is certain to be within all limits. Most launches are, and are not looked at more closely.
bool is_usual(const Kernel &kernel, const LaunchShape &shape) {
  const auto &[groups, block, shared_bytes, cooperative] = shape;
  // No dimension of a block is above the number of its threads, if it has any, and if that number does not overflow.
  return is_within(groups.groupCountX, groups.groupCountY, groups.groupCountZ, kernel.usual_grid) &&
         (block.groupSizeY | block.groupSizeZ) <= UINT16_MAX &&
         threads(block) - 1 < kernel.usual_threads && shared_bytes <= kernel.usual_shared_bytes &&
         !cooperative;
}

/// Throws unless the launch is within the limits. How many cooperative groups fit, the launch finds out itself, unless it is
/// captured: then it comes later.
[[gnu::noinline, gnu::cold]] void check_shape(const Kernel &kernel, const LaunchShape &shape,
                                              bool is_captured) {
  const auto &[groups, block, shared_bytes, cooperative] = shape;
  const auto &limits = kernel.device->info().compute;
  const KernelTarget &target = kernel.target;
  // Zero wraps around, so that one comparison finds it too.
  const auto outside = [](uint32_t size, uint32_t limit) { return size - 1 >= limit; };
  if (outside(block.groupSizeX, limits.maxGroupSizeX) ||
      outside(block.groupSizeY, limits.maxGroupSizeY) ||
      outside(block.groupSizeZ, limits.maxGroupSizeZ) ||
      outside(groups.groupCountX, limits.maxGroupCountX) ||
      outside(groups.groupCountY, limits.maxGroupCountY) ||
      outside(groups.groupCountZ, limits.maxGroupCountZ)) [[unlikely]]
    refuse_size(shape, limits);
  const uint64_t asked = threads(block);
  if (asked > target.properties.max_group_size) {
    // AMD's runtime has another code for a block that the device could run.
    if (asked <= kernel.device_group_size)
      throw Error(hipErrorLaunchFailure,
                  std::format("a block has {} threads, the kernel's __launch_bounds__ allow {}",
                              asked, target.properties.max_group_size));
    too_large(kernel, "threads a block", asked, target.properties.max_group_size);
  }
  if (const uint64_t shared = taken_shared_bytes(kernel, shared_bytes);
      shared > limits.maxSharedLocalMemory)
    too_large(kernel, "bytes of shared memory", shared, limits.maxSharedLocalMemory,
              cooperative ? hipErrorCooperativeLaunchTooLarge : hipErrorInvalidValue);
  if (cooperative && !kernel.device->info().cooperative)
    throw Error(hipErrorNotSupported, "the device has no cooperative launches");
  if (cooperative && is_captured)
    check_cooperative(target, shape);
}

/// Throws unless the stream is of the kernel's device and there are arguments, if the kernel has parameters.
[[gnu::noinline, gnu::cold]] void check_given(const Kernel &kernel, const StreamTarget &stream,
                                              void *const *arguments) {
  if (kernel.device != stream.device)
    throw Error(hipErrorInvalidResourceHandle, "the stream is of another device than the kernel");
  if (!arguments && kernel.target.argument_count() != 0)
    throw Error(hipErrorInvalidValue,
                "the array of arguments is null, and the kernel has parameters");
}

/// Later work of each of the streams comes after all earlier work of the others.
void join(std::span<const DeviceLaunch> launches) {
  std::vector<MarkerRef> markers;
  for (const DeviceLaunch &launch : launches)
    markers.push_back(launch.stream.queue->record_marker());
  for (const DeviceLaunch &launch : launches)
    for (const MarkerRef &marker : markers)
      wait_for(*launch.stream.queue, marker);
}

} // namespace

void tell_refusal(const std::string &kernel, const Error &error) {
  const common::Uncancelled uncancelled;
  static std::atomic<bool> told{false};
  if (!told.exchange(true))
    std::fprintf(stderr, "libCHIP: kernel %s is not launched: %s\n",
                 common::readable_name(kernel).c_str(), error.what());
}

void configure_launches() { launches_block = ze::settings.is_on("HIP_LAUNCH_BLOCKING"); }

void launch(Kernel &kernel, const LaunchShape &shape, const StreamTarget &stream,
            void *const *arguments) {
  try {
    if (!is_usual(kernel, shape)) [[unlikely]]
      check_shape(kernel, shape, stream.capture != nullptr);
    if (kernel.device != stream.device || !arguments) [[unlikely]]
      check_given(kernel, stream, arguments);
    enqueue(stream, operations::Launch{kernel, shape, arguments});
  } catch (const Error &error) {
    if (stream.device->scheduler().error() == hipSuccess) // a loss is told where it happens
      tell_refusal(kernel.target.name, error);
    throw;
  }
  if (launches_block && !stream.capture) [[unlikely]]
    stream.queue->finish();
}

void launch_from_buffer(Kernel &kernel, const LaunchShape &shape, const StreamTarget &stream,
                        const void *buffer, size_t bytes) {
  auto *begin = static_cast<std::byte *>(const_cast<void *>(buffer));
  auto &arguments = common::of_this_thread<Addresses>().all;
  arguments.clear();
  size_t offset = 0;
  for (size_t i = 0; i < kernel.target.argument_count(); ++i) {
    const Parameter &parameter = kernel.target.parameters[i];
    size_t alignment = parameter.alignment ? parameter.alignment : 1;
    offset = common::round_up(offset, alignment);
    if (offset + parameter.bytes > bytes)
      throw Error(hipErrorInvalidValue,
                  std::format("the buffer of arguments has {} bytes, argument {} ends at {}", bytes,
                              i, offset + parameter.bytes));
    arguments.push_back(begin + offset);
    offset += parameter.bytes;
  }
  launch(kernel, shape, stream, arguments.data());
}

void launch_on_devices(std::span<const DeviceLaunch> launches, unsigned flags) {
  const auto device = [](const DeviceLaunch &launch) { return launch.stream.device; };
  for (auto launch = launches.begin(); launch != launches.end(); ++launch) {
    check_not_captured(launch->stream);
    if (std::ranges::contains(std::next(launch), launches.end(), device(*launch), device))
      throw Error(hipErrorInvalidValue, "two of the launches are on one device");
  }
  if (!(flags & hipCooperativeLaunchMultiDeviceNoPreSync))
    join(launches);
  for (const DeviceLaunch &each : launches)
    launch(each.kernel, each.shape, each.stream, each.arguments);
  if (!(flags & hipCooperativeLaunchMultiDeviceNoPostSync))
    join(launches);
}

} // namespace chip
