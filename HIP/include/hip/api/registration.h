/// Functions by which compiled code registers its kernels and variables. Not for programs.
#pragma once

#include <hip/api/types/handles.h>
#include <hip/api/types/macros.h>

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

/// Registers a bundle of device code, at the start of the program or of a shared library, and
/// returns a handle for it. `wrapper` is a hipFatBinaryWrapper; the bundle stays in place until it
/// is unregistered. For compilers only.
/// Errors: none is returned; a bundle of an unknown kind is an error when one of its kernels is
/// used.
/// Stream: @none. Capture: @allowed.
void **__hipRegisterFatBinary(const void *wrapper);

/// Removes a bundle, its kernels and its variables, at exit or when a shared library is unloaded.
/// For compilers only.
/// Errors: none is returned; a failure becomes the last error.
/// Stream: The host waits for the work that uses the device code. Capture: @allowed.
void __hipUnregisterFatBinary(void **bundle);

/// Registers a kernel: `host_function` is what hipLaunchKernel receives, `device_name` the name in
/// the device code. The arguments that follow are not used. The result is a hipError_t as a number.
/// For compilers only.
/// Errors: hipErrorOutOfMemory (there is not enough memory).
/// Stream: @none. Capture: @allowed.
int __hipRegisterFunction(void **bundle, const void *host_function, char *host_name,
                          const char *device_name, unsigned int thread_limit, void *thread,
                          void *block, dim3 *block_dim, dim3 *grid_dim, int *warp_size);

/// Registers a variable of `size` bytes: `host_variable` is what hipGetSymbolAddress receives,
/// `device_name` the name in the device code. `constant` is not 0 for a `__constant__` variable.
/// For compilers only.
/// Errors: none is returned; a failure becomes the last error.
/// Stream: @none. Capture: @allowed.
void __hipRegisterVar(void **bundle, void *host_variable, char *host_name, char *device_name,
                      int external, size_t size, int constant, int global);

/// Registers a managed variable of `size` bytes with an alignment of `alignment` bytes. The library
/// allocates it, copies `initial` into it, and stores its address in `*pointer` and in the pointer
/// `name` of the device code. For compilers only.
/// Errors: none is returned; a failure becomes the last error.
/// Stream: @none. Capture: @allowed.
void __hipRegisterManagedVar(void *bundle, void **pointer, void *initial, const char *name,
                             size_t size, unsigned int alignment);

/// Registers a texture reference: `host_variable` is the reference in the program, `device_name`
/// the name in the device code. The arguments that follow are not used. For compilers only.
/// Errors: none is returned; a failure becomes the last error.
/// Stream: @none. Capture: @allowed.
void __hipRegisterTexture(void **bundle, void *host_variable, char *host_name, char *device_name,
                          int dimensions, int normalized, int external);

/// Accepts a surface reference, which HIP cannot bind to anything, so that programs with one start.
/// For compilers only.
/// Errors: none; the function does nothing.
/// Stream: @none. Capture: @allowed.
void __hipRegisterSurface(void **bundle, void *host_variable, char *host_name, char *device_name,
                          int dimensions, int external);

HIP_API_END
