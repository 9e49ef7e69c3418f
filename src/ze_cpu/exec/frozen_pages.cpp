#include "frozen_pages.h"

#include "faults.h"

#include <sys/mman.h>

#include <atomic>
#include <new>
#include <thread>

namespace ze_cpu {
namespace {

// Odd while pages are frozen. All three are sequentially consistent: who faults on frozen pages sees
// them as they are, or that the freeze has ended.
constinit std::atomic<uint64_t> freezes{0};
constinit std::atomic<uintptr_t> first{0}, end{0};

// The last freeze whose end made this thread try again. Initial-exec: see active_guard.
constinit thread_local uint64_t tried_after __attribute__((tls_model("initial-exec"))) = 0;

} // namespace

FrozenPages::FrozenPages(void *pages, size_t bytes) : pages_(pages), bytes_(bytes) {
  refresh_fault_handling();
  first = reinterpret_cast<uintptr_t>(pages);
  end = first + bytes;
  ++freezes;
  if (mprotect(pages, bytes, PROT_READ) != 0) {
    ++freezes;
    throw std::bad_alloc();
  }
}

FrozenPages::~FrozenPages() {
  mprotect(pages_, bytes_, PROT_READ | PROT_WRITE);
  ++freezes;
}

bool outlasts_freeze(uintptr_t address) {
  uint64_t seen = freezes;
  if (seen % 2 != 0 && address - first < end - first)
    while (freezes == seen)
      std::this_thread::yield();
  // A freeze may have ended between the fault and here. What is at fault for another reason comes
  // back once.
  seen = freezes / 2;
  if (tried_after == seen)
    return false;
  tried_after = seen;
  return true;
}

} // namespace ze_cpu
