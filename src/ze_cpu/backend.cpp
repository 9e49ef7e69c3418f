// The processors behind the front: one or more devices that share the machine's memory.
#include "../ze_driver/backend.h"

#include "../common/driver_contract.h"
#include "../ze_driver/memory/allocations.h"
#include "contract/program.h"
#include "exec/checking.h"
#include "exec/checks/findings.h"
#include "exec/execute.h"
#include "exec/memory_check.h"
#include "exec/pool.h"
#include "exec/trap.h"
#include "facts.h"
#include "images.h"
#include "memory/allocation_places.h"
#include "memory/processor_memory.h"
#include "queue/dispatcher.h"
#include "queue/execution_gate.h"
#include "queue/stream.h"

#include <algorithm>
#include <vector>

namespace ze_cpu {
namespace {

using ze_driver::Ref;

class Processors final : public ze_driver::DeviceBackend {
public:
  Processors(unsigned index, uint64_t memory_bytes)
      : index_(index), facts_(facts_of(index, memory_bytes)) {}

  const ze_driver::DeviceFacts &facts() const override { return facts_; }
  Ref<ze_driver::QueueBackend> make_queue() override {
    return Ref<ze_driver::QueueBackend>::adopt(new Stream(index_));
  }
  BuildResult build(std::span<const std::byte> spirv, std::string_view build_flags,
                    std::span<const SpecializationConstant> constants) override {
    return build_program(spirv, build_flags, constants);
  }
  LinkResult join(std::span<const std::span<const std::byte>> modules) override {
    return link_programs(modules);
  }
  uint32_t max_cooperative_groups(const ze_driver::CompiledKernel &kernel, uint32_t group_items,
                                  uint32_t local_bytes) const override {
    return ze_cpu::max_cooperative_groups(code_of(kernel), group_items, local_bytes,
                                          max_resident_items(ze_driver::processor_count()),
                                          facts_.memory_bytes / 2, Pool::of(index_).width());
  }
  ze_driver::ImageBackend *images() override { return &images_; }

private:
  const unsigned index_;
  const ze_driver::DeviceFacts facts_;
  Images images_;
};

class CpuBackend final : public ze_driver::Backend {
public:
  CpuBackend() : memory_(is_checking()) {
    for (unsigned i = 0; i < Pool::count(); ++i)
      devices_.push_back(new Processors(i, memory_.total_bytes()));
    if (is_checking())
      set_memory_judge([](uintptr_t address, size_t bytes, AllowedMemory &allowed) {
        return ze_driver::Allocations::instance().covers(address, bytes, &allowed.begin,
                                                         &allowed.bytes);
      });
    set_address_describer([](uintptr_t address) {
      return ze_driver::Allocations::instance().describe(address) + allocated_by(address);
    });
  }

  const ze_driver::Identity &identity() const override {
    static constexpr ze_driver::Identity identity = {
        .name = "ze_cpu",
        .variables = {.chaos = "ZE_CPU_CHAOS",
                      .timestamp_bits = "ZE_CPU_TIMESTAMP_BITS",
                      .timestamp_start = "ZE_CPU_TIMESTAMP_START"},
        .version = 1,
        .uuid = {'z', 'e', '_', 'c', 'p', 'u', 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
        .ipc_magic = {'z', 'c', 'p', 'm'},
        .binary_magic = {'Z', 'E', '_', 'C', 'P', 'U', '\1', '\n'}};
    static_assert(std::ranges::starts_with(identity.uuid, driver_contract::cpu_uuid_prefix));
    return identity;
  }
  std::span<ze_driver::DeviceBackend *const> devices() override { return devices_; }
  ze_driver::MemoryBackend &memory() override { return memory_; }
  void *trap_address() override { return ze_cpu::trap_address(); }
  void stop() override {
    Dispatcher::instance().stop();
    if (checks().leaks)
      tell_leaks();
  }
  void without_forks(const std::function<void()> &work) override {
    const ExecutionGate::NoFork none;
    work();
  }

private:
  ProcessorMemory memory_;
  std::vector<ze_driver::DeviceBackend *> devices_;
};

} // namespace
} // namespace ze_cpu

ze_driver::Backend &ze_driver::backend() {
  static auto *const all = new ze_cpu::CpuBackend; // threads may outlive static objects
  return *all;
}
