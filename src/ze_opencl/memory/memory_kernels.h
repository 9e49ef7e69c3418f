// Fills and copies of boxes by kernels of the driver's own: implementations with fine-grained system SVM know nothing of memory that they did not
// allocate, and their fill crashes on it (PoCL 7.1).
#pragma once

#include "access.h"

#include <array>
#include <mutex>

namespace ze_opencl {

/// The program of the driver's own kernels (memory_kernels.cl), built for all devices of the context. Null, and OpenCL's error code in
/// `error`, if it cannot be built.
cl_program build_own_program(cl_context context, cl_int &error);

class MemoryKernels {
public:
  explicit MemoryKernels(cl_context context) : context_(context) {}
  MemoryKernels(const MemoryKernels &) = delete;
  MemoryKernels &operator=(const MemoryKernels &) = delete;

  /// MemoryAccess::fill(). They are built at the first call.
  cl_int fill(cl_command_queue queue, void *destination, const void *pattern, size_t pattern_bytes,
              size_t bytes, const Order &order);
  /// MemoryAccess::copy_box().
  cl_int copy_box(cl_command_queue queue, const ze_driver::CopyRegionCommand &box,
                  const Order &order);

private:
  cl_int build();

  const cl_context context_;
  std::mutex mutex_;                 // guards the kernels and their arguments
  std::array<cl_kernel, 4> fills_{}; // by the logarithm of the element's size
  cl_kernel copy_ = nullptr;
};

} // namespace ze_opencl
