#include "platform.h"
#include "memory.h"
#include "module.h"

#include <atomic>
#include <mutex>

namespace chip {
namespace {

enum class Phase { fresh, running, gone };
std::atomic<Phase> phase{Phase::fresh};
std::mutex init_mutex;

/// Threads that have used HIP and still run.
std::atomic<int> running_threads{0};

void count_thread() {
  struct Mark {
    Mark() { running_threads.fetch_add(1, std::memory_order_relaxed); }
    ~Mark() { running_threads.fetch_sub(1, std::memory_order_release); }
  };
  thread_local Mark mark;
}

} // namespace

/// Constructed right after the driver and the loader's layers were loaded, so that its destructor runs before theirs. Calls of
/// HIP that come later, from destructors of objects that are older, find phase `gone`.
struct TearDown {
  ~TearDown() {
    phase.store(Phase::gone, std::memory_order_release);
    Platform *platform = Platform::instance_.exchange(nullptr, std::memory_order_acq_rel);
    if (platform) {
      // Whatever the driver says: a step that fails is no reason to leave out the next.
      for (auto &device : platform->devices_)
        device->scheduler().settle();
      // The thread that ends the process no longer counts. Others may be in the middle of a call, or use memory of ours: the
      // system frees what they use after it has stopped them.
      if (running_threads.load(std::memory_order_acquire) > 0)
        return;
      release_all_modules();
      release_all_memory();
      delete platform;
      ze::Driver::shut_down();
    }
    ze::loader_is_gone();
  }
};

Platform::Platform() {
  ze::Driver &driver = ze::Driver::get();
  int ordinal = 0;
  for (const ze::DeviceInfo &info : driver.devices())
    devices_.push_back(std::make_unique<Device>(ordinal++, driver, info));
}

Platform &Platform::initialize() {
  std::lock_guard lock(init_mutex);
  if (phase.load(std::memory_order_acquire) == Phase::gone)
    throw Error(hipErrorDeinitialized, "HIP was called while the process was ending");
  Platform *platform = instance_.load(std::memory_order_relaxed);
  if (!platform) {
    platform = new Platform;
    static TearDown tear_down;
    phase.store(Phase::running, std::memory_order_release);
    instance_.store(platform, std::memory_order_release);
  }
  return *platform;
}

Device &Platform::device(int ordinal) {
  if (ordinal < 0 || ordinal >= device_count())
    throw Error(hipErrorInvalidDevice);
  return *devices_[size_t(ordinal)];
}

bool Platform::is_ending() noexcept { return phase.load(std::memory_order_acquire) == Phase::gone; }

void Platform::set_current_device(int ordinal) {
  Device &device = get().device(ordinal);
  if (!current_)
    count_thread();
  current_ = &device;
}

void Platform::set_lost() noexcept {
  if (Platform *platform = instance_.load(std::memory_order_acquire))
    for (auto &device : platform->devices_)
      device->scheduler().set_lost();
}

} // namespace chip
