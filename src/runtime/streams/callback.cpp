#include "callback.h"
#include "../../common/lock_until.h"
#include "../../common/own_thread.h"
#include "../../common/program_function.h"
#include "../../common/uncancelled.h"
#include "../platform/caller.h"
#include "../platform/platform.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <list>
#include <mutex>
#include <new>
#include <pthread.h>
#include <utility>
#include <vector>

namespace chip {
namespace {

using namespace std::chrono_literals;

constexpr auto look_interval = 5ms; // how long a loss may go unnoticed that nobody waits for
constexpr auto idle_life = 1s;      // of the thread, without a callback to look after
// With callbacks that do not return, while the process goes on.
constexpr auto callback_patience = 1s;

struct Callback {
  hipStream_t stream;
  hipStreamCallback_t function;
  void *user_data;
  Queue *queue;
  bool submitted = false; // else the call that adds it may still fail
  bool called = false;
  bool has_run = false;                     // in its stream's place
  std::list<Callback>::iterator place = {}; // in the list of all

  bool is_open() const { return submitted && !called; }
};

/// The callbacks that have not been called yet. The driver does that for sound work only, and need not tell anybody of a loss:
/// while there are callbacks, a thread asks now and then.
class Callbacks {
public:
  static Callbacks &all() {
    static Callbacks *const callbacks = [] { // the driver's threads may outlive static objects
      pthread_atfork([] { all().mutex_.lock(); }, [] { all().mutex_.unlock(); },
                     [] { all().begin_child(); });
      return new Callbacks;
    }();
    return *callbacks;
  }

  /// The callback has this address until it is removed.
  Callback &add(Callback callback) {
    std::lock_guard lock(mutex_);
    Callback &added = pending_.emplace_back(std::move(callback));
    added.place = std::prev(pending_.end());
    try {
      told_of_loss_.reserve(pending_.size());
    } catch (...) {
      pending_.pop_back();
      throw;
    }
    start_thread();
    return added;
  }
  void submitted(Callback &callback) {
    std::lock_guard lock(mutex_);
    callback.submitted = true;
    if (callback.has_run)
      pending_.erase(callback.place);
    changed_.notify_all();
  }
  void remove(Callback &callback) {
    std::lock_guard lock(mutex_);
    pending_.erase(callback.place);
  }

  /// On a thread of the driver, in the stream's place.
  void run(Callback &callback) {
    callback.queue->scheduler().look_for_failures();
    std::unique_lock lock(mutex_);
    if (!callback.called)
      call(callback, lock);
    callback.has_run = true;
    if (callback.submitted) // else the call that adds it is still to say so
      pending_.erase(callback.place);
  }

  void call_lost() {
    std::unique_lock lock(mutex_);
    for (Queue *queue : busy_queues()) {
      lock.unlock();
      const bool lost = queue->is_lost();
      lock.lock();
      if (!lost)
        continue;
      if (std::ranges::contains(told_of_loss_, queue))
        continue; // the thread that has called one goes on with the next
      // One after the other, as they were submitted. The list may change while one runs.
      const auto is_next = [&](const Callback &callback) {
        return callback.queue == queue && callback.is_open();
      };
      for (auto next = std::ranges::find_if(pending_, is_next); next != pending_.end();
           next = std::ranges::find_if(pending_, is_next))
        call(*next, lock);
    }
  }

  bool has_any(const Scheduler &scheduler) {
    if (is_in_callback)
      return false;
    const auto is_of_device = [&](const Queue *queue) { return &queue->scheduler() == &scheduler; };
    std::lock_guard lock(mutex_);
    return std::ranges::any_of(told_of_loss_, is_of_device) ||
           std::ranges::any_of(busy_queues(), is_of_device);
  }
  void finish(const CallbacksBefore &before) {
    const common::Uncancelled uncancelled;
    call_lost();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !is_any_told(before); });
  }
  bool try_to_finish(const CallbacksBefore &before) {
    const common::Uncancelled uncancelled;
    call_lost();
    std::lock_guard lock(mutex_);
    return !is_any_told(before);
  }
  void wait_for_others() {
    const common::Uncancelled uncancelled;
    std::unique_lock lock(mutex_);
    if (!is_in_callback)
      changed_.wait_for(lock, callback_patience, [&] { return told_of_loss_.empty(); });
  }

  bool stop(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock = common::lock_until(mutex_, deadline);
    if (!lock)
      return false;
    stopping_ = true;
    changed_.notify_all();
    return changed_.wait_until(lock, deadline, [&] { return !is_running_; });
  }

  static bool is_inside() { return is_in_callback; }

private:
  /// The lock is released while the function runs, and `callback` may go.
  void call(Callback &callback, std::unique_lock<std::mutex> &lock) {
    callback.called = true;
    const Callback copy = callback;
    const hipError_t status = copy.queue->scheduler().error();
    if (status != hipSuccess)
      told_of_loss_.push_back(copy.queue);
    lock.unlock();
    const bool nested = std::exchange(is_in_callback, true);
    common::call_program_function("libCHIP",
                                  [&] { copy.function(copy.stream, status, copy.user_data); });
    is_in_callback = nested;
    lock.lock();
    if (status != hipSuccess)
      if (auto own = std::ranges::find(told_of_loss_, copy.queue); own != told_of_loss_.end())
        told_of_loss_.erase(own); // unless this is a child of a fork that the callback called
    changed_.notify_all();
  }

  std::vector<Queue *> busy_queues() {
    std::vector<Queue *> queues;
    for (const Callback &callback : pending_)
      if (callback.is_open() && !std::ranges::contains(queues, callback.queue))
        queues.push_back(callback.queue);
    return queues;
  }
  bool is_any_told(const CallbacksBefore &before) {
    return std::ranges::any_of(told_of_loss_,
                               [&](const Queue *queue) { return before.is_chosen(*queue); });
  }
  bool is_idle() { return std::ranges::none_of(pending_, &Callback::is_open); }

  /// A child of fork has no such thread, and the work before the callbacks is its parent's.
  void begin_child() {
    pending_.clear();
    told_of_loss_.clear();
    is_running_ = false;
    new (&changed_) std::condition_variable; // may remember threads that do not exist here
    mutex_.unlock();
  }

  void start_thread() {
    // Without a thread, calls that report a loss call them.
    if (!is_running_ && !stopping_)
      is_running_ = common::start_own_thread([this] { watch(); });
  }

  void watch() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      if (is_idle()) {
        if (!changed_.wait_for(lock, idle_life, [&] { return stopping_ || !is_idle(); }))
          break;
        continue;
      }
      if (changed_.wait_for(lock, look_interval, [&] { return stopping_; }))
        break;
      lock.unlock();
      {
        const ThreadMark mark;
        const Inside inside; // from before the question whether the process ends
        if (!Platform::has_ended())
          call_lost();
      }
      lock.lock();
    }
    is_running_ = false;
    changed_.notify_all();
  }

  static inline constinit thread_local bool is_in_callback = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  // In the order of their streams. Those that were called because of a loss stay: the driver was given their addresses.
  std::list<Callback> pending_;
  std::vector<const Queue *> told_of_loss_; // those of callbacks that have not returned
  bool is_running_ = false;
  bool stopping_ = false;
};

void run_callback(void *data) { Callbacks::all().run(*static_cast<Callback *>(data)); }

} // namespace

void add_callback(const StreamTarget &stream, hipStream_t handle, hipStreamCallback_t function,
                  void *user_data) {
  Callback &callback = Callbacks::all().add({handle, function, user_data, stream.queue});
  try {
    append_host_function(stream, HostFunctionOf::runtime, run_callback, &callback);
  } catch (...) {
    Callbacks::all().remove(callback);
    throw;
  }
  Callbacks::all().submitted(callback);
}

void call_lost_callbacks() noexcept {
  try {
    Callbacks::all().call_lost();
    Callbacks::all().wait_for_others();
  } catch (const std::exception &) {
    // No memory to list the queues in: the thread tries again.
  }
}

bool has_callbacks(const Scheduler &scheduler) { return Callbacks::all().has_any(scheduler); }

void finish_callbacks(const CallbacksBefore &before) { Callbacks::all().finish(before); }

bool try_to_finish_callbacks(const CallbacksBefore &before) {
  return Callbacks::all().try_to_finish(before);
}

bool is_in_callback() noexcept { return Callbacks::is_inside(); }

bool stop_callbacks(std::chrono::steady_clock::time_point deadline) noexcept {
  return Callbacks::all().stop(deadline);
}

} // namespace chip
