// Kernel launches in HIP's terms: limits, argument buffers, then the queue.
#pragma once

#include "../streams/stream.h"
#include "module.h"

#include <cstddef>
#include <span>

namespace chip {

/// With HIP_LAUNCH_BLOCKING=1 each launch waits for its kernel from now on, so that an error shows at the launch that it comes
/// from.
void configure_launches();

/// Few programs look at what a launch returns, and the code says little: the first refusal of the process says its reason on
/// standard error. `kernel` is its name in the code.
void tell_refusal(const std::string &kernel, const Error &error);

/// Launches with one pointer per argument. Throws hipErrorInvalidConfiguration for sizes that the device cannot run,
/// hipErrorInvalidValue for no threads at all, too much shared memory or missing arguments,
/// hipErrorInvalidResourceHandle for a kernel of another device, hipErrorCooperativeLaunchTooLarge for more cooperative
/// blocks than can run at once.
void launch(Kernel &kernel, const LaunchShape &shape, const StreamTarget &stream,
            void *const *arguments);

/// Launches with the arguments in one buffer, each aligned as in a struct (HIP_LAUNCH_PARAM_BUFFER_POINTER).
void launch_from_buffer(Kernel &kernel, const LaunchShape &shape, const StreamTarget &stream,
                        const void *buffer, size_t bytes);

/// One of several launches that belong together.
struct DeviceLaunch {
  Kernel &kernel;
  LaunchShape shape;
  StreamTarget stream;
  void *const *arguments;
};
/// Launches on several devices without waiting for them. `flags` are hipCooperativeLaunchMultiDevice*: unless they say otherwise,
/// each kernel comes after the earlier work of all the streams, and their later work after all the kernels. Throws
/// hipErrorInvalidValue for two launches on one device, hipErrorStreamCaptureUnsupported for a stream that is captured, and what
/// a launch throws.
void launch_on_devices(std::span<const DeviceLaunch> launches, unsigned flags);

} // namespace chip
