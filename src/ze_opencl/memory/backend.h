// The memory of OpenCL devices, as the front asks for it.
#pragma once

#include "access.h"

#include <functional>

namespace ze_opencl {

/// Memory that OpenCL allocates: what the front does with files and addresses, it cannot.
class OpenClMemory final : public ze_driver::MemoryBackend {
public:
  using DeviceOf = std::function<const Device *(ze_driver::DeviceBackend *)>;
  explicit OpenClMemory(DeviceOf device_of) : device_of_(std::move(device_of)) {}

  size_t page_bytes() const override { return 4096; }
  uint64_t total_bytes() const override;
  ze_driver::Placement allocate(size_t size, size_t alignment, ze_driver::MemoryKind kind,
                                ze_driver::DeviceBackend *device, bool guard) override;
  void free(const ze_driver::Placement &placement) noexcept override;

private:
  const DeviceOf device_of_;
};

/// That of the driver: the process's own memory where all devices can use it, else OpenCL's.
std::unique_ptr<ze_driver::MemoryBackend> make_memory_backend(OpenClMemory::DeviceOf device_of);

} // namespace ze_opencl
