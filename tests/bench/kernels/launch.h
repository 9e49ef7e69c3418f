// A case's kernel on the CPU driver, with memory that all who compute share.
#pragma once

#include "../raw_level_zero.h"
#include "kernels.h"

#include <algorithm>
#include <format>
#include <stdexcept>

namespace bench {

/// Memory that host and device share, for all who compute: what differs is not the pages.
class SharedMemory {
public:
  SharedMemory(const RawContext &device, const std::vector<size_t> &sizes)
      : context_(device.context()) {
    for (const size_t size : sizes) {
      ze_device_mem_alloc_desc_t device_desc{};
      device_desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
      ze_host_mem_alloc_desc_t host_desc{};
      host_desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
      void *memory = nullptr;
      ZE_CHECK(zeMemAllocShared(context_, &device_desc, &host_desc, size * sizeof(float), 4096,
                                device.device(), &memory));
      buffers_.emplace_back(static_cast<float *>(memory), size);
      std::ranges::fill(buffers_.back(), 0.0f);
    }
  }
  ~SharedMemory() {
    for (const Buffer &buffer : buffers_)
      zeMemFree(context_, buffer.data());
  }
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  const std::vector<Buffer> &buffers() const { return buffers_; }

private:
  ze_context_handle_t context_;
  std::vector<Buffer> buffers_;
};

inline void require_right(const Case &what, const char *who, Buffers output, Buffers expected) {
  if (!what.is_right(output, expected))
    throw std::runtime_error(std::format("{}: {} computes something else", what.key, who));
}

/// One kernel with its arguments on a list of its own.
class Launch {
public:
  Launch(const RawContext &device, ze_module_handle_t module, const Case &what, Buffers buffers)
      : list_(device.create_list()), kernel_(create_kernel(module, what.kernel_name())),
        groups_{what.groups.x, what.groups.y, what.groups.z} {
    ZE_CHECK(zeKernelSetGroupSize(kernel_.get(), what.group_size.x, what.group_size.y,
                                  what.group_size.z));
    uint32_t index = 0;
    for (const Buffer &buffer : buffers) {
      const void *pointer = buffer.data();
      ZE_CHECK(zeKernelSetArgumentValue(kernel_.get(), index++, sizeof pointer, &pointer));
    }
    for (const auto &number : what.numbers)
      std::visit(
          [&](auto value) {
            ZE_CHECK(zeKernelSetArgumentValue(kernel_.get(), index++, sizeof value, &value));
          },
          number);
    if (what.clears)
      cleared_ = buffers.back();
  }

  void append() {
    const uint32_t zero = 0;
    if (!cleared_.empty())
      ZE_CHECK(zeCommandListAppendMemoryFill(list_.get(), cleared_.data(), &zero, sizeof zero,
                                             cleared_.size_bytes(), nullptr, 0, nullptr));
    ZE_CHECK(
        zeCommandListAppendLaunchKernel(list_.get(), kernel_.get(), &groups_, nullptr, 0, nullptr));
  }
  void synchronize() { ZE_CHECK(zeCommandListHostSynchronize(list_.get(), UINT64_MAX)); }
  void run() {
    append();
    synchronize();
  }

private:
  Owned<ze_command_list_handle_t> list_;
  Owned<ze_kernel_handle_t> kernel_;
  ze_group_count_t groups_;
  Buffer cleared_;
};

} // namespace bench
