// Work that a program describes for a stream or for a node of a graph in the same way.
#pragma once

#include "../runtime/code/launch.h"
#include "../runtime/memory/memory.h"

namespace chip::hip {

/// Arguments as the launch functions of HIP take them: an array of addresses, or one buffer in `extra`.
struct Arguments {
  void **addresses = nullptr;
  void **extra = nullptr;
};
void launch_kernel(Kernel &kernel, const LaunchShape &shape, const StreamTarget &stream,
                   const Arguments &arguments);

/// hipModuleLaunchKernel with the error codes of HIP 7.
void launch_function(hipFunction_t function, const LaunchShape &shape, hipStream_t stream,
                     const Arguments &arguments);

/// A grid that is counted in threads.
struct ThreadShape {
  dim3 global;
  dim3 local;
  size_t shared_bytes;
};
/// What a launch records before and after its kernel; each may be null.
struct LaunchEvents {
  hipEvent_t start;
  hipEvent_t stop;
};
/// hipExtModuleLaunchKernel with the error codes of HIP 7.
void launch_threads(hipFunction_t function, const ThreadShape &threads, hipStream_t stream,
                    const Arguments &arguments, const LaunchEvents &events, unsigned flags);

/// hipMemcpy3D and hipDrvMemcpy3D.
void copy_3d(const hipMemcpy3DParms &copy, const StreamTarget &stream, Completion completion);
void copy_3d(const HIP_MEMCPY3D &copy, const StreamTarget &stream, Completion completion);

/// Throw hipErrorInvalidMemcpyDirection for what does not copy to, or from, a variable of device code.
void check_to_symbol(hipMemcpyKind kind);
void check_from_symbol(hipMemcpyKind kind);
void copy_to_symbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                    hipMemcpyKind kind, const StreamTarget &stream, Completion completion);
void copy_from_symbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                      hipMemcpyKind kind, const StreamTarget &stream, Completion completion);

/// What 0 means to a function: the null stream, or to the _spt functions the thread's own default stream.
inline hipStream_t named(hipStream_t stream, bool per_thread) {
  return per_thread && !stream ? hipStreamPerThread : stream;
}

/// One operation of hipStreamBatchMemOp.
void run_memory_operation(const StreamTarget &stream, const hipStreamBatchMemOpParams &parameters);

} // namespace chip::hip
