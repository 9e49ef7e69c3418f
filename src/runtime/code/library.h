// Libraries: device code that belongs to no device. A kernel of one stands for the kernel on each device; the code is built for a
// device when that is first asked for.
#pragma once

#include "module.h"

#include <span>
#include <string>
#include <vector>

namespace chip {

/// What is wrong with the code is told when something of it is asked for. The options of neither compiler nor library matter here.
hipLibrary_t load_library_data(const void *image);
/// Throws hipErrorInvalidValue for a file that cannot be read.
hipLibrary_t load_library_file(const char *path);

// All that follow throw hipErrorInvalidResourceHandle for what is no loaded library.

/// Its kernels stand for nothing from now on. Waits for work of the devices that have used them.
void unload_library(hipLibrary_t library);
/// The same handle at each call. Throws hipErrorNotFound, or what is wrong with the code.
hipKernel_t library_kernel(hipLibrary_t library, const char *name);
/// The names of all kernels, in their order. Throws what is wrong with the code.
std::vector<std::string> library_kernel_names(hipLibrary_t library);

/// Both throw hipErrorInvalidHandle for what is no kernel of a loaded library. The text is the library's.
hipLibrary_t library_of(hipKernel_t kernel);
const char *name_of(hipKernel_t kernel);

/// The kernel on a device, the current one unless one is given, for functions that take any kernel's handle; null for what is no
/// kernel of a loaded library.
Kernel *find_library_kernel(const void *handle, Device *device = nullptr);

/// The process is ending.
void release_all_libraries();

} // namespace chip
