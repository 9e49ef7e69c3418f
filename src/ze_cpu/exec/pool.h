// The worker threads that the launches of a device share.
#pragma once

#include "grid.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace ze_cpu {

class Pool {
public:
  /// How many devices the machine's processors are dealt out to: ZE_CPU_DEVICES, or 1.
  static unsigned count();
  /// The pool of a device. Its threads start with the first grid that is shared.
  static Pool &of(unsigned device);

  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  /// Threads that may work on one grid, the caller's included: the device's share of the
  /// processors, or of ZE_CPU_THREADS; at least 1.
  unsigned width() const { return width_; }

  /// Works on `grid` with the caller and whatever workers are free; returns when all of it is done.
  void share(Grid &grid);
  /// The same without workers, until a group waits for another.
  void work_alone(Grid &grid);

  /// A group waits for what another is to write. Where fewer threads than the pool has work on other groups of the grid, one more
  /// does, until the wait is over.
  void begin_wait(Grid &grid);
  void end_wait(Grid &grid);

  /// Called by fork.cpp, in this order, for all pools.
  static void before_fork();
  static void after_fork(bool is_child);

private:
  explicit Pool(unsigned width) : width_(width), worker_limit_(width - 1) {}
  static std::vector<Pool *> &all();
  void stop();
  void start_workers();
  void forget_workers();
  void worker();
  void stand_in(Grid &grid);
  void wait_for_helpers(Grid &grid);
  Grid *find_work();

  unsigned width_;
  std::mutex mutex_;
  std::condition_variable wake_; // there is work
  std::condition_variable left_; // a grid's last helper has gone
  std::vector<Grid *> open_;     // oldest first
  unsigned worker_limit_;        // what the system allows
  unsigned workers_ = 0;         // that have not ended
  bool stopping_ = false;
  /// Bumped with each shared grid; idle workers watch it before they sleep.
  std::atomic<uint32_t> announced_ = 0;
};

} // namespace ze_cpu
