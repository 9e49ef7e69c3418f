#include "pool.h"
#include "../../common/lock_until.h"
#include "../../common/own_thread.h"
#include "../../common/processor/float_environment.h"
#include "../../common/processor/relax.h"
#include "../contract/environment.h"

#include <algorithm>
#include <chrono>
#include <pthread.h>
#include <thread>

namespace ze_cpu {
namespace {

// A worker that has just finished looks for more this long before it sleeps: launches come in
// bursts, and waking takes longer.
constexpr auto idle_spin = std::chrono::microseconds(10);
constexpr auto idle_thread_life = std::chrono::seconds(1);
// Threads of a grid that may have others in their place: a program that needs more waits for ever.
constexpr uint32_t max_waiting = 1024;
constexpr auto stop_patience = std::chrono::milliseconds(100);

constexpr unsigned max_devices = 64;

unsigned total_width() {
  static const unsigned width =
      unsigned(settings.number("ZE_CPU_THREADS", 1, 4096)
                   .value_or(std::max(1u, std::thread::hardware_concurrency())));
  return width;
}

} // namespace

std::vector<Pool *> &Pool::all() {
  // Never destroyed: threads of the program may still launch while static objects go. Only their
  // threads end.
  static std::vector<Pool *> &pools = [] -> std::vector<Pool *> & {
    auto &made = *new std::vector<Pool *>;
    const unsigned devices =
        unsigned(settings.number("ZE_CPU_DEVICES", 1, max_devices).value_or(1));
    const unsigned width = total_width();
    for (unsigned i = 0; i < devices; ++i)
      made.push_back(new Pool(std::max(1u, width / devices + (i < width % devices ? 1 : 0))));
    return made;
  }();
  static struct Stop {
    ~Stop() {
      for (Pool *pool : all())
        pool->stop();
    }
  } stop;
  return pools;
}

unsigned Pool::count() { return static_cast<unsigned>(all().size()); }
Pool &Pool::of(unsigned device) { return *all()[device]; }

void Pool::stop() {
  const auto end = std::chrono::steady_clock::now() + stop_patience;
  std::unique_lock lock = common::lock_until(mutex_, end);
  if (!lock)
    return;
  stopping_ = true;
  wake_.notify_all();
  // A kernel that does not end must not keep the process from ending.
  (void)left_.wait_until(lock, end, [&] { return workers_ == 0; });
}

void Pool::before_fork() {
  for (Pool *pool : all())
    pool->mutex_.lock();
}

void Pool::after_fork(bool is_child) {
  for (Pool *pool : all()) {
    if (is_child)
      pool->forget_workers();
    pool->mutex_.unlock();
  }
}

/// A child of fork has none of them; it starts its own when it needs them.
void Pool::forget_workers() {
  open_.clear();
  workers_ = 0;
  // They also count as waiters of these for ever.
  new (&wake_) std::condition_variable;
  new (&left_) std::condition_variable;
}

void Pool::start_workers() {
  while (workers_ < worker_limit_)
    if (common::start_own_thread([this] { worker(); }))
      ++workers_;
    else
      worker_limit_ = workers_; // the caller works in any case
}

void Pool::share(Grid &grid) {
  {
    std::lock_guard lock(mutex_);
    if (workers_ < worker_limit_ && !stopping_)
      start_workers();
    open_.push_back(&grid);
    announced_.fetch_add(1, std::memory_order_release);
  }
  uint64_t chunks =
      (grid.total - grid.next.load(std::memory_order_relaxed) + grid.chunk - 1) / grid.chunk;
  if (chunks > 2)
    wake_.notify_all();
  else
    wake_.notify_one();
  grid.work();
  {
    std::lock_guard lock(mutex_);
    std::erase(open_, &grid); // no worker can join any more
  }
  wait_for_helpers(grid);
}

void Pool::work_alone(Grid &grid) {
  grid.work();
  wait_for_helpers(grid);
}

void Pool::wait_for_helpers(Grid &grid) {
  // Those that did are within one chunk of their end.
  for (int spins = 0; spins < 1000; ++spins) {
    if (grid.helpers.load(std::memory_order_acquire) == 0)
      return;
    common::relax_processor();
  }
  std::unique_lock lock(mutex_);
  left_.wait(lock, [&] { return grid.helpers.load(std::memory_order_acquire) == 0; });
}

void Pool::begin_wait(Grid &grid) {
  std::lock_guard lock(mutex_);
  ++grid.waiting;
  const uint32_t running = 1 + grid.helpers.load(std::memory_order_relaxed) - grid.waiting;
  if (running >= width_ || !grid.has_work() || stopping_ || grid.waiting > max_waiting)
    return;
  grid.helpers.fetch_add(1, std::memory_order_relaxed);
  if (!common::start_own_thread([this, &grid] { stand_in(grid); }))
    grid.helpers.fetch_sub(1, std::memory_order_relaxed); // who waits may go on by itself
}

void Pool::end_wait(Grid &grid) {
  std::lock_guard lock(mutex_);
  --grid.waiting;
}

void Pool::stand_in(Grid &grid) {
  const common::DefaultFloatEnvironment environment;
  bool has_work = grid.prepare();
  for (;;) {
    has_work = has_work && grid.work_on();
    std::lock_guard lock(mutex_);
    // One more than there are processors goes, those in whose place others work not counted.
    if (has_work && grid.helpers.load(std::memory_order_relaxed) < width_ + grid.waiting)
      continue;
    if (grid.helpers.fetch_sub(1, std::memory_order_release) == 1)
      left_.notify_all();
    return;
  }
}

// With the mutex held. Launches of different lists are served in the order of their arrival.
Grid *Pool::find_work() {
  for (Grid *grid : open_)
    if (grid->has_work())
      return grid;
  return nullptr;
}

void Pool::worker() {
  // Not that of the thread that happened to start this one.
  const common::DefaultFloatEnvironment environment;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (Grid *grid = find_work()) {
      grid->helpers.fetch_add(1, std::memory_order_relaxed);
      lock.unlock();
      grid->work();
      lock.lock();
      uint32_t announced = announced_.load(std::memory_order_relaxed);
      // The grid may be gone as soon as the count is zero.
      if (grid->helpers.fetch_sub(1, std::memory_order_release) == 1)
        left_.notify_all();
      if (find_work() || stopping_)
        continue;
      lock.unlock();
      auto until = std::chrono::steady_clock::now() + idle_spin;
      while (announced_.load(std::memory_order_acquire) == announced &&
             std::chrono::steady_clock::now() < until)
        common::relax_processor();
      lock.lock();
      continue;
    }
    // It leaves then: a program whose main thread has ended goes on until its last thread does.
    if (wake_.wait_for(lock, idle_thread_life) == std::cv_status::timeout && !find_work())
      break;
  }
  --workers_;
  left_.notify_all();
}

} // namespace ze_cpu
