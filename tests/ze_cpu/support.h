// What the driver's tests share: a context on the driver under test, and owners for the objects
// that they make.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <level_zero/ze_api.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#define REQUIRE_ZE(call) REQUIRE((call) == ZE_RESULT_SUCCESS)

/// A null handle is refused by the driver. A loader that dispatches by what handles point to does
/// not get that far.
#define CHECK_NULL_HANDLE(call)                                                                    \
  do {                                                                                             \
    if (!loader_reads_handles())                                                                   \
      CHECK((call) == ZE_RESULT_ERROR_INVALID_NULL_HANDLE);                                        \
  } while (false)
bool loader_reads_handles();

inline constexpr uint64_t forever = UINT64_MAX;
/// Long enough for anything that is to happen, on a loaded machine; a test that reaches it has
/// failed.
inline constexpr uint64_t long_ns = 100'000'000'000;

/// An object that is destroyed with the test.
template <class Handle, ze_result_t (*destroy)(Handle)> class Owner {
public:
  Owner() = default;
  explicit Owner(Handle handle) : handle_(handle) {}
  Owner(Owner &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owner &operator=(Owner &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owner() { reset(); }

  void reset() {
    if (handle_)
      destroy(std::exchange(handle_, nullptr));
  }
  operator Handle() const { return handle_; }
  Handle *out() { return &handle_; }

private:
  Handle handle_ = nullptr;
};

using Context = Owner<ze_context_handle_t, zeContextDestroy>;
using List = Owner<ze_command_list_handle_t, zeCommandListDestroy>;
using Queue = Owner<ze_command_queue_handle_t, zeCommandQueueDestroy>;
using Fence = Owner<ze_fence_handle_t, zeFenceDestroy>;
using Pool = Owner<ze_event_pool_handle_t, zeEventPoolDestroy>;
using Event = Owner<ze_event_handle_t, zeEventDestroy>;
using Module = Owner<ze_module_handle_t, zeModuleDestroy>;
using Kernel = Owner<ze_kernel_handle_t, zeKernelDestroy>;
using BuildLog = Owner<ze_module_build_log_handle_t, zeModuleBuildLogDestroy>;

/// The driver under test: the one that calls itself so. Initializes Level Zero.
ze_driver_handle_t cpu_driver();

/// The file of the driver under test: the last one that the loader is to look for.
std::string driver_library();

std::vector<uint8_t> read_file(const std::string &path);
/// The SPIR-V of kernels.cl.
const std::vector<uint8_t> &test_spirv();

/// A pooled event with the pool that it lives in.
struct PooledEvent {
  Pool pool;
  Event event;

  operator ze_event_handle_t() const { return event; }
};

/// Base of test cases: driver, device and a context of the case's own.
class Driver {
public:
  Driver();

  const ze_driver_handle_t driver = cpu_driver();
  ze_device_handle_t device = nullptr;
  Context context;

  List immediate(ze_command_queue_flags_t flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER,
                 ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  List regular(ze_command_list_flags_t flags = ZE_COMMAND_LIST_FLAG_IN_ORDER);
  Queue queue(ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  Fence fence(ze_command_queue_handle_t queue, ze_fence_flags_t flags = 0);
  PooledEvent pooled_event(ze_event_pool_flags_t flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  Event counter_event(ze_event_counter_based_flags_t flags = 0);
  Module test_module();
  Kernel kernel(ze_module_handle_t module, const char *name);

  /// Memory of `count` values of type T, freed with the case.
  template <class T> T *shared(size_t count) {
    return static_cast<T *>(allocate(count * sizeof(T)));
  }

  ~Driver();

private:
  void *allocate(size_t bytes);
  std::vector<void *> memory_;
};

/// Result of creating a module of the given bytes; `log` receives the build log.
ze_result_t build(const Driver &driver, ze_module_format_t format,
                  const std::vector<uint8_t> &bytes, std::string &log, Module *module = nullptr,
                  const char *flags = nullptr);
std::string text_of(ze_module_build_log_handle_t log);
