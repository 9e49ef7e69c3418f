/// Overloads that spare C++ programs their casts. They add nothing to the functions they call.
// Casts are in C's notation because symbols may be volatile, and pointees const.
#pragma once

#include <hip/api/copy.h>
#include <hip/api/device.h>
#include <hip/api/launch.h>
#include <hip/api/memory.h>
#include <hip/api/memory_pool.h>
#include <hip/api/module.h>
#include <hip/api/occupancy.h>

// Memory

// Where they are inlined, no code has lines of theirs but that of the call, which chip-check tells of memory that leaks.
#if defined(__clang__)
#define CHIP_OVERLOAD __attribute__((__nodebug__)) static inline
#else
#define CHIP_OVERLOAD static inline
#endif

#ifndef __HIP_DISABLE_CPP_FUNCTIONS__
template <class T> CHIP_OVERLOAD hipError_t hipMalloc(T **address, size_t size) {
  return hipMalloc((void **)address, size);
}

template <class T>
CHIP_OVERLOAD hipError_t hipMallocPitch(T **address, size_t *pitch, size_t width, size_t height) {
  return hipMallocPitch((void **)address, pitch, width, height);
}

template <class T>
CHIP_OVERLOAD hipError_t hipHostMalloc(T **address, size_t size,
                                       unsigned int flags = hipHostMallocDefault) {
  return hipHostMalloc((void **)address, size, flags);
}

template <class T>
CHIP_OVERLOAD hipError_t hipHostAlloc(T **address, size_t size,
                                      unsigned int flags = hipHostAllocDefault) {
  return hipHostAlloc((void **)address, size, flags);
}

template <class T>
CHIP_OVERLOAD hipError_t hipMallocManaged(T **address, size_t size,
                                          unsigned int flags = hipMemAttachGlobal) {
  return hipMallocManaged((void **)address, size, flags);
}
#endif

CHIP_OVERLOAD hipError_t hipMallocAsync(void **address, size_t size, hipMemPool_t pool,
                                        hipStream_t stream) {
  return hipMallocFromPoolAsync(address, size, pool, stream);
}

template <class T>
CHIP_OVERLOAD hipError_t hipMallocAsync(T **address, size_t size, hipMemPool_t pool,
                                        hipStream_t stream) {
  return hipMallocFromPoolAsync((void **)address, size, pool, stream);
}

template <class T>
CHIP_OVERLOAD hipError_t hipMallocAsync(T **address, size_t size, hipStream_t stream) {
  return hipMallocAsync((void **)address, size, stream);
}

template <class T>
CHIP_OVERLOAD hipError_t hipMallocFromPoolAsync(T **address, size_t size, hipMemPool_t pool,
                                                hipStream_t stream) {
  return hipMallocFromPoolAsync((void **)address, size, pool, stream);
}

#undef CHIP_OVERLOAD

// Variables of kernels, by name

template <typename T> hipError_t hipGetSymbolAddress(void **address, const T &symbol) {
  return ::hipGetSymbolAddress(address, (const void *)&symbol);
}

template <typename T> hipError_t hipGetSymbolSize(size_t *size, const T &symbol) {
  return ::hipGetSymbolSize(size, (const void *)&symbol);
}

template <typename T>
hipError_t hipMemcpyToSymbol(const T &symbol, const void *src, size_t bytes, size_t offset = 0,
                             hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return ::hipMemcpyToSymbol((const void *)&symbol, src, bytes, offset, kind);
}

template <typename T>
hipError_t hipMemcpyToSymbolAsync(const T &symbol, const void *src, size_t bytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream = 0) {
  return ::hipMemcpyToSymbolAsync((const void *)&symbol, src, bytes, offset, kind, stream);
}

template <typename T>
hipError_t hipMemcpyFromSymbol(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                               hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return ::hipMemcpyFromSymbol(dst, (const void *)&symbol, bytes, offset, kind);
}

template <typename T>
hipError_t hipMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t bytes, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream = 0) {
  return ::hipMemcpyFromSymbolAsync(dst, (const void *)&symbol, bytes, offset, kind, stream);
}

// Kernels, by name

template <class T>
inline hipError_t hipLaunchCooperativeKernel(T kernel, dim3 grid_dim, dim3 block_dim, void **params,
                                             unsigned int shared_bytes, hipStream_t stream) {
  return hipLaunchCooperativeKernel(reinterpret_cast<const void *>(kernel), grid_dim, block_dim,
                                    params, shared_bytes, stream);
}

template <class T>
inline hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams *launches,
                                                        unsigned int device_count,
                                                        unsigned int flags = 0) {
  return hipLaunchCooperativeKernelMultiDevice(launches, static_cast<int>(device_count), flags);
}

template <class T>
inline hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams *launches,
                                                     unsigned int device_count,
                                                     unsigned int flags = 0) {
  return hipExtLaunchMultiKernelMultiDevice(launches, static_cast<int>(device_count), flags);
}

template <class T>
inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *block_count, T kernel,
                                                               int block_size,
                                                               size_t shared_bytes) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(
      block_count, reinterpret_cast<const void *>(kernel), block_size, shared_bytes);
}

template <class T>
inline hipError_t
hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *block_count, T kernel, int block_size,
                                                      size_t shared_bytes, unsigned int flags) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      block_count, reinterpret_cast<const void *>(kernel), block_size, shared_bytes, flags);
}

#if __HIP_CLANG_ONLY__
template <typename T>
static inline hipError_t
    __host__ hipOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, T kernel,
                                               size_t shared_bytes = 0, int block_size_limit = 0) {
  return hipOccupancyMaxPotentialBlockSize(grid_size, block_size,
                                           reinterpret_cast<const void *>(kernel), shared_bytes,
                                           block_size_limit);
}

template <typename T>
static inline hipError_t __host__ hipOccupancyMaxPotentialBlockSizeWithFlags(
    int *grid_size, int *block_size, T kernel, size_t shared_bytes = 0, int block_size_limit = 0,
    unsigned int /*flags*/ = 0) {
  return hipOccupancyMaxPotentialBlockSize(grid_size, block_size,
                                           reinterpret_cast<const void *>(kernel), shared_bytes,
                                           block_size_limit);
}
#endif

template <typename __F>
inline hipError_t hipOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, __F kernel,
                                                    size_t shared_bytes,
                                                    uint32_t block_size_limit) {
  return hipOccupancyMaxPotentialBlockSize(grid_size, block_size,
                                           reinterpret_cast<const void *>(kernel), shared_bytes,
                                           static_cast<int>(block_size_limit));
}

/// hipOccupancyMaxPotentialBlockSize for a kernel whose dynamic shared memory depends on the block
/// size: `shared_bytes_of(threads)` says how. Every multiple of the warp up to the limit is tried.
template <typename __UnaryFunction, class T>
static inline hipError_t __host__ hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *grid_size, int *block_size, T kernel, __UnaryFunction shared_bytes_of,
    int block_size_limit = 0, unsigned int flags = 0) {
  const void *function = reinterpret_cast<const void *>(kernel);
  if (grid_size == nullptr || block_size == nullptr || function == nullptr)
    return hipErrorInvalidValue;

  hipFuncAttributes attributes;
  int device = 0, warp = 0, multiprocessors = 0, most_threads = 0;
  hipError_t error = hipFuncGetAttributes(&attributes, function);
  if (error == hipSuccess)
    error = hipGetDevice(&device);
  if (error == hipSuccess)
    error = hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, device);
  if (error == hipSuccess)
    error = hipDeviceGetAttribute(&multiprocessors, hipDeviceAttributeMultiprocessorCount, device);
  if (error == hipSuccess)
    error =
        hipDeviceGetAttribute(&most_threads, hipDeviceAttributeMaxThreadsPerMultiProcessor, device);
  if (error != hipSuccess)
    return error;

  int limit = attributes.maxThreadsPerBlock;
  if (block_size_limit > 0 && block_size_limit < limit)
    limit = block_size_limit;

  // From large to small, so that of equally busy sizes the largest wins. The limit itself need not
  // be a multiple of the warp.
  int best_size = 0, best_blocks = 0;
  for (int size = limit; size > 0; size = (size - 1) / warp * warp) {
    int blocks = 0;
    error = hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, function, size, static_cast<size_t>(shared_bytes_of(size)), flags);
    if (error != hipSuccess)
      return error;
    if (size * blocks > best_size * best_blocks) {
      best_size = size;
      best_blocks = blocks;
    }
    if (best_size * best_blocks == most_threads)
      break;
  }
  *grid_size = best_blocks * multiprocessors;
  *block_size = best_size;
  return hipSuccess;
}

template <typename __UnaryFunction, class T>
static inline hipError_t __host__ hipOccupancyMaxPotentialBlockSizeVariableSMem(
    int *grid_size, int *block_size, T kernel, __UnaryFunction shared_bytes_of,
    int block_size_limit = 0) {
  return hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid_size, block_size, kernel,
                                                                shared_bytes_of, block_size_limit);
}
