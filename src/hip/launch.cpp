// HIP API reference: Execution control, launches.
#include "../runtime/launch.h"
#include "../runtime/program.h"
#include "entry.h"

#include <vector>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

thread_local std::vector<LaunchConfiguration> pushed_configurations;

hipError_t launch_host_function(const void *function, const LaunchConfiguration &configuration,
                                void **args, bool per_thread) {
  return entry([&] {
    StreamTarget stream = resolve(configuration.stream, per_thread);
    launch(find_kernel(function, *stream.device), configuration, stream, args);
  });
}

} // namespace

hipError_t hipLaunchKernel(const void *function, dim3 grid_dim, dim3 block_dim, void **args,
                           size_t shared_bytes, hipStream_t stream) {
  return launch_host_function(function, {grid_dim, block_dim, shared_bytes, stream}, args, false);
}

hipError_t hipLaunchKernel_spt(const void *function, dim3 grid_dim, dim3 block_dim, void **args,
                               size_t shared_bytes, hipStream_t stream) {
  return launch_host_function(function, {grid_dim, block_dim, shared_bytes, stream}, args, true);
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_dim_x,
                                 unsigned int grid_dim_y, unsigned int grid_dim_z,
                                 unsigned int block_dim_x, unsigned int block_dim_y,
                                 unsigned int block_dim_z, unsigned int shared_bytes,
                                 hipStream_t stream, void **params, void **extra) {
  return entry([&] {
    if (!function)
      throw Error(hipErrorInvalidResourceHandle, "no function to launch");
    LaunchConfiguration configuration{{grid_dim_x, grid_dim_y, grid_dim_z},
                                      {block_dim_x, block_dim_y, block_dim_z},
                                      shared_bytes,
                                      stream};
    StreamTarget target = resolve(stream);
    if (params && extra)
      throw Error(hipErrorInvalidValue, "arguments both in params and in extra");
    if (!extra) {
      launch(*function, configuration, target, params);
      return;
    }
    const void *buffer = nullptr;
    size_t bytes = 0;
    for (; *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
      if (*extra == HIP_LAUNCH_PARAM_BUFFER_POINTER)
        buffer = extra[1];
      else if (*extra == HIP_LAUNCH_PARAM_BUFFER_SIZE)
        bytes = required(static_cast<const size_t *>(extra[1]));
      else
        throw Error(hipErrorInvalidValue, "extra holds something else than HIP_LAUNCH_PARAM_*");
    }
    if (!buffer)
      throw Error(hipErrorInvalidValue, "extra holds no buffer");
    launch_from_buffer(*function, configuration, target, buffer, bytes);
  });
}

hipError_t __hipPushCallConfiguration(dim3 grid_dim, dim3 block_dim, size_t shared_bytes,
                                      hipStream_t stream) {
  return entry([&] { pushed_configurations.push_back({grid_dim, block_dim, shared_bytes, stream}); });
}

hipError_t __hipPopCallConfiguration(dim3 *grid_dim, dim3 *block_dim, size_t *shared_bytes,
                                     hipStream_t *stream) {
  return entry([&] {
    if (pushed_configurations.empty())
      throw Error(hipErrorMissingConfiguration);
    LaunchConfiguration configuration = pushed_configurations.back();
    pushed_configurations.pop_back();
    *grid_dim = configuration.grid;
    *block_dim = configuration.block;
    *shared_bytes = configuration.shared_bytes;
    *stream = configuration.stream;
  });
}
