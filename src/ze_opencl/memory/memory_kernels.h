// Fills and copies of boxes by kernels of the driver's own: implementations with fine-grained system SVM know nothing of memory that they did not
// allocate, and their fill crashes on it (PoCL 7.1); of boxes OpenCL would have a command for each row.
#pragma once

#include "access.h"

#include <array>
#include <mutex>

namespace ze_opencl {

/// The program of the driver's own kernels (memory_kernels.cl), built for all devices of the context. Null, and OpenCL's error code in
/// `error`, if it cannot be built.
cl_program build_own_program(cl_context context, cl_int &error);

/// Longer rows of boxes are better off with a command each, which implementations copy by all means that they have. A device that
/// uses the memory of the process is taken for a processor, and gains nothing from there on; on others an item copies a row alone.
inline constexpr size_t longest_row_by_processor = 1 << 20, longest_row_by_any = 32 << 10;

class MemoryKernels {
public:
  /// For queues of these devices, and for what kernels reach of that memory.
  MemoryKernels(MemoryAccess &memory, cl_context context, std::span<const cl_device_id> devices);
  MemoryKernels(const MemoryKernels &) = delete;
  MemoryKernels &operator=(const MemoryKernels &) = delete;

  /// MemoryAccess::fill(), at any address. They are built at the first call.
  cl_int fill(cl_command_queue queue, void *destination, const void *pattern, size_t pattern_bytes,
              size_t bytes, const Order &order);
  /// MemoryAccess::copy_box(), a row for each work-item.
  cl_int copy_box(cl_command_queue queue, ze_driver::CopyRegionCommand box, const Order &order);

private:
  cl_int build();
  /// Rounds the first number of work-items up to whole work-groups.
  cl_int launch(cl_command_queue queue, cl_kernel kernel, std::array<size_t, 2> items,
                const Order &order);

  MemoryAccess &memory_;
  const cl_context context_;
  size_t group_items_ = 64; // enough for devices that execute so many side by side
  std::mutex mutex_;        // guards the kernels and their arguments
  cl_kernel fill_ = nullptr, copy_ = nullptr;
};

} // namespace ze_opencl
