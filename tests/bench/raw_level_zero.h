// What a careful Level Zero programmer would write by hand, without HIP: the measure for what
// libCHIP adds.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

/// Throws std::runtime_error naming the call when the result is not success.
void check(ze_result_t result, const char *call);
#define ZE_CHECK(call) ::bench::check(call, #call)

/// The SPIR-V module in a fat binary that `hipcc --genco` wrote. Throws std::runtime_error when
/// there is none.
std::vector<uint8_t> read_spirv(const std::string &bundle_path);

struct Destroy {
  void operator()(ze_context_handle_t handle) const { zeContextDestroy(handle); }
  void operator()(ze_module_handle_t handle) const { zeModuleDestroy(handle); }
  void operator()(ze_kernel_handle_t handle) const { zeKernelDestroy(handle); }
  void operator()(ze_command_list_handle_t handle) const { zeCommandListDestroy(handle); }
  void operator()(ze_event_pool_handle_t handle) const { zeEventPoolDestroy(handle); }
  void operator()(ze_event_handle_t handle) const { zeEventDestroy(handle); }
};
template <typename Handle> using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

/// The first device and a context on it. For HIP on the same device, call hipInit first: it chooses the driver for this
/// process.
class RawContext {
public:
  RawContext();

  Owned<ze_module_handle_t> create_module(const std::vector<uint8_t> &spirv,
                                          const char *options = nullptr) const;
  /// In order, asynchronous, immediate: the list that libCHIP makes for a stream, same flags.
  Owned<ze_command_list_handle_t> create_list() const;
  /// A counter-based event and its pool.
  struct Event {
    Owned<ze_event_pool_handle_t> pool;
    Owned<ze_event_handle_t> event;
  };
  Event create_event() const;
  ze_context_handle_t context() const { return context_.get(); }
  ze_device_handle_t device() const { return device_; }
  ze_driver_handle_t driver() const { return driver_; }

private:
  ze_driver_handle_t driver_ = nullptr;
  ze_device_handle_t device_ = nullptr;
  Owned<ze_context_handle_t> context_;
};

Owned<ze_kernel_handle_t> create_kernel(ze_module_handle_t module, const char *name);

/// With a module that has the kernel `add`, and memory of its own.
class RawDevice : public RawContext {
public:
  explicit RawDevice(const std::vector<uint8_t> &spirv);
  ~RawDevice();
  RawDevice(const RawDevice &) = delete;
  RawDevice &operator=(const RawDevice &) = delete;

  /// Level Zero 1.14 and newer launch with arguments in one call.
  bool has_launch_with_arguments() const { return has_launch_with_arguments_; }
  Owned<ze_kernel_handle_t> create_kernel() const;
  /// Allocates and frees that much device memory.
  void cycle_memory(size_t bytes) const;
  void *sum() const { return sum_; }
  /// As large as an int, visible to the host.
  void *host() const { return host_; }

private:
  Owned<ze_module_handle_t> module_;
  bool has_launch_with_arguments_ = false;
  void *sum_ = nullptr;
  void *host_ = nullptr;
};

/// Launches `add` on a list of its own, with a kernel of its own. One thread at a time.
class RawLauncher {
public:
  explicit RawLauncher(const RawDevice &device);
  ~RawLauncher();
  RawLauncher(const RawLauncher &) = delete;
  RawLauncher &operator=(const RawLauncher &) = delete;

  /// Sets the argument that is another with each launch, then appends.
  void launch();
  /// The same in one call, which takes all arguments.
  void launch_with_arguments();
  /// Appends only: with the arguments of the launch before.
  void launch_again();
  /// As launch(), behind what signals the events.
  void launch_after(std::vector<ze_event_handle_t> &events);
  /// Signals an event of its own behind what was appended.
  ze_event_handle_t signal();
  /// Copies an int from the host before, or to the host after a launch.
  void copy_in();
  void copy_out();
  void synchronize();

private:
  const RawDevice &device_;
  Owned<ze_kernel_handle_t> kernel_;
  RawContext::Event event_;
  Owned<ze_command_list_handle_t> list_;
  void *sum_;
  int value_ = 0;
};

/// Launchers that one launch comes after, as the null stream comes after blocking streams.
class RawLaunchers {
public:
  explicit RawLaunchers(const RawDevice &device) : device_(device) {}
  void grow_to(size_t count);
  void launch_on_each();
  /// Launches by `last` behind all work of the others.
  void launch_after_all(RawLauncher &last);

private:
  const RawDevice &device_;
  std::vector<std::unique_ptr<RawLauncher>> all_;
  std::vector<ze_event_handle_t> events_; // scratch
};

} // namespace bench
