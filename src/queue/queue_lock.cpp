#include "queue_lock.h"
#include "../common/processor/relax.h"

#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace chip {
namespace {

constexpr int spins = 100;                    // who has the lock appends one command
constexpr timespec longest_sleep{0, 100'000}; // until a thread looks whether it was forgotten

long futex(std::atomic<uint32_t> &word, int operation, uint32_t value, const timespec *limit) {
  static_assert(sizeof word == sizeof(uint32_t));
  return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, limit, nullptr, 0);
}

} // namespace

void QueueLock::wait() {
  for (int i = 0; i < spins; ++i) {
    common::relax_processor();
    if (is_taken_.load(std::memory_order_relaxed) == 0 && try_lock())
      return;
  }
  waiting_.fetch_add(1, std::memory_order_relaxed);
  while (!try_lock())
    futex(is_taken_, FUTEX_WAIT, 1, &longest_sleep);
  waiting_.fetch_sub(1, std::memory_order_relaxed);
}

void QueueLock::wake() { futex(is_taken_, FUTEX_WAKE, 1, nullptr); }

} // namespace chip
