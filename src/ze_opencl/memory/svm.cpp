#include "fill_kernels.h"
#include "models.h"

#include <cstdlib>
#include <new>

namespace ze_opencl {
namespace {

using ze_driver::MemoryKind;

class SvmMemory final : public MemoryAccess {
public:
  explicit SvmMemory(const Platform &platform)
      : context_(platform.context), is_system_(platform.memory_model == MemoryModel::system),
        fill_kernels_(platform.context) {}

  void *allocate(size_t size, size_t alignment, MemoryKind, const Device *) override {
    void *const made = api().SVMAlloc(
        context_, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, size,
        static_cast<cl_uint>(alignment));
    if (!made)
      throw std::bad_alloc();
    return made;
  }
  void free(void *pointer) noexcept override { api().SVMFree(context_, pointer); }
  cl_int copy(cl_command_queue queue, void *destination, const void *source, size_t bytes,
              const Order &order) override {
    return api().EnqueueSVMMemcpy(queue, CL_FALSE, destination, source, bytes, order.wait_count(),
                                  order.wait_list(), order.event);
  }
  cl_int fill(cl_command_queue queue, void *destination, const void *pattern, size_t pattern_bytes,
              size_t bytes, const Order &order) override {
    if (is_system_)
      return fill_kernels_.fill(queue, destination, pattern, pattern_bytes, bytes, order);
    return api().EnqueueSVMMemFill(queue, destination, pattern, pattern_bytes, bytes,
                                   order.wait_count(), order.wait_list(), order.event);
  }
  cl_int set_pointer(cl_kernel kernel, cl_uint index, const void *pointer) override {
    return api().SetKernelArgSVMPointer(kernel, index, pointer);
  }
  cl_int allow_indirect_access(cl_kernel kernel) override {
    const cl_bool yes = CL_TRUE;
    return is_system_ ? api().SetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                                sizeof yes, &yes)
                      : CL_SUCCESS;
  }

private:
  const cl_context context_;
  const bool is_system_;
  FillKernels fill_kernels_;
};

} // namespace

std::unique_ptr<MemoryAccess> make_svm_memory(const Platform &platform,
                                              std::span<const cl_device_id>) {
  return std::make_unique<SvmMemory>(platform);
}

} // namespace ze_opencl
