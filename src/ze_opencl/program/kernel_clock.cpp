#include "kernel_clock.h"

#include "../../common/own_thread.h"
#include "../../ze_driver/events/clock.h"
#include "../memory/steady_pages.h"

#include <new>

namespace ze_opencl {
namespace {

/// How often it is advanced. Kernels that wait for a time wait so much longer at most.
constexpr std::chrono::microseconds step{20};

std::atomic<uint64_t> &make_ticks() {
  void *const pages = map_steady_pages(0, sizeof(std::atomic<uint64_t>));
  if (!pages)
    throw std::bad_alloc();
  return *new (pages) std::atomic<uint64_t>(1);
}

} // namespace

KernelClock::KernelClock() : ticks_(make_ticks()) {}

KernelClock &KernelClock::instance() {
  static auto *const clock = new KernelClock;
  return *clock;
}

uint64_t KernelClock::address_for(const Device &device) {
  if (device.platform->memory_model != MemoryModel::system || !device.abilities.int64_atomics)
    return 0;
  return reinterpret_cast<uintptr_t>(&ticks_);
}

void KernelClock::begin() {
  if (running_.fetch_add(1, std::memory_order_seq_cst) != 0)
    return;
  advance();
  const std::lock_guard lock(mutex_);
  wake_.notify_one();
  if (has_thread_)
    return;
  has_thread_ = common::start_own_thread([this] {
    for (;;) {
      {
        std::unique_lock sleeping(mutex_);
        wake_.wait(sleeping, [this] { return running_.load(std::memory_order_seq_cst) > 0; });
      }
      advance();
      std::this_thread::sleep_for(step);
    }
  });
}

void KernelClock::advance() {
  const uint64_t time = ze_driver::now_ns();
  // Kernels advance it too: it never goes back.
  uint64_t ticks = ticks_.load(std::memory_order_relaxed);
  while (ticks < time && !ticks_.compare_exchange_weak(ticks, time, std::memory_order_relaxed))
    ;
}

} // namespace ze_opencl
