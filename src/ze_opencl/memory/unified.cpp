#include "memory_kernels.h"
#include "models.h"
#include "ranges.h"

#include <new>

namespace ze_opencl {
namespace {

using ze_driver::MemoryKind;

struct Functions {
  clHostMemAllocINTEL_fn host_alloc;
  clDeviceMemAllocINTEL_fn device_alloc;
  clSharedMemAllocINTEL_fn shared_alloc;
  clMemBlockingFreeINTEL_fn free;
  clEnqueueMemcpyINTEL_fn copy;
  clEnqueueMemFillINTEL_fn fill;
  clSetKernelArgMemPointerINTEL_fn set_pointer;
};

class UnifiedMemory final : public MemoryAccess {
public:
  UnifiedMemory(const Platform &platform, std::span<const cl_device_id> devices)
      : context_(platform.context), first_device_(devices.front()),
        is_only_device_(devices.size() == 1), memory_kernels_(*this, platform.context, devices) {
    const auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          api().GetExtensionFunctionAddressForPlatform(platform.id, name));
    };
    find(functions_.host_alloc, "clHostMemAllocINTEL");
    find(functions_.device_alloc, "clDeviceMemAllocINTEL");
    find(functions_.shared_alloc, "clSharedMemAllocINTEL");
    find(functions_.free, "clMemBlockingFreeINTEL");
    find(functions_.copy, "clEnqueueMemcpyINTEL");
    find(functions_.fill, "clEnqueueMemFillINTEL");
    find(functions_.set_pointer, "clSetKernelArgMemPointerINTEL");
  }
  bool is_complete() const {
    return functions_.host_alloc && functions_.device_alloc && functions_.shared_alloc &&
           functions_.free && functions_.copy && functions_.fill && functions_.set_pointer;
  }

  void *allocate(size_t size, size_t alignment, MemoryKind kind, const Device *device) override {
    const cl_device_id id = device ? device->id : first_device_;
    const auto align = static_cast<cl_uint>(alignment);
    cl_int error = CL_SUCCESS;
    void *made = nullptr;
    switch (kind) {
    case MemoryKind::host:
      made = functions_.host_alloc(context_, nullptr, size, align, &error);
      break;
    case MemoryKind::device:
      made = functions_.device_alloc(context_, id, nullptr, size, align, &error);
      break;
    case MemoryKind::shared:
      made = functions_.shared_alloc(context_, id, nullptr, size, align, &error);
      break;
    }
    if (error == CL_INVALID_OPERATION) // devices need not have all kinds
      throw ze_driver::Unsupported();
    if (error != CL_SUCCESS || !made)
      throw std::bad_alloc();
    try {
      const std::unique_lock lock(mutex_);
      allocated_.add(made, size);
    } catch (const std::bad_alloc &) {
      functions_.free(context_, made);
      throw;
    }
    return made;
  }
  void free(void *pointer) noexcept override {
    {
      const std::unique_lock lock(mutex_);
      allocated_.remove(pointer);
    }
    functions_.free(context_, pointer);
  }

  cl_int copy(cl_command_queue queue, void *destination, const void *source, size_t bytes,
              const Order &order) override {
    return functions_.copy(queue, CL_FALSE, destination, source, bytes, order.wait_count(),
                           order.wait_list(), order.event);
  }
  std::optional<cl_int> copy_box(cl_command_queue queue, const ze_driver::CopyRegionCommand &box,
                                 const Order &order) override {
    if (box.width > longest_row_by_any || !is_for_kernels(box.destination) ||
        !is_for_kernels(box.source))
      return std::nullopt;
    return memory_kernels_.copy_box(queue, box, order);
  }
  cl_int fill(cl_command_queue queue, void *destination, const void *pattern, size_t pattern_bytes,
              size_t bytes, const Order &order) override {
    return functions_.fill(queue, destination, pattern, pattern_bytes, bytes, order.wait_count(),
                           order.wait_list(), order.event);
  }
  cl_int set_pointer(cl_kernel kernel, cl_uint index, const void *pointer) override {
    return functions_.set_pointer(kernel, index, pointer);
  }
  cl_int allow_indirect_access(cl_kernel kernel) override {
    const cl_bool yes = CL_TRUE;
    for (const cl_kernel_exec_info which : {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                            CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                            CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL})
      if (const cl_int error = api().SetKernelExecInfo(kernel, which, sizeof yes, &yes);
          error != CL_SUCCESS)
        return error;
    return CL_SUCCESS;
  }

private:
  /// Of several devices one need not reach another's memory.
  bool is_for_kernels(const void *memory) {
    const std::shared_lock lock(mutex_);
    return is_only_device_ && allocated_.contains(memory);
  }

  const cl_context context_;
  const cl_device_id first_device_;
  const bool is_only_device_;
  Functions functions_{};
  MemoryKernels memory_kernels_;
  std::shared_mutex mutex_; // guards what follows
  Ranges allocated_;
};

} // namespace

std::unique_ptr<MemoryAccess> make_unified_memory(const Platform &platform,
                                                  std::span<const cl_device_id> devices) {
  auto made = std::make_unique<UnifiedMemory>(platform, devices);
  return made->is_complete() ? std::move(made) : nullptr;
}

} // namespace ze_opencl
