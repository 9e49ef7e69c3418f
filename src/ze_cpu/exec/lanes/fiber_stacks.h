// Stacks for the fibers of one thread, kept from launch to launch.
#pragma once

#include "../faults.h"

#include <cstddef>

namespace ze_cpu {

class FiberStacks {
public:
  FiberStacks() = default;
  FiberStacks(const FiberStacks &) = delete;
  FiberStacks &operator=(const FiberStacks &) = delete;
  ~FiberStacks();

  /// Makes sure of `count` stacks of at least `bytes` each. `guarded`: a page without access below
  /// each of them, for code whose depth is not known (as long as the system lets a process have
  /// that many mappings). False: no memory.
  bool reserve(size_t count, size_t bytes, bool guarded);

  /// Address space that each takes.
  static size_t stride(size_t bytes, bool guarded);

  /// One past the highest byte of a stack, 16-byte aligned.
  std::byte *top(size_t index) const { return base_ + (index + 1) * stride_ - stagger(index); }
  const std::byte *bottom(size_t index) const { return base_ + index * stride_ + guard_; }

  /// Whether somebody wanted to go deeper than these stacks are.
  bool is_overflow(const FaultGuard &fault) const;

  const std::byte *low() const { return base_; }
  const std::byte *high() const { return base_ + count_ * stride_; }

private:
  // Equal frames at equal distances would all fall into the same cache sets.
  static constexpr size_t stagger_step = 192, stagger_period = 16;
  static size_t stagger(size_t index) { return index % stagger_period * stagger_step; }
  void release();

  void *mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  std::byte *base_ = nullptr;
  size_t stride_ = 0, count_ = 0, guard_ = 0;
};

} // namespace ze_cpu
