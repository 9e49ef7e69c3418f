// One launch being worked on by several threads.
#pragma once

#include "execute.h"

#include <atomic>
#include <cstdint>

namespace ze_cpu {

class Pool;
class ResidentGroups;

/// Lives on the caller's stack until no other thread works on it.
struct Grid {
  Grid(const Launch &the_launch, uint64_t groups) : launch(the_launch), total(groups) {}

  const Launch &launch;
  const uint64_t total;               // work-groups, or teams of resident ones
  ResidentGroups *resident = nullptr; // in a cooperative launch that waits for the grid
  uint64_t chunk = 1; // work-groups that a thread takes at a time; set before the grid is shared
  std::atomic<uint64_t> next = 0; // first group that no thread has taken: groups start in order
  std::atomic<bool> faulted = false;
  std::atomic<uint32_t> helpers = 0;        // pool threads at work on it
  Pool *pool = nullptr;                     // set where groups may wait for others (group_wait.h)
  uint32_t waiting = 0;                     // threads that do, with the pool's mutex held
  std::atomic<bool> has_complained = false; // of a wait without end
  Fault fault;                              // written by the thread that set `faulted`

  bool has_work() const { return next.load(std::memory_order_relaxed) < total; }

  /// Takes chunks until none is left. A fault empties the grid.
  void work();
  /// What work() consists of: prepares the calling thread, and takes one chunk. False: there is nothing to do any more.
  bool prepare();
  bool work_on();

  /// Runs groups [first, last) on the calling thread, which is prepared for the launch. False: a
  /// fault ended the launch.
  bool run(uint64_t first, uint64_t last);

  void fail(Fault reason);
};

struct FaultGuard;

/// What ended guarded code of the kernel on the calling thread, which forgets whatever it was in the
/// middle of.
Fault describe_fault(const KernelCode &code, const FaultGuard &guard, int signal);

} // namespace ze_cpu
