// Shared virtual memory, in three grades: any memory of the process; memory that host and device use at the same time; memory of
// which the host only copies.
#include "memory_kernels.h"
#include "models.h"

#include <new>
#include <shared_mutex>
#include <vector>

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
    const std::unique_lock lock(mutex_);
    allocated_.push_back(made);
    return made;
  }
  void free(void *pointer) noexcept override {
    const std::unique_lock lock(mutex_);
    std::erase(allocated_, pointer);
    api().SVMFree(context_, pointer);
  }

  cl_int copy(cl_command_queue queue, void *destination, const void *source, size_t bytes,
              const Order &order) override {
    return api().EnqueueSVMMemcpy(queue, CL_FALSE, destination, source, bytes, order.wait_count(),
                                  order.wait_list(), order.event);
  }
  std::optional<cl_int> copy_box(cl_command_queue queue, const ze_driver::CopyRegionCommand &box,
                                 const Order &order) override {
    if (model_ != MemoryModel::system || box.width > longest_row_by_processor)
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
    if (!allocated_.empty())
      error = api().SetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                      allocated_.size() * sizeof(void *), allocated_.data());
    return lock;
  }

private:
  const cl_context context_;
  const MemoryModel model_;
  MemoryKernels memory_kernels_;
  std::shared_mutex mutex_; // guards what follows
  std::vector<void *> allocated_;
};

} // namespace

std::unique_ptr<MemoryAccess> make_svm_memory(const Platform &platform,
                                              std::span<const cl_device_id> devices) {
  return std::make_unique<SvmMemory>(platform, devices);
}

} // namespace ze_opencl
