// HIP API reference: Execution control, launches.
#include "../runtime/code/launch.h"
#include "../common/per_thread.h"
#include "../runtime/code/program.h"
#include "../runtime/code/shared_memory.h"
#include "../runtime/streams/event.h"
#include "entry.h"
#include "stream_work.h"

#include <hip/hip_ext.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

using namespace chip;
using chip::hip::Arguments;
using chip::hip::entry;
using chip::hip::launch_function;
using chip::hip::launch_threads;
using chip::hip::required;

namespace {

/// What stands between <<< and >>>.
struct Configuration {
  dim3 grid_dim, block_dim;
  size_t shared_bytes;
  hipStream_t stream;
};

/// What a thread has said of launches that it has not made yet.
struct Announced {
  std::vector<Configuration> configurations;
  std::vector<std::byte> arguments; // from hipSetupArgument, for the next hipLaunchByPtr
};

Announced &announced() { return common::of_this_thread<Announced>(); }

LaunchShape shape_of(const dim3 &grid_dim, const dim3 &block_dim, size_t shared_bytes,
                     bool cooperative = false) {
  LaunchShape shape;
  static_assert(sizeof shape.groups == sizeof grid_dim &&
                sizeof shape.group_size == sizeof block_dim);
  // Each as a whole: one by one, their dimensions cost a launch more instructions.
  std::memcpy(&shape.groups, &grid_dim, sizeof grid_dim);
  std::memcpy(&shape.group_size, &block_dim, sizeof block_dim);
  shape.dynamic_local_bytes = shared_bytes;
  shape.cooperative = cooperative;
  return shape;
}

Configuration pop_configuration() {
  std::vector<Configuration> &configurations = announced().configurations;
  if (configurations.empty())
    throw Error(hipErrorMissingConfiguration, "no hipConfigureCall comes before the launch");
  Configuration configuration = configurations.back();
  configurations.pop_back();
  return configuration;
}

void launch_from_extra(Kernel &kernel, const LaunchShape &shape, const StreamTarget &stream,
                       void **extra) {
  const void *buffer = nullptr;
  size_t bytes = 0;
  for (; *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == HIP_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = required(static_cast<const size_t *>(extra[1]));
    else
      throw Error(hipErrorInvalidValue, "`extra` holds something else than HIP_LAUNCH_PARAM_*");
  }
  if (!buffer)
    throw Error(hipErrorInvalidValue, "`extra` holds no HIP_LAUNCH_PARAM_BUFFER_POINTER");
  launch_from_buffer(kernel, shape, stream, buffer, bytes);
}

void launch(Kernel &kernel, const LaunchShape &shape, const StreamTarget &stream,
            const Arguments &arguments) {
  if (arguments.addresses && arguments.extra)
    throw Error(hipErrorInvalidValue, "`params` and `extra` are both given");
  if (arguments.extra)
    launch_from_extra(kernel, shape, stream, arguments.extra);
  else
    launch(kernel, shape, stream, arguments.addresses);
}

[[gnu::always_inline]] inline hipError_t
launch_host_function(const void *function, const LaunchShape &shape, void **args,
                     hipStream_t stream, bool per_thread = false,
                     const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    StreamTarget target = resolve(stream, per_thread);
    launch(find_kernel(function, *target.device), shape, target, args);
  });
}

/// Runs `launch`, which launches `function`. Before HIP 7 such a launch answered hipErrorInvalidValue for any size that does not
/// fit and for a stream that is not live; only too many cooperative blocks had a code of their own.
template <class Launch>
hipError_t entry_of_6(hipFunction_t function, size_t shared_bytes, Launch &&launch,
                      const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    try {
      launch();
    } catch (const Error &error) {
      const bool changed = error.code() == hipErrorInvalidConfiguration ||
                           error.code() == hipErrorContextIsDestroyed ||
                           (error.code() == hipErrorCooperativeLaunchTooLarge &&
                            shared_bytes > most_dynamic_shared_bytes(find_function(function)));
      if (changed)
        throw Error(hipErrorInvalidValue, error.what());
      throw;
    }
  });
}

/// Launches, with each event that is given recorded before or after. In a capture, each is a node, which a launch of the graph
/// records, and orders what waits for it as any other record.
template <class Launch>
void launch_between(hipEvent_t start, hipEvent_t stop, const StreamTarget &stream,
                    Launch &&launch) {
  Event *before = start ? &find_event(start) : nullptr;
  Event *after = stop ? &find_event(stop) : nullptr;
  const auto record_here = [&](Event &event) {
    if (stream.capture)
      record_external(event, stream);
    record(event, stream);
  };
  if (before)
    record_here(*before);
  launch();
  if (after)
    record_here(*after);
}

void check_ext_flags(unsigned flags) {
  // A kernel that need not wait for earlier work of its stream may wait for it.
  if (flags & ~unsigned(hipExtAnyOrderLaunch))
    throw Error(hipErrorInvalidValue, "`flags` is neither hipExtAnyOrderLaunch nor 0");
}

/// The shape of a grid that is counted in threads. Where it has fewer than a block may have, it is one block with just these.
LaunchShape shape_of_threads(const dim3 &global, const dim3 &local, size_t shared_bytes) {
  dim3 blocks, threads;
  const auto divide = [](uint32_t of_grid, uint32_t of_block, uint32_t &count, uint32_t &each) {
    each = std::min(of_grid, of_block);
    if (of_block == 0 || (each != 0 && of_grid % each != 0))
      throw Error(hipErrorInvalidConfiguration,
                  "the threads of the grid in a dimension are no multiple of those of a block");
    count = each == 0 ? 0 : of_grid / each;
  };
  divide(global.x, local.x, blocks.x, threads.x);
  divide(global.y, local.y, blocks.y, threads.y);
  divide(global.z, local.z, blocks.z, threads.z);
  return shape_of(blocks, threads, shared_bytes);
}

/// A block is as large as the device allows at most, also where the grid does not fill it.
void check_block(const Device &device, const dim3 &block) {
  const auto &limits = device.info().compute;
  if (block.x > limits.maxGroupSizeX || block.y > limits.maxGroupSizeY ||
      block.z > limits.maxGroupSizeZ ||
      uint64_t(block.x) * block.y * block.z > limits.maxTotalGroupSize)
    throw Error(hipErrorInvalidConfiguration, "a block has more threads than the device allows");
}

/// Whether the attributes ask for a cooperative launch.
bool is_cooperative(const hipLaunchAttribute *attributes, unsigned count) {
  if (count != 0 && !attributes)
    throw Error(hipErrorInvalidValue, "`attrs` is null, but `numAttrs` is not 0");
  bool cooperative = false;
  for (const hipLaunchAttribute &attribute : std::span(attributes, count)) {
    switch (attribute.id) {
    case hipLaunchAttributeCooperative:
      cooperative = attribute.val.cooperative != 0;
      break;
    case hipLaunchAttributePriority: // hints
    case hipLaunchAttributeAccessPolicyWindow:
    case hipLaunchAttributeMemSyncDomainMap:
    case hipLaunchAttributeMemSyncDomain:
      break;
    default:
      throw Error(hipErrorInvalidValue, "`attrs` has an unknown attribute");
    }
  }
  return cooperative;
}

/// The same launch for each of `count` devices. `describe` makes a DeviceLaunch of an element of `launches`, whose stream is
/// `stream_of` it.
template <class Launch, class StreamOf, class Describe>
hipError_t launch_on_each(const Launch *launches, uint64_t count, unsigned flags,
                          StreamOf &&stream_of, Describe &&describe,
                          const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    constexpr unsigned known =
        hipCooperativeLaunchMultiDeviceNoPreSync | hipCooperativeLaunchMultiDeviceNoPostSync;
    required(launches);
    if (count == 0 || count > uint64_t(Platform::get().device_count()))
      throw Error(hipErrorInvalidValue, "`device_count` is 0 or above the number of devices");
    if (flags & ~known)
      throw Error(hipErrorInvalidValue,
                  "`flags` has something else than hipCooperativeLaunchMultiDevice*");
    std::vector<DeviceLaunch> all;
    for (const Launch &launch : std::span(launches, count)) {
      if (!stream_of(launch))
        throw Error(hipErrorInvalidValue, "an element of `launches` has no stream");
      all.push_back(describe(launch, resolve(stream_of(launch))));
      if (all.back().shape != all.front().shape ||
          all.back().kernel.target.name != all.front().kernel.target.name)
        throw Error(hipErrorInvalidValue,
                    "the elements of `launches` differ in more than stream and arguments");
    }
    launch_on_devices(all, flags);
  });
}

hipError_t launch_on_each(const hipLaunchParams *launches, int device_count, unsigned flags,
                          bool cooperative) {
  return launch_on_each(
      launches, uint64_t(std::max(device_count, 0)), flags,
      [](const hipLaunchParams &launch) { return launch.stream; },
      [&](const hipLaunchParams &launch, const StreamTarget &stream) {
        return DeviceLaunch{
            find_kernel(launch.func, *stream.device),
            shape_of(launch.gridDim, launch.blockDim, launch.sharedMem, cooperative), stream,
            launch.args};
      });
}

} // namespace

void chip::hip::launch_kernel(Kernel &kernel, const LaunchShape &shape, const StreamTarget &stream,
                              const Arguments &arguments) {
  ::launch(kernel, shape, stream, arguments);
}

void chip::hip::launch_function(hipFunction_t function, const LaunchShape &shape,
                                hipStream_t stream, const Arguments &arguments) {
  ::launch(find_function(function), shape, resolve(stream), arguments);
}

void chip::hip::launch_threads(hipFunction_t function, const ThreadShape &threads,
                               hipStream_t stream, const Arguments &arguments,
                               const LaunchEvents &events, unsigned flags) {
  check_ext_flags(flags);
  const LaunchShape shape = shape_of_threads(threads.global, threads.local, threads.shared_bytes);
  Kernel &kernel = find_function(function);
  check_block(*kernel.device, threads.local);
  StreamTarget target = resolve(stream);
  launch_between(events.start, events.stop, target,
                 [&] { ::launch(kernel, shape, target, arguments); });
}

// ---- Of the program's own kernels

hipError_t hipLaunchKernel(const void *function, dim3 grid_dim, dim3 block_dim, void **args,
                           size_t shared_bytes, hipStream_t stream) {
  return launch_host_function(function, shape_of(grid_dim, block_dim, shared_bytes), args, stream);
}

hipError_t hipLaunchKernel_spt(const void *function, dim3 grid_dim, dim3 block_dim, void **args,
                               size_t shared_bytes, hipStream_t stream) {
  return launch_host_function(function, shape_of(grid_dim, block_dim, shared_bytes), args, stream,
                              true);
}

hipError_t hipLaunchCooperativeKernel(const void *function, dim3 grid_dim, dim3 block_dim,
                                      void **params, unsigned int shared_bytes,
                                      hipStream_t stream) {
  return launch_host_function(function, shape_of(grid_dim, block_dim, shared_bytes, true), params,
                              stream);
}

hipError_t hipLaunchCooperativeKernel_spt(const void *function, dim3 grid_dim, dim3 block_dim,
                                          void **params, uint32_t shared_bytes,
                                          hipStream_t stream) {
  return launch_host_function(function, shape_of(grid_dim, block_dim, shared_bytes, true), params,
                              stream, true);
}

hipError_t hipLaunchKernelExC(const hipLaunchConfig_t *config, const void *function, void **args) {
  return entry([&] {
    const hipLaunchConfig_t &c = required(config);
    StreamTarget stream = resolve(c.stream);
    launch(find_kernel(function, *stream.device),
           shape_of(c.gridDim, c.blockDim, c.dynamicSmemBytes, is_cooperative(c.attrs, c.numAttrs)),
           stream, args);
  });
}

hipError_t hipExtLaunchKernel(const void *function, dim3 grid_dim, dim3 block_dim, void **args,
                              size_t shared_bytes, hipStream_t stream, hipEvent_t start_event,
                              hipEvent_t stop_event, int flags) {
  return entry([&] {
    check_ext_flags(unsigned(flags));
    StreamTarget target = resolve(stream);
    Kernel &kernel = find_kernel(function, *target.device);
    launch_between(start_event, stop_event, target, [&] {
      launch(kernel, shape_of(grid_dim, block_dim, shared_bytes), target, args);
    });
  });
}

hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams *launches, int device_count,
                                              unsigned int flags) {
  return launch_on_each(launches, device_count, flags, false);
}

hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams *launches, int device_count,
                                                 unsigned int flags) {
  return launch_on_each(launches, device_count, flags, true);
}

// ---- Of a module's kernels

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_dim_x,
                                 unsigned int grid_dim_y, unsigned int grid_dim_z,
                                 unsigned int block_dim_x, unsigned int block_dim_y,
                                 unsigned int block_dim_z, unsigned int shared_bytes,
                                 hipStream_t stream, void **params, void **extra) {
  return entry_of_6(function, shared_bytes, [&] {
    launch_function(function,
                    {{grid_dim_x, grid_dim_y, grid_dim_z},
                     {block_dim_x, block_dim_y, block_dim_z},
                     shared_bytes},
                    stream, {params, extra});
  });
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned int grid_dim_x,
                                            unsigned int grid_dim_y, unsigned int grid_dim_z,
                                            unsigned int block_dim_x, unsigned int block_dim_y,
                                            unsigned int block_dim_z, unsigned int shared_bytes,
                                            hipStream_t stream, void **params) {
  return entry_of_6(function, shared_bytes, [&] {
    launch_function(function,
                    {{grid_dim_x, grid_dim_y, grid_dim_z},
                     {block_dim_x, block_dim_y, block_dim_z},
                     shared_bytes,
                     true},
                    stream, {params});
  });
}

hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams *launches,
                                                       unsigned int device_count,
                                                       unsigned int flags) {
  return launch_on_each(
      launches, device_count, flags,
      [](const hipFunctionLaunchParams &launch) { return launch.hStream; },
      [](const hipFunctionLaunchParams &l, const StreamTarget &stream) {
        return DeviceLaunch{find_function(l.function),
                            {{l.gridDimX, l.gridDimY, l.gridDimZ},
                             {l.blockDimX, l.blockDimY, l.blockDimZ},
                             l.sharedMemBytes,
                             true},
                            stream,
                            l.kernelParams};
      });
}

hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG *config, hipFunction_t function,
                                void **params, void **extra) {
  return entry([&] {
    const HIP_LAUNCH_CONFIG &c = required(config);
    launch(find_function(function),
           {{c.gridDimX, c.gridDimY, c.gridDimZ},
            {c.blockDimX, c.blockDimY, c.blockDimZ},
            c.sharedMemBytes,
            is_cooperative(c.attrs, c.numAttrs)},
           resolve(c.hStream), {params, extra});
  });
}

hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t global_x, uint32_t global_y,
                                    uint32_t global_z, uint32_t local_x, uint32_t local_y,
                                    uint32_t local_z, size_t shared_bytes, hipStream_t stream,
                                    void **params, void **extra, hipEvent_t start_event,
                                    hipEvent_t stop_event, uint32_t flags) {
  return entry_of_6(function, shared_bytes, [&] {
    launch_threads(function,
                   {{global_x, global_y, global_z}, {local_x, local_y, local_z}, shared_bytes},
                   stream, {params, extra}, {start_event, stop_event}, flags);
  });
}

hipError_t hipHccModuleLaunchKernel(hipFunction_t function, uint32_t global_x, uint32_t global_y,
                                    uint32_t global_z, uint32_t local_x, uint32_t local_y,
                                    uint32_t local_z, size_t shared_bytes, hipStream_t stream,
                                    void **params, void **extra, hipEvent_t start_event,
                                    hipEvent_t stop_event) {
  return hipExtModuleLaunchKernel(function, global_x, global_y, global_z, local_x, local_y, local_z,
                                  shared_bytes, stream, params, extra, start_event, stop_event, 0);
}

// ---- Piece by piece

hipError_t __hipPushCallConfiguration(dim3 grid_dim, dim3 block_dim, size_t shared_bytes,
                                      hipStream_t stream) {
  return entry(
      [&] { announced().configurations.push_back({grid_dim, block_dim, shared_bytes, stream}); });
}

hipError_t __hipPopCallConfiguration(dim3 *grid_dim, dim3 *block_dim, size_t *shared_bytes,
                                     hipStream_t *stream) {
  return entry([&] {
    Configuration configuration = pop_configuration();
    *grid_dim = configuration.grid_dim;
    *block_dim = configuration.block_dim;
    *shared_bytes = configuration.shared_bytes;
    *stream = configuration.stream;
  });
}

hipError_t hipConfigureCall(dim3 grid_dim, dim3 block_dim, size_t shared_bytes,
                            hipStream_t stream) {
  return __hipPushCallConfiguration(grid_dim, block_dim, shared_bytes, stream);
}

hipError_t hipSetupArgument(const void *arg, size_t size, size_t offset) {
  return entry([&] {
    constexpr size_t limit = 16 << 20; // far over what any kernel takes
    if (!arg || size > limit || offset > limit)
      throw Error(hipErrorInvalidValue, "`arg` is null, or `size` or `offset` is above 16 MiB");
    std::vector<std::byte> &arguments = announced().arguments;
    if (arguments.size() < offset + size)
      arguments.resize(offset + size);
    std::copy_n(static_cast<const std::byte *>(arg), size, arguments.begin() + ptrdiff_t(offset));
  });
}

hipError_t hipLaunchByPtr(const void *function) {
  return entry([&] {
    std::vector<std::byte> arguments = std::exchange(announced().arguments, {});
    const auto [grid_dim, block_dim, shared_bytes, stream] = pop_configuration();
    StreamTarget target = resolve(stream);
    launch_from_buffer(find_kernel(function, *target.device),
                       shape_of(grid_dim, block_dim, shared_bytes), target, arguments.data(),
                       arguments.size());
  });
}
