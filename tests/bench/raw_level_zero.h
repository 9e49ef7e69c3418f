// What a careful Level Zero programmer would write by hand, without HIP: the measure for what
// libCHIP adds.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

/// Throws std::runtime_error naming the call when the result is not success.
void check(ze_result_t result, const char *call);

/// The SPIR-V module in a fat binary that `hipcc --genco` wrote. Throws std::runtime_error when
/// there is none.
std::vector<uint8_t> read_spirv(const std::string &bundle_path);

struct Destroy {
  void operator()(ze_context_handle_t handle) const { zeContextDestroy(handle); }
  void operator()(ze_module_handle_t handle) const { zeModuleDestroy(handle); }
  void operator()(ze_kernel_handle_t handle) const { zeKernelDestroy(handle); }
  void operator()(ze_command_list_handle_t handle) const { zeCommandListDestroy(handle); }
};
template <typename Handle> using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

/// Launches `add` on one immediate, in-order, asynchronous command list of the first device: the
/// list that libCHIP makes for a stream, with the same flags, but with a context, a module and
/// memory of its own.
class RawLauncher {
public:
  /// Call hipInit first: it chooses the driver for this process.
  explicit RawLauncher(const std::vector<uint8_t> &spirv);
  ~RawLauncher();
  RawLauncher(const RawLauncher &) = delete;
  RawLauncher &operator=(const RawLauncher &) = delete;

  /// Sets both arguments, then appends: as HIP, which takes new arguments with each launch.
  void launch();
  /// The same in one call, which drivers of Level Zero 1.14 and newer have.
  bool has_launch_with_arguments() const { return has_launch_with_arguments_; }
  void launch_with_arguments();
  void synchronize();
  /// Creates and destroys another such list.
  void cycle_list();

private:
  Owned<ze_command_list_handle_t> create_list();

  ze_driver_handle_t driver_ = nullptr;
  ze_device_handle_t device_ = nullptr;
  Owned<ze_context_handle_t> context_;
  Owned<ze_module_handle_t> module_;
  Owned<ze_kernel_handle_t> kernel_;
  Owned<ze_command_list_handle_t> list_;
  bool has_launch_with_arguments_ = false;
  void *sum_ = nullptr;
  int value_ = 1;
};

} // namespace bench
