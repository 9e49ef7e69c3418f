#include "kernel_thread.h"
#include "../../common/align.h"
#include "caches.h"
#include "faults.h"
#include "lanes/fiber_switch.h"

#include "../../common/per_thread.h"
#include "checking.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <pthread.h>

namespace ze_cpu {
namespace {

// What a thread's own stack is trusted with; threads of the user's may have small ones.
constexpr uint32_t small_frame = 32 * 1024;

// What lies on the thread's own stack is the program's: no kernel may touch it when that is
// checked.
bool needs_own_stack(const KernelCode &code) {
  const bool private_on_stack = code.in_regions && code.private_bytes != 0;
  return code.loop && (code.stack_bytes > small_frame || !code.stack_is_bounded ||
                       private_on_stack || is_checking());
}

std::byte *align_up(const std::byte *address) {
  const auto number = reinterpret_cast<uintptr_t>(address);
  const uintptr_t aligned = common::round_up(number, local_alignment);
  return const_cast<std::byte *>(address) + (aligned - number);
}

} // namespace

KernelThread::KernelThread() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void *low = nullptr;
    size_t size = 0;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
      stack_low_ = static_cast<std::byte *>(low);
      stack_high_ = stack_low_ + size;
    }
    pthread_attr_destroy(&attributes);
  }
}

KernelThread::~KernelThread() { std::free(local_); }

KernelThread &KernelThread::current() { return common::of_this_thread<KernelThread>(); }

// Bytes that the lanes of a team need together.
size_t KernelThread::prepare_lanes(const KernelCode &code, uint32_t items) {
  if (!code.in_regions)
    return 0;
  const uint32_t lanes = code.by_sub_group ? code.sub_group_size : (items + 31) / 32 * 32;
  diverged_.reserve(lanes);
  group_.diverged = &diverged_;
  group_.lane_capacity = lanes;
  return size_t(lanes) * code.lane_bytes + local_alignment;
}

bool KernelThread::make_ready(const Launch &launch) try {
  const KernelCode &code = *launch.code;
  if (launch.local_bytes > local_capacity_ ||
      (launch.local_bytes != 0 && code.local_alignment > local_alignment_)) {
    const size_t alignment = std::max(code.local_alignment, local_alignment_);
    const size_t least = std::max<size_t>({launch.local_bytes, local_capacity_, 64 * 1024});
    const size_t capacity = common::round_up(least, alignment);
    void *memory = std::aligned_alloc(alignment, capacity);
    if (!memory)
      return false;
    std::free(local_);
    local_ = static_cast<std::byte *>(memory);
    local_capacity_ = capacity;
    local_alignment_ = alignment;
  }
  describe(launch, group_);
  group_.local = local_;
  if (launch.traced && !trace_)
    trace_ = std::make_unique<GroupTrace>();
  group_.trace = launch.traced ? trace_.get() : nullptr;
  if (code.loop) {
    group_.fibers = nullptr;
    group_.stack_low = stack_low_;
    group_.stack_high = stack_high_;
    if (needs_own_stack(code) || code.in_regions) {
      const size_t lane_memory = prepare_lanes(code, group_items(launch));
      if (!large_stack_.reserve(1, code.stack_bytes + lane_memory, true))
        return false;
      group_.stack_low = large_stack_.low();
      group_.stack_high = large_stack_.high();
      group_.lane_memory = align_up(large_stack_.bottom(0));
    }
    return true;
  }
  const uint32_t lanes = group_items(launch);
  if (!fiber_stacks_.reserve(lanes, code.stack_bytes, !code.stack_is_bounded))
    return false;
  fibers_.reserve(lanes);
  group_.fibers = &fibers_;
  group_.calls = fibers_.calls();
  group_.stack_low = fiber_stacks_.low();
  group_.stack_high = fiber_stacks_.high();
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

bool KernelThread::runs_here(const KernelCode &code) {
  return code.loop && !code.in_regions && !needs_own_stack(code) && !code.waits_for_memory;
}

void KernelThread::run_group(const Launch &launch) {
  group_.group[1] = group_.group[2] = 0;
  launch.code->loop(&group_, 0, 1);
  if (group_.nontemporal_stores)
    fence_nontemporal_stores();
}

ZE_CPU_SWITCHES_STACKS bool KernelThread::run(const Launch &launch, uint64_t first, uint64_t last) {
  const KernelCode &code = *launch.code;
  if (needs_own_stack(code) && !launch_)
    return run_on_own_stack(launch, first, last), true;
  while (first < last) {
    uint64_t row = first / launch.groups[0];
    uint64_t x = first % launch.groups[0];
    uint64_t end = std::min<uint64_t>(launch.groups[0], x + (launch.traced ? 1 : last - first));
    group_.group[1] = row % launch.groups[1];
    group_.group[2] = row / launch.groups[1];
    if (launch.traced)
      trace_->begin(*launch.traced, group_, code.sub_group_size, static_cast<uint32_t>(first));
    first += end - x;
    if (code.loop)
      code.loop(&group_, x, end);
    else
      for (; x < end; ++x) {
        group_.group[0] = x;
        fibers_.start(code, group_, fiber_stacks_, 0);
        while (fibers_.resume())
          if (uint64_t(launch.groups[0]) * launch.groups[1] * launch.groups[2] != 1)
            return false;
      }
  }
  if (group_.nontemporal_stores)
    fence_nontemporal_stores();
  return true;
}

ZE_CPU_SWITCHES_STACKS void KernelThread::run_on_own_stack(const Launch &launch, uint64_t first,
                                                           uint64_t last) {
  launch_ = &launch;
  first_ = first;
  last_ = last;
  sanitizer_large_.bottom = large_stack_.bottom(0);
  sanitizer_large_.size = static_cast<size_t>(large_stack_.top(0) - large_stack_.bottom(0));
  sanitizer_large_.fake_stack = nullptr;
  there_ = prepare_stack(large_stack_.top(0), own_stack_main, this);
  sanitizer_enter_fibers(sanitizer_here_);
  sanitizer_before_switch(sanitizer_here_, sanitizer_large_, false);
  ze_cpu_switch_stack(&here_, there_);
  sanitizer_after_switch(sanitizer_here_, sanitizer_large_);
  sanitizer_leave_fibers();
  launch_ = nullptr;
}

ZE_CPU_SWITCHES_STACKS void KernelThread::own_stack_main(void *self) {
  auto &thread = *static_cast<KernelThread *>(self);
  sanitizer_after_switch(thread.sanitizer_large_, thread.sanitizer_here_);
  thread.run(*thread.launch_, thread.first_, thread.last_);
  sanitizer_before_switch(thread.sanitizer_large_, thread.sanitizer_here_, true);
  ze_cpu_switch_stack(&thread.there_, thread.here_);
  __builtin_unreachable();
}

} // namespace ze_cpu
