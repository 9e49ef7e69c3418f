// What OpenCL says of a device, in Level Zero's words.
#pragma once

#include "platform.h"

namespace ze_opencl {

/// Whether the device, or the platform, names the extension.
bool has_extension(std::string_view list, std::string_view name);
/// A text of a device's or a platform's; empty if it does not tell.
std::string text_of(cl_device_id device, cl_device_info which);
std::string text_of(cl_platform_id platform, cl_platform_info which);
/// The same, as people may see it: no longer than a line, and without what is no text.
std::string name_of(cl_device_id device);
std::string name_of(cl_platform_id platform);
/// What a selection may name a platform by: its name and its version, in lines.
std::string names_of(cl_platform_id platform);

/// 0 if the device has no shared virtual memory.
cl_device_svm_capabilities svm_capabilities(cl_device_id device);

/// Fills in facts and abilities of `device`, whose id and platform are set. Empty, or why it cannot be used.
std::string describe(Device &device);
/// Fills in what host and device can do with memory of each kind. The memory model of its platform is known.
void describe_memory(Device &device);

} // namespace ze_opencl
