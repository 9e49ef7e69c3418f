// cl_ext_buffer_device_address: buffers of OpenCL that stay at an address of the device, which is the pointer. The host has no
// memory that kernels reach: it reads and writes buffers.
#include "memory_kernels.h"
#include "models.h"

#include <map>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <sys/mman.h>
#include <vector>

namespace ze_opencl {
namespace {

using ze_driver::MemoryKind;

/// A buffer at an address of the device. Nothing else in the process gets that address: it is taken here too, and where it
/// cannot be, the implementation itself has it, since its device is a processor or has the host's addresses.
class Buffer {
public:
  /// Owns `memory`.
  Buffer(cl_mem memory, uint64_t begin, size_t bytes) : memory(memory), bytes(bytes) {
    void *const wanted = reinterpret_cast<void *>(begin);
    void *const made =
        mmap(wanted, bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (made == wanted)
      taken_ = made;
    else if (made != MAP_FAILED) // kernels of Linux that do not know the flag take another place
      munmap(made, bytes);
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() {
    api().ReleaseMemObject(memory);
    if (taken_)
      munmap(taken_, bytes);
  }

  const cl_mem memory;
  const size_t bytes;

private:
  void *taken_ = nullptr;
};

class BufferMemory final : public MemoryAccess {
public:
  BufferMemory(const Platform &platform, std::span<const cl_device_id> devices)
      : context_(platform.context), memory_kernels_(*this, platform.context, devices) {
    set_pointer_ = reinterpret_cast<clSetKernelArgDevicePointerEXT_fn>(
        api().GetExtensionFunctionAddressForPlatform(platform.id,
                                                     "clSetKernelArgDevicePointerEXT"));
  }
  bool is_complete() const { return set_pointer_ && api().CreateBufferWithProperties; }

  void *allocate(size_t size, size_t alignment, MemoryKind kind, const Device *) override {
    if (kind != MemoryKind::device)
      throw ze_driver::Unsupported();
    uint64_t begin = 0;
    cl_mem memory = make_buffer(size, begin);
    if (begin % alignment != 0) {
      api().ReleaseMemObject(memory);
      if (size > SIZE_MAX - alignment)
        throw std::bad_alloc();
      memory = make_buffer(size += alignment, begin);
    }
    try {
      const std::unique_lock lock(mutex_);
      buffers_.try_emplace(begin, memory, begin, size);
    } catch (const std::bad_alloc &) {
      api().ReleaseMemObject(memory);
      throw;
    }
    return reinterpret_cast<void *>((begin + alignment - 1) & ~uint64_t{alignment - 1});
  }
  void free(void *pointer) noexcept override {
    const std::unique_lock lock(mutex_);
    if (const auto found = find(pointer); found != buffers_.end())
      buffers_.erase(found);
  }

  cl_int copy(cl_command_queue queue, void *destination, const void *source, size_t bytes,
              const Order &order) override {
    const std::shared_lock lock(mutex_);
    const Place to = place_of(destination), from = place_of(source);
    if (to.memory && from.memory)
      return api().EnqueueCopyBuffer(queue, from.memory, to.memory, from.offset, to.offset, bytes,
                                     order.wait_count(), order.wait_list(), order.event);
    if (to.memory)
      return api().EnqueueWriteBuffer(queue, to.memory, CL_FALSE, to.offset, bytes, source,
                                      order.wait_count(), order.wait_list(), order.event);
    if (from.memory)
      return api().EnqueueReadBuffer(queue, from.memory, CL_FALSE, from.offset, bytes, destination,
                                     order.wait_count(), order.wait_list(), order.event);
    return copy_on_host(queue, destination, source, bytes, order);
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
    const std::shared_lock lock(mutex_);
    const Place to = place_of(destination);
    if (!to.memory)
      return CL_INVALID_VALUE;
    return api().EnqueueFillBuffer(queue, to.memory, pattern, pattern_bytes, to.offset, bytes,
                                   order.wait_count(), order.wait_list(), order.event);
  }

  cl_int set_pointer(cl_kernel kernel, cl_uint index, const void *pointer) override {
    return set_pointer_(kernel, index, reinterpret_cast<uintptr_t>(pointer));
  }
  cl_int allow_indirect_access(cl_kernel) override { return CL_SUCCESS; }
  std::shared_lock<std::shared_mutex> prepare_launch(cl_kernel kernel, cl_int &error) override {
    std::shared_lock lock(mutex_);
    std::vector<cl_mem_device_address_ext> all;
    for (const auto &[begin, buffer] : buffers_)
      all.push_back(begin);
    if (!all.empty())
      error = api().SetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT,
                                      all.size() * sizeof all[0], all.data());
    return lock;
  }

private:
  using Buffers = std::map<uint64_t, Buffer>; // by the address of their first byte

  struct Place {
    cl_mem memory; // null: it is the host's
    size_t offset;
  };

  /// Throws std::bad_alloc.
  cl_mem make_buffer(size_t size, uint64_t &address) const {
    const cl_mem_properties properties[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    cl_int error = CL_SUCCESS;
    const cl_mem memory = api().CreateBufferWithProperties(context_, properties, CL_MEM_READ_WRITE,
                                                           size, nullptr, &error);
    if (error != CL_SUCCESS || !memory)
      throw std::bad_alloc();
    // One address for each device of the context, which has one.
    cl_mem_device_address_ext told = 0;
    if (api().GetMemObjectInfo(memory, CL_MEM_DEVICE_ADDRESS_EXT, sizeof told, &told, nullptr) !=
            CL_SUCCESS ||
        told == 0) {
      api().ReleaseMemObject(memory);
      throw std::bad_alloc();
    }
    address = told;
    return memory;
  }

  Buffers::iterator find(const void *pointer) {
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    auto behind = buffers_.upper_bound(address);
    if (behind == buffers_.begin())
      return buffers_.end();
    --behind;
    return address - behind->first < behind->second.bytes ? behind : buffers_.end();
  }
  bool is_for_kernels(const void *memory) {
    const std::shared_lock lock(mutex_);
    return find(memory) != buffers_.end();
  }
  Place place_of(const void *pointer) {
    const auto found = find(pointer);
    if (found == buffers_.end())
      return {nullptr, 0};
    return {found->second.memory, reinterpret_cast<uintptr_t>(pointer) - found->first};
  }

  /// OpenCL has no command for that: through a buffer, which it keeps until both have ended.
  cl_int copy_on_host(cl_command_queue queue, void *destination, const void *source, size_t bytes,
                      const Order &order) const {
    cl_int error = CL_SUCCESS;
    const cl_mem between = api().CreateBufferWithProperties(context_, nullptr, CL_MEM_READ_WRITE,
                                                            bytes, nullptr, &error);
    if (error != CL_SUCCESS)
      return error;
    error = api().EnqueueWriteBuffer(queue, between, CL_FALSE, 0, bytes, source, order.wait_count(),
                                     order.wait_list(), nullptr);
    if (error == CL_SUCCESS)
      error = api().EnqueueReadBuffer(queue, between, CL_FALSE, 0, bytes, destination, 0, nullptr,
                                      order.event);
    api().ReleaseMemObject(between);
    return error;
  }

  const cl_context context_;
  clSetKernelArgDevicePointerEXT_fn set_pointer_;
  MemoryKernels memory_kernels_;
  std::shared_mutex mutex_; // guards what follows
  Buffers buffers_;
};

} // namespace

std::unique_ptr<MemoryAccess> make_buffer_memory(const Platform &platform,
                                                 std::span<const cl_device_id> devices) {
  auto made = std::make_unique<BufferMemory>(platform, devices);
  return made->is_complete() ? std::move(made) : nullptr;
}

} // namespace ze_opencl
