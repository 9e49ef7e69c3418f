// All there is one of in a process: the devices, and the order in which things go away at its end.
#pragma once

#include "../../common/processor/float_environment.h"
#include "../../common/uncancelled.h"
#include "../../ze/log.h"
#include "caller.h"
#include "device.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace chip {

class Platform {
public:
  /// Initialises at the first call. Throws hipErrorNoDevice; hipErrorDeinitialized once the process is going down;
  /// hipErrorNotInitialized in a child of fork whose parent had initialised HIP.
  static Platform &get() {
    if (Platform *platform = instance_.load(std::memory_order_acquire)) [[likely]]
      return *platform;
    return initialize();
  }

  /// Initialises with objects that the program has made, whose devices HIP has then. Throws hipErrorSetOnActiveProcess if HIP was
  /// initialised with others.
  static void initialize_with(const ze::NativeObjects &objects);

  int device_count() const { return int(devices_.size()); }
  bool has_one_driver() const { return drivers_.size() == 1; }
  /// Throws hipErrorInvalidDevice.
  Device &device(int ordinal);

  /// The process is going down: what waits for something that may never come must stop.
  static bool is_ending() noexcept;
  /// No handle is good for anything any more: the process is going down, or a child of fork has its parent's.
  static bool has_ended() noexcept { return has_ended_.load(std::memory_order_acquire); }
  /// Whether calls are to be looked at more closely: that, or each is shown.
  static bool needs_closer_look() noexcept {
    return needs_closer_look_.load(std::memory_order_acquire);
  }
  /// Lets that be true if CHIP_LOG asks for each call.
  static void look_closer_if_traced() noexcept;
  /// The error that says so.
  static std::optional<hipError_t> end() noexcept;
  /// Throws it.
  static void check_not_ended();
  /// The functions that the process runs at its end have begun: what is unloaded from now on goes with the process.
  static bool is_exiting() noexcept;
  /// Lets is_exiting() be true from before the destructors of all static objects that exist by now.
  static void watch_for_exit();

  /// The calling thread's device (hipSetDevice); device 0 at first, or that of set_first_device().
  static Device &current_device() {
    // Throws when the process is ending, whatever the thread remembers.
    if (!instance_.load(std::memory_order_acquire)) [[unlikely]]
      initialize();
    if (!current_) [[unlikely]]
      set_current_device(first_device_.load(std::memory_order_relaxed));
    return *current_;
  }
  static void set_current_device(int ordinal);
  /// What threads get that have no device yet. The device exists.
  static void set_first_device(int ordinal) noexcept {
    first_device_.store(ordinal, std::memory_order_relaxed);
  }

  /// To be called at the entry of each call: gives the thread a mark that it keeps until it ends, unless the process does.
  /// While other threads than the one that ends the process have one, nothing is freed that they may be using.
  static void count_thread() {
    if (!Caller::of_this_thread()) [[unlikely]]
      mark_thread();
  }

  /// Runs `load`, which may load libraries. Once a thread has called exit(), whoever is to load something waits for the end of
  /// HIP, and throws hipErrorDeinitialized then; but not for long, because a destructor may be waiting for the calling thread.
  template <class Load> static decltype(auto) load_libraries(Load &&load) {
    count_thread();
    const common::Uncancelled uncancelled;
    const common::DefaultFloatEnvironment environment; // whoever is loaded may compute
    for (const auto deadline = std::chrono::steady_clock::now() + patience_for_exit;;
         wait_for_exit()) {
      const Loading loading;
      if (!loading.may_be_too_late() || std::chrono::steady_clock::now() >= deadline)
        return load();
    }
  }

private:
  friend struct TearDown;
  explicit Platform(const ze::NativeObjects *objects);
  ~Platform();
  static Platform &initialize();
  static Platform &load_drivers(const ze::NativeObjects *objects);
  /// Whether these are what HIP works with.
  bool is_made_of(const ze::NativeObjects &objects) const;
  static void mark_thread();
  static void thread_leaves(void *) noexcept;
  static constexpr auto patience_for_exit = std::chrono::milliseconds(200);
  static void wait_for_exit();
  static void after_fork_in_child() noexcept;
  /// Waits for what is still running, and prints what it printed, until `deadline`. Whether all is complete.
  bool settle(std::chrono::steady_clock::time_point deadline) noexcept;

  /// Ends the waits across drivers. Whether no thread is left that looks after them.
  bool stop_bridges(std::chrono::steady_clock::time_point deadline) noexcept;

  static inline constinit std::atomic<Platform *> instance_{nullptr};
  static inline constinit std::atomic<bool> has_ended_{false};
  static inline constinit std::atomic<bool> needs_closer_look_{false};
  static inline constinit std::atomic<int> first_device_{0};
  // In the thread's static block, which is found without a call; it has room for this much however we are loaded.
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local Device *current_ =
      nullptr;
  const std::vector<std::unique_ptr<ze::Driver>> drivers_;
  std::vector<std::unique_ptr<Device>> devices_; // go before their drivers
};

} // namespace chip
