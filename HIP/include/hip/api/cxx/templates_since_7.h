/// Overloads for C++ that HIP 7 has added.
#pragma once

#include <hip/api/later/since_7.h>
#include <hip/api/launch.h>

#if HIP_API_HAS_7

#include <utility>

/// Launches a kernel; `args` are converted to what it takes.
template <typename... KernelArgs, typename... Params>
static inline hipError_t hipLaunchKernelEx(const hipLaunchConfig_t *config,
                                           void (*kernel)(KernelArgs...), Params &&...args) {
  const auto launch = [&](KernelArgs... converted) {
    void *addresses[] = {static_cast<void *>(&converted)..., nullptr};
    return hipLaunchKernelExC(config, reinterpret_cast<const void *>(kernel), addresses);
  };
  return launch(std::forward<Params>(args)...);
}

// The options are behind pointers, which may be null. These are templates, so that a call with null
// for all options is one of the function itself: with AMD's headers it is ambiguous.
template <typename = void>
static inline hipError_t
hipLibraryLoadData(hipLibrary_t *library, const void *code, hipJitOption **jit_options,
                   void **jit_values, unsigned int jit_count, hipLibraryOption **library_options,
                   void **library_values, unsigned int library_count) {
  return hipLibraryLoadData(library, code, jit_options ? *jit_options : nullptr, jit_values,
                            jit_count, library_options ? *library_options : nullptr, library_values,
                            library_count);
}

template <typename = void>
static inline hipError_t hipLibraryLoadFromFile(hipLibrary_t *library, const char *file,
                                                hipJitOption **jit_options, void **jit_values,
                                                unsigned int jit_count,
                                                hipLibraryOption **library_options,
                                                void **library_values, unsigned int library_count) {
  return hipLibraryLoadFromFile(library, file, jit_options ? *jit_options : nullptr, jit_values,
                                jit_count, library_options ? *library_options : nullptr,
                                library_values, library_count);
}

template <class T>
static inline hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, T function,
                                                                  int block_count, int block_size) {
  return hipOccupancyAvailableDynamicSMemPerBlock(
      shared_bytes, reinterpret_cast<const void *>(function), block_count, block_size);
}

#endif
