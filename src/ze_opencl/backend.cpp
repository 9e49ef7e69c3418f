// OpenCL's devices behind the front.
#include "../ze_driver/backend.h"

#include "../common/driver_contract.h"
#include "memory/backend.h"
#include "platform/platform.h"
#include "program/program.h"
#include "queue/queue.h"
#include "queue/workers.h"

#include <algorithm>
#include <vector>

namespace ze_opencl {
namespace {

using ze_driver::Ref;

class DeviceBackend final : public ze_driver::DeviceBackend {
public:
  explicit DeviceBackend(const Device &device) : device(device), clock_(device) {}

  const ze_driver::DeviceFacts &facts() const override { return device.facts; }
  Ref<ze_driver::QueueBackend> make_queue() override { return Queue::make(device, clock_); }
  ze_driver::BuildResult
  build(std::span<const std::byte> spirv, std::string_view build_flags,
        std::span<const ze_driver::SpecializationConstant> constants) override {
    return build_program(device, spirv, build_flags, constants);
  }
  ze_driver::LinkResult join(std::span<const std::span<const std::byte>> modules) override {
    return join_modules(modules);
  }
  /// OpenCL does not promise that work-groups make progress beside each other.
  uint32_t max_cooperative_groups(const ze_driver::CompiledKernel &, uint32_t,
                                  uint32_t) const override {
    return 1;
  }

  const Device &device;

private:
  const DeviceClock clock_;
};

class OpenClBackend final : public ze_driver::Backend {
public:
  OpenClBackend()
      : memory_(make_memory_backend([](ze_driver::DeviceBackend *device) {
          return device ? &static_cast<DeviceBackend *>(device)->device : nullptr;
        })) {
    for (const auto &device : ze_opencl::devices())
      devices_.push_back(new DeviceBackend(*device));
  }

  const ze_driver::Identity &identity() const override {
    static constexpr ze_driver::Identity identity = {
        .name = "ze_opencl",
        .variables = {.chaos = "ZE_OPENCL_CHAOS",
                      .timestamp_bits = "ZE_OPENCL_TIMESTAMP_BITS",
                      .timestamp_start = "ZE_OPENCL_TIMESTAMP_START"},
        .version = 1,
        .uuid = {'z', 'e', '_', 'o', 'p', 'e', 'n', 'c', 'l', 0, 0, 0, 0, 0, 0, 1},
        .ipc_magic = {'z', 'o', 'c', 'm'},
        .binary_magic = {'Z', 'E', '_', 'O', 'C', 'L', '\1', '\n'}};
    static_assert(std::ranges::starts_with(identity.uuid, driver_contract::opencl_uuid_prefix));
    return identity;
  }
  std::span<ze_driver::DeviceBackend *const> devices() override { return devices_; }
  ze_driver::MemoryBackend &memory() override { return *memory_; }
  bool tells_times_afterwards() const override { return true; }
  void stop() override { Workers::instance().stop(); }
  void without_forks(const std::function<void()> &work) override { work(); }

private:
  const std::unique_ptr<ze_driver::MemoryBackend> memory_;
  std::vector<ze_driver::DeviceBackend *> devices_;
};

} // namespace
} // namespace ze_opencl

ze_driver::Backend &ze_driver::backend() {
  static auto *const all = new ze_opencl::OpenClBackend; // threads may outlive static objects
  return *all;
}
