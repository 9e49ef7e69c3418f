/// What the compiler calls to make a program's kernels and variables known. Not for programs.
#pragma once

#include <hip/api/handles.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

/// The magic number in the first word of what __hipRegisterFatBinary gets: "HIPF".
#define HIP_FAT_BINARY_MAGIC 0x48495046u

/// What the compiler puts into the section .hipFatBinSegment.
typedef struct hipFatBinaryWrapper {
  uint32_t magic;
  uint32_t version;   ///< 1
  const void *binary; ///< A bundle of device code: __CLANG_OFFLOAD_BUNDLE__, or CCOB if compressed.
  void *unused;
} hipFatBinaryWrapper;

/// Makes a bundle known, at the start of a program or of a shared library. The result stands for
/// it.
void **__hipRegisterFatBinary(const void *wrapper);

/// Takes a bundle away, at exit or when a shared library is unloaded.
void __hipUnregisterFatBinary(void **bundle);

/// A kernel: `host_function` is what hipLaunchKernel gets. What follows the name is not used, but
/// `thread_limit`, which is -1 if there is none.
int __hipRegisterFunction(void **bundle, const void *host_function, char *host_name,
                          const char *device_name, unsigned int thread_limit, void *thread,
                          void *block, dim3 *block_dim, dim3 *grid_dim, int *warp_size);

/// A variable of `size` bytes: `host_variable` is what hipGetSymbolAddress gets.
void __hipRegisterVar(void **bundle, void *host_variable, char *host_name, char *device_name,
                      int external, size_t size, int constant, int global);

/// A managed variable: the library allocates it, copies `initial` into it, and stores its address
/// through `pointer`, and into the device's own pointer `name`.
void __hipRegisterManagedVar(void *bundle, void **pointer, void *initial, const char *name,
                             size_t size, unsigned int alignment);

/// A texture reference; `dimensions` is hipTextureType*.
void __hipRegisterTexture(void **bundle, void *host_variable, char *host_name, char *device_name,
                          int dimensions, int normalized, int external);

/// A surface reference.
void __hipRegisterSurface(void **bundle, void *host_variable, char *host_name, char *device_name,
                          int dimensions, int external);

HIP_API_END
