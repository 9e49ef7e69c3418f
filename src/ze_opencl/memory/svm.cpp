// Shared virtual memory, in three grades: any memory of the process; memory that host and device use at the same time; memory of
// which the host only copies.
#include "memory_kernels.h"
#include "models.h"
#include "ranges.h"

#include <new>
#include <shared_mutex>

namespace ze_opencl {
namespace {

using ze_driver::MemoryKind;

class SvmMemory final : public MemoryAccess {
public:
  SvmMemory(const Platform &platform, std::span<const cl_device_id> devices)
      : context_(platform.context), model_(platform.memory_model),
        memory_kernels_(*this, platform.context, devices) {}

  void *allocate(size_t size, size_t alignment, MemoryKind kind, const Device *) override {
    const bool is_fine = model_ != MemoryModel::coarse_svm;
    if (!is_fine && kind != MemoryKind::device)
      throw ze_driver::Unsupported();
    void *const made =
        api().SVMAlloc(context_, CL_MEM_READ_WRITE | (is_fine ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0),
                       size, static_cast<cl_uint>(alignment));
    if (!made)
      throw std::bad_alloc();
    try {
      const std::unique_lock lock(mutex_);
      allocated_.add(made, size);
    } catch (const std::bad_alloc &) {
      api().SVMFree(context_, made);
      throw;
    }
    return made;
  }
  void free(void *pointer) noexcept override {
    const std::unique_lock lock(mutex_);
    allocated_.remove(pointer);
    api().SVMFree(context_, pointer);
  }

  cl_int copy(cl_command_queue queue, void *destination, const void *source, size_t bytes,
              const Order &order) override {
    return api().EnqueueSVMMemcpy(queue, CL_FALSE, destination, source, bytes, order.wait_count(),
                                  order.wait_list(), order.event);
  }
  std::optional<cl_int> copy_box(cl_command_queue queue, const ze_driver::CopyRegionCommand &box,
                                 const Order &order) override {
    const size_t longest_row =
        model_ == MemoryModel::system ? longest_row_by_processor : longest_row_by_any;
    if (box.width > longest_row || !is_for_kernels(box.destination) || !is_for_kernels(box.source))
      return std::nullopt;
    return memory_kernels_.copy_box(queue, box, order);
  }
  cl_int fill(cl_command_queue queue, void *destination, const void *pattern, size_t pattern_bytes,
              size_t bytes, const Order &order) override {
    if (model_ == MemoryModel::system)
      return memory_kernels_.fill(queue, destination, pattern, pattern_bytes, bytes, order);
    return api().EnqueueSVMMemFill(queue, destination, pattern, pattern_bytes, bytes,
                                   order.wait_count(), order.wait_list(), order.event);
  }

  cl_int set_pointer(cl_kernel kernel, cl_uint index, const void *pointer) override {
    return api().SetKernelArgSVMPointer(kernel, index, pointer);
  }
  cl_int allow_indirect_access(cl_kernel kernel) override {
    const cl_bool yes = CL_TRUE;
    return model_ == MemoryModel::system
               ? api().SetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                         sizeof yes, &yes)
               : CL_SUCCESS;
  }
  std::shared_lock<std::shared_mutex> prepare_launch(cl_kernel kernel, cl_int &error) override {
    if (model_ == MemoryModel::system)
      return {};
    std::shared_lock lock(mutex_);
    if (const auto begins = allocated_.begins(); !begins.empty())
      error = api().SetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, begins.size_bytes(),
                                      begins.data());
    return lock;
  }

private:
  bool is_for_kernels(const void *memory) {
    if (model_ == MemoryModel::system)
      return true;
    const std::shared_lock lock(mutex_);
    return allocated_.contains(memory);
  }

  const cl_context context_;
  const MemoryModel model_;
  MemoryKernels memory_kernels_;
  std::shared_mutex mutex_; // guards what follows
  Ranges allocated_;
};

} // namespace

std::unique_ptr<MemoryAccess> make_svm_memory(const Platform &platform,
                                              std::span<const cl_device_id> devices) {
  return std::make_unique<SvmMemory>(platform, devices);
}

} // namespace ze_opencl
