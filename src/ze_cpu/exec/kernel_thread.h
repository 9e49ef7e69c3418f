// What a thread keeps from one launch to the next to run kernels without allocating.
#pragma once

#include "../contract/kernel_code.h"
#include "checks/group_trace.h"
#include "execute.h"
#include "faults.h"
#include "lanes/diverged_lanes.h"
#include "lanes/group_fibers.h"

#include <cstddef>
#include <memory>

namespace common {
template <class T> T &of_this_thread();
}

namespace ze_cpu {

class KernelThread {
public:
  KernelThread(const KernelThread &) = delete;
  KernelThread &operator=(const KernelThread &) = delete;
  ~KernelThread();

  /// The calling thread's, made at its first launch.
  static KernelThread &current();

  /// Readies the thread for `launch`. False: not enough memory.
  bool prepare(const Launch &launch) {
    prepare_fault_handling();
    return make_ready(launch);
  }
  /// The other part of prepare().
  bool make_ready(const Launch &launch);

  /// Runs the work-groups [first, last) in linear order (x fastest) of the prepared launch. False:
  /// one of them waits for the others, which do not run. Faults are not caught here.
  bool run(const Launch &launch, uint64_t first, uint64_t last);

  /// Whether run_group() can run the kernel.
  static bool runs_here(const KernelCode &code);
  /// Runs the one work-group of the launch that the thread was made ready for.
  void run_group(const Launch &launch);

  /// Whether a fault in run() was an access beyond the end of a stack that is the kernel's own.
  bool is_stack_overflow(const FaultGuard &fault) const {
    return fiber_stacks_.is_overflow(fault) || large_stack_.is_overflow(fault);
  }
  /// After a fault in run(): whatever it was in the middle of is forgotten.
  void abandon() { launch_ = nullptr; }

private:
  friend KernelThread &common::of_this_thread<KernelThread>();
  KernelThread();
  size_t prepare_lanes(const KernelCode &code, uint32_t items);
  void run_on_own_stack(const Launch &launch, uint64_t first, uint64_t last);
  static void own_stack_main(void *self);

  GroupContext group_ = {};
  std::byte *local_ = nullptr;
  size_t local_capacity_ = 0;
  size_t local_alignment_ = 0;
  const std::byte *stack_low_ = nullptr, *stack_high_ = nullptr;
  FiberStacks fiber_stacks_;
  GroupFibers fibers_;

  DivergedLanes diverged_;
  std::unique_ptr<GroupTrace> trace_;

  // A kernel with much private memory runs on a stack of the size it needs. At its far end lies the
  // lanes' memory, so that one range tells what is private.
  FiberStacks large_stack_;
  SanitizerStack sanitizer_here_, sanitizer_large_;
  void *here_ = nullptr, *there_ = nullptr;
  const Launch *launch_ = nullptr;
  uint64_t first_ = 0, last_ = 0;
};

} // namespace ze_cpu
