// What kernels of a device ask of the runtime: printf and assert (hip/spirv_detail/services/messages.h), and malloc (heap.h).
//
// Neither has memory before a module is loaded that uses it.
#pragma once

#include "../../queue/completion_observer.h"
#include "../../ze/driver.h"

#include <hip/spirv_detail/services/heap.h>
#include <hip/spirv_detail/services/messages.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

namespace chip {

class Scheduler;

class DeviceServices final : public CompletionObserver {
public:
  explicit DeviceServices(Scheduler &scheduler) : scheduler_(scheduler) {}
  /// Frees all memory. No kernel runs any more.
  ~DeviceServices();

  /// Returns the value for the variable `__chip_messages` of a module. From then on, waits look for messages.
  void *messages();
  /// Returns the value for the variable `__chip_heap` of a module.
  void *heap();
  /// The bytes that malloc of kernels has: none before a module with such a kernel is loaded.
  size_t heap_size() const { return heap_ ? heap_bytes_.load() : 0; }

  /// hipDeviceGetLimit and hipDeviceSetLimit. Both throw hipErrorUnsupportedLimit. set_limit() throws hipErrorInvalidValue for
  /// sizes that are too large, and for the size of a heap in use. Setting the size of the printf buffer waits for the device.
  size_t limit(hipLimit_t limit) const;
  void set_limit(hipLimit_t limit, size_t bytes);

  /// Prints what kernels have printed until now.
  void drain_messages() noexcept override;
  /// Prints as drain_messages() does. If an assertion has failed, it then ends the program as AMD's runtime does, unless the environment
  /// variable HIP_SKIP_ABORT_ON_GPU_ERROR says otherwise.
  hipError_t work_completed() noexcept override;

private:
  const char *reason_of_failure() noexcept;
  /// Says why the program ends; returns false if that was said before.
  bool tell_end();
  chip_device::MessageBuffer *make_buffer(size_t capacity);
  void exchange_buffers();
  void replace_buffer();
  bool print_records(std::span<std::byte> bytes, size_t reserved);

  Scheduler &scheduler_;
  std::atomic<size_t> message_bytes_{32 << 20}, heap_bytes_{128 << 20}, stack_bytes_{1024};

  /// Guards the creation of the following two. Nothing that prints is waited for while it is held.
  std::mutex creation_;
  std::atomic<chip_device::Messages *> messages_{nullptr};
  std::atomic<void *> heap_{nullptr};

  /// The first kernel of which the driver asks is the one whose assertion failed.
  std::atomic<bool> reason_told_{false};

  /// Held while messages are printed, so that who ends the program comes after them. Guards the following.
  std::mutex printing_;
  bool end_told_ = false;
  /// All buffers there ever were: threads may still write to those that were replaced.
  std::vector<void *> buffers_;
};

} // namespace chip
