#include "platform.h"
#include "../../common/own_thread.h"
#include "../../common/per_thread.h"
#include "../code/launch.h"
#include "../code/module.h"
#include "../graphs/executable.h"
#include "../memory/memory.h"
#include "../streams/bridge.h"
#include "../streams/callback.h"
#include "visible_devices.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <format>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <unistd.h>

// Of the C library: has `function(object)` called on the calling thread as the destructor of a thread_local object. Those of the
// language also make the object, at each access.
extern "C" int __cxa_thread_atexit_impl(void (*function)(void *), void *object,
                                        void *library) noexcept;
extern "C" void *__dso_handle;

namespace chip {
namespace {

enum class Phase { fresh, initializing, running, gone, forked };
constinit std::atomic<Phase> phase{Phase::fresh};
constinit std::mutex init_mutex;
constinit std::atomic<bool> exiting{false};
// Of the thread that frees what is left, which may be late.
constinit std::atomic<bool> steps_are_running{false};
// What the process ends with, once exit() was called.
constinit std::atomic<int> exit_status{0};
constinit std::atomic<bool> has_exit_status{false};

/// What the process waits for at its end gets this long, so that whoever wants to end it need not wait for a second.
constexpr auto patience = std::chrono::milliseconds(500);
/// And threads in calls that only go through the driver this long. Others wait there, or compile.
constexpr auto call_patience = std::chrono::milliseconds(20);

// What stays where it is at the end is no leak.
constinit std::atomic<const void *> kept_platform{nullptr}, kept_steps{nullptr};

/// The last steps of a process, on a thread of their own: they may wait for what never comes, a kernel without end or a lock
/// of the very thread that ends the process, which may do so in a signal handler or in a function of a stream.
class LastSteps {
public:
  /// Calls `steps(*this)` and waits for it, but not for what takes too long: then the next call of go_on() returns false.
  template <class Steps> static void run(Steps steps) {
    auto &state = *new LastSteps; // never freed: the thread may be late
    kept_steps.store(&state, std::memory_order_relaxed);
    steps_are_running.store(true, std::memory_order_relaxed);
    const bool started = common::start_own_thread([&state, steps] {
      steps(state);
      steps_are_running.store(false, std::memory_order_release);
      state.change(State::running, State::done);
    });
    if (!started) {
      state.state_ = State::late; // the system frees everything
      steps_are_running.store(false, std::memory_order_relaxed);
    }
    std::unique_lock lock(state.mutex_);
    const auto has_ended = [&] { return state.state_ != State::running; };
    while (!state.changed_.wait_until(lock, state.deadline_, has_ended))
      if (std::chrono::steady_clock::now() >= state.deadline_)
        state.state_ = State::late;
  }

  std::chrono::steady_clock::time_point deadline() const { return deadline_; }
  /// Whether there is still time for the next step; if so, it has all of it again.
  bool go_on() {
    std::lock_guard lock(mutex_);
    deadline_ = std::chrono::steady_clock::now() + patience;
    return state_ == State::running;
  }

private:
  enum class State { running, done, late };

  void change(State from, State to) {
    std::lock_guard lock(mutex_);
    if (state_ == from)
      state_ = to;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::running;
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::now() + patience;
};

} // namespace

/// Constructed right after the driver and the loader's layers were loaded, so that its destructor runs before theirs. Calls of
/// HIP that come later, from destructors of objects that are older, find phase `gone`.
///
/// A process that ends needs little: what its kernels have printed, and functions in streams that nothing keeps from running.
/// The rest is for those who look for leaks. The system frees it as well, and must where something still runs.
struct TearDown {
  ~TearDown() {
    if (phase.load(std::memory_order_acquire) == Phase::forked) {
      ze::loader_is_gone(); // everything is the parent's
      return;
    }
    phase.store(Phase::gone, std::memory_order_release);
    Platform::has_ended_.store(true, std::memory_order_release);
    Platform::needs_closer_look_.store(true, std::memory_order_release);
    Platform *platform = Platform::instance_.exchange(nullptr, std::memory_order_acq_rel);
    if (platform) {
      const unsigned own = Caller::of_this_thread() ? 1 : 0;
      const bool in_callback = is_in_callback();
      kept_platform.store(platform, std::memory_order_relaxed);
      LastSteps::run([=](LastSteps &steps) {
        const auto deadline = steps.deadline() - patience / 10;
        // The thread that ends the process does not count. Others may be in the middle of a call, or use memory of ours.
        if (platform->settle(deadline) && platform->stop_bridges(deadline) && !in_callback &&
            stop_callbacks(deadline) && Caller::count() == own)
          release(steps, platform);
      });
    }
    Bridge::stop_all();
    // What follows destroys the driver, if a library that needs ours was loaded later than the driver even before
    // leave_without_the_driver(). From here on calls do not get as far as the driver; those that have shall leave it.
    Caller::others_have_left(std::chrono::steady_clock::now() + call_patience);
  }

  static void release(LastSteps &steps, Platform *platform) {
    if (!steps.go_on())
      return;
    destroy_all_executables();
    release_all_modules();
    if (!steps.go_on())
      return;
    release_all_memory();
    if (!steps.go_on())
      return;
    delete platform;
    ze::loader_is_gone();
  }
};

/// Runs after the program's static destructors, and before those of the driver, which was loaded later than we were, unless a
/// library that needs ours was loaded later still. A thread that is inside of the driver then, because its call takes long,
/// would use what they destroy, and so would this one if it was interrupted there. So the process ends here, as exit() would
/// end it.
[[gnu::destructor]] static void leave_without_the_driver() {
  const bool is_our_end = has_exit_status.load(std::memory_order_acquire) && Platform::is_ending();
  if (!is_our_end)
    return;
  if (!Caller::own_is_inside() &&
      Caller::others_have_left(std::chrono::steady_clock::now() + call_patience) &&
      !steps_are_running.load(std::memory_order_acquire))
    return;
  std::fflush(nullptr);
  _exit(exit_status.load(std::memory_order_relaxed));
}

namespace {

std::string description(const Device &device) {
  const ze::DeviceInfo &info = device.info();
  return std::format("device {} is {}: {} MiB of memory, {} compute units", device.ordinal(),
                     info.properties.name, info.memory.totalSize >> 20,
                     info.properties.numSlices * info.properties.numSubslicesPerSlice);
}

} // namespace

void Platform::look_closer_if_traced() noexcept {
  if (logs(LogLevel::trace))
    needs_closer_look_.store(true, std::memory_order_release);
}

/// The level of a program that sets it itself is known with its first call only (configure_log).
[[gnu::constructor]] static void look_closer_when_loaded() { Platform::look_closer_if_traced(); }

Platform::Platform(const ze::NativeObjects *objects)
    : drivers_(objects ? ze::open_driver_of(*objects) : ze::open_drivers()) {
  configure_launches();
  int ordinal = 0;
  const auto add = [&](const ze::Driver &driver, const ze::DeviceInfo &info) {
    devices_.push_back(std::make_unique<Device>(ordinal++, driver, info));
  };
  if (objects)
    for (const ze::DeviceInfo &info : drivers_[0]->devices())
      add(*drivers_[0], info);
  else
    for (const auto &[driver, info] : visible_devices(drivers_))
      add(*driver, *info);
  for (const auto &device : devices_)
    log(LogLevel::info, [&] { return description(*device); });
}

Platform::~Platform() {
  for (auto &device : devices_) {
    device->scheduler().drop_waits();
    device->bridge().drop_waits();
  }
}

Platform &Platform::initialize() {
  check_not_ended();
  return load_libraries([]() -> Platform & { return load_drivers(nullptr); });
}

void Platform::initialize_with(const ze::NativeObjects &objects) {
  check_not_ended();
  const Platform &platform = load_libraries([&]() -> Platform & { return load_drivers(&objects); });
  if (!platform.is_made_of(objects))
    throw Error(hipErrorSetOnActiveProcess,
                "HIP is initialised already, with another context or other devices");
}

bool Platform::is_made_of(const ze::NativeObjects &objects) const {
  const ze::Driver &driver = *drivers_[0];
  return drivers_.size() == 1 && driver.context() == objects.context &&
         std::ranges::all_of(objects.devices, [&](ze_device_handle_t device) {
           return std::ranges::any_of(
               devices_, [&](const auto &own) { return own->info().handle == device; });
         });
}

Platform &Platform::load_drivers(const ze::NativeObjects *objects) {
  std::lock_guard lock(init_mutex);
  check_not_ended();
  Platform *platform = instance_.load(std::memory_order_relaxed);
  if (!platform) {
    configure_log();
    look_closer_if_traced();
    [[maybe_unused]] static const int registered =
        pthread_atfork(nullptr, nullptr, after_fork_in_child);
    phase.store(Phase::initializing, std::memory_order_release);
    try {
      platform = new Platform(objects);
    } catch (...) {
      phase.store(Phase::fresh, std::memory_order_release);
      throw;
    }
    static TearDown tear_down;
    [[maybe_unused]] static const int told = on_exit(
        [](int status, void *) {
          exit_status.store(status, std::memory_order_relaxed);
          has_exit_status.store(true, std::memory_order_release);
        },
        nullptr);
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

std::optional<hipError_t> Platform::end() noexcept {
  switch (phase.load(std::memory_order_acquire)) {
  case Phase::gone:
    return hipErrorDeinitialized;
  case Phase::forked:
    return hipErrorNotInitialized;
  default:
    return std::nullopt;
  }
}

void Platform::check_not_ended() {
  const auto error = end();
  if (error == hipErrorNotInitialized)
    tell_user_once("a child of fork cannot use HIP, which its parent had initialised before: fork "
                   "first, or call exec");
  if (error)
    throw Error(*error, "HIP was called while the process was ending, or in a child of fork");
}

bool Platform::is_exiting() noexcept { return exiting.load(std::memory_order_acquire) || end(); }

void Platform::watch_for_exit() {
  std::atexit([] { exiting.store(true, std::memory_order_release); });
}

/// The driver has none of its threads in the child, and a device's context does not survive a fork.
void Platform::after_fork_in_child() noexcept {
  const Phase before = phase.load(std::memory_order_acquire);
  if (before == Phase::fresh || before == Phase::gone)
    return;
  phase.store(Phase::forked, std::memory_order_release);
  has_ended_.store(true, std::memory_order_release);
  needs_closer_look_.store(true, std::memory_order_release);
  instance_.store(nullptr, std::memory_order_release);
}

bool Platform::settle(std::chrono::steady_clock::time_point deadline) noexcept {
  bool settled = true;
  for (auto &device : devices_)
    settled &= device->scheduler().settle_until(deadline);
  return settled;
}

bool Platform::stop_bridges(std::chrono::steady_clock::time_point deadline) noexcept {
  Bridge::stop_all();
  return std::ranges::all_of(
      devices_, [&](const auto &device) { return device->bridge().has_stopped(deadline); });
}

void Platform::set_current_device(int ordinal) {
  Device &device = get().device(ordinal);
  current_ = &device;
}

void Platform::mark_thread() {
  check_not_ended(); // before anything that takes memory or a lock
  (void)common::of_this_thread<ThreadMark>();
  __cxa_thread_atexit_impl(thread_leaves, nullptr, &__dso_handle);
}

/// Before the thread's mark is gone, if the thread ends; first of all, if it has called exit().
void Platform::thread_leaves(void *) noexcept {
  Caller *own = Caller::of_this_thread();
  if (!own || phase.load(std::memory_order_acquire) == Phase::forked)
    return;
  // Called in a signal handler, or in a function of a stream: what destructors call could wait for locks that the thread has.
  if (own->is_inside()) {
    phase.store(Phase::gone, std::memory_order_release);
    has_ended_.store(true, std::memory_order_release);
    needs_closer_look_.store(true, std::memory_order_release);
  }
  own->leave(std::chrono::steady_clock::now() + patience);
}

void Platform::wait_for_exit() {
  check_not_ended();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

} // namespace chip
